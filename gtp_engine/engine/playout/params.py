"""PlayoutParams: the parameters of playouts. Plain Python, see parameters.py."""

from dataclasses import dataclass

from gtp_engine.base.parameters import parameter, share


@dataclass(frozen=True)
class PlayoutParams:
    """The parameters by which playouts choose moves. The compiled record is PLAYOUT_POLICY, in policy.py."""

    policy: str = parameter(
        "heavy", "", "how playouts choose their moves: light, at random; heavy, by tactics and patterns first", choices=("light", "heavy")
    )
    answer_atari: float = share(
        0.9, "how often a playout looks for captures of the last stone, and for escapes from its threats", unit="probability"
    )
    nakade: float = share(0.6, "how often a playout looks for the vital point of an eye space that was just made", unit="probability")
    two_liberties: float = share(0.5, "how often a playout looks at chains with two liberties around the last move", unit="probability")
    pattern: float = share(0.95, "how often a playout looks for 3x3 patterns around the last two moves", unit="probability")
    capture: float = share(0.5, "how often a playout looks for captures anywhere on the board", unit="probability")
    avoid_self_atari: float = share(0.95, "how often a random move that puts own stones into atari is rejected", unit="probability")
    ladders: bool = parameter(True, "", "playouts do not try to escape from lost ladders")
