"""Matches between GTP engines of any make: processes, openings, referee, schedule, results, ratings, report. Never our engine's code."""
