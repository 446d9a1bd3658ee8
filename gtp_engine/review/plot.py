"""The win rate and the score lead of a game as one picture, by matplotlib and without its global state."""

import io
from typing import Literal

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.review.model import GameReview
from gtp_engine.review.settings import BLUNDER, INACCURACY, MISTAKE

COLORS = {INACCURACY: "#e0a800", MISTAKE: "#e8710a", BLUNDER: "#c5221f"}
LINE, FILL = "#1f2937", "#9aa5b1"
FONT_SIZE = 9.0
LAST_LETTER = 0x52F  # the font that comes with matplotlib has Latin, Greek and Cyrillic letters up to here
INCHES = (9.0, 5.0)
DOTS = 150  # an inch


def draw_plot(review: GameReview, form: Literal["png", "svg"]) -> bytes:
    """The file of a picture with the win rate above and the score lead below, mistakes marked in both."""
    with rc_context({"svg.hashsalt": "gtp_engine", "svg.fonttype": "none", "font.size": FONT_SIZE}):  # the same review, the same file
        figure = Figure(figsize=INCHES, layout="constrained")
        rates, leads = figure.subplots(2, 1, sharex=True)
        draw_win_rates(rates, review)
        draw_leads(leads, review)
        figure.suptitle(title(review), fontsize=11)
        if any(move.is_mistake for move in review.moves):
            figure.legend(*leads.get_legend_handles_labels(), loc="outside lower center", ncols=len(COLORS), frameon=False)
        file = io.BytesIO()
        figure.savefig(file, format=form, dpi=DOTS, metadata={"Date": None} if form == "svg" else None)
        return file.getvalue()


def title(review: GameReview) -> str:
    """Who played whom."""
    players = [drawable(review.record.players.get(color, "")) or name for color, name in ((BLACK, "Black"), (WHITE, "White"))]
    result = drawable(review.record.result)
    return f"{players[0]} (black) against {players[1]} (white)" + (f": {result}" if result else "")


def drawable(text: str) -> str:
    """Text that is no formula to matplotlib; empty when its font lacks a letter, as it does for Chinese."""
    return text.replace("$", r"\$") if all(ord(letter) <= LAST_LETTER for letter in text) else ""


def draw_win_rates(axes: Axes, review: GameReview) -> None:
    """Black's win rate in percent."""
    values = [100 * evaluation.win_rate for evaluation in review.evaluations]
    draw_line(axes, values, 50.0)
    mark_mistakes(axes, review, values)
    axes.set_ylim(0, 100)
    axes.set_yticks([0, 25, 50, 75, 100])
    axes.set_ylabel("Black's win rate, %")


def draw_leads(axes: Axes, review: GameReview) -> None:
    """Black's lead in points."""
    values = [evaluation.lead for evaluation in review.evaluations]
    draw_line(axes, values, 0.0)
    mark_mistakes(axes, review, values)
    axes.set_ylabel("Black's lead, points")
    axes.set_xlabel("move")
    axes.set_xlim(0, max(len(review.moves), 1))


def draw_line(axes: Axes, values: list[float], even: float) -> None:
    """A line over the moves, filled to where nobody leads: dark for Black, light for White."""
    moves = range(len(values))
    axes.fill_between(moves, values, even, where=[value >= even for value in values], color=LINE, alpha=0.25, interpolate=True, linewidth=0)
    axes.fill_between(moves, values, even, where=[value <= even for value in values], color=FILL, alpha=0.25, interpolate=True, linewidth=0)
    axes.plot(moves, values, color=LINE, linewidth=1.3)
    axes.axhline(even, color=FILL, linewidth=0.8)
    axes.grid(axis="y", linewidth=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def mark_mistakes(axes: Axes, review: GameReview, values: list[float]) -> None:
    """A dot where each mistake led to."""
    for size, color in COLORS.items():
        numbers = [move.number for move in review.moves if move.size == size]
        if numbers:
            axes.scatter(numbers, [values[number] for number in numbers], s=16, color=color, label=size, zorder=3)
