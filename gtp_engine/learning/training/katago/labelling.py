"""A run that makes labels: jobs, a store that survives kill -9, and finally one file."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gtp_engine.base.files import write_arrays
from gtp_engine.base.jobs.job import JobDescription
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.jobs.run import Watch, run_missing
from gtp_engine.base.jobs.store import JobStore
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.label_job import MAKE_LABELS, POSITIONS_OF_JOB, LabelSpec, unpacked
from gtp_engine.learning.training.katago.labels import LabelArrays, merged_labels


@dataclass(frozen=True)
class LabelPlan:
    """The labels to make."""

    spec: LabelSpec  # of the first job
    seed: int
    positions: int  # without children

    @property
    def jobs(self) -> int:
        """The number of jobs."""
        return -(-self.positions // POSITIONS_OF_JOB)

    def settings(self) -> dict[str, object]:
        """The settings that must be equal for a run to continue in a file."""
        spec = self.spec
        names: dict[str, object] = {"network": Path(spec.teacher.path).name, "records": [Path(path).name for path in spec.records]}
        student = {"student": Path(spec.student.path).name, "visits": spec.student.visits} if spec.student else {}
        if spec.teacher.visits:
            names["teacher_visits"] = spec.teacher.visits
        return {"command": "label", "seed": self.seed, **names, "shares": list(spec.shares), **asdict(spec.choice), **student}


def store_of(output: Path) -> Path:
    """The file of finished jobs."""
    return output.with_name(f"{output.name}.jobs")


def make_labels(plan: LabelPlan, output: Path, place: JobPlace, watch: Watch) -> LabelArrays:
    """Make the missing labels, write `output`, and return its arrays.

    The same call continues after an interruption or a kill: at most the jobs in progress are repeated. With more positions it extends the
    file. Raises TrainingError (a job failed), StoreError (other settings, in use, can't be written), PlaceError, OSError; KeyboardInterrupt
    after Ctrl-C.
    """
    store = JobStore(store_of(output), plan.settings())
    try:
        missing = plan.jobs - len(store.finished)
        if missing > 0:
            with JobPlace(min(place.jobs, missing), place.ray).runner(1) as runner:
                for result in run_missing(label_jobs(plan), plan.jobs, runner, store, watch):
                    if result.error:
                        raise TrainingError(f"labels {result.key} could not be made: {result.error}")
        results = sorted(store.results(), key=lambda result: int(result.key))
    finally:
        store.close()
    arrays = merged_labels([unpacked(result.value) for result in results])
    write_arrays(output, arrays)
    return arrays


def label_jobs(plan: LabelPlan) -> Iterator[JobDescription]:
    """All jobs of the run."""
    for number in range(plan.jobs):
        yield JobDescription(str(number), MAKE_LABELS, replace(plan.spec, number=number), plan.seed)
