"""Jobs on a Ray cluster of two nodes on this machine: the same games and values as here, and nothing lost with an actor or a node."""

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from match_players import rows

from gtp_engine.base.jobs.job import JobDescription, JobResult, PlaceError
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.tools.match.runner import run_tournament
from gtp_engine.tools.match.tournament import Tournament, TournamentError

pytestmark = pytest.mark.cluster

VARIED = Tournament((rows("a"), rows("b", "W+1")), games=8, size=5, openings="random:2")
STORE_LIMIT = 80 * 2**20  # bytes of memory that each node keeps for objects


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with one processor each."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": STORE_LIMIT, "include_dashboard": False})
    made.add_node(num_cpus=1, object_store_memory=STORE_LIMIT)
    yield made
    import ray

    ray.shutdown()
    made.shutdown()


def job(name: str, number: int, data: object = 0) -> JobDescription:
    return JobDescription(str(number), f"job_functions:{name}", data, number)


def run(place: JobPlace, jobs: list[JobDescription]) -> dict[str, JobResult]:
    with place.runner(1) as runner:
        return {result.key: result for result in runner.results(jobs)}


def test_the_same_games_as_here(cluster: Any, tmp_path: Path) -> None:
    here = run_tournament(VARIED, tmp_path / "here").records
    there = run_tournament(replace(VARIED, jobs=2), tmp_path / "there", ray=cluster.address).records
    games = [sorted((record.number, record.digest, record.winner) for record in records) for records in (here, there)]
    assert len(games[0]) == 8 and games[0] == games[1]


def test_a_missing_engine_is_told(cluster: Any, tmp_path: Path) -> None:
    players = (rows("a"), replace(rows("b"), command=("no-such-engine",)))
    with pytest.raises(TournamentError, match=r"on .*: b cannot start no-such-engine: No such file"):
        run_tournament(replace(VARIED, players=players), tmp_path, ray=cluster.address)


def test_killed_actors_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    """Each of these jobs ends its actor by kill -9 the first time."""
    results = run(JobPlace(2, cluster.address), [job("die_once", number, str(tmp_path)) for number in range(20)])
    assert {key: result.value for key, result in results.items()} == {str(number): number for number in range(20)}
    assert len(list(tmp_path.glob("died-*"))) == 20


def test_an_error_names_the_node_and_a_dying_job_is_given_up(cluster: Any) -> None:
    results = run(JobPlace(2, cluster.address), [job("refuse", 1), job("die", 2), job("square", 3, 5)])
    assert results["1"].error.startswith("on node ") and results["1"].error.endswith("ValueError: no such number")
    assert "3 times" in results["2"].error
    assert results["3"].value == 28


def test_a_removed_node_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE_LIMIT)
    jobs = [job("leave_trace", number, str(tmp_path)) for number in range(100)]
    values = []
    with JobPlace(3, cluster.address).runner(1) as runner:
        for result in runner.results(jobs):
            assert not result.error
            values.append(result.value)
            if len(values) == 10:
                cluster.remove_node(node, allow_graceful=False)
    assert sorted(values) == list(range(100))


def test_more_actors_than_processors_take_turns(cluster: Any, tmp_path: Path) -> None:
    """The third actor begins when the other two have no job left."""
    results = run(JobPlace(3, cluster.address), [job("leave_trace", number, str(tmp_path)) for number in range(12)])
    assert {key: result.value for key, result in results.items()} == {str(number): number for number in range(12)}


def test_five_kills_of_the_driver_lose_no_game(cluster: Any, tmp_path: Path) -> None:
    """The tournament's process is killed five times after some games; the same call plays the rest, and no game twice."""
    program = (
        "import sys; from pathlib import Path; import test_cluster as t; from dataclasses import replace; "
        "t.run_tournament(replace(t.VARIED, games=400, jobs=2), Path(sys.argv[1]), ray=sys.argv[2])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    results, kept = tmp_path / "results.jsonl", 0
    for _ in range(5):
        driver = subprocess.Popen([sys.executable, "-c", program, str(tmp_path), cluster.address], env=environment)
        deadline = time.monotonic() + 60
        while not (results.exists() and results.read_bytes().count(b"\n") > kept + 4):
            assert driver.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        kept = results.read_bytes().count(b"\n") - 1
    assert 20 <= kept < 400
    records = run_tournament(replace(VARIED, games=400, jobs=2), tmp_path, ray=cluster.address).records
    assert sorted(record.number for record in records) == list(range(400))


def test_a_cluster_made_for_one_command() -> None:
    values = {key: result.value for key, result in run(JobPlace(2, "local"), [job("square", number, 2) for number in range(5)]).items()}
    assert values == {str(number): 4 + number for number in range(5)}


def listening(processes: list[int]) -> set[str]:
    """The addresses on which these processes wait for connections, as Linux writes them."""
    lines = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    addresses = {f"socket:[{words[9]}]": words[1].partition(":")[0] for words in lines if words[3] == "0A"}
    found = set()
    for process in processes:
        for file in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                found.add(addresses.get(os.readlink(file), ""))
    return found - {""}


def children(process: int) -> list[int]:
    """This process and all below it."""
    below = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(each for child in below for each in children(int(child)))]


ASKING = (
    "import sys; from ray._raylet import GcsClient; GcsClient(address=sys.argv[1]).internal_kv_keys(b'', None); print('is in', flush=True)"
)


def answers(address: str, environment: dict[str, str], told: Path) -> bool:
    """Does the cluster's head answer another process? Where that waits for long, it doesn't."""
    with told.open("w") as out, contextlib.suppress(subprocess.TimeoutExpired):
        command = [sys.executable, "-c", ASKING, address]
        subprocess.run(command, env=environment, stdout=out, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=60)
    return "is in" in told.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_cluster_made_for_one_command_is_for_this_user_alone(tmp_path: Path) -> None:
    import ray

    ray.shutdown()
    home = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")} | {"HOME": str(tmp_path)}
    others = set(children(os.getpid())) - {os.getpid()}  # the nodes of the tests above, which listen on every interface
    with JobPlace(1, "local").runner(1) as runner:
        assert next(iter(runner.results([job("square", 1, 2)]))).value == 5
        token = Path(os.environ["RAY_AUTH_TOKEN_PATH"])
        assert [stat.S_IMODE(path.stat().st_mode) for path in (token, token.parent)] == [0o600, 0o700]
        made = [process for process in children(os.getpid()) if process not in others]
        assert listening(made) <= {"0100007F", "0000000000000000FFFF00000100007F"}
        address = ray.get_runtime_context().gcs_address
        assert answers(address, home | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}, tmp_path / "own")
        for name, mode in (("none", {"RAY_AUTH_MODE": "disabled"}), ("wrong", {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64})):
            assert not answers(address, home | mode, tmp_path / name)
    assert "RAY_AUTH_TOKEN_PATH" not in os.environ


def test_no_cluster_is_told() -> None:
    with pytest.raises(PlaceError, match="there is no cluster to join"):
        JobPlace(1, "127.0.0.1:1").runner(1)
