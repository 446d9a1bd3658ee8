"""Matches between GTP engines of any make: processes, openings, referee, schedule, results, ratings, report. Never our engine's code."""

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
