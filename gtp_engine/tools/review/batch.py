"""Review many games, each as a job. A folder holds a complete review or none, and finished reviews are not repeated."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine import sgf
from gtp_engine.base.charts import as_png, as_svg, can_draw_png
from gtp_engine.base.files import write_file
from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.job import JobDescription, JobResult, Tell
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.processors import processors
from gtp_engine.engine.search.params import SMALLEST_MEMORY, SearchParams
from gtp_engine.go.rules import Rules
from gtp_engine.tools.review.annotate import annotated_record
from gtp_engine.tools.review.html_page import html_page
from gtp_engine.tools.review.judge import Judge
from gtp_engine.tools.review.kept_answers import KeptAnswers
from gtp_engine.tools.review.model import GameReview
from gtp_engine.tools.review.output import OutputError, digest_of, finished, folder_names
from gtp_engine.tools.review.plot import chart_of
from gtp_engine.tools.review.rank_of_moves import RankTeller
from gtp_engine.tools.review.records import CUT, PARTIAL, GameRecord, GameSource, find_files, read_record, read_sources
from gtp_engine.tools.review.settings import ReviewSettings
from gtp_engine.tools.review.tables import csv_table, json_document

if TYPE_CHECKING:
    from gtp_engine.tools.review.progress import ReviewProgress

REVIEW = "gtp_engine.tools.review.batch:ReviewJob"
REVIEWED, KEPT, FAILED = "reviewed", "kept", "failed"


@dataclass(frozen=True)
class Task:
    """The files to review, the settings and the output folder."""

    paths: Sequence[Path]
    output: Path
    settings: ReviewSettings
    params: SearchParams
    rules: Rules  # for records that name none
    komi: float  # for records that name none


@dataclass(frozen=True)
class ReviewOutcome:
    """The outcome of one game, or of a file that holds no game."""

    title: str
    status: str  # REVIEWED, KEPT (an earlier run reviewed it) or FAILED
    reason: str = ""  # one sentence that says why it failed
    folder: Path | None = None
    document: dict[str, object] = field(default_factory=dict, repr=False)  # the review's JSON


@dataclass(frozen=True)
class Job:
    """A game, and the folder for its review."""

    source: GameSource
    folder: Path


def cut(outcome: ReviewOutcome) -> str:
    """Return the warning that the review ends before the record does; empty when it doesn't."""
    warnings = outcome.document.get("warnings")
    return next((text for text in warnings if CUT in text), "") if isinstance(warnings, list) else ""


def find_jobs(task: Task) -> tuple[list[Job], list[ReviewOutcome]]:
    """Return every game in the files, and an outcome for each file without a game."""
    sources: list[GameSource] = []
    failures: list[ReviewOutcome] = []
    for path in find_files(task.paths):
        try:
            sources += read_sources(path)
        except sgf.SgfError as error:
            failures.append(ReviewOutcome(str(path), FAILED, str(error)))
    names = folder_names(sources)
    return [Job(source, task.output / name) for source, name in zip(sources, names, strict=True)], failures


def review_all(task: Task, jobs: Sequence[Job], progress: "ReviewProgress", place: JobPlace | None = None) -> Iterator[ReviewOutcome]:
    """Review the games, each as a job, and yield the outcomes in the order of the games.

    Raises OutputError when a file can't be written. Finished reviews are kept.
    """
    place = place or JobPlace()
    progress.begin(len(jobs))
    outcomes: dict[int, ReviewOutcome] = {}
    due: list[tuple[int, ReviewSpec]] = []
    records = real_paths(task.paths)
    for number, job in enumerate(jobs):
        spec_or_outcome = look_at(task, job, records)
        if isinstance(spec_or_outcome, ReviewOutcome):
            outcomes[number] = spec_or_outcome
            progress.end_game(spec_or_outcome)
        else:
            due.append((number, replace(spec_or_outcome, params=params_of_each(task.params, place.jobs))))

    def on_note(_key: str, note: tuple[str, tuple[Any, ...]]) -> None:
        """Show a job's progress; when several games run at once, only their first looks."""
        name, values = note
        if place.jobs == 1 or name == "first_look":
            getattr(progress, name)(*values)

    following = 0
    with replace(place, jobs=max(1, min(place.jobs, len(due)))).runner(0, on_note) as runner:
        for result in runner.results(JobDescription(str(number), REVIEW, spec) for number, spec in due):
            outcome = outcome_of(result, jobs[int(result.key)])
            outcomes[int(result.key)] = outcome
            progress.end_game(outcome)
            while following in outcomes:
                yield outcomes[following]
                following += 1
    yield from (outcomes[number] for number in range(following, len(jobs)))


def look_at(task: Task, job: Job, records: Collection[str]) -> "ReviewOutcome | ReviewSpec":
    """Return what a job needs to review a game, or its outcome when there is nothing to do. `records`: the task's real_paths."""
    title = job.source.title
    try:
        record = read_record(job.source, task.rules, task.komi)
    except sgf.SgfError as error:
        return ReviewOutcome(title, FAILED, str(error))
    digest = digest_of(job.source, task.settings, task.params, record.rules.name, record.komi)
    document = finished(job.folder, digest)
    if document is not None:
        return ReviewOutcome(title, KEPT, "", job.folder, document)
    if overwrites(job, records):
        return ReviewOutcome(title, FAILED, f"its review would be written over it in {job.folder}; choose another folder with --output")
    return ReviewSpec(record, task.params, task.settings, job.folder.absolute(), digest, answers_digest(job.source, task, record))


