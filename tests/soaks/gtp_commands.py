"""Random and hostile GTP commands in a process of its own: every answer's framing is checked, and the position against sgfmill's board."""

import random
import re
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from sgfmill.boards import Board
from sgfmill.common import format_vertex

from soaks.tally import OURS, Tally, environment

COUNT = 1_000_000
BATCH = 400  # commands written at once
WILD_SHARE = 0.3  # of the batches: anything, whatever it does; the position is set anew after them
FAST = ["--evaluator", "playouts", "--playouts", "1", "--threads", "1", "--memory", "16", "--no-resign"]
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
# What a wild batch leaves out: it ends the engine, writes files, thinks for long, or answers only when the next command comes.
TAKES_LONG = re.compile(r"quit|exit|printsgf|genmove|analyze|solve|search|analysis|place_free|level|time|kata-raw|stop|cleanup|interrupt")
COSTLY = re.compile(r"^gtp_engine-(win|var|cand|own|net|pol)|^final_|^loadsgf|^kata-get-models")  # searches, counts playouts or reads files
COSTLY_SHARE = 0.01  # of the wild commands
WORDS = "black white b w B W pass resign D4 A1 Z99 T20 i5 Q16 9 19 0 -1 1e999 nan 7.5 -0.5 99999999999 /dev/null /dev/zero . ..".split()
ODD = ["\u2028", "\u0085", "\ud800", "\x00", "\x07", "\x7f", "\t", "ü", "😀", "\ufeff", "=", "?", "\x1b[31m", "%s%n", "{}", "'", '"', "\\"]


@dataclass
class Model:
    """The game as the rules have it: sgfmill's boards, one for each move."""

    size: int = 9
    komi: str = "7.5"
    boards: list[Board] = field(default_factory=lambda: [Board(9)])
    ko: list[tuple[str, tuple[int, int]] | None] = field(default_factory=lambda: [None])
    moves: list[str] = field(default_factory=list)

    def clear(self, size: int) -> None:
        """An empty board."""
        self.size, self.boards, self.ko, self.moves = size, [Board(size)], [None], []

    def play(self, color: str, point: tuple[int, int] | None) -> bool:
        """Play a move; False, and nothing is done, when it is occupied, suicide or takes a ko back at once."""
        board, ko = self.boards[-1].copy(), None
        if point is not None:
            if board.get(*point) is not None or self.ko[-1] == (color, point):
                return False
            taken = board.play(*point, color)
            if board.get(*point) is None:
                return False
            ko = ("w" if color == "b" else "b", taken) if taken is not None else None
        self.boards.append(board)
        self.ko.append(ko)
        self.moves.append(f"{'black' if color == 'b' else 'white'} {'pass' if point is None else format_vertex(point)}")
        return True

    def undo(self) -> bool:
        """Take a move back, if there is one."""
        if not self.moves:
            return False
        for stack in (self.boards, self.ko, self.moves):
            stack.pop()
        return True

    def stones(self, color: str) -> set[str]:
        """Where they stand."""
        return {format_vertex(point) for there, point in self.boards[-1].list_occupied_points() if there == color}


