"""The command line: one small file for each subcommand, which parses options and calls the other packages."""

__all__ = ["main"]
