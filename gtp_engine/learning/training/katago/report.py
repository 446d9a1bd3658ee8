"""Reports of a network's agreement with its teacher: a table by source and board, and a plot of its history."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from gtp_engine.base.charts import COLORS, Chart, Curve, Panel, as_svg
from gtp_engine.learning.training.katago.figures import LabelFigures

COLUMNS = ("positions", "nats over the teacher's", "same move", "blunders", "win", "winner", "lead", "ownership")


def make_agreement_table(figures: Mapping[str, LabelFigures]) -> str:
    """A Markdown table with a row for each of these titles."""
    rows = ["| | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for title, f in figures.items():
        cells = (f"{f.positions:,}", f"{f.nats:.3f}", f"{f.top:.1%}", f"{f.blunders:.1%}")
        lead, ownership = ("" if error is None else f"{error:.3f}" for error in (f.lead_error, f.ownership_error))
        errors = (f"{f.win_error:.3f}", f"{f.winner:.1%}", lead, ownership)
        rows.append(f"| {title} | " + " | ".join(cells + errors) + " |")
    return "\n".join(rows) + "\n"


def draw_agreement(path: Path, history: Sequence[Mapping[str, Any]]) -> None:
    """Write an SVG picture: held-out nats and blunders by the number of positions learned, a line for each source and board."""
    titles = sorted({title for line in history for title in line.get("held_out", {})})
    panels = [
        Panel(
            [curve_of(history, title, name, scale, color) for title, color in zip(titles, cycle(COLORS), strict=False)], label, "positions"
        )
        for name, scale, label in (("nats", 1.0, "nats over the teacher's"), ("blunders", 100.0, "blunders, %"))
    ]
    path.write_bytes(as_svg(Chart([panels], height=350.0)))


def curve_of(history: Sequence[Mapping[str, Any]], title: str, name: str, scale: float, color: str) -> Curve:
    """The curve of one figure of one source and board."""
    lines = [line for line in history if title in line.get("held_out", {})]
    return Curve([(line["positions"], scale * line["held_out"][title][name]) for line in lines], title, color, mark="dot")
