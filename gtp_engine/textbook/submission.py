"""Load players that users write: a Python file with a function `choose_move(position, dice)`, for `--player-file` and docs/course."""

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gtp_engine.textbook.game import Position, require_moves
from gtp_engine.textbook.players import Choice, Player, ShouldStop

FUNCTION = "choose_move"


class PlayerFailedError(ValueError):
    """A file is not a player, or its function failed. str() is one sentence."""


def load_player(path: Path, dice: random.Random) -> Player:
    """Return the player of this file. Its code is run, with its own folder on the module path.

    Raises PlayerFailedError if the file can't be read or run, or lacks the function. The player raises it if the function fails or
    returns an illegal move.
    """
    function = load_function(path)

    def choose(position: Position, should_stop: ShouldStop) -> Choice:
        """See Player."""
        legal = require_moves(position)
        try:
            move = function(position, dice)
        except Exception as error:
            raise PlayerFailedError(f"{path.name}: {FUNCTION} failed: {type(error).__name__}: {error}") from error
        if move not in legal:
            raise PlayerFailedError(f"{path.name}: {FUNCTION} returned {move!r}, which is no legal move")
        return Choice(move)

    return choose


def load_function(path: Path) -> Callable[[Position, random.Random], Any]:
    """Return the file's function. Raises PlayerFailedError as load_player does."""
    if not path.is_file():
        raise PlayerFailedError(f"{path}: there is no such file")
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(f"player_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise PlayerFailedError(f"{path}: a player is a Python file, whose name ends with .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise PlayerFailedError(f"{path} can't be run: {type(error).__name__}: {error}") from error
    function = getattr(module, FUNCTION, None)
    if not callable(function):
        raise PlayerFailedError(f"{path} has no function {FUNCTION}(position, dice)")
    choose_move: Callable[[Position, random.Random], Any] = function
    return choose_move
