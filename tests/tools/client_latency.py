"""How an engine feels in a GUI: how fast analysis starts and stops, interrupts, replays, and whether answers stay in order.

Any GTP engine with kata-analyze and gogui-interrupt. Exit status 0; 1 when an answer was out of order or badly framed.
"""

import argparse
import os
import random
import re
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

EXAMPLES = """examples:
  tests/tools/client_latency.py                             this checkout's engine
  tests/tools/client_latency.py --sequences 100             a quick look
  tests/tools/client_latency.py "some-other-engine --gtp"   any engine that has kata-analyze
"""
COLUMNS = "ABCDEFGHJKLMNOPQRST"
RESPONSE = re.compile(rb"([=?])(\d*) ?(.*?)\n\n", re.DOTALL)


class Engine:
    """An engine behind a pipe, whose bytes are looked at one by one."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        self.received = b""

    def write(self, text: str) -> None:
        """Send text as it is."""
        self.input.write(text.encode())
        self.input.flush()

    def read_until(self, mark: bytes) -> bytes:
        """Everything up to and including `mark`. Raises EOFError when the engine ends before."""
        while mark not in self.received:
            chunk = os.read(self.output.fileno(), 1 << 16)
            if not chunk:
                raise EOFError(f"the engine ended; last output {self.received[-200:]!r}")
            self.received += chunk
        text, _, self.received = self.received.partition(mark)
        return text + mark

    def ask(self, line: str) -> str:
        """One command and its whole response."""
        self.write(line + "\n")
        return self.read_until(b"\n\n").decode()


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = f"{shlex.quote(sys.executable)} -P -m gtp_engine"
    parser.add_argument("command", nargs="?", default=default, help="the engine's command line (default: this Python's gtp_engine)")
    parser.add_argument("--stops", type=int, default=200, help="analyses started and stopped (default: 200)")
    parser.add_argument("--sequences", type=int, default=1000, help="random commands written at once (default: 1000)")
    args = parser.parse_args()
    engine = Engine(args.command)
    for line in ("boardsize 19", "clear_board", "komi 7.5", "time_settings 0 1 1", "genmove b"):  # kernels are warm after that
        engine.ask(line)
    first, stops = analysis_times(engine, args.stops)
    report("first info line after kata-analyze", first)
    report("analysis: stop written to its answer complete", stops)
    report("interrupt written to genmove's answer", [interrupt_time(engine) for _ in range(20)])
    report("300 play lines, written at once, to the last answer", [replay_time(engine) for _ in range(5)])
    wrong = wrong_answers(engine, args.sequences, random.Random(1))
    print(f"{args.sequences} random commands written at once: {wrong} answers out of order or badly framed")
    engine.ask("quit")
    return 1 if wrong else 0


def report(what: str, seconds: list[float]) -> None:
    """One line: median, 99th percentile and worst, in milliseconds."""
    ordered = sorted(seconds)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    median, ninety_nine, worst = (f"{1000 * value:.0f}" for value in (statistics.median(ordered), p99, ordered[-1]))
    print(f"{what}: median {median} ms, p99 {ninety_nine}, worst {worst} ({len(ordered)} times)")


def timed(act: Callable[[], object]) -> float:
    """Seconds that `act` takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def analysis_times(engine: Engine, count: int) -> tuple[list[float], list[float]]:
    """Seconds to the first info line, and from the stopping command to the end of its own answer."""
    dice, first, stops = random.Random(2), [], []
    for _ in range(count):
        engine.write("kata-analyze b 10\n")
        first.append(timed(lambda: engine.read_until(b"info ")))
        time.sleep(dice.uniform(0.0, 0.25))
        engine.write("protocol_version\n")
        stops.append(timed(lambda: engine.read_until(b"= 2\n\n")))
    return first, stops


def interrupt_time(engine: Engine) -> float:
    """Seconds from `# interrupt` to the move, half a second into a genmove of a minute."""
    for line in ("clear_board", "time_settings 0 60 1"):
        engine.ask(line)
    engine.write("genmove b\n")
    time.sleep(0.5)
    engine.write("# interrupt\n")
    return timed(lambda: engine.read_until(b"\n\n"))


def replay_time(engine: Engine) -> float:
    """Seconds to play a game of 300 moves: Black fills the left side, White the right one, the middle stays open."""
    engine.ask("clear_board")
    sides = {"b": "ABCDEFGH", "w": "TSRQPONM"}
    points = {color: [f"{column}{row}" for column in columns for row in range(1, 20)] for color, columns in sides.items()}
    moves = [f"{color} {points[color][number]}" for number in range(150) for color in "bw"]
    lines = "".join(f"play {move}\n" for move in moves)

    def play_all() -> None:
        """Write the whole game, then read every answer."""
        engine.write(lines)
        for _ in moves:
            if not engine.read_until(b"\n\n").startswith(b"="):
                raise ValueError("the engine refused a legal move")

    return timed(play_all)


def wrong_answers(engine: Engine, count: int, dice: random.Random) -> int:
    """Write `count` random commands with ids as fast as the pipe takes them, and compare the ids of the answers."""
    lines = []
    for number in range(count):
        point = f"{dice.choice(COLUMNS)}{dice.randint(1, 19)}"
        word = dice.choice(
            ["kata-analyze b 1", "lz-analyze w 5", "stop", "undo", "boardsize 9", "boardsize 19", f"play b {point}", f"play w {point}"]
        )
        lines.append(f"{number} {word}\n")
    engine.write("".join(lines) + "999999 name\n")
    answers = RESPONSE.findall(engine.read_until(b"=999999 gtp_engine\n\n"))
    ids = [int(number) if number else -1 for _, number, _ in answers]
    wrong = sum(found != expected for found, expected in zip(ids, [*range(count), 999999], strict=False))
    return int(wrong) + abs(len(ids) - count - 1)


if __name__ == "__main__":
    sys.exit(main())
