"""Test suites in the form of gogui-regress, run against any GTP engine, and what became of them since the last run."""

__all__ = ["batch", "junit", "matching", "page", "results", "runner", "suite", "table"]
