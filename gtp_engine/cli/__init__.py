"""The command line: one small file for each subcommand. Options come in, objects of the other packages are called."""

__all__ = ["main"]
