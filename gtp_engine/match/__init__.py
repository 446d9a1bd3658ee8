"""Matches between GTP engines of any make: processes, openings, referee, schedule, results, ratings, report. Never our engine's code."""

__all__ = ["client", "live", "report", "results", "runner", "standings", "tables", "tournament", "tournament_file"]
