"""When a player resigns."""

from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, WHITE


class Resignation:
    """Counts, for each color, how many of its searches in a row found the game lost."""

    def __init__(self) -> None:
        self._hopeless = {BLACK: 0, WHITE: 0}
        self._breaks = 0

    def should_resign(self, params: SearchParams, turn: Turn, win_rate: float, breaks: int) -> bool:
        """Count one search with the best move's win rate, 0..1, and say whether to resign now. Never while a virtual komi hides a loss.

        breaks -- GameState.breaks: where it has changed, the searches before don't count
        """
        if breaks != self._breaks:
            self._hopeless, self._breaks = {BLACK: 0, WHITE: 0}, breaks
        if turn.virtual_komi != 0.0:
            return False
        self._hopeless[turn.color] = self._hopeless[turn.color] + 1 if win_rate < params.resign_threshold else 0
        is_early = len(turn.game.moves) < params.resign_after * turn.game.size**2
        return params.resign and not is_early and self._hopeless[turn.color] >= params.resign_moves
