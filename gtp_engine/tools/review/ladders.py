"""Read every branch of a ladder to the end, so that the result is certain. This is slow: use it for a few chains, not in a search."""

from gtp_engine.go.count import liberties_of, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import opponent

MOST_MOVES = 2000  # tried for one chain; a plain ladder takes some hundred


def liberties_at(game: Game, point: int) -> list[int]:
    """Return the liberties of the chain on `point` in ascending order."""
    return sorted(liberties_of(game, game.chain_at(point)))


class LadderReader:
    """Reads whether a series of ataris captures a chain. A ladder that stays open, by a ko or by length, counts as `open_is_caught`.

    A result that contradicts `open_is_caught` is therefore certain.
    """

    def __init__(self, game: Game, open_is_caught: bool) -> None:
        self._game = game.copy()
        self._open_is_caught = open_is_caught
        self._moves_left = MOST_MOVES

    def catching_move(self, point: int) -> int | None:
        """Return the opponent's move, with the opponent to play, that captures the chain on `point` or begins a working ladder; else None.

        A chain with more than two liberties has no such move.
        """
        liberties = liberties_at(self._game, point)
        attacker = opponent(self._game.color_at(point))
        if len(liberties) > 2:
            return None
        if len(liberties) == 1:
            return liberties[0] if self._can_capture(attacker, liberties[0]) else None
        return next((liberty for liberty in liberties if self._atari_captures(attacker, liberty, point)), None)

    def is_lost(self, point: int) -> bool:
        """Is the chain on `point`, in atari with its owner to play, captured after every defense?"""
        game = self._game
        defender = game.color_at(point)
        return all(self._defense_fails(defender, move, point) for move in [*self._captures(point), *liberties_at(game, point)])

    def _can_capture(self, attacker: int, liberty: int) -> bool:
        """Can the attacker play on the last liberty? Only a ko can forbid it."""
        return self._game.is_legal(attacker, liberty) or self._open_is_caught

    def _atari_captures(self, attacker: int, move: int, point: int) -> bool:
        """Does this atari lead to the capture?"""
        if not self._may_try() or not self._game.is_legal(attacker, move):
            return self._open_is_caught and self._moves_left <= 0
        self._game.play(attacker, move)
        is_caught = len(liberties_at(self._game, point)) == 1 and self.is_lost(point)
        self._game.undo()
        return is_caught

    def _defense_fails(self, defender: int, move: int, point: int) -> bool:
        """Is the chain captured after this defense?"""
        if not self._may_try():
            return self._open_is_caught
        if not self._game.is_legal(defender, move):
            is_ko = self._game.why_illegal(defender, move) != "suicide"
            return self._open_is_caught if is_ko else True
        self._game.play(defender, move)
        is_caught = self.catching_move(point) is not None
        self._game.undo()
        return is_caught

    def _captures(self, point: int) -> list[int]:
        """Return the moves by which the owner of the chain on `point` captures adjacent chains in atari."""
        game = self._game
        attacker = opponent(game.color_at(point))
        beside = {
            adjacent for stone in game.chain_at(point) for adjacent in neighbors(stone, game.size) if game.color_at(adjacent) == attacker
        }
        liberty_points = {liberties[0] for adjacent in beside if len(liberties := liberties_at(game, adjacent)) == 1}
        return sorted(liberty_points - set(liberties_at(game, point)))

    def _may_try(self) -> bool:
        """Count a move. Return False when MOST_MOVES are used up."""
        self._moves_left -= 1
        return self._moves_left > 0


def certain_catch(game: Game, point: int) -> int | None:
    """Return the first move of a ladder that certainly captures the chain on `point`, with the opponent to play, or None."""
    return LadderReader(game, open_is_caught=False).catching_move(point)


def is_certainly_safe(game: Game, point: int) -> bool:
    """Is the chain on `point`, with the opponent to play, certainly safe from every ladder? False if that stays open."""
    return LadderReader(game, open_is_caught=True).catching_move(point) is None


def is_certainly_lost(game: Game, point: int) -> bool:
    """Is the chain in atari on `point`, with its owner to play, certainly captured in a ladder?"""
    return LadderReader(game, open_is_caught=False).is_lost(point)


def certainly_escapes(game: Game, point: int) -> bool:
    """Does the chain in atari on `point`, with its owner to play, certainly escape every ladder?"""
    return not LadderReader(game, open_is_caught=True).is_lost(point)
