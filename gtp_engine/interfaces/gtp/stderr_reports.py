"""Optional reports of a search on stderr: a line that bridges post in their chat, and GoGui's live graphics."""

from typing import TYPE_CHECKING, TextIO

from gtp_engine.go.points import opponent, to_color_name, to_vertex, vertices

if TYPE_CHECKING:
    from gtp_engine.engine.search.result import SearchResult

VARIATION_LENGTH = 12  # moves; more are hard to follow
LIVE_SECONDS = 0.5  # between pictures


def tell_variation(result: "SearchResult", errors: TextIO) -> None:
    """Print the best move in Leela Zero's two lines, in which gtp2ogs finds the win rate and the variation."""
    best = result.best
    variation = vertices(best.variation[:VARIATION_LENGTH])
    numbers = f"(V: {100 * best.win_rate:.2f}%) (LCB: {100 * best.lower_bound:.2f}%) (N: {100 * best.prior:.2f}%)"
    print(f"{to_vertex(best.point)} -> {best.visits} {numbers} PV: {variation}", file=errors)
    speed = round(result.new_simulations / max(result.seconds, 1e-3))
    counts = f"{result.simulations} visits, {result.simulations} nodes, {result.new_simulations} playouts, {speed} n/s"
    print(counts, file=errors, flush=True)


def tell_live_graphics(result: "SearchResult", color: int, errors: TextIO) -> None:
    """Print the expected variation and the win rate, for GoGui during the search."""
    lines = ["gogui-gfx:", f"VAR {variation_text(result.best.variation[:VARIATION_LENGTH], color)}", f"TEXT {summary(result)}"]
    print("\n".join(lines) + "\n", file=errors, flush=True)


def variation_text(points: list[int], color: int) -> str:
    """Alternating moves from `color` on, with their colors: `b D4 w Q16`."""
    words = []
    for point in points:
        words.append(f"{to_color_name(color)[0]} {to_vertex(point)}")
        color = opponent(color)
    return " ".join(words)


def summary(result: "SearchResult") -> str:
    """The search in one line."""
    best = result.best
    return f"{to_vertex(best.point)} wins {100 * best.win_rate:.1f}%, score {best.score:+.1f}, {result.simulations} visits"
