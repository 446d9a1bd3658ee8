"""PlayoutParams: the parameters of playouts. Plain Python, see parameters.py."""

from dataclasses import dataclass

from gtp_engine.base.parameters import parameter


@dataclass(frozen=True)
class PlayoutParams:
    """The parameters by which playouts choose moves. The compiled record is PLAYOUT_POLICY, in policy.py."""

    policy: str = parameter(
        "heavy", "", "how playouts choose their moves: light, at random; heavy, by tactics and patterns first", choices=("light", "heavy")
    )
    answer_atari: float = parameter(
        0.9, "probability", "how often a playout looks for captures of the last stone, and for escapes from its threats", 0.0, 1.0
    )
    nakade: float = parameter(
        0.6, "probability", "how often a playout looks for the vital point of an eye space that was just made", 0.0, 1.0
    )
    two_liberties: float = parameter(
        0.5, "probability", "how often a playout looks at chains with two liberties around the last move", 0.0, 1.0
    )
    pattern: float = parameter(0.95, "probability", "how often a playout looks for 3x3 patterns around the last two moves", 0.0, 1.0)
    capture: float = parameter(0.5, "probability", "how often a playout looks for captures anywhere on the board", 0.0, 1.0)
    avoid_self_atari: float = parameter(
        0.95, "probability", "how often a random move that puts own stones into atari is rejected", 0.0, 1.0
    )
    ladders: bool = parameter(True, "", "playouts do not try to escape from lost ladders")
