"""Draws our ranks beside people's, against each other and against GNU Go at level 10: `rank_plot.py docs/ranks.md docs/ranks.svg`.

Reads three tables of that page: what the stronger of two wins, ours and people's, a row a distance; people's shares against GNU Go, a
column a rank; and ours, a row a rank with its interval.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gtp_engine.go.rank_names import rank_text, read_rank

OURS = re.compile(r"^\| (\d+[kd]) \| \d+ of \d+, (\d+) % \| (\d+) \.\. (\d+) \| \d+ % \|$", re.MULTILINE)
APART = re.compile(r"^\| (\d+) \| [\d,]+ of [\d,]+, (\d+) % \| (\d+) \.\. (\d+) \| (\d+) % \|$", re.MULTILINE)
THEIRS = re.compile(r"^\|((?: \d+[kd] \|)+)\n\|[-|]+\n\|((?: \d+ % \|)+)$", re.MULTILINE)
INCHES = (9.0, 3.6)
PEOPLE_COLOR, OUR_COLOR = "#9aa5b1", "#1f2937"


class Share(NamedTuple):
    """Games won, in percent."""

    place: int  # a rank, against the program; or ranks apart
    won: float
    low: float
    high: float


Curves = tuple[list[Share], list[tuple[int, float]]]  # ours, and people's (place, share in percent)


def main() -> None:
    """Read the page, write the picture."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    apart, ours, theirs = read_apart(text), read_ours(text), read_theirs(text)
    if not apart[0] or not ours or not theirs:
        raise SystemExit(f"{sys.argv[1]}: the tables of games between ranks and against GNU Go are not there")
    draw(apart, (ours, theirs), Path(sys.argv[2]))


def read_apart(text: str) -> Curves:
    """What ours win at each distance, and what people do."""
    rows = APART.findall(text)
    ours = [Share(int(apart), *map(float, shares)) for apart, *shares, _ in rows]
    return ours, [(int(row[0]), float(row[-1])) for row in rows]


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


def draw(apart: Curves, against: Curves, path: Path) -> None:
    """Two panels: the stronger's share over the distance, and the share won against GNU Go over the rank."""
    with rc_context({"svg.hashsalt": "gtp_engine", "svg.fonttype": "none", "font.size": 9.0}):  # the same tables, the same file
        figure = Figure(figsize=INCHES, layout="constrained")
        left, right = figure.subplots(1, 2)
        draw_curves(left, *apart)
        left.set(xlabel="ranks apart", ylabel="won by the stronger, %", ylim=(50, 100))
        left.set_xticks([distance for distance, _ in apart[1]])
        draw_curves(right, *against)
        ranks = sorted({rank for rank, _ in against[1]})
        right.set(ylabel="won against GNU Go 10, %", ylim=(0, 100))
        right.set_xticks(ranks, [rank_text(rank) for rank in ranks])
        figure.savefig(path, format="svg", metadata={"Date": None})


def draw_curves(axes: Axes, ours: list[Share], theirs: list[tuple[int, float]]) -> None:
    """Ours with intervals of 95 %, and people's."""
    axes.plot(*zip(*theirs, strict=True), color=PEOPLE_COLOR, linewidth=3, label="people")
    spread = [[each.won - each.low for each in ours], [each.high - each.won for each in ours]]
    places, shares = [each.place for each in ours], [each.won for each in ours]
    axes.errorbar(places, shares, spread, color=OUR_COLOR, marker="o", capsize=3, label="--rank, 95 %")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(frameon=False)


if __name__ == "__main__":
    main()
