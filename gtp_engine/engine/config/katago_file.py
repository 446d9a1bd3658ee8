"""Reads KataGo's configuration files, which its clients pass to any engine: `key = value` lines with `#` comments."""

from pathlib import Path

from gtp_engine.base.files import read_file
from gtp_engine.engine.config.sources import LARGEST_FILE, ConfigError

QUOTES = "\"'"


def read_katago_file(path: Path) -> dict[str, str]:
    """Every key with its value as a text. Raises ConfigError, naming file and line."""
    try:
        text = read_file(path, LARGEST_FILE).decode("utf-8", "replace")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            try:
                key, value = read_pair(content)
            except ValueError as error:
                raise ConfigError(f"{path}, line {number}: {error}") from error
            values[key] = value
    return values


def read_pairs(text: str) -> dict[str, str]:
    """The pairs of a command line, `key=value,key=value`. Raises ConfigError."""
    try:
        return dict(read_pair(pair) for pair in text.split(",") if pair.strip())
    except ValueError as error:
        raise ConfigError(f"-override-config: {error}") from error


def read_pair(text: str) -> tuple[str, str]:
    """`key = value`, the value perhaps in quotes. Raises ValueError."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ValueError(f"expected key = value, found {text[:40]!r}")
    return key.strip(), value.strip().strip(QUOTES)
