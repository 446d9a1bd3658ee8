"""Draws our ranks beside people's, both against GNU Go at level 10: `rank_plot.py docs/ranks.md docs/ranks.svg`.

Reads the two tables of that page whose rows begin with a rank: people's shares, a column a rank, and ours, a row a rank with its interval.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure

from gtp_engine.rank_names import rank_text, read_rank

OURS = re.compile(r"^\| (\d+[kd]) \| \d+ of \d+, (\d+) % \| (\d+) \.\. (\d+) \| \d+ % \|$", re.MULTILINE)
THEIRS = re.compile(r"^\|((?: \d+[kd] \|)+)\n\|[-|]+\n\|((?: \d+ % \|)+)$", re.MULTILINE)
INCHES = (7.0, 3.6)
PEOPLE_COLOR, OUR_COLOR = "#9aa5b1", "#1f2937"


class Share(NamedTuple):
    """Games won against the program, in percent."""

    rank: int
    won: float
    low: float
    high: float


def main() -> None:
    """Read the page, write the picture."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    ours, theirs = read_ours(text), read_theirs(text)
    if not ours or not theirs:
        raise SystemExit(f"{sys.argv[1]}: the tables of games against GNU Go are not there")
    draw(ours, theirs, Path(sys.argv[2]))


def read_ours(text: str) -> list[Share]:
    """The rows of our table."""
    return [Share(read_rank(row[1]), *(float(row[column]) for column in (2, 3, 4))) for row in OURS.finditer(text)]


def read_theirs(text: str) -> list[tuple[int, float]]:
    """(rank, share in percent) of people."""
    found = THEIRS.search(text)
    if found is None:
        return []
    ranks, shares = (re.findall(pattern, found[column]) for column, pattern in ((1, r"\d+[kd]"), (2, r"\d+")))
    return [(read_rank(rank), float(share)) for rank, share in zip(ranks, shares, strict=True)]


def draw(ours: list[Share], theirs: list[tuple[int, float]], path: Path) -> None:
    """Two curves over the rank, ours with intervals of 95 %."""
    with rc_context({"svg.hashsalt": "gtp_engine", "svg.fonttype": "none", "font.size": 9.0}):  # the same tables, the same file
        figure = Figure(figsize=INCHES, layout="constrained")
        axes = figure.subplots()
        axes.plot(*zip(*theirs, strict=True), color=PEOPLE_COLOR, linewidth=3, label="people")
        down, up = [each.won - each.low for each in ours], [each.high - each.won for each in ours]
        axes.errorbar(
            [each.rank for each in ours],
            [each.won for each in ours],
            [down, up],
            color=OUR_COLOR,
            marker="o",
            capsize=3,
            label="--rank, 95 %",
        )
        ranks = sorted({rank for rank, _ in theirs})
        axes.set_xticks(ranks, [rank_text(rank) for rank in ranks])
        axes.set_ylim(0, 100)
        axes.set_ylabel("won against GNU Go 10, %")
        axes.grid(visible=True, alpha=0.3)
        axes.legend(frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
