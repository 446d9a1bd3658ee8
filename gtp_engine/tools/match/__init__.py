"""Matches between GTP engines: processes, openings, referee, schedule, results, ratings, report. Imports nothing of our engine."""

__all__ = [
    "client",
    "elo",
    "opening",
    "pair_job",
    "report",
    "results",
    "runner",
    "sprt",
    "standings",
    "tables",
    "tournament",
    "tournament_file",
]
