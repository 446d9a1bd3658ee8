"""Reports of a self-play run: `selfplay.md`, a table, and `selfplay.svg`, plots."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gtp_engine.base.charts import COLORS, Chart, Curve, Panel, around, as_svg
from gtp_engine.base.files import write_file, write_whole

PAGE, PLOT = "selfplay.md", "selfplay.svg"
HEAD = (
    "generation",
    "games",
    "an hour",
    "positions learned from",
    "moves a game",
    "Black won",
    "given up wrongly",
    "nats",
    "winner",
    "gate: won, lost, drawn",
    "Elo",
    "",
)
BOARD_HEAD = ("generation", "board", "games", "an hour", "moves a game", "Black won", "given up wrongly")
OTHER_BOARDS = "The tables above are of the games on the first board, where the gates are played. The others:"
SHOWN_OPENINGS = 5

Line = dict[str, Any]


def strengths(lines: Sequence[Line]) -> list[float]:
    """The Elo of each generation's network relative to the first one: the sum of the gates in between."""
    elos = {0: 0.0}
    for line in lines:
        elos[line["generation"]] = elos[line["played_by"]] + line["gate"]["elo"]
    return [elos[line["generation"]] for line in lines]


def write_report(folder: Path, lines: Sequence[Line]) -> None:
    """Both files, from the lines of the log. Raises OSError."""
    write_file(folder / PAGE, page(lines).encode())
    write_whole(folder / PLOT, lambda path: draw(path, lines))


def page(lines: Sequence[Line]) -> str:
    """The table, and the openings of every generation."""
    rows = [row(line, elo) for line, elo in zip(lines, strengths(lines), strict=True)]
    openings = [(str(line["generation"]), opening_text(line)) for line in lines]
    boards = [(str(line["generation"]), name, *games_cells(figures)) for line in lines for name, figures in line.get("boards", {}).items()]
    return "\n".join(
        [
            "# Self-play",
            "",
            "Elo is the sum of the gates up to a generation, above the network that the run began with. Gates end when they are decided,",
            "so each is somewhat too high where the network was taken. `nats` (of the searches' visits, over their entropy) and `winner`",
            "are of held-out games of self-play, whose players change from generation to generation.",
            "",
            *table(HEAD, rows),
            "",
            f"![strength, games, losses, openings]({PLOT})",
            "",
            *table(("generation", "first moves of games from the empty board, share"), openings),
            "",
            *([OTHER_BOARDS, "", *table(BOARD_HEAD, boards), ""] if boards else ()),
        ]
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table."""
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(cells) + " |" for cells in rows)]


def row(line: Line, elo: float) -> tuple[str, ...]:
    """The cells of one generation."""
    gate, held_out = line["gate"], held_out_of(line)
    games, speed, *length_and_results = games_cells(line)
    return (
        str(line["generation"]),
        games,
        speed,
        f"{line['learned']['positions']:,}",
        *length_and_results,
        f"{held_out['nats']:.3f}" if held_out else "",
        f"{held_out['winner']:.1%}" if held_out else "",
        f"{gate['wins']}, {gate['losses']}, {gate['draws']}",
        f"{elo:+.0f}",
        "taken" if gate["taken"] else "not taken",
    )


def games_cells(figures: Line) -> tuple[str, ...]:
    """The cells about games: number, games an hour, length, Black's share, and resignations."""
    decided = figures["black"] + figures["white"]
    return (
        f"{figures['games']:,}",
        f"{figures['games_per_hour']:,}" if figures["games_per_hour"] else "",
        f"{figures['mean_length']:.1f}",
        f"{figures['black'] / decided:.0%}" if decided else "",
        f"{figures['false_resignations']} of {figures['resignations_judged']}",
    )


def held_out_of(line: Line) -> dict[str, float]:
    """The final figures of the training on self-play of the first board; empty if nothing was held out."""
    held_out: list[dict[str, float]] = list(line["learned"]["held_out"].values())
    return held_out[0] if held_out else {}


def opening_text(line: Line) -> str:
    """The most frequent first moves."""
    from_empty = max(line["from_empty"], 1)
    return ", ".join(f"{moves} {count / from_empty:.0%}" for moves, count in list(line["openings"].items())[:SHOWN_OPENINGS])


def draw(path: Path, lines: Sequence[Line]) -> None:
    """Write an SVG picture with four plots by generation."""
    elos = strengths(lines)
    numbers = [line["generation"] for line in lines]
    strength = [Curve(list(zip([0, *numbers], [0.0, *elos], strict=True)), color="gray", width=0.8)]
    for is_taken, mark, title, color in ((True, "dot", "taken", COLORS[0]), (False, "cross", "not taken", COLORS[1])):
        chosen = [(number, elo) for number, elo, line in zip(numbers, elos, lines, strict=True) if line["gate"]["taken"] == is_taken]
        strength.append(Curve(chosen, title, color, 0.0, mark))
    speed = [Curve([(line["generation"], line["games_per_hour"]) for line in lines if line["games_per_hour"]], mark="dot")]
    measured = [line for line in lines if held_out_of(line)]
    losses = [
        Curve([(line["generation"], held_out_of(line)[name]) for line in measured], title, color, mark="dot")
        for (name, title), color in zip((("nats", "moves, nats"), ("win_error", "chance to win, error")), COLORS, strict=False)
    ]
    panels = [
        Panel(strength, "Elo above the start, by the gates"),
        Panel(speed, "games an hour", y_range=from_zero(speed)),
        Panel(losses, "on held-out games of self-play", "generation", y_range=from_zero(losses)),
        Panel(opening_curves(lines), "first moves, % of games from the empty board", "generation"),
    ]
    panels = [replace(panel, whole_x=True) for panel in panels]  # there is no generation 1.5
    path.write_bytes(as_svg(Chart([panels[:2], panels[2:]], height=620.0)))


def from_zero(curves: Sequence[Curve]) -> tuple[float, float]:
    """A range of the y-axis that begins at 0."""
    return 0.0, around([0.0, *(y for curve in curves for _, y in curve.points)])[1]


def opening_curves(lines: Sequence[Line]) -> list[Curve]:
    """The shares of the most frequent openings."""
    counts = Counter[str]()
    for line in lines:
        counts.update(line["openings"])
    return [
        Curve(
            [(line["generation"], 100 * line["openings"].get(moves, 0) / max(line["from_empty"], 1)) for line in lines],
            moves,
            COLORS[place % len(COLORS)],
            mark="dot",
        )
        for place, (moves, _) in enumerate(counts.most_common(SHOWN_OPENINGS))
    ]
