"""Test suites in the form of gogui-regress for any GTP engine, with changes since the last run."""

__all__ = ["batch", "junit", "page", "results", "runner", "suite", "table"]
