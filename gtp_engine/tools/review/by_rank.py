"""A review's results from the network that takes ranks as input: the rank that a player's moves look like, and who finds a better move."""

from dataclasses import asdict, dataclass

REACH_NOTE = "The percentages of players in the comments are estimates, based on 9x9 games between people."  # for readers, once
HARDLY_ANY = 0.02  # share of the players below which no percentage is stated
LEAST_PERCENTAGE = 0.01
ALIKE = 0.1  # two shares that differ by no more than this part of the first are stated as one


@dataclass(frozen=True)
class PlayedRank:
    """The rank that a player's moves look like."""

    rank: str  # the mean, such as `12k`
    low: str
    high: str  # the rank is between `low` and `high` with the probability `interval`
    interval: float
    moves: int  # number of moves that the estimate is based on

    def as_dict(self) -> dict[str, object]:
        """Return the fields by name, for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Reach:
    """The shares of players who find the better move, as the network that takes ranks predicts them."""

    rank: str  # the rank of the player
    share: float  # of the players of that rank, 0..1
    above: str  # the rank five ranks stronger, or the strongest that the network has learned
    share_above: float

    def text(self, better: str) -> str:
        """Return a sentence that states the shares. `better`: the better move."""
        own_players, stronger_players = (f"{in_words(rank)} players" for rank in (self.rank, self.above))
        if self.above == self.rank:
            return f"{share_text(self.share)} of {own_players} would play {better}."
        if max(self.share, self.share_above) < HARDLY_ANY:
            return f"Hardly any {in_words(self.rank)} or {in_words(self.above)} player would play {better}."
        shares = share_text(self.share), share_text(self.share_above)
        if abs(self.share_above - self.share) <= ALIKE * self.share or shares[0] == shares[1]:
            return f"{shares[0]} of both {in_words(self.rank)} and {stronger_players} would play {better}."
        return f"{shares[0]} of {own_players} would play {better}, and {shares[1].lower()} of {stronger_players}."


def share_text(share: float) -> str:
    """Return a share of players, worded for the start of a sentence."""
    return f"About {share:.0%}" if share >= LEAST_PERCENTAGE else "Fewer than 1%"


def in_words(rank: str) -> str:
    """Return `12-kyu` for `12k`, to stand before a noun."""
    return f"{rank[:-1]}-{'kyu' if rank.endswith('k') else 'dan'}"
