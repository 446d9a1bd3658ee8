"""PlayoutParams: what can be tuned about playouts. Plain Python, see parameters.py."""

from dataclasses import dataclass

from gtp_engine.parameters import parameter


@dataclass(frozen=True)
class PlayoutParams:
    """How playouts choose their moves. The compiled record is PLAYOUT_POLICY, in policy.py."""

    policy: str = parameter("heavy", "", "how playouts choose their moves", choices=("light", "heavy"))
    answer_atari: float = parameter(0.9, "probability", "that a playout looks for captures of, and escapes from, the last move", 0.0, 1.0)
    nakade: float = parameter(0.6, "probability", "that a playout looks for the vital point of an eye space just made", 0.0, 1.0)
    two_liberties: float = parameter(0.5, "probability", "that a playout fights chains with two liberties around the last move", 0.0, 1.0)
    pattern: float = parameter(0.95, "probability", "that a playout looks for 3x3 patterns around the last two moves", 0.0, 1.0)
    capture: float = parameter(0.5, "probability", "that a playout looks for captures anywhere", 0.0, 1.0)
    avoid_self_atari: float = parameter(0.95, "probability", "that a random move that puts own stones into atari is left out", 0.0, 1.0)
    ladders: bool = parameter(True, "", "playouts don't run from ladders that are lost")
