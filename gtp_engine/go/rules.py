"""Rule sets: ko, suicide and scoring. Plain Python; komi is not part of a rule set.

Names and meanings follow KGS and KataGo. Handicap compensation is what White receives for Black's handicap stones when area is
counted (nothing under territory rules, where the stones are paid for by the moves that White plays).
"""

from dataclasses import dataclass
from enum import Enum


class Ko(Enum):
    """The ko rule: what must not be repeated."""

    SIMPLE = "simple"  # only the immediate retaking of a single stone is forbidden
    POSITIONAL = "positional"  # no whole-board position may repeat
    SITUATIONAL = "situational"  # no whole-board position may repeat with the same player to move


class Scoring(Enum):
    """The scoring rule: what counts as a point."""

    AREA = "area"  # own living stones and surrounded points
    TERRITORY = "territory"  # surrounded points and prisoners


class HandicapBonus(Enum):
    """White's compensation for N handicap stones under area counting."""

    NONE = "0"
    ONE_LESS = "N-1"
    FULL = "N"


@dataclass(frozen=True)
class Rules:
    """A rule set; the named ones are in RULE_SETS."""

    name: str
    ko: Ko
    suicide: bool  # whether a move may remove a chain of two or more own stones (a single stone: never)
    scoring: Scoring
    handicap_bonus: HandicapBonus = HandicapBonus.NONE
    all_alive: bool = False  # whether all stones on the board count as alive at the end, so that dead ones must be captured

    def white_handicap_points(self, handicap: int) -> int:
        """The points that White gets for `handicap` stones (0 and 1 are no handicap)."""
        if handicap < 2 or self.scoring is Scoring.TERRITORY:
            return 0
        return {HandicapBonus.NONE: 0, HandicapBonus.ONE_LESS: handicap - 1, HandicapBonus.FULL: handicap}[self.handicap_bonus]


CHINESE = Rules("chinese", Ko.POSITIONAL, False, Scoring.AREA, HandicapBonus.FULL)
JAPANESE = Rules("japanese", Ko.SIMPLE, False, Scoring.TERRITORY)
AGA = Rules("aga", Ko.SITUATIONAL, False, Scoring.AREA, HandicapBonus.ONE_LESS)
NEW_ZEALAND = Rules("new_zealand", Ko.SITUATIONAL, True, Scoring.AREA)
TROMP_TAYLOR = Rules("tromp-taylor", Ko.POSITIONAL, True, Scoring.AREA, all_alive=True)
CGOS = Rules("cgos", Ko.POSITIONAL, False, Scoring.AREA, all_alive=True)  # the Computer Go Server: Tromp-Taylor without suicide
ING = Rules("ing", Ko.POSITIONAL, True, Scoring.AREA)

RULE_SETS = {rules.name: rules for rules in (CHINESE, JAPANESE, AGA, NEW_ZEALAND, TROMP_TAYLOR, CGOS, ING)}
