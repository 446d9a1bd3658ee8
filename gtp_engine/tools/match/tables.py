"""The figures of a tournament as rows of text, for the terminal and the report."""

import math

from gtp_engine.base.wilson import SIGMAS_95
from gtp_engine.tools.match.elo import Tally, elo_interval, elo_of, score_interval
from gtp_engine.tools.match.rating import Rating
from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.sprt import ACCEPT_H0, ACCEPT_H1
from gtp_engine.tools.match.standings import Standings

Rows = list[list[str]]  # the first is the heading

MEGABYTE = 1_000_000
WIDEST = 1_500.0  # Elo on each side: a rating with a wider interval is meaningless


def counted(count: int, noun: str) -> str:
    """`1 game`, `2 games`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def rating_table(standings: Standings) -> Rows:
    """Players by rating, with their games."""
    rows = [["player", "Elo", "95 %", "games", "won", "drawn", "lost", "score"]]
    for rating in sorted(standings.ratings.players, key=lambda rating: -rating.elo):
        tally = standings.total(rating.name)
        elo, interval = rating_words(rating)
        counts = [str(count) for count in (tally.games, tally.wins, tally.draws, tally.losses)]
        rows.append([rating.name, elo, interval, *counts, f"{100 * tally.score:.1f} %" if tally.games else "-"])
    return rows


def rating_words(rating: Rating) -> tuple[str, str]:
    """A player's Elo and its interval; no numbers if they are meaningless."""
    if rating.is_anchor:
        return f"{rating.elo:+.0f}", "anchor"
    if SIGMAS_95 * rating.sigma > WIDEST:
        return "-", "too few games"
    return f"{rating.elo:+.0f}", elo_range(*rating.interval)


def crosstable(standings: Standings) -> Rows:
    """All players against each other: wins, draws and losses of the row's player."""
    names = [rating.name for rating in sorted(standings.ratings.players, key=lambda rating: -rating.elo)]
    rows = [["", *names]]
    for name in names:
        tallies = [standings.tally(name, other) for other in names]
        rows.append([name, *("" if tally is None else f"{tally.wins}-{tally.draws}-{tally.losses}" for tally in tallies)])
    return rows


def spending_table(standings: Standings) -> Rows:
    """The resources that each player used."""
    rows = [["player", "moves", "s/move", "slowest s", "CPU s/move", "memory MB", "engine"]]
    for name in standings.names:
        spent = standings.spent(name)
        cpu = "-" if spent.cpu_per_move is None else f"{spent.cpu_per_move:.3f}"
        memory = "-" if spent.peak_memory is None else f"{spent.peak_memory / MEGABYTE:.0f}"
        identity = ", ".join(standings.identities(name)) or "-"
        rows.append([name, str(spent.moves), f"{spent.seconds_per_move:.3f}", f"{spent.slowest:.2f}", cpu, memory, identity])
    return rows


def fault_table(standings: Standings) -> Rows:
    """The games that each player lost by its own fault, by kind."""
    kinds = sorted({record.ending for record in standings.faults()})
    counts = {name: [sum(r.fault == name and r.ending == kind for r in standings.faults()) for kind in kinds] for name in standings.names}
    return [["player", *kinds]] + [[name, *map(str, row)] for name, row in counts.items() if any(row)] if kinds else []


def elo_range(low: float, high: float) -> str:
    """`-12 .. +40`, with open ends for infinite bounds."""
    return f"{'-inf' if low == -math.inf else f'{low:+.0f}'} .. {'+inf' if high == math.inf else f'{high:+.0f}'}"


def tally_sentence(name: str, tally: Tally) -> str:
    """A match of two in one line."""
    low, high = score_interval(tally)
    elo = elo_of(tally.score)
    strength = f"{elo:+.0f}" if math.isfinite(elo) else "+inf" if elo > 0 else "-inf"
    counts = f"{tally.wins} won, {tally.draws} drawn, {tally.losses} lost"
    score = f"{100 * tally.score:.1f} % [{100 * low:.1f} .. {100 * high:.1f}]"
    return f"{name}: {counts}; {score}; Elo {strength} [{elo_range(*elo_interval(tally))}]"


def sprt_sentence(standings: Standings) -> str:
    """The state of the sequential test; empty without one."""
    sprt, state = standings.tournament.sprt, standings.sprt
    if sprt is None or state is None:
        return ""
    name = standings.names[0]
    meaning = {
        ACCEPT_H0: f"H0 is accepted: {name} is {sprt.elo0:+g} Elo stronger rather than {sprt.elo1:+g}",
        ACCEPT_H1: f"H1 is accepted: {name} is {sprt.elo1:+g} Elo stronger rather than {sprt.elo0:+g}",
    }.get(state.decision, "no decision yet")
    bounds = f"LLR {state.llr:+.2f} in [{state.lower:.2f} .. {state.upper:.2f}] after {counted(state.pairs, 'pair')}"
    return f"SPRT {sprt.elo0:+g} against {sprt.elo1:+g}, alpha {sprt.alpha:g}, beta {sprt.beta:g}: {bounds}; {meaning}"


def game_sentence(record: PlayedGame) -> str:
    """A finished game in one line."""
    text = f"game {record.number + 1}: {record.black.name} (black) - {record.white.name} (white) {record.result}, {record.ending}"
    details = "; ".join(filter(None, [record.text, record.disagreement]))
    return f"{text}, {counted(record.moves, 'move')}" + (f": {details}" if details else "")


def warnings(standings: Standings) -> list[str]:
    """Sentences about facts that weaken the figures."""
    notes = []
    repeated, doubtful = standings.repeated_games(), len(standings.disagreements())
    if repeated:
        notes.append(f"{repeated} of {len(standings.records)} games repeat an earlier one move for move: use more openings or other seeds")
    if doubtful:
        notes.append(f"{counted(doubtful, 'game')} without a clear score: contradicting or missing; games without a winner are not counted")
    faults = len(standings.faults())
    if faults:
        notes.append(f"{counted(faults, 'game')} lost by a fault of the engine, not by its moves")
    for name in standings.names:
        if len(standings.identities(name)) > 1:
            notes.append(f"{name} was more than one engine or version: {', '.join(standings.identities(name))}")
    return notes


def aligned(rows: Rows) -> str:
    """Rows as lines of text, with the first column aligned left and the others right."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def summary(standings: Standings) -> str:
    """The summary at the end, without the list of games."""
    names = standings.names
    parts = [f"{len(standings.records)} of {standings.planned} games", aligned(rating_table(standings))]
    if len(names) == 2:
        parts.append("\n".join(filter(None, [tally_sentence(names[0], standings.total(names[0])), sprt_sentence(standings)])))
    else:
        parts.append(aligned(crosstable(standings)))
    parts += [aligned(spending_table(standings)), aligned(fault_table(standings)), "\n".join(warnings(standings))]
    return "\n\n".join(filter(None, parts))
