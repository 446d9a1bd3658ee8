"""`gtp-engine config`: the settings and their sources."""

import argparse
import json

from gtp_engine.cli.options.shared import configuration_of
from gtp_engine.engine.config.sources import user_file


def run(args: argparse.Namespace) -> int:
    """Print; always 0."""
    if args.what == "path":
        print(user_file())
        return 0
    for name, setting in configuration_of(args).settings.items():
        value = json.dumps(setting.value, ensure_ascii=False)  # for our types the same as TOML
        print(f"{f'{name} = {value}':<40} # {setting.source}")
    return 0
