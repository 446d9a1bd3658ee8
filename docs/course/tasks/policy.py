"""Task 6: a policy for Go on small boards."""

from gtp_engine.textbook.game import Move
from gtp_engine.textbook.go_game import GoPosition


def policy(position: GoPosition) -> dict[Move, float]:
    """How likely each legal move is to be good: 0 or more for each of `position.legal_moves()`, adding up to 1.

    No learning is needed. Moves that capture should be likelier than others, moves that fill an eye of one's own get 0 unless there is
    nothing else, and a pass gets 0 while another move has more. `capturing_moves` and `fills_own_eye` of gtp_engine.textbook.go_game help.
    """
    raise NotImplementedError
