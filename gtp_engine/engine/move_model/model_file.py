"""The move model's file, which the package includes: the shapes in use and all weights."""

import functools
from pathlib import Path

import numpy as np

from gtp_engine.engine.move_model.model import FREE, MODEL

MODEL_FILE = Path(__file__).parent / "strong_players.npz"


def save_model(models: np.ndarray, path: Path) -> None:
    """Write models[0] to `path`."""
    shapes = models[0]["shapes"]
    slots = np.flatnonzero(shapes["key"] != FREE).astype(np.uint32)
    np.savez_compressed(
        path,
        slots=slots,
        keys=shapes["key"][slots],
        shapes=shapes["weight"][slots].astype(np.float16),
        others=models[0]["weights"],
    )


def load_model(path: Path = MODEL_FILE) -> np.ndarray:
    """[1] MODEL from a file that save_model wrote. Raises OSError for a file that can't be read, ValueError for other contents."""
    models = np.zeros(1, MODEL)
    try:
        with np.load(path) as saved:
            slots = saved["slots"]
            models[0]["shapes"]["key"][slots] = saved["keys"]
            models[0]["shapes"]["weight"][slots] = saved["shapes"]
            models[0]["weights"] = saved["others"]
    except (OSError, MemoryError):
        raise
    except Exception as error:  # numpy, zipfile and zlib raise errors without a common class
        raise ValueError(f"{path}: expected a move model, found something else") from error
    return models


@functools.cache
def shipped_model() -> np.ndarray:
    """The model of the included file. It is read once in a process, because that takes 30 ms. Copy it before a change."""
    models = load_model()
    models.flags.writeable = False
    return models
