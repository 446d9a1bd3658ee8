"""The kit for CGOS at work: the real Python client plays games against a server of our own, which breaks its connections.

The client is not on the package index: clone https://github.com/zakki/cgos; the program is client-python/src/cgosclient.py.
What it is given is the kit in scripts/bridges, filled in; only moves are made fast. The opponent moves at random, the referee is the slow
Go of the tests. In every second game the connection breaks in the middle; in the last one the kill file appears, which stops the client
afterwards. Exit status: 0 all games were won, 1 otherwise.
"""

import argparse
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from reference import Board

from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, from_vertex, to_vertex
from gtp_engine.go.rules import RULE_SETS

REPOSITORY = Path(__file__).resolve().parent.parent.parent
KIT = REPOSITORY / "scripts" / "bridges" / "cgos.cfg"
FAST = "--playouts 20 --threads 1 --memory 32"
KOMI = 7.0
CLOCK = 900_000  # milliseconds for each side
BREAKS_AT = 20  # moves, in every second game
PATIENCE = 120.0  # seconds for a line of the client
NAMES = {BLACK: "b", WHITE: "w"}

EXAMPLES = """example:
  PYTHONPATH=tests .venv/bin/python tests/tools/cgos_games.py ~/cgos/client-python/src/cgosclient.py --games 6
"""


@dataclass
class Report:
    """What the server has seen."""

    won: int = 0
    lost: list[str] = field(default_factory=list)
    moves: int = 0
    analyses: int = 0  # moves that came with win rate, score and variation
    breaks: int = 0
    restarts: int = 0  # games that went on after a break


class Game:
    """A game of the bot against an opponent that moves at random; the bot has Black in every second one."""

    def __init__(self, number: int, size: int, random_numbers: random.Random) -> None:
        self.number = number
        self.board = Board(size, RULE_SETS["cgos"])
        self.bot = BLACK if number % 2 else WHITE
        self.random = random_numbers
        self.moves: list[int] = []
        self.result = ""

    def set_up(self) -> str:
        """The line that begins the game, or goes on with it."""
        white, black = ("guest(1000?)", "bot(1500?)") if self.bot == BLACK else ("bot(1500?)", "guest(1000?)")
        moves = [f"{self.vertex(point)} {CLOCK}" for point in self.moves]
        return " ".join(["setup", str(self.number), str(self.board.size), str(KOMI), str(CLOCK), white, black, *moves])

    def vertex(self, point: int) -> str:
        """As the protocol writes it."""
        return to_vertex(point)

    def play(self, point: int) -> None:
        """A move of the side to play; IllegalMoveError where the rules forbid it."""
        self.board.play(self.board.to_play, point)
        self.moves.append(point)
        if self.moves[-2:] == [PASS, PASS]:
            score = self.board.area_score() - KOMI
            self.result = f"{'B' if score > 0 else 'W'}+{abs(score)}"

    def opponents_move(self) -> int:
        """Any legal move that fills no eye."""
        color = self.board.to_play
        points = [point for point in self.board.stones(EMPTY) if not self.board.is_eye(color, point)]
        self.random.shuffle(points)
        return next((point for point in points if self.board.is_legal(color, point)), PASS)


