"""Held-out figures for people: a table by move number, and a plot of how they came about."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gtp_engine.base.charts import COLORS, Chart, Curve, Panel, as_svg
from gtp_engine.learning.training.accuracy import PHASES, Accuracy, Judgements

COLUMNS = ("positions", "top-1", "top-5", "nll", "winner", "value error")


def make_table(found: Judgements) -> str:
    """A Markdown table: one line for each part of the game, and one for all."""
    rows = ["| moves before | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for phase, accuracy in found.by_phase().items():
        after = PHASES[PHASES.index(phase) + 1] - 1
        rows.append(make_row(f"{phase}-{after}" if after < PHASES[-1] - 1 else f"{phase} and more", accuracy))
    return "\n".join([*rows, make_row("all", found.overall())]) + "\n"


def make_row(title: str, accuracy: Accuracy) -> str:
    """One line of the table."""
    a = accuracy
    cells = (f"{a.positions:,}", f"{a.top1:.1%}", f"{a.top5:.1%}", f"{a.nll:.3f}", f"{a.value_accuracy:.1%}", f"{a.value_error:.3f}")
    return f"| {title} | " + " | ".join(cells) + " |"


def draw_plot(path: Path, history: Sequence[dict[str, Any]], found: Judgements) -> None:
    """An SVG picture at `path`: left, held-out top-1 and top-5 against positions learned from; right, the figures by move number."""
    measured = [line for line in history if "held_out" in line]
    learning = [
        Curve([(line["positions"], 100 * line["held_out"][name]) for line in measured], title, color, mark="dot")
        for (name, title), color in zip((("top1", "top-1"), ("top5", "top-5")), COLORS, strict=False)
    ]
    phases = list(found.by_phase().items())
    by_phase = [
        Curve([(start, 100 * accuracy.top1) for start, accuracy in phases], "moves, top-1", COLORS[0], mark="dot"),
        Curve([(start, 100 * accuracy.value_accuracy) for start, accuracy in phases], "winner", COLORS[1], mark="dot"),
    ]
    panels = [
        Panel(learning, "held-out moves predicted, %", "positions learned from"),
        Panel(by_phase, "held-out, right, %", "move number", whole_x=True),
    ]
    path.write_bytes(as_svg(Chart([panels], height=350.0)))
