"""The command line: a module for each subcommand, which calls the other packages; `options` has what each one takes."""

__all__ = ["main"]
