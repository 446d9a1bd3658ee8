"""What the network that is told ranks says in a review: what rank a player's moves look like, and who finds a better move."""

from dataclasses import asdict, dataclass

REACH_NOTE = "The percentages of players in the comments are estimates, based on 9x9 games between people."  # for readers, once
HARDLY_ANY = 0.02  # of the people: a percentage of less says nothing
LEAST_PERCENTAGE = 0.01
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
        own, stronger = (f"{in_words(rank)} players" for rank in (self.rank, self.above))
        if self.above == self.rank:
            return f"{share_text(self.share)} of {own} would play {better}."
        if max(self.share, self.share_above) < HARDLY_ANY:
            return f"Hardly any {in_words(self.rank)} or {in_words(self.above)} player would play {better}."
        shares = share_text(self.share), share_text(self.share_above)
        if abs(self.share_above - self.share) <= ALIKE * self.share or shares[0] == shares[1]:
            return f"{shares[0]} of both {in_words(self.rank)} and {stronger} would play {better}."
        return f"{shares[0]} of {own} would play {better}, and {shares[1].lower()} of {stronger}."


def share_text(share: float) -> str:
    """A part of the people, at the start of a sentence."""
    return f"About {share:.0%}" if share >= LEAST_PERCENTAGE else "Fewer than 1%"


def in_words(rank: str) -> str:
    """`12-kyu` for `12k`, before a noun."""
    return f"{rank[:-1]}-{'kyu' if rank.endswith('k') else 'dan'}"
