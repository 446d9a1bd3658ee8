"""The sources of settings, of which the strongest wins: defaults < user's file < --config < environment < command line.

A file is flat TOML, one `key = value` in each line, with the names of fields of SearchParams and FrontEnd. An environment variable is
GTP_ENGINE_ and the name in capitals; GTP_ENGINE_CONFIG names a file, like --config.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any

from gtp_engine.base.files import read_file
from gtp_engine.engine.config.front_end import NOT_FROM_ENVIRONMENT, FrontEnd
from gtp_engine.engine.config.values import check_value, read_value, suggestion
from gtp_engine.engine.search.params import SearchParams

PREFIX = "GTP_ENGINE_"
FILE_VARIABLE = "GTP_ENGINE_CONFIG"
FILE_NAME = "config.toml"
LARGEST_FILE = 1_000_000  # bytes
DEFAULT, COMMAND_LINE = "default", "command line"  # names of sources

SETTINGS: dict[str, Field[Any]] = {item.name: item for owner in (FrontEnd, SearchParams) for item in fields(owner)}


class ConfigError(Exception):
    """A source that can't be used; str() is one sentence for the user."""


@dataclass(frozen=True)
class Setting:
    """A value and its source."""

    value: Any
    source: str


class Configuration:
    """All settings with their values and sources. Starts with the defaults; later sources override earlier ones."""

    def __init__(self) -> None:
        self.settings = {name: Setting(item.default, DEFAULT) for name, item in SETTINGS.items()}

    def search_params(self) -> SearchParams:
        """The settings of the search."""
        return SearchParams(**{item.name: self.settings[item.name].value for item in fields(SearchParams)})

    def front_end(self) -> FrontEnd:
        """All other settings."""
        return FrontEnd(**{item.name: self.settings[item.name].value for item in fields(FrontEnd)})

    def set(self, name: str, value: Any, source: str) -> None:
        """Override one setting by a value of its type."""
        self.settings[name] = Setting(value, source)

    def read_file(self, path: Path) -> None:
        """Override by a TOML file. Raises ConfigError, with file and line, if it can't be read or has an unknown setting."""
        import tomllib  # not above: most processes have no file, and the handshake doesn't wait

        try:
            text = read_file(path, LARGEST_FILE).decode("utf-8-sig")
            table = tomllib.loads(text)
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from error
        except ValueError as error:  # of TOML, with its line, or of UTF-8
            raise ConfigError(f"{path}: {error}") from error
        except RecursionError as error:
            raise ConfigError(f"{path}: it is nested too deeply") from error
        for name, value in table.items():
            where = f"{path}, line {line_of(name, text)}"
            try:
                self.set(name, check_value(setting_called(name), value), where)
            except ValueError as error:
                raise ConfigError(f"{where}: {error}") from error

    def read_environment(self, environment: Mapping[str, str]) -> None:
        """Override by the GTP_ENGINE_* variables. Raises ConfigError for an unknown one and one that isn't allowed there."""
        for variable in sorted(environment):
            name = variable.removeprefix(PREFIX).lower()
            if not variable.startswith(PREFIX) or variable == FILE_VARIABLE:
                continue
            if name in NOT_FROM_ENVIRONMENT:
                raise ConfigError(f"{variable}: no variable sets {name}; use the command line or the configuration file")
            self.read_text(name, environment[variable], variable)

    def read_assignments(self, assignments: Iterable[str]) -> None:
        """Override by `key=value` texts of the command line. Raises ConfigError."""
        for assignment in assignments:
            name, equals, text = assignment.partition("=")
            if not equals:
                raise ConfigError(f"--set takes key=value, not {assignment!r}")
            self.read_text(name.strip().replace("-", "_"), text.strip(), f"--set {name.strip()}")

    def read_text(self, name: str, text: str, source: str) -> None:
        """Override one setting by a text. Raises ConfigError."""
        try:
            self.set(name, read_value(setting_called(name), text), source)
        except ValueError as error:
            raise ConfigError(f"{source}: {error}") from error


def setting_called(name: str) -> Field[Any]:
    """The setting with this name. Raises ValueError with the nearest one."""
    if name not in SETTINGS:
        raise ValueError(f"unknown setting {name[:40]}{suggestion(name, SETTINGS)}")
    return SETTINGS[name]


def line_of(name: str, text: str) -> int:
    """The line of a TOML text that sets `name`, which tomllib doesn't report."""
    start = re.search(rf'^\s*\[*\s*"?{re.escape(name)}"?\s*[=\].]', text, re.MULTILINE)
    return text.count("\n", 0, start.end()) + 1 if start else 1


def user_file() -> Path:
    """The user's own file, which may not exist."""
    import platformdirs  # not above: the handshake of an engine that was given a file need not wait for it

    return Path(platformdirs.user_config_dir("gtp_engine", appauthor=False)) / FILE_NAME


def gather(environment: Mapping[str, str], file: Path | None = None) -> Configuration:
    """The configuration from all sources except the command line. `file` is that of --config. Raises ConfigError."""
    configuration = Configuration()
    own_file = user_file()
    if own_file.is_file():
        configuration.read_file(own_file)
    if file is None and environment.get(FILE_VARIABLE):
        file = Path(environment[FILE_VARIABLE])
    if file is not None:
        configuration.read_file(file)
    configuration.read_environment(environment)
    return configuration
