"""The page that lists the games of a folder, with the largest mistakes first.

The file is self-contained and fetches nothing. Without its script it can't be sorted, but it is complete. The texts of records and the
names of files are untrusted, so every one is escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from gtp_engine import __version__
from gtp_engine.base.pages import read_shared
from gtp_engine.tools.review.records import CUT

WIDTH, HEIGHT = 160, 36  # of a game's picture, in pixels
MOST_POINTS = 160  # most points of its line: more are invisible at this width
HEADS = (  # title, and the order after the first click on it
    ("File", "ascending"),
    ("Date", "ascending"),
    ("Players", "ascending"),
    ("Result", "ascending"),
    ("Engine's moves", "ascending"),
    ("Points lost", "descending"),
    ("Largest mistake", "descending"),
)
PICTURE = "Black's win rate"


@dataclass(frozen=True)
class GameRow:
    """One game of the list. Pairs are Black's and White's values."""

    title: str
    page: str  # a link relative to the list's folder
    date: str
    players: tuple[str, str]  # an empty name is unknown
    result: str
    moves: int
    first_choices: tuple[float, float]  # parts of the moves that are the engine's first choice, 0..1
    losses: tuple[float, float]  # points lost in all moves together
    worst: Mapping[str, Any] | None  # the largest mistake as a row of the table, see tables.move_row; None if there is none
    win_rates: list[float]  # Black's, before each move and after the last
    note: str  # a sentence that says why the review ends before the record, or empty

    @property
    def largest(self) -> float:
        """Points that the largest mistake lost; 0.0 if there is none."""
        return float(self.worst["loss"]) if self.worst else 0.0


def row_of(name: str, document: Mapping[str, Any]) -> GameRow | None:
    """Return the row of a game from its review's JSON document in the folder `name`; None if it is not such a document."""
    try:
        moves, summary, players = document["moves"], document["summary"], document["players"]
        mistakes = [row for row in moves if row["mistake"]]
        return GameRow(
            str(document["source"]),
            quote(f"{name}/{name}.html", errors="replace"),
            str(document.get("date", "")),  # reviews of version 0.2 have none
            (str(players["black"]), str(players["white"])),
            str(document["result"]),
            len(moves),
            (float(summary["black"]["agreement"]), float(summary["white"]["agreement"])),
            (lost(moves, "black"), lost(moves, "white")),
            max(mistakes, key=lambda row: (row["loss"], -row["number"]), default=None),
            [float(rate) for rate in document["black_win_rates"]],
            next((str(text) for text in document["warnings"] if CUT in text), ""),
        )
    except (KeyError, TypeError, ValueError):
        return None


def lost(moves: Iterable[Mapping[str, Any]], color: str) -> float:
    """Return the points that one player lost."""
    return float(sum(row["loss"] for row in moves if row["color"] == color))


def index_page(rows: Sequence[GameRow], failures: Sequence[tuple[str, str]]) -> str:
    """Return the text of the page. `failures`: the title of each game that could not be reviewed, and a sentence that says why."""
    folder = files("gtp_engine.tools.review") / "page"
    page_files = {name: (folder / name).read_text(encoding="utf-8") for name in ("index.html", "page.css", "index.css", "index.js")}
    ordered = sorted(rows, key=lambda row: (-row.largest, row.title, row.page))
    count = f"{len(rows)} {'game' if len(rows) == 1 else 'games'}" + (f", {len(failures)} not reviewed" if failures else "")
    parts = {
        "/*STYLE*/": read_shared("base.css") + page_files["page.css"] + page_files["index.css"],
        "/*SCRIPT*/": page_files["index.js"],
        "<!--COUNT-->": count,
        "<!--HEADS-->": "".join(head(title, first) for title, first in HEADS) + f'<th scope="col">{PICTURE}</th>',
        "<!--FAILURES-->": failed_games(failures),
        "<!--VERSION-->": escape(__version__),
        "<!--ROWS-->": "\n".join(table_row(row) for row in ordered),  # last, so that no mark in an untrusted text is replaced
    }
    text = page_files["index.html"]
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text


