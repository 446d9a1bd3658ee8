"""The kits for servers, driven by the servers' own clients against servers of ours.

CI has none of these clients, so it does not run these tests. The environment says where the clients lie:

    export GTP2OGS=~/gtp2ogs/dist/gtp2ogs.js CGOSCLIENT=~/cgos/client-python/src/cgosclient.py KGSGTP=~/kgsGtp.jar
    scripts/test -m servers
"""

import os
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import cgos_games
import ogs_games
import pytest

pytestmark = pytest.mark.servers
PATIENCE = 120.0  # seconds


def client_at(variable: str) -> Path:
    """The program that an environment variable names; without it the test fails."""
    assert variable in os.environ, f"{variable} does not say where the client lies"
    return Path(os.environ[variable]).expanduser().resolve()


@pytest.mark.parametrize("kit", ["gtp2ogs.json5", "gtp2ogs-12k.json5"])
def test_ogs(kit: str, repository: Path) -> None:
    """Through disconnects and pauses no game is lost but on the board, where a 12k may lose; what the configuration refuses is refused."""
    program = client_at("GTP2OGS")
    report = ogs_games.play(program, 4, 2, seed=1, kit=repository / "scripts" / "bridges" / kit)
    assert report["finished"] == 4 and len(report["lost"]) <= ("12k" in kit)
    assert all(game.endswith("points") for game in report["lost"])
    assert report["disconnects"] > 0 and report["pauses"] > 0
    assert report["wrongly_accepted"] == [] and report["wrongly_refused"] == []
    assert report["greetings"] >= 4 and report["farewells"] == 4


def test_cgos() -> None:
    """With every stone counted as alive all games are won, through a break; the kill file ends the client."""
    report = cgos_games.play(client_at("CGOSCLIENT"), 3, 9, seed=1)
    assert report["won"] == 3 and report["breaks"] == report["restarts"] == 1
    assert report["analyses"] > 20
    assert report["client_ended_with"] == 0 and report["kill_file_removed"]


def listen_where_kgsgtp_can() -> socket.socket:
    """A server at a port that it takes: it reads the number into 16 bits with a sign."""
    for port in range(2379, 2**15):
        try:
            return socket.create_server(("127.0.0.1", port))
        except OSError:
            continue
    raise OSError("no port below 32768 is free")


def test_kgs(tmp_path: Path, repository: Path) -> None:
    """kgsGtp reads the kit, questions the engine and logs in; it will try again after a connection that breaks."""
    program = client_at("KGSGTP")
    text = (repository / "scripts" / "bridges" / "kgsgtp.properties").read_text(encoding="utf-8").replace("FILL_ME_IN", "bot")
    engine = shlex.join([sys.executable, "-P", "-m", "gtp_engine"])
    (tmp_path / "kit").write_text(text.replace("/path/to/gtp-engine gtp", f"{engine} gtp --log {tmp_path}/gtp.log"), encoding="utf-8")
    with listen_where_kgsgtp_can() as listener, (tmp_path / "output").open("w+", encoding="utf-8") as output:
        listener.settimeout(PATIENCE)
        local = ["server.host=127.0.0.1", f"server.port={listener.getsockname()[1]}", "verbose=true"]
        client = subprocess.Popen(["java", "-jar", program, "kit", *local], cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT)
        try:
            connection, _ = listener.accept()
            connection.close()
            deadline = time.monotonic() + PATIENCE
            while "try to connect again" not in (tmp_path / "output").read_text(encoding="utf-8"):
                assert time.monotonic() < deadline
                time.sleep(0.1)
        finally:
            client.kill()
            client.wait()
    talk = (tmp_path / "gtp.log").read_text(encoding="utf-8")
    assert all(f"< {line}\n" in talk for line in ("list_commands", "name", "version"))
