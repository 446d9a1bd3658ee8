"""Checkpoints, from which a run continues."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import torch

from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.schedule import TrainingProgress

CHECKPOINT_VERSION = 2
DAMAGED = "it is damaged, or something else"


class LearnerState(TypedDict):
    """The state of a learner in a checkpoint."""

    network: dict[str, torch.Tensor]
    average: dict[str, torch.Tensor]
    optimizer: list[dict[str, object]]  # of each optimizer


class Checkpoint(LearnerState):
    """The contents of a checkpoint, besides the identity of its run."""

    version: int
    progress: dict[str, float]


def progress_of(state: Checkpoint) -> TrainingProgress:
    """The progress of the run at the checkpoint."""
    values = state["progress"]
    step, positions, earlier = (int(values.get(name, 0)) for name in ("step", "positions", "earlier"))  # older ones have no `earlier`
    return TrainingProgress(step, positions, values["seconds"], values["policy_loss"], values["value_loss"], earlier)


@contextlib.contextmanager
def contents_of(path: Path) -> Iterator[None]:
    """Turn all errors about a checkpoint's contents into a TrainingError."""
    try:
        yield
    except TrainingError:
        raise
    except Exception as error:  # of torch or of our dataclasses: the file may hold anything
        raise TrainingError(f"{path} is not a checkpoint of gtp-engine train: {DAMAGED}") from error


def read_checkpoint(path: Path, device: torch.device) -> Checkpoint:
    """A checkpoint's contents. Raises TrainingError for other files."""
    try:
        state: Checkpoint = torch.load(path, map_location=device, weights_only=True)
        version = state["version"]
    except Exception as error:  # torch.load raises many kinds of errors
        reason = os.strerror(2) if not path.exists() else DAMAGED
        raise TrainingError(f"{path} is not a checkpoint of gtp-engine train: {reason}") from error
    if version != CHECKPOINT_VERSION:
        raise TrainingError(f"{path} has checkpoint version {version}, expected {CHECKPOINT_VERSION}")
    return state
