"""The report: one self-contained HTML page without scripts, with links to the games' files."""

import html
from collections.abc import Sequence

from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tables import (
    Rows,
    crosstable,
    fault_table,
    rating_table,
    spending_table,
    sprt_sentence,
    tally_sentence,
    warnings,
)

REPORT_FILE = "report.html"

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 1.5rem } caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top }
th:first-child, td:first-child, td.text, th.text { text-align: left } thead th { border-bottom: 2px solid #888 }
.warning { background: #fff3cd; padding: .4rem .8rem; margin: .3rem 0 } .wide { overflow-x: auto }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } th, td { border-color: #444 }
.warning { background: #4a3c00 } a { color: #8ab4f8 } }
"""


def report_html(standings: Standings, games_folder: str) -> str:
    """The page. `games_folder` is the folder of the SGF files, relative to the page."""
    tournament = standings.tournament
    title = " - ".join(standings.names) if len(standings.names) <= 4 else f"Tournament of {len(standings.names)} players"
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f"<p>{html.escape(tournament.description)}</p>" if tournament.description else "",
        f"<p>{len(standings.records)} of {standings.planned} games played.</p>",
        *(f'<p class="warning">{html.escape(text)}</p>' for text in warnings(standings)),
        _table("Ratings (Bradley-Terry, draws as half wins)", rating_table(standings)),
        _match_lines(standings),
        _table("Row against column: won-drawn-lost", crosstable(standings)),
        _table("Time and memory", spending_table(standings)),
        _table("Games lost by the engine's own fault", fault_table(standings)),
        _games("What went wrong", [record for record in standings.records if record.fault or record.disagreement], games_folder),
        _settings(standings),
        _games("All games", standings.records, games_folder),
    ]
    body = "\n".join(filter(None, parts))
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{html.escape(title)}</title>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'


def _match_lines(standings: Standings) -> str:
    """The sentences about a match of two."""
    if len(standings.names) != 2:
        return ""
    lines = [tally_sentence(standings.names[0], standings.total(standings.names[0])), sprt_sentence(standings)]
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines if line)


def _table(caption: str, rows: Rows) -> str:
    """A table; empty without rows."""
    if len(rows) < 2:
        return ""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in rows[0])
    return _html_table(caption, head, ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:]])


def _html_table(caption: str, head: str, rows: Sequence[str]) -> str:
    """A table of cells and rows in HTML."""
    body = "\n".join(rows)
    return (
        f'<div class="wide"><table><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _settings(standings: Standings) -> str:
    """The settings of the games, and the players' commands."""
    values = standings.tournament.settings()
    values.pop("players")
    values["openings"] = standings.tournament.openings
    rows = [["setting", "value"], *([name, str(value)] for name, value in values.items())]
    players = [["player", "command", "setup"]]
    players += [[player.name, " ".join(player.command), "; ".join(player.setup)] for player in standings.tournament.players]
    return _table("Players", players) + _table("Settings", rows)


def _games(caption: str, records: Sequence[PlayedGame], folder: str) -> str:
    """A row for each game, with a link to its record."""
    if not records:
        return ""
    rows = []
    for record in records:
        link = f'<a href="{html.escape(folder)}/{html.escape(record.sgf)}">{record.number + 1}</a>'
        details = "; ".join(filter(None, [record.text, record.disagreement]))
        cells = [record.black.name, record.white.name, record.result, record.ending, str(record.moves), record.opening, details]
        rows.append(f"<tr><td>{link}</td>" + "".join(f'<td class="text">{html.escape(cell)}</td>' for cell in cells) + "</tr>")
    names = ("Black", "White", "result", "by", "moves", "opening", "")
    head = "<th>game</th>" + "".join(f'<th class="text">{name}</th>' for name in names)
    return _html_table(caption, head, rows)
