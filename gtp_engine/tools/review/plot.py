"""Draw the win rate and the lead of a game as one picture, with the mistakes marked in both."""

from collections.abc import Sequence

from gtp_engine.base.charts import Chart, Curve, Panel
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.tools.review.model import GameReview
from gtp_engine.tools.review.settings import BLUNDER, INACCURACY, MISTAKE

COLORS = {INACCURACY: "#e0a800", MISTAKE: "#e8710a", BLUNDER: "#c5221f"}


def chart_of(review: GameReview) -> Chart:
    """Return the chart of the win rate, above, and of the lead, below, over the moves."""
    rates = [100 * evaluation.win_rate for evaluation in review.evaluations]
    leads = [evaluation.lead for evaluation in review.evaluations]
    moves = (0.0, float(max(len(review.moves), 1)))
    win_rates = Panel(curves_of(review, rates), "Black's win rate, %", "", moves, (0.0, 100.0), even=50.0, whole_x=True)
    lead = Panel(curves_of(review, leads), "Black's lead, points", "move", moves, even=0.0, whole_x=True)
    return Chart([[win_rates], [lead]], title(review))


def curves_of(review: GameReview, values: Sequence[float]) -> list[Curve]:
    """Return a line over the positions, and a dot at the position after each mistake."""
    curves = [Curve(list(enumerate(values)))]
    for size, color in COLORS.items():
        points = [(move.number, values[move.number]) for move in review.moves if move.size == size]
        curves += [Curve(points, size, color, width=0.0, mark="dot")] if points else []
    return curves


def title(review: GameReview) -> str:
    """Return a title with the players and the result."""
    players = [review.record.players.get(color, "") or name for color, name in ((BLACK, "Black"), (WHITE, "White"))]
    result = review.record.result
    return f"{players[0]} (black) against {players[1]} (white)" + (f": {result}" if result else "")
