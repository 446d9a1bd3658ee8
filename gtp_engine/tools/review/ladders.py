"""Ladders read to the end, every branch of them, so that what is said of one is certain. Slow: for a few chains, not for a search."""

from gtp_engine.go.count import liberties_of, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import opponent

MOST_MOVES = 2000  # that are tried for one question; a plain ladder takes some hundred


def liberties_at(game: Game, point: int) -> list[int]:
    """The liberties of the chain on `point`, in order."""
    return sorted(liberties_of(game, game.chain_at(point)))


class LadderReader:
    """Asks of chains whether ataris alone take them. What stays open, for a ko or for length, is decided as `open_is_caught` says.

    So an answer against `open_is_caught` is certain.
    """

    def __init__(self, game: Game, open_is_caught: bool) -> None:
        self._game = game.copy()
        self._open = open_is_caught
        self._left = MOST_MOVES

    def catching_move(self, point: int) -> int | None:
        """Where the opponent, to play, takes the chain on `point` or begins a ladder that does; None when there is none.

        Only chains with one or two liberties can be asked for; others have none.
        """
        liberties = liberties_at(self._game, point)
        attacker = opponent(self._game.color_at(point))
        if len(liberties) > 2:
            return None
        if len(liberties) == 1:
            return liberties[0] if self._takes(attacker, liberties[0]) else None
        return next((liberty for liberty in liberties if self._holds(attacker, liberty, point)), None)

    def is_lost(self, point: int) -> bool:
        """Is the chain on `point`, in atari and its owner to play, caught whatever it does?"""
        game = self._game
        defender = game.color_at(point)
        return all(self._fails(defender, move, point) for move in [*self._captures(point), *liberties_at(game, point)])

    def _takes(self, attacker: int, liberty: int) -> bool:
        """Can the attacker play on the last liberty? Only a ko forbids it."""
        return self._game.is_legal(attacker, liberty) or self._open

    def _holds(self, attacker: int, move: int, point: int) -> bool:
        """Does this atari lead to the capture?"""
        if not self._may_try() or not self._game.is_legal(attacker, move):
            return self._open and self._left <= 0
        self._game.play(attacker, move)
        is_caught = len(liberties_at(self._game, point)) == 1 and self.is_lost(point)
        self._game.undo()
        return is_caught

    def _fails(self, defender: int, move: int, point: int) -> bool:
        """Is the chain caught after this try to save it?"""
        if not self._may_try():
            return self._open
        if not self._game.is_legal(defender, move):
            is_ko = self._game.why_illegal(defender, move) != "suicide"
            return self._open if is_ko else True
        self._game.play(defender, move)
        is_caught = self.catching_move(point) is not None
        self._game.undo()
        return is_caught

    def _captures(self, point: int) -> list[int]:
        """Where the owner of the chain on `point` takes chains beside it that are in atari."""
        game = self._game
        attacker = opponent(game.color_at(point))
        beside = {other for stone in game.chain_at(point) for other in neighbors(stone, game.size) if game.color_at(other) == attacker}
        liberty_points = {liberties[0] for other in beside if len(liberties := liberties_at(game, other)) == 1}
        return sorted(liberty_points - set(liberties_at(game, point)))

    def _may_try(self) -> bool:
        """Count a try; False when there were too many."""
        self._left -= 1
        return self._left > 0


def certain_catch(game: Game, point: int) -> int | None:
    """The opponent's first move of a ladder that certainly takes the chain on `point`, the opponent to play; None where none is certain."""
    return LadderReader(game, open_is_caught=False).catching_move(point)


def is_certainly_safe(game: Game, point: int) -> bool:
    """Does no ladder take the chain on `point`, the opponent to play? False also where that is open."""
    return LadderReader(game, open_is_caught=True).catching_move(point) is None


def is_certainly_lost(game: Game, point: int) -> bool:
    """Is the chain in atari on `point` caught in a ladder though its owner is to play?"""
    return LadderReader(game, open_is_caught=False).is_lost(point)


def certainly_escapes(game: Game, point: int) -> bool:
    """Does the chain in atari on `point` get out of every ladder, its owner to play?"""
    return not LadderReader(game, open_is_caught=True).is_lost(point)
