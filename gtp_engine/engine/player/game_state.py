"""The game that an engine plays: the board with its moves, the rules, and komi. Knows nothing of searching."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from gtp_engine import sgf
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.handicap import as_loaded, handicap_of, virtual_komi
from gtp_engine.engine.search.arrays import Avoid
from gtp_engine.go.game import Game
from gtp_engine.go.points import MAX_SIZE, MIN_SIZE, to_vertex
from gtp_engine.go.rules import Rules


@dataclass(frozen=True)
class Turn:
    """The input of a search: the position, the player to move, komi, moves to avoid, and the token that cancels it."""

    game: Game
    color: int  # the player to move; not always Game.to_play
    komi: float  # all that White gets beside the board
    avoid: Avoid | None = None  # moves that are not to be searched, see Search.prepare
    virtual_komi: float = 0.0  # what the search adds to it
    cancelled: Event = field(default_factory=Event)  # set from any thread, it ends all searches for this turn

    def allowed(self, points: Iterable[int]) -> set[int]:
        """Those of `points` where a move is legal and not to be avoided."""
        return {point for point in points if (self.color, point) not in (self.avoid or {}) and self.game.is_legal(self.color, point)}


class GameState:
    """One game at a time. Komi and rules outlive the board. `warn` gets a sentence when something unusual is accepted."""

    def __init__(self, size: int, rules: Rules, komi: float, warn: Callable[[str], None]) -> None:
        self.game = Game(size, rules)
        self.rules = rules
        self.komi = komi
        self.breaks = 0  # goes up when another game begins or moves are taken back: what was noted of the moves before holds no more
        self._warn = warn

    def set_rules(self, rules: Rules) -> None:
        """Play by other rules from now on, in the game under way too."""
        self.rules = rules
        self.game.rules = rules

    def white_points(self) -> float:
        """All that White gets beside the board: komi and the compensation for handicap stones."""
        return self.komi + self.rules.white_handicap_points(self.handicap())

    def handicap(self) -> int:
        """Number of handicap stones, however they were sent; 0 in a position that was set up. See handicap_of."""
        return handicap_of(self.game)

    def virtual_komi(self) -> float:
        """The komi that a search for a move adds in handicap games."""
        return virtual_komi(self.handicap(), len(self.game.moves), self.game.size)

    def turn(self, color: int, avoid: Avoid | None = None, virtual_komi: float = 0.0, cancelled: Event | None = None) -> Turn:
        """The input of a search; without a token it can't be cancelled. It doesn't depend on how the position was set up: see as_loaded."""
        return Turn(as_loaded(self.game), color, self.white_points(), avoid, virtual_komi, cancelled or Event())

    # ---------------------------------------------------------------- another game

    def set_board_size(self, size: int) -> None:
        """An empty board of `size` lines. Raises ValueError for a size that we don't play on."""
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError("unacceptable size")
        self.set_game(Game(size, self.rules))

    def clear_board(self) -> None:
        """An empty board of the same size."""
        self.set_game(Game(self.game.size, self.rules))

    def set_game(self, game: Game) -> None:
        """Go on with another game, of any size."""
        self.game = game
        self.breaks += 1

    def set_up(self, stones: Sequence[tuple[int, int]], to_play: int) -> None:
        """Go on from `stones`, (color, point) each, with `to_play` to move. Raises ValueError, changing nothing, as Game.set_up does."""
        game = Game(self.game.size, self.rules)
        game.set_up(sorted(stones), to_play)  # as sgf.load does: the same record for the same stones
        self.set_game(game)

    def load_sgf(self, path: str | Path, move_number: int | None) -> None:
        """Go on from the position before move `move_number` of the record, or from its end. Raises sgf.SgfError, changing nothing."""
        record = sgf.load(path, move_number, self.rules, self.komi)
        for text in record.warnings:
            self._warn(text)
        if record.rules is not None:
            self.rules = record.rules
        self.komi = record.komi
        record.game.rules = self.rules
        self.set_game(record.game)

    def sgf(self) -> str:
        """The game so far as SGF text."""
        return sgf.dump(self.game, self.komi, self.rules)

    # ---------------------------------------------------------------- moves

    def play(self, color: int, point: int) -> None:
        """Play for `color`. Raises IllegalMove; a superko repetition is accepted, since a server may have allowed it, with a warning."""
        if not self.game.why_illegal(color, point) and self.game.repeats_position(color, point):
            self._warn(f"{to_vertex(point)} repeats a position: {self.rules.name} rules forbid it; accepted all the same")
        self.game.play(color, point)

    def undo(self, moves: int = 1) -> None:
        """Take back `moves` moves. Raises EngineError, and takes none back, if there are fewer."""
        if moves > len(self.game.moves):
            raise EngineError("cannot undo")
        for _ in range(moves):
            self.game.undo()
        self.breaks += 1

    def place_handicap(self, points: Sequence[int]) -> None:
        """Black's handicap stones on an empty board. Raises ValueError otherwise and for repeated or odd points."""
        self.game.place_handicap(sorted(points))
