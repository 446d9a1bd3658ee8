"""Checkpoints: what a run goes on from."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import torch

from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.schedule import TrainingProgress

CHECKPOINT_VERSION = 1
DAMAGED = "it is damaged, or something else"


class LearnerState(TypedDict):
    """What a checkpoint holds of a learner."""

    network: dict[str, torch.Tensor]
    average: dict[str, torch.Tensor]
    optimizer: list[dict[str, object]]


class Checkpoint(LearnerState):
    """What a checkpoint holds, beside what tells one run from another."""

    version: int
    progress: dict[str, float]


def progress_of(state: Checkpoint) -> TrainingProgress:
    """How far the run of a checkpoint was."""
    values = state["progress"]
    step, positions, earlier = (int(values.get(name, 0)) for name in ("step", "positions", "earlier"))  # once there was no `earlier`
    return TrainingProgress(step, positions, values["seconds"], values["policy_loss"], values["value_loss"], earlier)


@contextlib.contextmanager
def contents_of(path: Path) -> Iterator[None]:
    """Turn whatever goes wrong with what a checkpoint holds into a TrainingError."""
    try:
        yield
    except TrainingError:
        raise
    except Exception as error:  # of torch, of our dataclasses: anything may stand there
        raise TrainingError(f"{path} is not a checkpoint of gtp-engine train: {DAMAGED}") from error


def read_checkpoint(path: Path, device: torch.device) -> Checkpoint:
    """A checkpoint's contents; TrainingError when the file is none."""
    try:
        state: Checkpoint = torch.load(path, map_location=device, weights_only=True)
        version = state["version"]
    except Exception as error:  # torch.load raises what it likes
        reason = os.strerror(2) if not path.exists() else DAMAGED
        raise TrainingError(f"{path} is not a checkpoint of gtp-engine train: {reason}") from error
    if version != CHECKPOINT_VERSION:
        raise TrainingError(f"{path} has checkpoint version {version}, expected {CHECKPOINT_VERSION}")
    return state