def head(title: str, first_order: str) -> str:
    """Return a heading to click on. The page is sorted by the last column at first, in descending order."""
    sort_attribute = ' aria-sort="descending"' if title == HEADS[-1][0] else ""
    return f'<th scope="col"{sort_attribute}><button data-first="{first_order}">{title}</button></th>'


def table_row(row: GameRow) -> str:
    """Return the table row of a game."""
    black, white = (name or color for name, color in zip(row.players, ("Black", "White"), strict=True))
    note = f'<p class="note">{escape(row.note)}</p>' if row.note else ""
    choices, losses = row.first_choices, row.losses
    cells = [
        cell(f'<a href="{row.page}">{escape(row.title)}</a>{note}', row.title),
        cell(escape(row.date), row.date),
        cell(f"{player(black, 'black')}{player(white, 'white')}", f"{black} {white}"),
        cell(escape(row.result), row.result),
        cell(f"<p>{choices[0]:.0%}</p><p>{choices[1]:.0%}</p>", sum(choices) / 2),
        cell(f"<p>{losses[0]:.1f}</p><p>{losses[1]:.1f}</p>", sum(losses)),
        cell(worst_move(row), row.largest),
        f"<td>{picture(row)}</td>",
    ]
    return f"<tr>{''.join(cells)}</tr>"


def cell(content: str, key: str | float) -> str:
    """Return a cell with `content`, which is HTML, and the key by which it is sorted."""
    return f'<td data-key="{escape(key) if isinstance(key, str) else format(key, ".4f")}">{content}</td>'


def player(name: str, color: str) -> str:
    """Return a player's name with a disc of the player's color."""
    return f'<p><span class="disc {color}"></span> {escape(name)}</p>'


def worst_move(row: GameRow) -> str:
    """Return the largest mistake with a link to its position on the game's page."""
    if row.worst is None:
        return "none"
    number, size = int(row.worst["number"]), escape(str(row.worst["mistake"]))
    move = f"move {number}, {escape(str(row.worst['color']))} {escape(str(row.worst['vertex']))}"
    return f'<a href="{row.page}#move={number}">{move}</a><p><span class="size {size}">{size}</span> {row.largest:.1f} points</p>'


def picture(row: GameRow) -> str:
    """Return the win rate over the game as an SVG line, with a dot at the largest mistake."""
    rates = row.win_rates
    step = max(-(-len(rates) // MOST_POINTS), 1)
    shown = sorted({*range(0, len(rates), step), len(rates) - 1, row.worst["number"] if row.worst else 0})
    places = [(WIDTH * i / max(len(rates) - 1, 1), HEIGHT * (1.0 - rates[i])) for i in shown if 0 <= i < len(rates)]
    line = " ".join(f"{x:.0f},{y:.1f}" for x, y in places)
    dot = ""
    if row.worst and row.worst["number"] in shown:
        x, y = places[shown.index(row.worst["number"])]
        dot = f'<circle class="dot {escape(str(row.worst["mistake"]))}" cx="{x:.0f}" cy="{y:.1f}" r="3"/>'
    return (
        f'<svg class="small-graph" viewBox="-3 -3 {WIDTH + 6} {HEIGHT + 6}" width="{WIDTH}" height="{HEIGHT}" role="img"'
        f' aria-label="{PICTURE} over {row.moves} moves">'
        f'<line class="even" x1="0" x2="{WIDTH}" y1="{HEIGHT / 2:g}" y2="{HEIGHT / 2:g}"/>'
        f'<polyline class="curve" points="{line}"/>{dot}</svg>'
    )


def failed_games(failures: Sequence[tuple[str, str]]) -> str:
    """Return the section of games that could not be reviewed; empty if there are none."""
    if not failures:
        return ""
    rows = "".join(f"<tr><td>{escape(title)}</td><td>{escape(reason)}</td></tr>" for title, reason in failures)
    return f'<section class="card"><h2>Not reviewed</h2><table id="failures"><tbody>{rows}</tbody></table></section>'
