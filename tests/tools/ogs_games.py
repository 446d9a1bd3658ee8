"""The kit for OGS at work: the real gtp2ogs plays games against a server of our own, which breaks connections and pauses games.

To have gtp2ogs, clone https://github.com/online-go/gtp2ogs, then `npm install && npm run build`. What it is given is the kit in
scripts/bridges with key and path filled in; only moves are made fast. While the games are played the client is stopped and started again,
one of its engines and the process that they share are killed, and new games are declined for a while. A client that ends by itself is
started again, as a service manager would: gtp2ogs ends when an engine does so within a second of its start.
Exit status: 0 all games were finished and none was lost, 1 otherwise.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from shared_hosts import end_hosts, hosts

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SERVER = REPOSITORY / "tests" / "ogs" / "server.mjs"
KIT = REPOSITORY / "scripts" / "bridges" / "gtp2ogs.json5"
FAST = ["--playouts", "8", "--threads", "1", "--memory", "32"]
DECLINED = 5.0  # seconds in which no new game is taken
DISTURBED = 7  # games, in which each disturbance comes once
REVIVAL = 1.0  # seconds between two looks whether the client has ended
PATIENCE = 60.0  # seconds for a client that stops, or an engine that is killed

EXAMPLES = """example:
  .venv/bin/python tests/tools/ogs_games.py ~/gtp2ogs/dist/gtp2ogs.js --games 50
"""


class Client:
    """gtp2ogs with one configuration, which can be stopped and started again."""

    def __init__(self, program: Path, config: Path, port: int, log: Path) -> None:
        server = ["--server", f"http://127.0.0.1:{port}"]
        self.config = config
        self.command = [find_node(), "--require", str(SERVER.parent / "address.cjs"), str(program), "--config", str(config), *server]
        self.log = log.open("a", encoding="utf-8")
        self.state = str(config.parent)  # with --shared the games' process has its socket there
        self.process = self.start()
        self.revivals = 0
        self._changing = threading.Lock()  # held while the process is another one
        self._ends = threading.Event()
        self._reviver = threading.Thread(target=self._revive)
        self._reviver.start()

    def start(self) -> subprocess.Popen[str]:
        """The process, which lies in no group of ours: what it starts ends with it."""
        values = os.environ | {"XDG_STATE_HOME": self.state}
        return subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, text=True, env=values)

    def stop(self) -> None:
        """As a service manager stops it. Its engines see the end of their input."""
        self._ends.set()
        self._reviver.join()
        self._stop_process()

    def restart(self) -> None:
        """An update in the middle of games."""
        with self._changing:
            self._stop_process()
            self.process = self.start()

    def _stop_process(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)

    def _revive(self) -> None:
        """Start it again whenever it has ended by itself."""
        while not self._ends.wait(REVIVAL):
            with self._changing:
                if self.process.poll() is not None:
                    self.process = self.start()
                    self.revivals += 1

    def engines(self) -> list[psutil.Process]:
        """The processes that it has started, one for each game."""
        with suppress(psutil.NoSuchProcess):  # it has ended, and is not started again yet
            return list(psutil.Process(self.process.pid).children())
        return []

    def hosts(self) -> list[psutil.Process]:
        """The one that plays for them with --shared; without, none."""
        return hosts(self.state)

    def engine_sizes(self) -> list[int]:
        """Their memory, in megabytes."""
        with suppress(psutil.NoSuchProcess):
            return [engine.memory_info().rss >> 20 for engine in [*self.engines(), *self.hosts()]]
        return []

    def decline(self, declines: bool) -> None:
        """Change the configuration, which the client notices."""
        text = self.config.read_text(encoding="utf-8")
        self.config.write_text(
            re.sub(r"decline_new_challenges: \w+", f"decline_new_challenges: {json.dumps(declines)}", text), encoding="utf-8"
        )


def find_node() -> str:
    """The program that runs gtp2ogs."""
    node = shutil.which("node")
    if node is None:
        sys.exit("ogs_games: needs node (apt-get install nodejs)")
    return node


def write_config(kit: Path, folder: Path, fast: list[str]) -> Path:
    """The kit as an operator fills it in, with moves made fast."""
    engine = [sys.executable, "-P", "-m", "gtp_engine"]
    text = kit.read_text(encoding="utf-8").replace("FILL ME IN", "a key")
    text = re.sub(
        r'"/path/to/gtp-engine", ("gtp"[^]]*)\]', lambda found: f"{json.dumps([*engine])[1:-1]}, {found[1]}, {json.dumps(fast)[1:]}", text
    )
    text = re.sub(r"min_move_time: \d+", "min_move_time: 100", text)
    config = folder / kit.name
    config.write_text(text, encoding="utf-8")
    return config


def play(
    program: Path, games: int, at_once: int, *, seed: int, kit: Path = KIT, fast: list[str] = FAST, log: Path | None = None
) -> dict[str, Any]:
    """Let `program` play; what the server counted, with what was done to the client."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kind = "ranked" if "allow_ranked: true" in kit.read_text(encoding="utf-8") else "unranked"
        command = [find_node(), str(SERVER), str(program), str(games), str(at_once), str(seed), kind]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout
        client = Client(
            program, write_config(kit, folder, fast), json.loads(server.stdout.readline())["port"], log or folder / "client.log"
        )
        try:
            return watch(server, client)
        finally:
            client.stop()
            end_hosts(client.state)
            server.kill()
            server.wait()


def watch(server: subprocess.Popen[str], client: Client) -> dict[str, Any]:
    """Disturb the client as games end, until the server has its report."""
    own = {"restarts": 0, "engines_killed": 0, "hosts_killed": 0, "most_megabytes_of_an_engine": 0}
    assert server.stdout
    for line in server.stdout:
        data: dict[str, Any] = json.loads(line)
        if "lost" in data:
            return data | own | {"revivals": client.revivals}
        own["most_megabytes_of_an_engine"] = max([own["most_megabytes_of_an_engine"], *client.engine_sizes()])
        match data["finished"] % DISTURBED:
            case 2:
                client.decline(True)
                threading.Timer(DECLINED, client.decline, [False]).start()
            case 4:
                client.restart()
                own["restarts"] += 1
            case 5:
                for engine in client.engines()[:1]:  # none is there just after a break
                    engine.kill()
                    own["engines_killed"] += 1
            case 6:
                for host in client.hosts():
                    host.kill()
                    own["hosts_killed"] += 1
    sys.exit("ogs_games: the server ended without a report")


def main() -> int:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, metavar="GTP2OGS", help="the program that the client's build makes: dist/gtp2ogs.js")
    parser.add_argument("--games", type=int, default=50, help="how many (default: %(default)s)")
    parser.add_argument("--at-once", type=int, default=2, help="how many at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the opponents' moves (default: %(default)s)")
    parser.add_argument("--kit", type=Path, default=KIT, help="the configuration (default: scripts/bridges/gtp2ogs.json5)")
    parser.add_argument("--log", type=Path, help="where to keep what the client prints")
    args = parser.parse_args()
    began = time.monotonic()
    report = play(args.program.resolve(), args.games, args.at_once, seed=args.seed, kit=args.kit, log=args.log)
    print(json.dumps(report | {"seconds": round(time.monotonic() - began)}, indent=1))
    return 0 if report["finished"] == args.games and not report["lost"] else 1


if __name__ == "__main__":
    sys.exit(main())
