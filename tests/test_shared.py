"""`gtp --shared`: one process talks to several clients, and each is served as by a process of its own."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared_hosts import end_hosts, hosts

from gtp_engine.interfaces.gtp.shared import IS_POSSIBLE, serve

pytestmark = pytest.mark.skipif(not IS_POSSIBLE, reason="the system has no sockets that pass streams")
PATIENCE = 200.0  # seconds
LONG = "long" * 40  # a socket's path has about a hundred characters at most


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    """Where hosts of this test have their sockets; they are ended."""
    yield tmp_path
    end_hosts(str(tmp_path))


def start(state: Path, *options: str) -> subprocess.Popen[str]:
    """A client."""
    command = [sys.executable, "-P", "-m", "gtp_engine", "gtp", "--shared", *options]
    pipe = subprocess.PIPE
    environment = os.environ | {"XDG_STATE_HOME": str(state)}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)


def ask(client: subprocess.Popen[str], command: str) -> str:
    """The first line of the answer."""
    assert client.stdin and client.stdout
    client.stdin.write(f"{command}\n")
    client.stdin.flush()
    line = client.stdout.readline()
    client.stdout.readline()
    return line.strip()


def test_clients_that_start_together_share_a_host(state: Path) -> None:
    """And each has settings of its own."""
    clients = [start(state, "--gtp-name", name) for name in ("one", "two", "three")]
    assert [ask(client, "name") for client in clients] == ["= one", "= two", "= three"]
    assert len(hosts(str(state))) == 1
    assert [client.communicate("quit\n", PATIENCE) for client in clients] == [("= \n\n", "")] * 3
    assert [client.returncode for client in clients] == [0, 0, 0]


def test_games_do_not_mix(state: Path) -> None:
    large, small = start(state, "--size", "9", "--evaluator", "playouts"), start(state, "--size", "5", "--evaluator", "playouts")
    assert ask(large, "play b J9") == "=" and ask(small, "play b J9").startswith("?")
    assert ask(small, "komi 3.5") == "="
    assert [ask(client, "get_komi") for client in (large, small)] == ["= 7.5", "= 3.5"]
    assert [ask(client, "move_history") for client in (large, small)] == ["= black J9", "="]


def test_a_client_that_is_killed_takes_nobody_along(state: Path) -> None:
    killed, other = start(state), start(state)
    assert ask(killed, "name") == ask(other, "name") == "= gtp_engine"
    killed.kill()
    killed.wait()
    assert other.communicate("protocol_version\n", PATIENCE) == ("= 2\n\n", "")
    assert len(hosts(str(state))) == 1


def test_a_host_that_is_killed_ends_its_clients_and_the_next_one_starts_another(state: Path) -> None:
    client = start(state)
    ask(client, "name")
    (host,) = hosts(str(state))
    host.kill()
    assert client.wait(PATIENCE) == 1
    assert start(state).communicate("name\n", PATIENCE) == ("= gtp_engine\n\n", "")


def test_without_a_host_the_client_plays_by_itself(state: Path) -> None:
    output, errors = start(state / LONG).communicate("name\n", PATIENCE)
    assert output == "= gtp_engine\n\n"
    assert errors.startswith("gtp_engine: cannot share a process: ") and errors.endswith("; this one plays by itself\n")
    assert hosts(str(state)) == []


def test_a_host_without_clients_ends_and_leaves_no_socket(tmp_path: Path) -> None:
    address = tmp_path / "host"
    thread = threading.Thread(target=serve, args=(address, pytest.fail, 0.2), daemon=True)
    thread.start()
    while not address.exists():
        time.sleep(0.01)
    thread.join(PATIENCE)
    assert not thread.is_alive() and not address.exists()
