"""Options of `gtp-engine config`."""

import argparse

from gtp_engine.cli.options.shared import add_options

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
