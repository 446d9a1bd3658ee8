"""Programs that use engines: matches, tuning, test suites, reviews, problems; and the set-up of this one."""

__all__ = ["downloads", "match", "practice", "problems", "regression", "review", "setup", "tuning"]
