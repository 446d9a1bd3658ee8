"""Labels as jobs: each job chooses some positions and runs the teacher. A worker keeps the network and the records."""

import base64
import io
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np

from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training.katago.choice import ChoiceParams, ChosenPosition, PositionChooser, drawn_seed
from gtp_engine.learning.training.katago.labels import LabelArrays, LabelOrigin, label_arrays
from gtp_engine.learning.training.katago.position_search import PositionSearch, Student, open_student
from gtp_engine.learning.training.katago.position_sources import read_positions
from gtp_engine.learning.training.katago.positions import NetworkJudge

MAKE_LABELS = "gtp_engine.learning.training.katago.label_job:LabelWorker"  # the function of these jobs
POSITIONS_OF_JOB = 32  # without their children


@dataclass(frozen=True)
class Teacher:
    """The network that makes the labels, and how it is computed."""

    path: str
    backend: str = "onnxruntime"
    precision: str = "f32"
    batch: int = 16  # positions in a batch
    visits: int = 0  # of the search for each label; 0: the network's own answer


@dataclass(frozen=True)
class LabelSpec:
    """Labels to make."""

    teacher: Teacher
    records: tuple[str, ...]  # files: records, folders, suites
    sizes: tuple[int, ...]  # of the boards in SGF files
    cache: str
    shares: tuple[float, ...]
    choice: ChoiceParams
    number: int  # of the job
    student: Student | None = None  # whose trees are searched for positions


Tools = tuple[PositionChooser, NetworkJudge, PositionSearch | None, PositionSearch | None]  # the searches of teacher and student


class LabelWorker:
    """Makes labels with one thread."""

    def __init__(self, _tell: object) -> None:
        self._opened: dict[LabelSpec, Tools] = {}

    def __call__(self, spec: LabelSpec, seed: int) -> str:
        """The arrays of the labels, see packed. Raises TrainingError, NetworkError."""
        chooser, judge, teacher, student = self._prepared(spec)
        random = np.random.default_rng((seed, spec.number))
        chosen = [chooser.draw(random) for _ in range(POSITIONS_OF_JOB)]
        answers = judge([drawn.position for drawn in chosen])
        groups = count(spec.number * POSITIONS_OF_JOB * (2 + spec.choice.children))  # their numbers differ between jobs
        labels = [(origin_of(drawn, next(groups)), drawn.position, answer) for drawn, answer in zip(chosen, answers, strict=True)]
        families = [
            (origin_of(drawn, group), position)
            for drawn, answer in zip(chosen, answers, strict=True)
            for family in chooser.families_of(random, drawn.position, answer, student)
            for group in [next(groups)]
            for position in family
        ]
        said = judge([position for _, position in families])
        labels += [(origin, position, answer) for (origin, position), answer in zip(families, said, strict=True)]
        if teacher is not None:
            labels = [(origin, position, teacher.deepened(position, answer, drawn_seed(random))) for origin, position, answer in labels]
        return packed(label_arrays(labels, chooser.sources, Path(spec.teacher.path).name))

    def _prepared(self, spec: LabelSpec) -> Tools:
        """The records and the networks, read at first use."""
        key = replace(spec, number=0)
        if key not in self._opened:
            self._opened.clear()
            sources = read_positions([Path(path) for path in spec.records], spec.sizes, Path(spec.cache), lambda _count: None)
            path, teacher = Path(spec.teacher.path), spec.teacher
            network = format_of(path).load(path, SearchParams(threads=1, backend=teacher.backend, precision=teacher.precision))
            search = PositionSearch(network, teacher.visits) if teacher.visits else None
            student = open_student(spec.student) if spec.student else None
            self._opened[key] = PositionChooser(sources, spec.shares, spec.choice), NetworkJudge(network, teacher.batch), search, student
        return self._opened[key]

    def close(self) -> None:
        """Nothing needs to be ended."""


def origin_of(drawn: ChosenPosition, group: int) -> LabelOrigin:
    """The origin of a label that comes from this position."""
    return LabelOrigin(drawn.source, drawn.game, drawn.number, group)


def packed(arrays: LabelArrays) -> str:
    """The arrays as a string, for a JobStore."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # numpy's stub takes the names for options
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def unpacked(text: str) -> LabelArrays:
    """The inverse."""
    with np.load(io.BytesIO(base64.b64decode(text))) as archive:
        return {name: archive[name] for name in archive.files}
