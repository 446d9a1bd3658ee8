"""The mean of networks: each weight is the mean of theirs (Wortsman et al. 2022, "Model soups").

The mean of a network before and after more training is often better than either on positions unlike those of the training. The mean of
networks that didn't begin as the same one is of no use.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.network.errors import NetworkFileError
from gtp_engine.engine.network.katago.model import Model
from gtp_engine.engine.network.katago.reader import read_model
from gtp_engine.learning.training import TrainingError

MEAN = "-mean"  # the end of the result's name
NAME = "header.name"  # the only part that may differ


@dataclass(frozen=True)
class Member:
    """A network of a mean. `share` is its part of the sum, relative to the others'."""

    path: Path
    share: float


def mean_of_files(members: Sequence[Member]) -> Model:
    """The mean of the networks in these files, named after the first. Raises TrainingError for unreadable files and different shapes."""
    first, *others = (read(member.path) for member in members)
    for member, model in zip(members[1:], others, strict=True):
        check_shapes(members[0].path, first, member.path, model)
    shares = np.array([member.share for member in members])
    mean: Model = mean_of([first, *others], shares / shares.sum())
    return replace(mean, header=replace(first.header, name=f"{first.header.name.removesuffix(MEAN)}{MEAN}"))


def read(path: Path) -> Model:
    """The network in a file. Raises TrainingError."""
    try:
        return read_model(path)
    except NetworkFileError as error:
        raise TrainingError(str(error)) from error


def mean_of(values: Sequence[Any], shares: np.ndarray) -> Any:
    """The mean of models, or of the same part of each. The parts have the same shape."""
    first = values[0]
    if isinstance(first, np.ndarray):
        return np.tensordot(shares, np.stack(values).astype(np.float64), 1).astype(np.float32)
    if isinstance(first, tuple):
        return tuple(mean_of(items, shares) for items in zip(*values, strict=True))
    if dataclasses.is_dataclass(first) and not isinstance(first, type):
        fields = [field.name for field in dataclasses.fields(first)]
        return replace(first, **{name: mean_of([getattr(value, name) for value in values], shares) for name in fields})
    return first


# ---------------------------------------------------------------- shapes


def check_shapes(path: Path, model: Model, other_path: Path, other: Model) -> None:
    """Raise TrainingError if two networks differ in more than weights and name."""
    if outline_of(model) != outline_of(other):
        differences = f"{path} has {outline_of(model)}, {other_path} has {outline_of(other)}"
    else:
        parts, others = dict(parts_of(model, "")), dict(parts_of(other, ""))
        places = [place for place in {**parts, **others} if place != NAME and parts.get(place) != others.get(place)]
        if not places:
            return
        ours, theirs = (values.get(places[0], "missing") for values in (parts, others))
        differences = f"{places[0]} is {ours} in {path} and {theirs} in {other_path}"
    raise TrainingError(f"only networks of the same shape have a mean: {differences}")


def outline_of(model: Model) -> str:
    """`14 blocks of 96 channels in file version 17`."""
    return f"{len(model.trunk.blocks)} blocks of {model.trunk.conv.outputs} channels in file version {model.header.version}"


def parts_of(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every part of a model by its place, as `trunk.blocks[3].first`, with its kind, size or value."""
    if isinstance(value, np.ndarray):
        yield place, " x ".join(map(str, value.shape))
    elif isinstance(value, tuple):
        for number, item in enumerate(value):
            yield from parts_of(item, f"{place}[{number}]")
    elif dataclasses.is_dataclass(value):
        yield place, type(value).__name__
        for field in dataclasses.fields(value):
            yield from parts_of(getattr(value, field.name), f"{place}.{field.name}".lstrip("."))
    else:
        yield place, "missing" if value is None else str(value)
