"""What each subcommand of `gtp-engine` takes: a module each, which loads nothing large, because `--help` doesn't wait."""

__all__: list[str] = []