def params_of_each(params: SearchParams, jobs: int) -> SearchParams:
    """Return the parameters of one of `jobs` jobs, which share the processors and the memory."""
    if jobs == 1:
        return params
    memory = max(params.memory // jobs, SMALLEST_MEMORY)
    return replace(params, threads=params.threads or max(processors() // jobs, 1), memory=memory)


def outcome_of(result: JobResult, job: Job) -> ReviewOutcome:
    """Return the outcome of a finished job. Raises OutputError if it could not write its files."""
    if result.error:
        return ReviewOutcome(job.source.title, FAILED, result.error)
    if isinstance(result.value, str):
        raise OutputError(result.value)
    return ReviewOutcome(job.source.title, REVIEWED, "", job.folder, result.value)


@dataclass(frozen=True)
class ReviewSpec:
    """A job: the game to review, and the settings."""

    record: GameRecord
    params: SearchParams
    settings: ReviewSettings
    folder: Path  # absolute; the job writes there
    digest: str
    answers_digest: str


class ReviewJob:
    """The function of these jobs. It keeps its judge, with the compiled code and the network, for the next game."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._judge: Judge | None = None
        self._rank_teller = RankTeller()
        self._judge_made_for: tuple[SearchParams, ReviewSettings] | None = None

    def __call__(self, spec: ReviewSpec, seed: int) -> dict[str, object] | str:
        """Review one game and write its files. Return its JSON document, or a sentence when the files can't be written.

        The seed of the search is in the order's parameters, so `seed` is unused.
        """
        if self._judge is None or self._judge_made_for != (spec.params, spec.settings):
            self._judge, self._judge_made_for = Judge(spec.params, spec.settings), (spec.params, spec.settings)
            self._judge.warm_up()
        try:
            return self._review(self._judge, spec)
        except (OutputError, StoreError) as error:
            return str(error)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _review(self, judge: Judge, spec: ReviewSpec) -> dict[str, object]:
        """Review one game, write its files and return its JSON document. Raises OutputError or StoreError."""
        self._tell(("begin_game", (spec.record.source.title, len(spec.record.moves) + 1)))
        with closing(KeptAnswers(spec.folder / PARTIAL, spec.answers_digest)) as answers:
            review = judge.review(
                spec.record,
                lambda done, total: self._tell(("position_done", (done, total))),
                answers,
                lambda first: self._tell(("first_look", (write_first_look(first, spec.folder),))),
            )
            self._rank_teller.tell(review)
            document = write_review(review, spec.record, spec.folder, spec.digest)
        answers.remove()
        return document


def answers_digest(source: GameSource, task: Task, record: GameRecord) -> str:
    """Return a digest of everything that the searches depend on. A longer review can reuse the answers of a shorter one."""
    return digest_of(source, ReviewSettings(playouts=0, seconds=task.settings.seconds), task.params, record.rules.name, record.komi)


def real_paths(paths: Sequence[Path]) -> set[str]:
    """Return the real paths, with links resolved, of the files that `paths` name."""
    return {os.path.realpath(path) for path in find_files(paths) if os.path.isfile(path)}


def overwrites(job: Job, records: Collection[str]) -> bool:
    """Would this review overwrite one of these records, which are given by their real_paths?"""
    return os.path.realpath(job.folder / f"{job.folder.name}.sgf") in records


def write_first_look(review: GameReview, folder: Path) -> Path:
    """Write the page after the first pass and return its path. An earlier review no longer counts as finished. Raises OutputError."""
    page = folder / f"{folder.name}.html"
    try:
        page.with_suffix(".json").unlink(missing_ok=True)
        write_file(page, html_page(review, is_first_look=True).encode("utf-8", "replace"))
    except OSError as error:
        raise OutputError(f"cannot write {page}: {error.strerror}") from error
    return page


def write_review(review: GameReview, record: GameRecord, folder: Path, digest: str) -> dict[str, object]:
    """Write every file and return the JSON document. It is written last, so its presence proves that the others are complete."""
    chart = chart_of(review)
    texts = {
        ".sgf": annotated_record(review).encode("utf-8", "replace"),
        ".csv": csv_table(review).encode("utf-8", "replace"),
        ".svg": as_svg(chart),
        ".html": html_page(review).encode("utf-8", "replace"),
        ".json": json_document(review, digest).encode("utf-8", "replace"),
    }
    if can_draw_png():
        texts = {".png": as_png(chart), **texts}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{folder.name}.json").unlink(missing_ok=True)
        for suffix, data in texts.items():
            write_file(folder / f"{folder.name}{suffix}", data)
    except OSError as error:
        raise OutputError(f"cannot write the review of {record.source.title} to {folder}: {error.strerror}") from error
    return finished(folder, digest) or {}
