"""The move model's file, shipped with the package: the shapes in use and all weights."""

from pathlib import Path

import numpy as np

from gtp_engine.move_model.model import FREE, MODEL, SLOTS

MODEL_FILE = Path(__file__).parent / "strong_players.npz"


def save_model(models: np.ndarray, path: Path) -> None:
    """Write models[0] to `path`."""
    slots = np.flatnonzero(models[0]["keys"] != FREE).astype(np.uint32)
    weights = models[0]["weights"]
    np.savez_compressed(
        path,
        slots=slots,
        keys=models[0]["keys"][slots],
        shapes=weights[slots].astype(np.float16),
        others=weights[SLOTS:],
    )


def load_model(path: Path = MODEL_FILE) -> np.ndarray:
    """[1] MODEL as save_model wrote it. Raises OSError or KeyError for anything else."""
    models = np.zeros(1, MODEL)
    with np.load(path) as saved:
        slots = saved["slots"]
        models[0]["keys"][slots] = saved["keys"]
        models[0]["weights"][slots] = saved["shapes"]
        models[0]["weights"][SLOTS:] = saved["others"]
    return models
