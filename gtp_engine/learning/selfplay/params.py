"""SelfplayParams: the parameters of self-play games, each with its unit, its default and the reason for it. Plain Python."""

from dataclasses import asdict, dataclass
from typing import Any

from gtp_engine.base.parameters import Parameters, parameter, share
from gtp_engine.engine.search.params import MIXED, NETWORK

NOISE_TOTAL = 10.8  # sum of the parameters of the Dirichlet noise, whatever the board: 0.03 for each point of 19x19
FAIR_KOMI = {7: 9.0, 8: 10.0, 9: 7.0, 13: 7.5}  # by lines, for area scoring; fair according to strong programs


@dataclass(frozen=True)
class SelfplayParams(Parameters):
    """The parameters of games. Raises ValueError, naming the field, for a value outside its bounds."""

    size: int = parameter(9, "lines", "the board; on 9x9 a game is short, and most people try an engine there first", 2, 19)
    evaluator: str = parameter(
        NETWORK, "", "what evaluates leaves; mixed helps a network that knows little, which --new begins with", choices=(MIXED, NETWORK)
    )
    full_share: float = parameter(
        0.25, "", "share of the moves that are searched in full and learned from; the others only bring the game to its end", 0.01, 1.0
    )
    full_visits: int = parameter(200, "visits", "of a full search: enough to overturn the network's guess", 2, 1_000_000)
    fast_visits: int = parameter(40, "visits", "of the others: a fifth, so that they take as long together", 1, 1_000_000)
    root_noise: float = share(0.25, "share of random noise (Dirichlet) in the priors at the root of a full search")
    root_temperature: float = parameter(1.1, "", "the priors there are taken to the power 1 / this", 0.01, 100.0)
    forced_playouts: float = parameter(2.0, "", "k in sqrt(k * prior * N), the visits that a tried move gets at least there", 0.0, 100.0)
    first_temperature: float = parameter(0.75, "", "moves are drawn by visits ** (1 / temperature); this at the first move", 0.0, 10.0)
    last_temperature: float = parameter(0.15, "", "and this at the end: then hardly ever another than the most visited", 0.0, 10.0)
    temperature_half: float = parameter(
        0.1,
        "moves per point",
        "in so many moves half of the way from the first temperature to the last is done: 8 moves on 9x9",
        0.001,
        10.0,
    )
    komi: float = parameter(7.0, "points", "what is fair between strong players where area is counted", -200.0, 200.0)
    komi_spread: float = parameter(4.0, "points", "standard deviation of the komi in the games in which it is another one", 0.0, 200.0)
    komi_share: float = share(0.15, "share of the games in which it is; in the others it is at most half a point away")
    evened_share: float = share(
        0.8, "share of the games with an opening whose komi is then set by what the network thinks of it: even games teach more"
    )
    records_share: float = share(0.25, "share of the games that begin with moves of a game record, where records are given")
    record_moves: float = parameter(0.4, "moves per point", "at most so many moves are taken from a record", 0.0, 10.0)
    policy_share: float = share(0.5, "share of the games that begin with moves drawn from the network's policy")
    policy_moves: float = parameter(0.06, "moves per point", "mean number of these moves: 5 on 9x9", 0.0, 10.0)
    policy_temperature: float = parameter(1.2, "", "they are drawn by policy ** (1 / this)", 0.01, 100.0)
    handicap_share: float = share(0.0, "share of the games in which White passes its first one to three moves")
    rules_share: float = share(0.0, "share of the games by AGA's or New Zealand's rules: other superkos, and there suicide")
    resign_threshold: float = parameter(
        0.04, "win rate", "a game is given up when both sides' searches give the loser less than this", 0.0, 0.5
    )
    resign_moves: int = parameter(4, "moves", "so many times in a row, both sides' moves counted", 1, 1000)
    played_out: float = share(0.2, "share of the games that are never given up; they show how often that would be wrong")
    settled_after: float = parameter(
        0.35, "moves per point", "from so many moves on, games are ended when playouts find every point settled", 0.0, 10.0
    )
    most_moves: float = parameter(2.5, "moves per point", "a game that is longer has no result, and is left out", 0.1, 10.0)

    def settings(self) -> dict[str, Any]:
        """The settings that determine the games, for files of results. Without a rules_share of 0, so that older runs continue."""
        values = asdict(self)
        if not self.rules_share:
            del values["rules_share"]
        return values

    @property
    def points(self) -> int:
        """Of the board."""
        return self.size * self.size

    def temperature(self, number: int) -> float:
        """The temperature for the move after so many others."""
        share: float = 0.5 ** (number / (self.temperature_half * self.points))
        return self.last_temperature + (self.first_temperature - self.last_temperature) * share


def fair_komi(size: int) -> float:
    """The default komi."""
    return FAIR_KOMI.get(size, 7.0)
