"""The game that an engine plays: the board with its moves, the rules, and komi. Knows nothing of searching.

In handicap games there is a virtual komi besides. When one side is far ahead nearly every playout has the same winner, and the search
can't tell moves apart: White gives up, Black plays slack. So at first the search counts as if White's handicap were made good, and less
so as the game goes on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, MAX_SIZE, MIN_SIZE, PASS, to_vertex
from gtp_engine.go.rules import Rules
from gtp_engine.player import EngineError
from gtp_engine.search.arrays import Avoid

STONE_POINTS = 6.0  # what the search takes a handicap stone to be worth at the start: a little less than the first move of a game
GONE_AFTER = 0.6  # moves for each point of the board after which nothing is left of it


@dataclass(frozen=True)
class Turn:
    """What a search is asked: the position, who is to move, and for what."""

    game: Game
    color: int  # who is to move; not always Game.to_play
    komi: float  # all that White gets beside the board
    avoid: Avoid | None = None  # moves that are not to be searched, see Search.prepare
    virtual_komi: float = 0.0  # what the search adds to it


class GameState:
    """One game at a time. Komi and rules outlive the board. `warn` is told what was done although it looks wrong."""

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
        """Number of handicap stones; several first moves by Black in a row are handicap stones too, as some servers send them."""
        if self.game.handicap or self.game.setup_stones:
            return self.game.handicap
        first_moves = 0
        for color, point in self.game.moves:
            if color != BLACK or point == PASS:
                break
            first_moves += 1
        return first_moves if first_moves >= 2 else 0

    def virtual_komi(self) -> float:
        """What a search for a move adds to White's points, see the module."""
        return virtual_komi(self.handicap(), len(self.game.moves), self.game.size)

    def turn(self, color: int, avoid: Avoid | None = None, virtual_komi: float = 0.0) -> Turn:
        """What a search of the position as it stands is asked."""
        return Turn(self.game, color, self.white_points(), avoid, virtual_komi)

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
        game.set_up(stones, to_play)
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
        """Take `moves` moves back. Raises EngineError, taking none back, when there are fewer."""
        if moves > len(self.game.moves):
            raise EngineError("cannot undo")
        for _ in range(moves):
            self.game.undo()
        self.breaks += 1

    def place_handicap(self, points: Sequence[int]) -> None:
        """Black's handicap stones on an empty board. Raises ValueError otherwise and for repeated or odd points."""
        self.game.place_handicap(points)


def virtual_komi(handicap: int, move_count: int, size: int) -> float:
    """Points to add to White's komi inside the search, after `move_count` moves; 0 in even games and late in any game."""
    remaining = 1.0 - move_count / (GONE_AFTER * size * size)
    return max(handicap - 1, 0) * STONE_POINTS * max(remaining, 0.0)
