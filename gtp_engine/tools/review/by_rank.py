"""What the network that is told ranks says in a review: what rank a player's moves look like, and who finds a better move."""

from dataclasses import asdict, dataclass

HARDLY_ANY = 0.02  # of the people: a percentage of less says nothing
ALIKE = 0.1  # of the share: by no more do two shares differ that are told as one


@dataclass(frozen=True)
class PlayedRank:
    """What rank some moves look like."""

    rank: str  # `12k`, the mean
    low: str
    high: str  # the rank is between these with the chance `interval`
    interval: float
    moves: int  # that were looked at

    def as_dict(self) -> dict[str, object]:
        """The fields by name, for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Reach:
    """Who finds the better move, as the network that is told ranks has it."""

    rank: str  # the player's
    share: float  # of the people of that rank, 0..1
    above: str  # five ranks stronger, or the strongest that is known
    share_above: float

    def text(self, better: str) -> str:
        """As a sentence. `better`: the better move."""
        if max(self.share, self.share_above) < HARDLY_ANY:
            return f"Hardly anyone finds {better}, even at {self.above}."
        if self.above == self.rank:
            return f"{self.share:.0%} of {self.rank} players find {better}."
        if abs(self.share_above - self.share) <= ALIKE * self.share:
            return f"About {self.share:.0%} of players find {better}, at {self.rank} and at {self.above} alike."
        return f"{self.share:.0%} of {self.rank} players find {better}, and {self.share_above:.0%} of {self.above} players."
