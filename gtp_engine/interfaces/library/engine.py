"""GoEngine, imported by `from gtp_engine import Engine`: a game and its search, with vertices and colors as in GTP.

Every invalid argument raises ValueError with one sentence and changes nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine import sgf
from gtp_engine.compiled import jit
from gtp_engine.engine.config.values import check_value, suggestion
from gtp_engine.engine.network.katago.input_planes import planes_of
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.engine import Engine, warn_on_stderr
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.ranks.chooser import RankChooser
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import CHOICES, SearchParams
from gtp_engine.engine.search.result import Candidate, SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.places import points_by_place
from gtp_engine.go.points import BLACK, MAX_SIZE, MIN_SIZE, WHITE, from_color_name, from_vertex, to_vertex
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_text, read_rank
from gtp_engine.go.rule_names import rules_named
from gtp_engine.go.rules import RULE_SETS, Rules
from gtp_engine.interfaces.library.evaluator import Evaluate, FunctionEvaluators

LETTERS = {BLACK: "B", WHITE: "W"}
SETTINGS = {item.name: item for item in fields(SearchParams)}
GIVEN_HERE = ("playouts", "seconds", "evaluator")  # settings with their own arguments
MOST_VISITS = 1_000_000_000
LONGEST = 86_400.0  # seconds


@dataclass(frozen=True)
class AnalyzedMove:
    """The search's result for one move, from the side of the player to move."""

    vertex: str
    visits: int
    win_rate: float  # 0..1
    lead: float  # points, komi included
    prior: float  # 0..1: its prior probability
    variation: list[str]  # the expected moves, this one first


@dataclass(frozen=True)
class Analysis:
    """The result of a search, from the side of the player to move."""

    to_play: str  # B or W
    moves: list[AnalyzedMove]  # the best first
    win_rate: float  # 0..1
    lead: float  # points, komi included
    visits: int
    ownership: np.ndarray  # float64 [S, S] like GoEngine.board: 1 surely Black's, -1 surely White's; zeros if unknown

    @property
    def best(self) -> AnalyzedMove:
        """The move to play. Raises ValueError if no move was searched."""
        if not self.moves:
            raise ValueError("no move was looked at: a search needs more visits")
        return self.moves[0]


