"""`gtp-engine config`: the settings and their sources."""

import argparse
import json

from gtp_engine.cli.options import add_options, configuration_of
from gtp_engine.engine.config.sources import user_file

HELP = "show the configuration and its sources"
DESCRIPTION = "Show the configuration and its sources."
EXAMPLES = """examples:
  gtp-engine config show                      every setting and its source, as TOML
  gtp-engine config show --set playouts=500   the same, as it would be with this option
  gtp-engine config path                      the path of your own settings file

Later sources override earlier ones: defaults, your file, --config FILE, GTP_ENGINE_* (GTP_ENGINE_PLAYOUTS=500), --set and other options.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("what", choices=("show", "path"), help="show: print every setting; path: print the path of your own file")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print; always 0."""
    if args.what == "path":
        print(user_file())
        return 0
    for name, setting in configuration_of(args).settings.items():
        value = json.dumps(setting.value, ensure_ascii=False)  # for our types the same as TOML
        print(f"{f'{name} = {value}':<40} # {setting.source}")
    return 0
