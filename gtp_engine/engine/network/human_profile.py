"""The players in a game for a human network, by KataGo's names: `rank_5k`, `preaz_5k_3d`, `proyear_1950`."""

import re
from dataclasses import dataclass
from datetime import date

from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, read_rank

PROFILE = re.compile(r"(?P<style>rank|preaz)_(?P<black>\d{1,2}[kd])(?:_(?P<white>\d{1,2}[kd]))?|proyear_(?P<year>\d{4})")
STRONGEST, WEAKEST = read_rank("9d"), read_rank("20k")  # of the ranks that human networks know
MODERN, BEFORE_ALPHAZERO = date(2020, 3, 1), date(2016, 9, 1)
FIRST_YEAR, LAST_OLD_YEAR, LAST_YEAR = 1800, 2020, 2023  # of professionals' games; later ones come from another collection
KGS, GOGOD, GO4GO = 2, 5, 6  # the networks' numbers for sources of games
LEARNED_SIZE = 9  # lines of the boards on which the included network of ranks has learned
FETCH = "`gtp-engine networks get human`"
OFF_LEARNED_SIZE = (
    f"humanSLProfile: without a human network ({FETCH}), the ranks are those learned on {LEARNED_SIZE}x{LEARNED_SIZE} only, "
    "and their moves and win rates on other boards a rough guess"
)


@dataclass(frozen=True)
class HumanProfile:
    """Two players and the kind of game that they play."""

    name: str
    black: int  # rank, see rank_names
    white: int
    day: date = MODERN
    source: int = KGS

    def ranks(self, color: int) -> tuple[int, int]:
        """Of the player of this color, BLACK being 1, and of the opponent."""
        return (self.black, self.white) if color == 1 else (self.white, self.black)


@dataclass(frozen=True)
class Imitation:
    """How closely people are imitated."""

    share: float = 1.0  # of their moves; the others are the engine's own
    passes: bool = False  # True: it passes as often as they do; False: where the engine would
    tolerance: float = 1e9  # utility: a move that loses so much more than others is played e times less often than people play it


AS_PEOPLE = Imitation()  # every move is theirs


def rank_profile(rank: int) -> HumanProfile:
    """Two players of this rank. Raises ValueError for a rank that human networks don't know."""
    if not WEAKEST <= rank <= STRONGEST:
        raise ValueError("human networks know ranks from 20k to 9d")
    return HumanProfile("", rank, rank)


def read_profile(name: str) -> HumanProfile:
    """The profile of this name. Raises ValueError, which lists the valid forms."""
    match = PROFILE.fullmatch(name)
    try:
        if match and match["year"]:
            return professionals(name, int(match["year"]))
        if match:
            day = MODERN if match["style"] == "rank" else BEFORE_ALPHAZERO
            black = rank_profile(read_rank(match["black"])).black
            return HumanProfile(name, black, rank_profile(read_rank(match["white"] or match["black"])).white, day)
    except ValueError:
        pass
    forms = f"rank_20k to rank_9d, preaz_ likewise, rank_5k_3d for Black's and White's, proyear_{FIRST_YEAR} to proyear_{LAST_YEAR}"
    raise ValueError(f"humanSLProfile {name[:30]!r} is unknown: there are {forms}")


def professionals(name: str, year: int) -> HumanProfile:
    """Strong professionals of that year. Raises ValueError for a year without games."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError("no games of that year")
    return HumanProfile(name, STRONGEST, STRONGEST, date(year, 6, 1), GOGOD if year <= LAST_OLD_YEAR else GO4GO)


def at_own_rank(players: HumanProfile, color: int) -> HumanProfile:
    """Two players of the rank that this color has: all that the included network of ranks can be told of a profile.

    Raises ValueError for professionals, and for a rank of either color that the network hasn't learned.
    """
    is_learned = all(WEAKEST_LEARNED <= rank <= STRONGEST_LEARNED for rank in (players.black, players.white))
    if players.source != KGS or not is_learned:
        raise ValueError(f"humanSLProfile {players.name} needs a human network ({FETCH}); without one there are ranks from 20k to 3d")
    return rank_profile(players.ranks(color)[0])
