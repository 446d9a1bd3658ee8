"""What each subcommand of `gtp-engine` takes: a module each, which loads nothing large, because `--help` doesn't wait."""

__all__ = [
    "frame",
    "jobs",
    "match",
    "play",
    "problems",
    "shared",
    "solve",
    "train",
    "training",
    "tune",
]