class GoEngine:
    """One game and its search. Not for several threads at once."""

    def __init__(
        self,
        size: int = 19,
        komi: float = 7.5,
        rules: str = "chinese",
        visits: int | None = None,
        seconds: float | None = None,
        evaluator: str | Evaluate = "auto",
        batch: int = 8,
        **settings: Any,
    ) -> None:
        """An empty board.

        size -- lines, 2 to 19
        komi -- points for White
        rules -- chinese, japanese, aga, new_zealand, tromp-taylor, cgos or ing
        visits, seconds -- the limit of genmove and analyze, one of the two; by default 2 seconds
        evaluator -- playouts, network, mixed, auto; or a function that judges a PositionBatch, see docs/api.md
        batch -- the most positions that such a function gets at once
        settings -- any other setting of the search by name: seed=1, threads=2, resign=False. `gtp-engine gtp --help-all` and `gtp-engine
        gtp --help-parameters` list them. rank="12k": genmove plays like a person of this rank, 20k to 3d, with such a player's short
        search, which analyze and score use, too
        """
        if not is_whole(size) or not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"size must be a whole number from {MIN_SIZE} to {MAX_SIZE}, not {size!r}")
        chooser = chooser_of(settings.pop("rank", None))
        params = params_of(settings, visits, seconds, evaluator)
        evaluators = None
        if callable(evaluator):
            if not is_whole(batch) or not 1 <= batch <= 1024:
                raise ValueError(f"batch must be a whole number from 1 to 1024, not {batch!r}")
            evaluators = FunctionEvaluators(evaluator, batch, warn_on_stderr)
        jit.tell_when_compiling()
        self._limits = visits, seconds
        self._engine = Engine(params, rules_of(rules), number_of("komi", komi), size, chooser, evaluators)

    def __repr__(self) -> str:
        """Size and number of moves."""
        return f"<Engine {self.size}x{self.size}, {len(self.moves)} moves, {self.to_play} to play>"

    # ---------------------------------------------------------------- the game

    @property
    def size(self) -> int:
        """Lines of the board."""
        return self._engine.game.size

    @property
    def komi(self) -> float:
        """Points for White, without handicap compensation."""
        return self._engine.state.komi

    @property
    def rules(self) -> str:
        """The name of the rules."""
        return self._engine.state.rules.name

    @property
    def to_play(self) -> str:
        """The player to move: B or W."""
        return LETTERS[self._engine.game.to_play]

    @property
    def moves(self) -> list[tuple[str, str]]:
        """Color and vertex of every move so far, without set-up and handicap stones."""
        return [(LETTERS[color], to_vertex(point)) for color, point in self._engine.game.moves]

    @property
    def board(self) -> np.ndarray:
        """int8 [S, S]: 1 for a black stone, -1 for a white one, 0 for none; row 0 is at the top, column 0 is A. A copy."""
        colors = self._engine.game.positions[0]["color"][list(points_by_place(self.size))].reshape(self.size, self.size)
        stones: np.ndarray = (colors == BLACK).astype(np.int8) - (colors == WHITE).astype(np.int8)
        return stones

    def play(self, color: str, vertex: str) -> None:
        """Play a move for B or W, at a vertex such as D4 or pass. Raises ValueError for an illegal one, also by superko."""
        player, point = color_of(color), self._point(vertex)
        reason = self._engine.game.why_illegal(player, point)
        if not reason and self._engine.game.repeats_position(player, point):
            reason = "superko"
        if reason:
            raise ValueError(f"{LETTERS[player]} {to_vertex(point)} is illegal: {reason}")
        self._engine.state.play(player, point)

    def undo(self, moves: int = 1) -> None:
        """Take back moves. Raises ValueError if there are fewer."""
        if not is_whole(moves) or not 0 <= moves <= len(self.moves):
            raise ValueError(f"cannot take back {moves!r} of {len(self.moves)} moves")
        self._engine.state.undo(moves)

    def clear(self) -> None:
        """Empty the board."""
        self._engine.state.clear_board()

    def set_up(self, black: Sequence[str] = (), white: Sequence[str] = (), to_play: str = "B") -> None:
        """Replace the board by these stones, without moves. Raises ValueError for a chain without liberties or a repeated vertex."""
        player = color_of(to_play)
        stones = [(BLACK, self._stone(vertex)) for vertex in black] + [(WHITE, self._stone(vertex)) for vertex in white]
        self._engine.state.set_up(stones, player)

    def legal_moves(self, color: str | None = None) -> list[str]:
        """All vertices where the color, by default the one to play, may play, and pass."""
        player = self._player(color)
        return [*(to_vertex(point) for point in self._engine.game.legal_points(player)), "pass"]

    def load(self, path: str | Path, before_move: int | None = None) -> None:
        """Load a game record: its end, or the position before a move. Raises ValueError if it can't be read."""
        try:
            self._engine.state.load_sgf(path, before_move)
        except sgf.SgfError as error:
            raise ValueError(f"{path}: {error}") from error

    def sgf(self) -> str:
        """The game as SGF."""
        return self._engine.state.sgf()

    # ---------------------------------------------------------------- the search

    def genmove(self, color: str | None = None) -> str:
        """Search and play a move for the color, by default the one to play; returns a vertex, pass, or resign, which isn't played."""
        player = self._player(color)
        return to_vertex(self._engine.genmove(player))

    def analyze(self, color: str | None = None, visits: int | None = None, seconds: float | None = None) -> Analysis:
        """Search the position for the color, by default the one to play, without playing. Visits of an earlier search count.

        visits, seconds -- in place of the engine's own
        """
        player = self._player(color)
        visits, seconds = self._limits if visits is None and seconds is None else (visits, seconds)
        check_limits(visits, seconds)
        if visits is None and seconds is None:
            seconds = self._engine.params.seconds
        result = self._engine.examine(player, Limits(simulations=visits, seconds=seconds, early_stop=False))
        return self._analysis(result, player)

    def score(self) -> float:
        """Black's lead in points, including komi: the count if the game is over, otherwise the estimate of a short search."""
        return self._engine.lead()

    def status(self, status: str) -> list[str]:
        """The vertices of stones that are `alive`, `dead` or in `seki`; or of `black_territory`, `white_territory` or `dame`."""
        try:
            return [to_vertex(point) for chain in self._engine.status_points(status) for point in chain]
        except EngineError as error:
            raise ValueError(f"no such status: {status!r}") from error

    def planes(self) -> np.ndarray:
        """float32 [PLANES, S, S]: the input planes of KataGo's networks for the position, see engine/network/katago/inputs.py."""
        game = self._engine.game
        return planes_of(leaf_of(game, game.to_play, self._engine.state.white_points()))

    # ---------------------------------------------------------------- helpers

    def _point(self, vertex: str) -> int:
        """The point, or PASS. Raises ValueError."""
        if not isinstance(vertex, str):
            raise ValueError(f"a vertex is a text as 'D4' or 'pass', not {vertex!r}")
        return from_vertex(vertex, self.size)

    def _stone(self, vertex: str) -> int:
        """The point of a stone. Raises ValueError."""
        if isinstance(vertex, str) and vertex.lower() == "pass":
            raise ValueError("a stone stands on a point, not on pass")
        return self._point(vertex)

    def _player(self, color: str | None) -> int:
        """BLACK or WHITE; None: the player to move. Raises ValueError."""
        return self._engine.game.to_play if color is None else color_of(color)

    def _analysis(self, result: SearchResult, player: int) -> Analysis:
        """A search's result with vertices and names."""
        sign = 1 if player == BLACK else -1
        ownership = sign * result.ownership[list(points_by_place(self.size))].reshape(self.size, self.size)
        moves = [analyzed(candidate) for candidate in result.candidates]
        return Analysis(LETTERS[player], moves, result.win_rate, result.score, result.simulations, ownership)


