"""Options of `gtp-engine train`: a module for each action, beside this one."""

import argparse
import importlib
from typing import Any

from gtp_engine.cli.options import train_calibration, train_imitation, train_move_model

ACTIONS = ("imitation", "evaluate", "mean", "label", "suite", "agreement", "selfplay", "ranks", "calibration", "records", "move-model")
ALIASES = {"imitation": ["distill"]}

HELP = "teach a network from game records"
DESCRIPTION = "Teach a network, or the move model, from game records. For a network, install first: pip install 'gtp-engine[train]'."
EXAMPLES = "".join(
    [train_imitation.EXAMPLES, *(text.partition("\n")[2] for text in (train_calibration.EXAMPLES, train_move_model.EXAMPLES))]
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    for name in ACTIONS:
        module: Any = importlib.import_module(f"gtp_engine.cli.options.train_{name.replace('-', '_')}")
        description = getattr(module, "DESCRIPTION", None)
        aliases = ALIASES.get(name, [])
        module.add_arguments(actions.add_parser(name, aliases=aliases, help=module.HELP, description=description, epilog=module.EXAMPLES))
