"""`gtp --shared`: several games in one process go as each goes in a process of its own, whatever other clients do meanwhile.

A game is a conversation that depends on nothing but its commands: a fixed seed, one thread, few playouts. The opponent moves at random. It
is held with the shared process, beside other games and beside clients that join, search and are killed; then with a process of its own.
All answers must be the same.
"""

import random
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from shared_hosts import end_hosts, hosts

from soaks.tally import OURS, PATIENCE, Tally, environment

COUNT = 2000  # moves
AT_ONCE = 4  # games
MOVES = 40  # of the engine, in one game
SIZES = (5, 7, 9, 9, 9, 13, 19)  # lines of the board
MOST_PLAYOUTS = 12  # a move gets 4 or more
LETTERS = "ABCDEFGHJKLMNOPQRST"
EXACT = [
    "--threads",
    "1",
    "--memory",
    "16",
    "--backend",
    "onnxruntime",
    "--precision",
    "int8",
]  # `auto` may change from one start to the next
PAUSED, LONGEST_PAUSE = 0.1, 0.3  # the share of commands that come after a pause, and seconds
GUESTS = ("genmove b", "kata-analyze b 10", "final_score")  # what those ask who are killed
STAY = (0.0, 1.5)  # seconds until they are


@dataclass(frozen=True)
class Conversation:
    """What is said to an engine that was started with these options."""

    options: tuple[str, ...]
    lines: tuple[str, ...]


def run(count: int, seed: int) -> Tally:
    """Play until the engine has moved `count` times."""
    tally, dice, guests = Tally(), random.Random(seed), 0
    with tempfile.TemporaryDirectory() as state:
        while tally.done < count:
            games = [new_game(dice) for _ in range(AT_ONCE)]
            with Disturbance(state, dice.random()) as disturbance:
                together = hold_all(games, ["--shared"], state, dice.random())
            guests += disturbance.killed
            if disturbance.is_stuck:
                tally.fault("the shared process goes on with what a killed client has asked for")
            apart = hold_all(games, [], state, None)
            for game, one, other in zip(games, together, apart, strict=True):
                if one != other:
                    tally.fault(f"{' '.join(game.options)}: {first_difference(game, one, other)}")
            tally.done += AT_ONCE * MOVES
            tally.progress(count)
        tally.notes.append(f"{guests} other clients killed; {len(hosts(state))} shared process at the end")
        end_hosts(state)
    return tally


def new_game(dice: random.Random) -> Conversation:
    """A game against random moves, some of them illegal, some taken back."""
    size = dice.choice(SIZES)
    lines = [f"boardsize {size}", "clear_board", f"komi {dice.choice((0.5, 5.5, 7.5))}"]
    for _ in range(MOVES):
        lines += [f"play w {LETTERS[dice.randrange(size)]}{dice.randint(1, size)}", "genmove b"]
        lines += dice.choice((["undo"], ["final_score"], ["showboard"], [], [], [], [], []))
    seed, playouts = dice.randint(1, 1_000_000), dice.randint(4, MOST_PLAYOUTS)
    return Conversation(("--seed", str(seed), "--playouts", str(playouts), "--no-resign"), (*lines, "quit"))


def start(options: Sequence[str], state: str) -> subprocess.Popen[str]:
    """A client, or an engine of its own."""
    values, pipe = environment(XDG_STATE_HOME=state), subprocess.PIPE
    return subprocess.Popen([*OURS, "gtp", *options, *EXACT], env=values, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def hold_all(games: Sequence[Conversation], more: Sequence[str], state: str, pauses: float | None) -> list[list[str]]:
    """What is answered in each, all held at once; `pauses`: the seed of the pauses between commands, None for none."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        dice = [None if pauses is None else random.Random(pauses + number) for number in range(len(games))]
        return list(pool.map(lambda game, pausing: hold(game, more, state, pausing), games, dice))


def hold(game: Conversation, more: Sequence[str], state: str, pauses: random.Random | None) -> list[str]:
    """The answers, one for each line; fewer when the engine ended before, or took too long."""
    process, answers = start([*more, *game.options], state), list[str]()
    source, sink = process.stdin, process.stdout
    assert source and sink
    with process, suppress(BrokenPipeError):
        for line in game.lines:
            if pauses and pauses.random() < PAUSED:
                time.sleep(pauses.uniform(0.0, LONGEST_PAUSE))
            source.write(f"{line}\n")
            source.flush()
            too_long = threading.Timer(PATIENCE, process.kill)
            too_long.start()
            answers.append("\n".join(iter(lambda: sink.readline().rstrip(), "")))
            too_long.cancel()
    return answers


def first_difference(game: Conversation, together: list[str], apart: list[str]) -> str:
    """Where they part."""
    for number, line in enumerate(game.lines):
        one, other = (answers[number] if number < len(answers) else "no answer" for answers in (together, apart))
        if one != other:
            return f"command {number}, {line}: {one.strip()!r} in the shared process, {other.strip()!r} in one of its own"
    return "the same commands have more answers"


class Disturbance:
    """Within the block clients join the shared process, let it search, and are killed or end their input."""

    def __init__(self, state: str, seed: float) -> None:
        self.killed, self.is_stuck = 0, False
        self._state, self._dice, self._is_over = state, random.Random(seed), threading.Event()
        self._thread = threading.Thread(target=self._disturb)

    def __enter__(self) -> "Disturbance":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _disturb(self) -> None:
        """One after the other."""
        while not self._is_over.is_set():
            client = start(["--shared", "--playouts", "1000000"], self._state)
            assert client.stdin
            client.stdin.write(f"boardsize {self._dice.choice(SIZES)}\n{self._dice.choice(GUESTS)}\n")
            client.stdin.flush()
            self._is_over.wait(self._dice.uniform(*STAY))
            with suppress(ProcessLookupError):
                client.send_signal(self._dice.choice((signal.SIGKILL, signal.SIGTERM)))
            try:
                client.communicate(timeout=PATIENCE)  # its output ends when the shared process lets go of it
            except subprocess.TimeoutExpired:
                self.is_stuck = True
                return
            self.killed += 1
