"""What tests share: positions from drawn boards, and places in the repository."""

import importlib.util
import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from gtp_engine.base.gtp_protocol import parse
from gtp_engine.base.jobs.job import FunctionKeeper, JobDescription, JobResult
from gtp_engine.base.jobs.local import Notes
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, point_at, to_color_name, to_vertex
from gtp_engine.go.rules import CHINESE, Rules
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.dispatcher import Dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.gtp.inbox import Inbox

if TYPE_CHECKING:
    from gtp_engine.engine.player.engine import Engine

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and so would the programs under test

STONES = {"X": BLACK, "O": WHITE}


def draw_rows(drawing: str) -> list[str]:
    """The rows of a drawn board, top row first, without spaces. ValueError when it isn't a square."""
    rows = ["".join(line.split()) for line in drawing.strip().splitlines()]
    if any(len(row) != len(rows) for row in rows):
        raise ValueError(f"not a square board: {rows}")
    return rows


def draw_points(drawing: str) -> list[tuple[str, int]]:
    """(symbol, point) of every point of a drawn board."""
    rows = draw_rows(drawing)
    size = len(rows)
    return [(symbol, point_at(size - above, left + 1)) for above, row in enumerate(rows) for left, symbol in enumerate(row)]


def draw_game(drawing: str, to_play: int = BLACK, rules: Rules = CHINESE) -> Game:
    """A game set up as drawn: X black, O white, everything else empty. A letter or digit marks an empty point: see `marks`."""
    game = Game(len(draw_rows(drawing)), rules)
    game.set_up([(STONES[symbol], point) for symbol, point in draw_points(drawing) if symbol in STONES], to_play)
    return game


def draw_marks(drawing: str) -> dict[str, int]:
    """The point of each mark (a lower-case letter or a digit) in a drawn board; of a mark used twice, the last one."""
    return {symbol: point for symbol, point in draw_points(drawing) if symbol not in STONES and symbol.isalnum()}


def load_script(path: Path) -> ModuleType:
    """A script that lies in no package, as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def diagram() -> Callable[..., Game]:
    """`diagram(drawing, to_play=BLACK, rules=CHINESE)` -> the Game that is drawn, top row first."""
    return draw_game


@pytest.fixture
def marks() -> Callable[[str], dict[str, int]]:
    """`marks(drawing)` -> the points of the letters and digits in it."""
    return draw_marks


@pytest.fixture
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever runs the tests may have a configuration of their own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("GTP_ENGINE_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def repository() -> Path:
    """The checkout's root."""
    return Path(__file__).resolve().parent.parent


def response_to(dispatcher: Dispatcher, line: str) -> str:
    """The whole response to one line, closing blank line included; "" for a line that GTP leaves unanswered."""
    command = parse(line)
    return "" if command is None else "".join(dispatcher.answer(command))


class Client:
    """A GTP client that talks to an engine in this process, line by line."""

    def __init__(self, loader: EngineLoader) -> None:
        self.loader = loader
        self.dispatcher = make_dispatcher(loader, "gtp_engine", "0")

    def ask(self, line: str) -> str:
        """The whole response, framing included."""
        return response_to(self.dispatcher, line)

    def ok(self, line: str) -> str:
        """The text of a response that must be a success."""
        response = self.ask(line)
        assert response.startswith("= "), f"{line!r} -> {response!r}"
        assert response.endswith("\n\n")
        return response[2:-2]

    def fails(self, line: str) -> str:
        """The text of a response that must be an error."""
        response = self.ask(line)
        assert response.startswith("? "), f"{line!r} -> {response!r}"
        assert response.endswith("\n\n")
        return response[2:-2]

    def board(self, drawing: str) -> None:
        """Set the board up as drawn, by `play`; black is to play."""
        self.ok(f"boardsize {len(draw_rows(drawing))}")
        self.ok("clear_board")
        for symbol, point in draw_points(drawing):
            if symbol in STONES:
                self.ok(f"play {to_color_name(STONES[symbol])} {to_vertex(point)}")

    def position(self) -> str:
        """Everything about the game that a failed command must leave alone, as text."""
        return "\n".join(self.ok(line) for line in ("showboard", "move_history", "get_komi", "kata-get-rules"))


def build_small_engine() -> "Engine":
    """A fast engine on 9x9 that plays the same every time."""
    from gtp_engine.engine.player.engine import Engine

    return Engine(SearchParams(playouts=60, seed=1, memory=16, threads=1), CHINESE, 7.5, 9)


@pytest.fixture
def gtp() -> Iterator[Client]:
    """A client of a fresh engine."""
    client = Client(EngineLoader(build_small_engine))
    yield client
    if client.loader.thread is not None:
        client.loader.thread.join()  # or it would go on warming up beside the next test


@pytest.fixture
def evaluators_made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Fills with every evaluator that an engine's searches get during the test."""
    from gtp_engine.engine.player.evaluators import Evaluators

    made: list[object] = []
    new = Evaluators.new

    def new_and_noted(self: Evaluators, kind: str, params: SearchParams, size: int) -> object:
        made.append(new(self, kind, params, size))
        return made[-1]

    monkeypatch.setattr(Evaluators, "new", new_and_noted)
    return made


class LateInbox(Inbox):
    """An inbox into which a line comes when it has been asked a number of times."""

    def __init__(self, asked: int) -> None:
        super().__init__()
        self.left = asked

    def line_is_waiting(self) -> bool:
        """True from the asked-for time on, telling the watcher."""
        self.left -= 1
        if self.left == 0:
            self.put("name")
        return super().line_is_waiting()


class JobsHere:
    """A runner of jobs in this process, one after the other: it saves the start of another process, and its imports."""

    def __init__(self, on_note: Notes) -> None:
        self._functions = FunctionKeeper(lambda note: on_note(self._key, note))
        self._key = ""

    def __enter__(self) -> "JobsHere":
        return self

    def __exit__(self, *_: object) -> None:
        self._functions.close()

    def results(self, jobs: Iterable[JobDescription]) -> Iterator[JobResult]:
        """See LocalRunner; the data goes through pickle as it does there."""
        for job in jobs:
            self._key = job.key
            data = pickle.loads(pickle.dumps(job.data))
            yield JobResult(job.key, *self._functions.call(job.function, data, job.seed))


@pytest.fixture
def jobs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs run in this process where one at a time was asked for; two or more run in processes of their own, as always."""
    runner = JobPlace.runner

    def here(place: JobPlace, threads: int, on_note: Notes = lambda _key, _note: None) -> Any:
        return JobsHere(on_note) if place == JobPlace() else runner(place, threads, on_note)

    monkeypatch.setattr(JobPlace, "runner", here)
