"""Labels as jobs: each job chooses some positions and runs the teacher. A worker keeps the network and the records."""

import base64
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training.games import read_boards
from gtp_engine.learning.training.katago.choice import ChoiceParams, ChosenPosition, PositionChooser
from gtp_engine.learning.training.katago.labels import LabelArrays, LabelOrigin, label_arrays
from gtp_engine.learning.training.katago.positions import NetworkAnswer, NetworkJudge, RecordPosition

MAKE_LABELS = "gtp_engine.learning.training.katago.label_job:LabelWorker"  # the function of these jobs
POSITIONS_OF_JOB = 32  # without their children


@dataclass(frozen=True)
class Teacher:
    """The network that makes the labels, and how it is computed."""

    path: str
    backend: str = "onnxruntime"
    precision: str = "f32"
    batch: int = 16  # positions in a batch


@dataclass(frozen=True)
class LabelOrder:
    """Labels to make."""

    teacher: Teacher
    records: tuple[str, ...]
    sizes: tuple[int, ...]  # of the boards in SGF files
    cache: str
    shares: tuple[float, ...]
    choice: ChoiceParams
    number: int  # of the job


class LabelWorker:
    """Makes labels with one thread."""

    def __init__(self, _tell: object) -> None:
        self._opened: dict[tuple[Any, ...], tuple[PositionChooser, NetworkJudge]] = {}

    def __call__(self, order: LabelOrder, seed: int) -> str:
        """The arrays of the labels, see packed. Raises TrainingError, NetworkError."""
        chooser, judge = self._prepared(order)
        random = np.random.default_rng((seed, order.number))
        chosen = [chooser.draw(random) for _ in range(POSITIONS_OF_JOB)]
        answers = judge([drawn.position for drawn in chosen])
        first = order.number * 2 * POSITIONS_OF_JOB  # group numbers differ between jobs
        labels = [
            (LabelOrigin(drawn.source, drawn.game, drawn.number, first + i), drawn.position, answer)
            for i, (drawn, answer) in enumerate(zip(chosen, answers, strict=True))
        ]
        families = [
            (drawn, first + POSITIONS_OF_JOB + i, child)
            for i, (drawn, answer) in enumerate(zip(chosen, answers, strict=True))
            if chooser.has_family(random)
            for child in chooser.children_of(random, drawn.position, answer)
        ]
        labels += answered(families, judge([child for _, _, child in families]))
        return packed(label_arrays(labels, [Path(path).name for path in order.records], Path(order.teacher.path).name))

    def _prepared(self, order: LabelOrder) -> tuple[PositionChooser, NetworkJudge]:
        """The records and the network, read at first use."""
        key = order.teacher, order.records, order.sizes, order.shares, order.choice
        if key not in self._opened:
            self._opened.clear()
            records = read_boards([Path(path) for path in order.records], order.sizes, Path(order.cache), lambda _count: None)
            path, teacher = Path(order.teacher.path), order.teacher
            network = format_of(path).load(path, SearchParams(threads=1, backend=teacher.backend, precision=teacher.precision))
            self._opened[key] = PositionChooser(records, order.shares, order.choice), NetworkJudge(network, teacher.batch)
        return self._opened[key]

    def close(self) -> None:
        """Nothing needs to be ended."""


def answered(
    families: list[tuple[ChosenPosition, int, RecordPosition]], answers: list[NetworkAnswer]
) -> list[tuple[LabelOrigin, RecordPosition, NetworkAnswer]]:
    """Children with the teacher's answers."""
    return [
        (LabelOrigin(parent.source, parent.game, parent.number, group), child, answer)
        for (parent, group, child), answer in zip(families, answers, strict=True)
    ]


def packed(arrays: LabelArrays) -> str:
    """The arrays as a string, for a JobStore."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # numpy's stub takes the names for options
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def unpacked(text: str) -> LabelArrays:
    """The inverse."""
    with np.load(io.BytesIO(base64.b64decode(text))) as archive:
        return {name: archive[name] for name in archive.files}
