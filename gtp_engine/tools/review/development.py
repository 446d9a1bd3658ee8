"""A player's development over many reviewed games: points lost per move by phase and by kind of mistake, and the change over time.

The intervals come from the bootstrap over whole games, because the moves of one game are not independent.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gtp_engine.tools.review.settings import PHASES

DRAWS = 2_000
SEED = 1
CHANCE = 0.9  # probability that an interval contains the true value
FEWEST_GAMES = 6  # intervals of fewer games are meaningless
ALL = "all moves"
KIND_NAMES = {  # names of the mistakes whose first reason has this kind
    "life": "life and death",
    "capture": "captures",
    "atari": "ataris",
    "ladder": "ladders",
    "cut": "cuts and connections",
    "wasted": "moves that gain nothing",
    "answer": "stones in danger",
    "area": "territory and weak groups",
    "sente": "sente",
    "point": "the biggest point",
    "other": "mistakes without a reason",
}


@dataclass(frozen=True)
class GameTally:
    """One player's losses in one game."""

    date: str  # of the record; empty if it has none
    moves: dict[str, int]  # number of moves by phase
    losses: dict[str, float]  # points lost by phase
    kinds: dict[str, float]  # points that mistakes cost, by the kind of the first reason

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for JSON, which tally_from reads."""
        return asdict(self)


def tally_from(data: Mapping[str, Any]) -> GameTally:
    """Return the tally that `as_dict` wrote. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
    moves = {str(phase): int(count) for phase, count in data["moves"].items()}
    losses, kinds = ({str(name): float(points) for name, points in data[part].items()} for part in ("losses", "kinds"))
    return GameTally(str(data["date"]), moves, losses, kinds)


def tallies_of(document: Mapping[str, Any], colors: Collection[str]) -> dict[str, GameTally]:
    """Return the tallies of these colors (`black`, `white`) in a review's JSON document, by keys that all reviews of a game share."""
    moves = document["moves"]
    text = repr((document["size"], [(row["color"], row["vertex"]) for row in moves]))
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    rows = {color: [row for row in moves if row["color"] == color] for color in colors}
    return {f"{name}-{color}": tally(own_rows, str(document.get("date", ""))) for color, own_rows in rows.items() if own_rows}


def tally(rows: Sequence[Mapping[str, Any]], date: str) -> GameTally:
    """Return the tally of some rows of a review's table."""
    phases = [phase for phase in PHASES if any(row["phase"] == phase for row in rows)]
    return GameTally(
        date,
        {phase: sum(row["phase"] == phase for row in rows) for phase in phases},
        {phase: sum(row["loss"] for row in rows if row["phase"] == phase) for phase in phases},
        {
            kind: sum(row["loss"] for row in rows if row.get("kind") == kind)
            for kind in KIND_NAMES
            if any(row.get("kind") == kind for row in rows)
        },
    )


def own_colors(document: Mapping[str, Any], player: str) -> list[str]:
    """Return the colors that `player`, which is `black`, `white` or a name, has in a review's JSON document."""
    return [color for color in ("black", "white") if player.lower() in (color, str(document["players"][color]).lower())]


@dataclass(frozen=True)
class Development:
    """Points lost per move: in all moves, in one phase or by one kind of mistake."""

    title: str
    moves: int
    loss: float
    low: float
    high: float
    change: float  # the later half of the games minus the earlier half; below 0: the player loses less now
    change_low: float
    change_high: float

    @property
    def is_real(self) -> bool:
        """Is the change larger than chance explains?"""
        return self.change_high < 0.0 or self.change_low > 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields and `is_real` for JSON."""
        return asdict(self) | {"is_real": self.is_real}

    def text(self) -> str:
        """Return a line for the terminal."""
        change = "no change that is more than chance"
        if self.is_real:
            direction = "less" if self.change < 0 else "more"
            change = f"{abs(self.change):.2f} {direction} than before ({self.change_low:+.2f} to {self.change_high:+.2f})"
        return f"{self.title}: {self.loss:.2f} points a move ({self.low:.2f} to {self.high:.2f}); {change}"


def developments(tallies: Sequence[GameTally]) -> list[Development]:
    """Return the development in all moves, each phase and each kind of mistake, by date; empty for fewer than FEWEST_GAMES games."""
    games = sorted(tallies, key=lambda game: game.date)
    if len(games) < FEWEST_GAMES:
        return []
    totals = [sum(game.moves.values()) for game in games]
    rows = [development(ALL, totals, [sum(game.losses.values()) for game in games])]
    for phase in PHASES:
        rows.append(development(phase, [game.moves.get(phase, 0) for game in games], [game.losses.get(phase, 0.0) for game in games]))
    for kind, name in KIND_NAMES.items():
        if any(kind in game.kinds for game in games):
            rows.append(development(name, totals, [game.kinds.get(kind, 0.0) for game in games]))
    return [row for row in rows if row.moves]


def development(title: str, moves: Sequence[int], points: Sequence[float]) -> Development:
    """Return one line of the development from each game's number of moves and points lost."""
    counts, losses = np.array(moves), np.array(points)
    rng, half = np.random.default_rng(SEED), len(counts) // 2
    before, after = (rng.integers(low, high, (DRAWS, high - low)) for low, high in ((0, half), (half, len(counts))))
    drawn = rng.integers(0, len(counts), (DRAWS, len(counts)))

    def mean(chosen: np.ndarray) -> np.ndarray:
        """Return [DRAWS] the points lost per move in the drawn games."""
        return np.asarray(losses[chosen].sum(1) / np.maximum(counts[chosen].sum(1), 1.0))

    tails = [50 * (1 - CHANCE), 50 * (1 + CHANCE)]
    low, high = np.percentile(mean(drawn), tails)
    change_low, change_high = np.percentile(mean(after) - mean(before), tails)
    first, last = (losses[part].sum() / max(counts[part].sum(), 1.0) for part in (slice(half), slice(half, None)))
    return Development(
        title,
        int(counts.sum()),
        float(losses.sum() / max(counts.sum(), 1.0)),
        float(low),
        float(high),
        float(last - first),
        float(change_low),
        float(change_high),
    )