def planes(engine: GoEngine) -> np.ndarray:
    """float32 [PLANES, S, S] for the engine's position. See GoEngine.planes."""
    return engine.planes()


def analyzed(candidate: Candidate) -> AnalyzedMove:
    """One move with vertices."""
    variation = [to_vertex(point) for point in candidate.variation]
    return AnalyzedMove(variation[0], candidate.visits, candidate.win_rate, candidate.score, candidate.prior, variation)


def params_of(settings: dict[str, Any], visits: int | None, seconds: float | None, evaluator: str | Evaluate) -> SearchParams:
    """The search's parameters. Raises ValueError."""
    check_limits(visits, seconds)
    if visits is not None and seconds is not None:
        raise ValueError("give visits or seconds, not both")
    values: dict[str, Any] = {}
    for name, value in settings.items():
        if name not in SETTINGS or name in GIVEN_HERE:
            raise ValueError(f"unknown parameter {name[:40]}{suggestion(name, [*SETTINGS, 'visits', 'rank'])}")
        values[name] = check_value(SETTINGS[name], value)
    if callable(evaluator):
        values.setdefault("threads", 1)  # Python functions don't run in parallel
    elif evaluator not in CHOICES:
        raise ValueError(f"evaluator must be a function or one of {', '.join(CHOICES)}, not {evaluator!r}")
    else:
        values["evaluator"] = evaluator
    if seconds is not None:
        values["seconds"] = float(seconds)
    return SearchParams(playouts=visits or 0, **values)


def chooser_of(rank: Any) -> MoveChooser | None:
    """The chooser for this rank; None: full strength. Raises ValueError."""
    if rank is None:
        return None
    number = read_rank(str(rank))
    if not WEAKEST_LEARNED <= number <= STRONGEST_LEARNED:
        raise ValueError(f"rank must be from {rank_text(WEAKEST_LEARNED)} to {rank_text(STRONGEST_LEARNED)}, not {rank!r}")
    return RankChooser(number)


def check_limits(visits: Any, seconds: Any) -> None:
    """Raise ValueError unless both are None or valid limits."""
    if visits is not None and not (is_whole(visits) and 1 <= visits <= MOST_VISITS):
        raise ValueError(f"visits must be a whole number from 1 to {MOST_VISITS}, not {visits!r}")
    if seconds is not None and not 0.001 <= number_of("seconds", seconds) <= LONGEST:
        raise ValueError(f"seconds must be from 0.001 to {LONGEST:g}, not {seconds!r}")


def is_whole(value: Any) -> bool:
    """True for an integer."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def number_of(name: str, value: Any) -> float:
    """A finite number. Raises ValueError."""
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    try:
        number = float(value) if is_number else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a number, not {value!r}")
    return number


def color_of(name: str) -> int:
    """BLACK or WHITE. Raises ValueError."""
    if not isinstance(name, str):
        raise ValueError(f"a color is B or W, not {name!r}")
    return from_color_name(name)


def rules_of(name: str) -> Rules:
    """The rules of that name. Raises ValueError."""
    if not isinstance(name, str):
        raise ValueError(f"rules must be a name, not {name!r}")
    rules, is_exact = rules_named(name)
    if not is_exact:
        raise ValueError(f"rules {name[:30]!r} are not played: choose one of {', '.join(RULE_SETS)}")
    return rules