class Conversation:
    """An engine behind pipes; many commands at once."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [*OURS, *FAST], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        self.internal = 0  # tracebacks on stderr
        threading.Thread(target=self._listen, daemon=True).start()
        self.received = b""

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.internal += line.startswith(b"Traceback")

    def ask(self, lines: list[bytes], answers: int) -> list[bytes]:
        """Write lines and read so many answers; fewer when the engine ends."""
        assert self.process.stdin is not None and self.process.stdout is not None
        writer = threading.Thread(target=self._write, args=(b"".join(line + b"\n" for line in lines),), daemon=True)
        writer.start()
        while self.received.count(b"\n\n") < answers and (piece := self.process.stdout.read1(1 << 16)):  # type: ignore[attr-defined]
            self.received += piece
        *found, rest = self.received.split(b"\n\n", answers)
        self.received = rest
        writer.join()
        return found

    def _write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except OSError:
            pass  # it has ended, which the missing answers tell


def run(count: int, seed: int) -> Tally:
    """Send `count` commands."""
    tally, dice, model = Tally(), random.Random(seed), Model()
    talk = Conversation()
    names = talk.ask([b"list_commands"], 1)[0].decode()[2:].split()
    harmless = [name for name in names if not TAKES_LONG.search(name)]
    while tally.done < count and len(tally.faults) < 20:
        if dice.random() < WILD_SHARE:
            wild_batch(talk, tally, dice, harmless)
            reset = [b"boardsize 9", b"kata-set-rules chinese", b"komi 7.5", b"clear_board"]
            if [answer[:1] for answer in talk.ask(reset, 4)] != [b"="] * 4:
                tally.fault(f"the engine can't be set anew after wild commands (seed {seed}, command {tally.done})")
                break
            model.clear(9)
            model.komi = "7.5"
        else:
            modelled_batch(talk, tally, dice, model)
        tally.progress(count)
        if talk.process.poll() is not None:
            tally.fault(f"the engine ended with status {talk.process.returncode} (seed {seed}, command {tally.done})")
            break
    if talk.internal:
        tally.fault(f"{talk.internal} tracebacks on stderr")
    talk.ask([b"quit"], 1)
    talk.process.wait()
    tally.notes.append(f"{tally.done} commands with seed {seed}; {len(harmless)} of {len(names)} commands in wild batches")
    return tally


def modelled_batch(talk: Conversation, tally: Tally, dice: random.Random, model: Model) -> None:
    """Commands whose answers the model knows: sign, id and text."""
    lines, expected = [], []
    for line, sign, text in (modelled_command(dice, model) for _ in range(BATCH)):
        number = str(dice.randrange(2**31)) if dice.random() < 0.5 else ""
        lines.append(f"{number} {line}".strip().encode())
        expected.append((line, f"{sign}{number} ".encode(), text))
    answers = talk.ask(lines, BATCH)
    tally.done += BATCH
    if len(answers) < BATCH:
        tally.fault(f"{BATCH - len(answers)} answers are missing after {lines[len(answers)]!r}")
        return
    for answer, (line, start, text) in zip(answers, expected, strict=True):
        rest = answer.removeprefix(start).decode("utf-8", "replace")
        is_right = answer.startswith(start) and (text is None or (sorted(rest.split()) == sorted(text.split())))
        if not is_right:
            tally.fault(f"{line!r} answered {answer[:200]!r}, expected {start!r} {text!r}")
            return


def modelled_command(dice: random.Random, model: Model) -> tuple[str, str, str | None]:
    """(command, sign of the answer, its words or None for any) as the model has it, which plays it."""
    kind, color = dice.random(), dice.choice("bw")
    if kind < 0.66:
        point = (dice.randrange(model.size), dice.randrange(model.size)) if dice.random() < 0.97 else None
        vertex = "pass" if point is None else f"{LETTERS[point[1]]}{point[0] + 1}"
        vertex = vertex.lower() if dice.random() < 0.3 else vertex
        is_legal = model.play(color, point)
        return f"play {color} {vertex}", "=" if is_legal else "?", "" if is_legal else None
    if kind < 0.72:
        return "undo", *(("=", "") if model.undo() else ("?", None))
    if kind < 0.73:
        return f"is_legal {color} pass", "=", "1"
    if kind < 0.735:
        model.clear(dice.choice((2, 3, 5, 7, 9, 9, 13, 19)))
        return f"boardsize {model.size}", "=", ""
    if kind < 0.74:
        model.clear(model.size)
        return "clear_board", "=", ""
    if kind < 0.76:
        model.komi = f"{dice.randint(-40, 40) / 2:g}"
        return f"komi {model.komi}", "=", ""
    if kind < 0.78:
        return "get_komi", "=", model.komi
    if kind < 0.86:
        return f"list_stones {color}", "=", " ".join(model.stones(color))
    if kind < 0.88:
        return "last_move", *(("=", model.moves[-1]) if model.moves else ("?", None))
    if kind < 0.90:
        return "move_history", "=", " ".join(reversed(model.moves))
    if kind < 0.93:
        return f"play {color} {dice.choice(('Z99', 'I5', 'A0', '', 'D4 D5', '5D', 'A999999999'))}".strip(), "?", None
    return dice.choice(refused()), "?", None


def refused() -> list[str]:
    """What GTP refuses everywhere."""
    return [
        "boardsize 99",
        "boardsize",
        "boardsize x",
        "komi",
        "komi nan",
        "komi 1e999",
        "no_such_command",
        "undo_ 1",
        "play",
        "play green D4",
        "=",
    ]


def wild_batch(talk: Conversation, tally: Tally, dice: random.Random, names: list[str]) -> None:
    """Anything: who answers, and in which frame, is all that is checked."""
    lines, numbers = [], []
    for line in wild_lines(dice, names):
        number = dice.randrange(2**31)
        lines.append(f"{number} {line}".encode("utf-8", "surrogatepass"))
        numbers.append(number)
        if dice.random() < 0.1:
            lines.append(dice.choice((b"", b"   ", b"# a comment", b"\t", b"\r", b"\x01\x02", b"#\xff\xfe")))
    answers = talk.ask(lines, len(numbers))
    tally.done += len(lines)
    if len(answers) < len(numbers):
        tally.fault(f"{len(numbers) - len(answers)} answers are missing after {lines[: len(answers) + 1][-3:]!r}")
        return
    for answer, number in zip(answers, numbers, strict=True):
        if not re.match(rb"[=?]%d( |$)" % number, answer) or b"internal error" in answer:
            tally.fault(f"command {number} answered {answer[:200]!r}; {[line for line in lines if line.startswith(b'%d ' % number)]!r}")
            return


def wild_lines(dice: random.Random, names: list[str]) -> Iterator[str]:
    """Commands with any arguments, and what is no command."""
    costly = [name for name in names if COSTLY.search(name)]
    cheap = [name for name in names if not COSTLY.search(name)]
    for _ in range(BATCH):
        name = dice.choice(costly if dice.random() < COSTLY_SHARE else cheap)
        words = [dice.choice(WORDS) if dice.random() < 0.85 else odd_word(dice) for _ in range(dice.choice((0, 1, 1, 2, 2, 3, 5)))]
        kind = dice.random()
        if kind < 0.02:
            name = odd_word(dice).replace("\n", "") or "x"
        elif kind < 0.03:
            words = [dice.choice(WORDS) * dice.choice((100, 5000))]
        elif name == "gtp_engine-param" and len(words) > 1:
            words = words[:1]  # a value could make each move take long
        yield " ".join([name, *words])


def odd_word(dice: random.Random) -> str:
    """Characters that nobody expects."""
    return "".join(dice.choice(ODD) if dice.random() < 0.5 else chr(dice.randrange(33, 0x3000)) for _ in range(dice.randint(1, 12)))