class Connection:
    """The client at the other end; EOFError when it has gone."""

    def __init__(self, listener: socket.socket) -> None:
        self.socket, _ = listener.accept()
        self.socket.settimeout(PATIENCE)
        self.lines: TextIO = self.socket.makefile("rw", encoding="utf-8", newline="\n")
        assert self.ask("protocol genmove_analyze").endswith("genmove_analyze")
        assert (self.ask("username"), self.ask("password")) == ("bot", "secret")

    def write(self, line: str) -> None:
        """Send one line."""
        self.lines.write(line + "\n")
        self.lines.flush()

    def ask(self, line: str) -> str:
        """The line that answers this one."""
        self.write(line)
        return self.read()

    def read(self) -> str:
        """The next line."""
        line = self.lines.readline()
        if not line:
            raise EOFError
        return line.strip()

    def close(self) -> None:
        """Break the connection."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.lines.close()
        self.socket.close()


def play_game(game: Game, listener: socket.socket, connection: Connection, report: Report, *, breaks: bool) -> Connection:
    """Play to the end; the connection, which is a new one where the first one breaks."""
    connection.write(game.set_up())
    while not game.result:
        if game.board.to_play != game.bot:
            game.play(point := game.opponents_move())
            connection.write(f"play {NAMES[3 - game.bot]} {game.vertex(point)} {CLOCK}")
        elif breaks and len(game.moves) >= BREAKS_AT:
            breaks = False
            connection.close()
            report.breaks += 1
            connection = Connection(listener)
            connection.write(game.set_up())
            report.restarts += 1
        else:
            answer = connection.ask(f"genmove {NAMES[game.bot]} {CLOCK}")
            move, _, analysis = answer.partition(" ")
            game.play(from_vertex(move, game.board.size))
            report.analyses += bool(analysis) and "winrate" in json.loads(analysis)
    report.moves += len(game.moves)
    if game.result[0].lower() == NAMES[game.bot]:
        report.won += 1
    else:
        report.lost.append(f"game {game.number}: {game.result}")
    return connection


def serve(listener: socket.socket, games: int, size: int, seed: int, kill_file: Path) -> Report:
    """All games; the last one ends with the kill file."""
    report, connection = Report(), Connection(listener)
    random_numbers = random.Random(seed)
    for number in range(1, games + 1):
        game = Game(number, size, random_numbers)
        is_last = number == games
        if is_last:
            kill_file.touch()  # the game is finished first, if the connection holds
        connection = play_game(game, listener, connection, report, breaks=number % 2 == 0 and not is_last)
        connection.write(f"gameover 2026-01-01 {game.result}")
        assert connection.read() == ("quit" if is_last else "ready")
    connection.close()
    return report


def play(program: Path, games: int, size: int, *, seed: int, fast: str = FAST, log: Path | None = None) -> dict[str, Any]:
    """Let the client play; what the server counted."""
    with tempfile.TemporaryDirectory() as name, socket.create_server(("127.0.0.1", 0)) as listener:
        folder = Path(name)
        listener.settimeout(PATIENCE)
        engine = f"{sys.executable} -P -m gtp_engine"
        text = KIT.read_text(encoding="utf-8").replace("/path/to/gtp-engine", engine).replace("--no-resign", f"--no-resign {fast}")
        values = {"ServerHost": "127.0.0.1", "ServerPort": str(listener.getsockname()[1]), "ServerUser": "bot", "ServerPassword": "secret"}
        for key, value in values.items():
            text = re.sub(rf"{key} = .*", f"{key} = {value}", text)
        (folder / "cgos.cfg").write_text(text, encoding="utf-8")
        with (log or folder / "client.log").open("w", encoding="utf-8") as output:
            client = subprocess.Popen([sys.executable, str(program), "cgos.cfg"], cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        try:
            report = serve(listener, games, size, seed, folder / "kill.txt")
            status = client.wait(PATIENCE)
        finally:
            client.kill()
            client.wait()
        return vars(report) | {"client_ended_with": status, "kill_file_removed": not (folder / "kill.txt").exists()}


def main() -> int:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, metavar="CGOSCLIENT", help="the client: client-python/src/cgosclient.py")
    parser.add_argument("--games", type=int, default=6, help="how many (default: %(default)s)")
    parser.add_argument("--size", type=int, default=9, help="lines of the board (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the opponent's moves (default: %(default)s)")
    parser.add_argument("--log", type=Path, help="where to keep what the client prints")
    args = parser.parse_args()
    began = time.monotonic()
    report = play(args.program.resolve(), args.games, args.size, seed=args.seed, log=args.log)
    print(json.dumps(report | {"seconds": round(time.monotonic() - began)}, indent=1))
    return 0 if report["won"] == args.games else 1


if __name__ == "__main__":
    sys.exit(main())
