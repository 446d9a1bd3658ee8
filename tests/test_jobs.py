"""Jobs on several processes: the same values on one and two, and nothing lost or done twice when something is killed."""

import multiprocessing
import os
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.job import MOST_ATTEMPTS, JobDescription, JobResult, load_function
from gtp_engine.base.jobs.local import LocalRunner
from gtp_engine.base.jobs.run import run_missing
from gtp_engine.base.jobs.store import JobStore

SPAWN = multiprocessing.get_context("spawn")


def job(name: str, number: int, data: object = 0) -> JobDescription:
    return JobDescription(str(number), f"job_functions:{name}", data, number)


def run(jobs: list[JobDescription], processes: int) -> dict[str, JobResult]:
    with LocalRunner(processes) as runner:
        results = list(runner.results(jobs))
    assert len(results) == len(jobs)
    return {result.key: result for result in results}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    opened = JobStore(tmp_path / "store", {"what": "test"})
    yield opened
    opened.close()


def test_one_and_two_processes_give_the_same_values() -> None:
    jobs = [job("square", number, number) for number in range(20)]
    values = [{key: result.value for key, result in run(jobs, processes).items()} for processes in (1, 2)]
    assert values[0] == values[1] == {str(number): number * number + number for number in range(20)}


def test_an_error_is_a_result_and_the_process_goes_on() -> None:
    results = run([job("refuse", 1), job("square", 2, 5), job("no_such_function", 3)], 1)
    assert results["1"].error == "ValueError: no such number"
    assert results["2"].value == 27
    assert results["3"].error.startswith("AttributeError")


def test_a_job_whose_process_always_dies_gets_an_error() -> None:
    results = run([job("die", 1), job("square", 2, 5)], 2)
    assert f"{MOST_ATTEMPTS} times" in results["1"].error and "status -9" in results["1"].error
    assert results["2"].value == 27


def test_twenty_killed_processes_lose_nothing(tmp_path: Path) -> None:
    results = run([job("die_once", number, str(tmp_path)) for number in range(20)], 2)
    assert len(list(tmp_path.glob("died-*"))) == 20
    assert {key: result.value for key, result in results.items()} == {str(number): number for number in range(20)}


def test_no_more_jobs_are_taken_than_there_are_processes() -> None:
    taken = []

    def source() -> Iterator[JobDescription]:
        for number in range(50):
            taken.append(number)
            yield job("square", number, number)

    with LocalRunner(2) as runner:
        for ended, _ in enumerate(runner.results(source())):
            assert len(taken) <= ended + 2


def test_a_finished_job_does_not_run_again(store: JobStore, tmp_path: Path) -> None:
    jobs = [job("leave_trace", number, str(tmp_path)) for number in range(8)]
    seen: list[tuple[int, int]] = []
    with LocalRunner(1) as runner:
        for count, _ in enumerate(run_missing(jobs, 8, runner, store, lambda *counts: seen.append(counts)), 1):
            if count == 5:
                break
    assert seen == [(done, 8) for done in range(1, 6)]
    store.close()
    store.__init__(tmp_path / "store", {"what": "test"})  # type: ignore[misc]  # opened again
    kept = set(store.finished)
    assert len(kept) == 5
    with LocalRunner(1) as runner:
        again = {result.key for result in run_missing(jobs, 8, runner, store)}
    assert again == {str(number) for number in range(8)} - kept
    assert {result.value for result in store.results()} == set(range(8))


def test_a_job_that_fails_once_runs_again_and_the_run_is_whole(store: JobStore, tmp_path: Path) -> None:
    jobs = [job("leave_trace", 1, str(tmp_path)), job("fail_once", 2, str(tmp_path)), job("leave_trace", 3, str(tmp_path))]
    with LocalRunner(1) as runner:
        errors = {result.key: result.error for result in run_missing(jobs, 3, runner, store)}
    assert errors == {"1": "", "2": "MemoryError: no memory this time", "3": ""}
    store.close()
    store.__init__(tmp_path / "store", {"what": "test"})  # type: ignore[misc]  # opened again
    assert store.finished == {"1", "3"}
    with LocalRunner(1) as runner:
        assert [(result.key, result.error) for result in run_missing(jobs, 3, runner, store)] == [("2", "")]
    assert {result.value for result in store.results()} == {1, 2, 3}


def test_five_kills_of_the_driver_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    """Each of the five drivers is killed after it has brought some results; the sixth ends by itself."""
    path, traces, count = tmp_path / "store", tmp_path / "traces", 120
    traces.mkdir()
    import job_functions

    killed = 0
    for attempt in range(6):
        driver = SPAWN.Process(target=job_functions.drive, args=(path, traces, count))
        before = len(kept_keys(path))
        driver.start()
        while attempt < 5 and driver.is_alive() and len(kept_keys(path)) < before + 8:
            time.sleep(0.005)
        if attempt < 5 and driver.is_alive():
            assert driver.pid is not None
            os.kill(driver.pid, signal.SIGKILL)
            killed += 1
        driver.join(60)
    assert killed == 5
    keys = kept_keys(path)
    assert sorted(map(int, keys)) == list(range(count))  # each once
    ran = Counter(int(trace.name.partition(".")[0]) for trace in traces.iterdir())
    assert sum(ran.values()) - count <= 5 * 2  # only what was in flight, two jobs for each kill, ran again


def kept_keys(path: Path) -> list[str]:
    """Keys of the whole lines of a store that somebody else may be writing."""
    import json

    lines = path.read_bytes().split(b"\n")[1:-1] if path.exists() else []
    return [json.loads(line[9:])["key"] for line in lines]


def test_a_store_cut_at_any_byte_opens_with_its_whole_results(tmp_path: Path) -> None:
    path = tmp_path / "store"
    store = JobStore(path, {"what": "test"})
    for number in range(3):
        store.append(JobResult(str(number), {"moves": "B D4"}))
    store.close()
    data = path.read_bytes()
    for length in range(len(data) + 1):
        path.write_bytes(data[:length])
        again = JobStore(path, {"what": "test"})
        assert len(again.finished) == max(0, data[:length].count(b"\n") - 1)
        again.append(JobResult("new"))
        assert [result.key for result in again.results()][-1] == "new"
        again.close()


def test_a_changed_byte_is_told(store: JobStore) -> None:
    store.append(JobResult("1", "B+R"))
    store.path.write_bytes(store.path.read_bytes().replace(b"B+R", b"W+R"))
    with pytest.raises(StoreError, match="line 2 is damaged"):
        list(store.results())


def test_two_drivers_on_one_store(store: JobStore) -> None:
    with pytest.raises(StoreError, match="another process is writing"):
        JobStore(store.path, {"what": "test"})


def test_other_settings_are_told(tmp_path: Path) -> None:
    JobStore(tmp_path / "store", {"seed": 1}).close()
    with pytest.raises(StoreError, match="other settings \\(seed\\)"):
        JobStore(tmp_path / "store", {"seed": 2})


def test_a_full_disk_leaves_what_was_there(store: JobStore) -> None:
    """A limit on the size of files stands for the full disk: a write is cut short, and the next one fails."""
    store.append(JobResult("1", "kept"))
    size = store.path.stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, limits[1]))
    try:
        with pytest.raises(StoreError, match="cannot be written"):
            store.append(JobResult("2", "lost"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert store.path.stat().st_size == size
    store.append(JobResult("2", "there is space again"))
    assert [result.key for result in store.results()] == ["1", "2"]


def test_a_path_without_a_function() -> None:
    with pytest.raises(ValueError, match=r"package\.module:name"):
        load_function("job_functions")
