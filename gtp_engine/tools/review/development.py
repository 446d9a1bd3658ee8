"""How a player develops over many reviewed games: points lost a move by phase and by kind of mistake, and whether that has changed.

Intervals are found by drawing whole games again and again (the bootstrap): moves of one game are not independent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gtp_engine.tools.review.settings import PHASES

DRAWS = 2_000
SEED = 1
CHANCE = 0.9  # of an interval to hold the truth
FEWEST_GAMES = 6  # with fewer an interval means nothing
ALL = "all moves"


@dataclass(frozen=True)
class Development:
    """Points lost a move in one respect."""

    title: str
    moves: int
    loss: float
    low: float
    high: float
    change: float  # of the later half of the games against the earlier one; below 0: less is lost now
    change_low: float
    change_high: float

    @property
    def is_real(self) -> bool:
        """Is a change more than chance?"""
        return self.change_high < 0.0 or self.change_low > 0.0

    def text(self) -> str:
        """A line for the terminal."""
        change = "no change that is more than chance"
        if self.is_real:
            direction = "less" if self.change < 0 else "more"
            change = f"{abs(self.change):.2f} {direction} than before ({self.change_low:+.2f} to {self.change_high:+.2f})"
        return f"{self.title}: {self.loss:.2f} points a move ({self.low:.2f} to {self.high:.2f}); {change}"


def developments(documents: Sequence[Mapping[str, Any]], player: str) -> list[Development]:
    """All moves, each phase, each kind of mistake, of `black`, `white` or a player's name in reviews' JSON documents, by their dates.

    Empty for fewer than FEWEST_GAMES games.
    """
    ordered = sorted(documents, key=lambda document: str(document.get("date", "")))
    games = [rows for document in ordered for rows in own_rows(document, player)]
    if len(games) < FEWEST_GAMES:
        return []
    found = [development(ALL, games, lambda row: 1.0, lambda row: row["loss"])]
    for phase in PHASES:
        found.append(development(phase, games, lambda row, phase=phase: float(row["phase"] == phase), lambda row: row["loss"]))
    for kind in sorted({str(row["kind"]) for rows in games for row in rows if row.get("kind")}):
        found.append(
            development(f"mistakes of the kind {kind}", games, lambda row: 1.0, lambda row, kind=kind: row["loss"] * (row["kind"] == kind))
        )
    return [each for each in found if each.moves]


def own_rows(document: Mapping[str, Any], player: str) -> list[list[Mapping[str, Any]]]:
    """The rows of the player's moves, a list for each color that is theirs."""
    names = document["players"]
    colors = [color for color in ("black", "white") if player.lower() in (color, str(names[color]).lower())]
    return [[row for row in document["moves"] if row["color"] == color] for color in colors]


def development(title: str, games: list[list[Mapping[str, Any]]], weight: Any, loss: Any) -> Development:
    """One respect: `weight` says whether a row's move counts, `loss` what it lost in this respect."""
    counts = np.array([sum(weight(row) for row in rows) for rows in games])
    losses = np.array([sum(weight(row) * loss(row) for row in rows) for rows in games])
    rng, half = np.random.default_rng(SEED), len(games) // 2
    before, after = (rng.integers(low, high, (DRAWS, high - low)) for low, high in ((0, half), (half, len(games))))
    drawn = rng.integers(0, len(games), (DRAWS, len(games)))

    def mean(chosen: np.ndarray) -> np.ndarray:
        """[DRAWS] points a move in the games that were drawn."""
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
