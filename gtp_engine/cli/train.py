"""`gtp-engine train`: trains networks and the move model from game records, self-play and stronger networks.

An action is a module beside this one, with a function `run`.
"""

import argparse
import importlib

from gtp_engine.cli.options.train import ALIASES
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.train_sources import give_torch_a_folder, require, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.training import TrainingError

WITH_TORCH = ("imitation",)
ACTION_OF = {alias: action for action, aliases in ALIASES.items() for alias in aliases}


def run(args: argparse.Namespace) -> int:
    """Run the action; 130 after Ctrl-C, 1 after a disk error. Raises ConfigError for invalid files and options."""
    action = ACTION_OF.get(args.action, args.action)
    if action in WITH_TORCH:
        require(("torch",))
        give_torch_a_folder()
    try:
        importlib.import_module(f"gtp_engine.cli.train_{action.replace('-', '_')}").run(args)
    except TrainingError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        tell(str(error))
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
