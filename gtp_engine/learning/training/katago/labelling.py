"""A run that makes labels: jobs, a store that survives kill -9, and at the end one file."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gtp_engine.base.jobs.job import JobDescription
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.jobs.run import Watch, run_missing
from gtp_engine.base.jobs.store import JobStore
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.label_job import MAKE_LABELS, POSITIONS_OF_JOB, LabelOrder, unpacked
from gtp_engine.learning.training.katago.labels import LabelArrays, merged_labels, write_labels


@dataclass(frozen=True)
class LabelPlan:
    """What to make."""

    order: LabelOrder  # of the first job
    seed: int
    positions: int  # to choose; children come in addition

    @property
    def jobs(self) -> int:
        """How many there are."""
        return -(-self.positions // POSITIONS_OF_JOB)

    def settings(self) -> dict[str, object]:
        """What two runs that go on in one file must have in common."""
        order = self.order
        names = {"network": Path(order.teacher.path).name, "records": [Path(path).name for path in order.records]}
        return {"command": "label", "seed": self.seed, **names, "shares": list(order.shares), **asdict(order.choice)}


def store_of(output: Path) -> Path:
    """Where finished jobs are kept."""
    return output.with_name(f"{output.name}.jobs")


def make_labels(plan: LabelPlan, output: Path, place: JobPlace, watch: Watch) -> LabelArrays:
    """Make what is missing, write `output`, and give back what is in it.

    The same call goes on after it was interrupted or killed: at most the jobs under way are done again; with more positions it adds to
    what is there. Raises TrainingError (a job failed), StoreError (other settings, in use, can't be written), PlaceError, OSError;
    KeyboardInterrupt after Ctrl-C.
    """
    store = JobStore(store_of(output), plan.settings())
    try:
        missing = plan.jobs - len(store.finished)
        if missing > 0:
            with JobPlace(min(place.jobs, missing), place.ray).runner(1) as runner:
                for result in run_missing(orders(plan), plan.jobs, runner, store, watch):
                    if result.error:
                        raise TrainingError(f"labels {result.key} could not be made: {result.error}")
        results = sorted(store.results(), key=lambda result: int(result.key))
    finally:
        store.close()
    arrays = merged_labels([unpacked(result.value) for result in results])
    write_labels(output, arrays)
    return arrays


def orders(plan: LabelPlan) -> Iterator[JobDescription]:
    """All jobs of the run."""
    for number in range(plan.jobs):
        yield JobDescription(str(number), MAKE_LABELS, replace(plan.order, number=number), plan.seed)
