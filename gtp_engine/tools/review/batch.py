"""Reviews of many games: each a job, each either whole in its folder or not there, none twice without need."""

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from gtp_engine import sgf
from gtp_engine.base.charts import as_png, as_svg, can_draw_png
from gtp_engine.base.files import write_file
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

REVIEW = "gtp_engine.tools.review.batch:ReviewJob"
REVIEWED, KEPT, FAILED = "reviewed", "kept", "failed"


@dataclass(frozen=True)
class Task:
    """What to review, how, and where to."""

    paths: Sequence[Path]
    output: Path
    settings: ReviewSettings
    params: SearchParams
    rules: Rules  # where a record names none
    komi: float  # likewise


@dataclass(frozen=True)
class ReviewOutcome:
    """What became of one game, or of a file that is none."""

    title: str
    status: str  # REVIEWED, KEPT (it was there already) or FAILED
    reason: str = ""  # why it failed, one sentence
    folder: Path | None = None
    document: dict[str, object] = field(default_factory=dict, repr=False)  # the review's JSON


class Watcher(Protocol):
    """Who wants to know how far the work is."""

    def begin(self, games: int) -> None:
        """So many games will be looked at."""

    def begin_game(self, title: str, positions: int) -> None:
        """A game with so many positions is being reviewed."""

    def position_done(self, done: int, most: int) -> None:
        """So much of the whole review is done, of so much that there will be at most; in simulations."""

    def first_look(self, page: Path) -> None:
        """This page shows what the first pass over the game found."""

    def end_game(self, outcome: ReviewOutcome) -> None:
        """It is over, for better or worse."""


@dataclass(frozen=True)
class Job:
    """A game and the folder for its review."""

    source: GameSource
    folder: Path


def cut(outcome: ReviewOutcome) -> str:
    """Why the review ends before the record does; empty when it doesn't."""
    warnings = outcome.document.get("warnings")
    return next((text for text in warnings if CUT in text), "") if isinstance(warnings, list) else ""


def find_jobs(task: Task) -> tuple[list[Job], list[ReviewOutcome]]:
    """Every game in the files, and an outcome for each file without one."""
    sources: list[GameSource] = []
    failures: list[ReviewOutcome] = []
    for path in find_files(task.paths):
        try:
            sources += read_sources(path)
        except sgf.SgfError as error:
            failures.append(ReviewOutcome(str(path), FAILED, str(error)))
    names = folder_names(sources)
    return [Job(source, task.output / name) for source, name in zip(sources, names, strict=True)], failures


def review_all(task: Task, jobs: Sequence[Job], watcher: Watcher, place: JobPlace | None = None) -> Iterator[ReviewOutcome]:
    """Review the games, each a job; the outcomes are in the order of the games.

    Raises OutputError when the disk takes no more; games that are finished stay.
    """
    place = place or JobPlace()
    watcher.begin(len(jobs))
    outcomes: dict[int, ReviewOutcome] = {}
    due: list[tuple[int, ReviewOrder]] = []
    records = real_paths(task.paths)
    for number, job in enumerate(jobs):
        found = look_at(task, job, records)
        if isinstance(found, ReviewOutcome):
            outcomes[number] = found
            watcher.end_game(found)
        else:
            due.append((number, replace(found, params=params_of_each(task.params, place.jobs))))

    def note(_key: str, told: tuple[str, tuple[Any, ...]]) -> None:
        """Pass on how far a game is; of several at once only what they show."""
        name, values = told
        if place.jobs == 1 or name == "first_look":
            getattr(watcher, name)(*values)

    following = 0
    with replace(place, jobs=max(1, min(place.jobs, len(due)))).runner(0, note) as runner:
        for result in runner.results(JobDescription(str(number), REVIEW, order) for number, order in due):
            outcome = outcome_of(result, jobs[int(result.key)])
            outcomes[int(result.key)] = outcome
            watcher.end_game(outcome)
            while following in outcomes:
                yield outcomes[following]
                following += 1
    yield from (outcomes[number] for number in range(following, len(jobs)))


def look_at(task: Task, job: Job, records: Collection[str]) -> "ReviewOutcome | ReviewOrder":
    """What is to be done about a game, or its outcome when that is nothing. `records`: real_paths of the task's."""
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
    return ReviewOrder(record, task.params, task.settings, job.folder.absolute(), digest, answers_digest(job.source, task, record))


def params_of_each(params: SearchParams, jobs: int) -> SearchParams:
    """The share of each of so many jobs in the processors and the memory."""
    if jobs == 1:
        return params
    memory = max(params.memory // jobs, SMALLEST_MEMORY)
    return replace(params, threads=params.threads or max(processors() // jobs, 1), memory=memory)


def outcome_of(result: JobResult, job: Job) -> ReviewOutcome:
    """What became of a game that was due. Raises OutputError."""
    if result.error:
        return ReviewOutcome(job.source.title, FAILED, result.error)
    if isinstance(result.value, str):
        raise OutputError(result.value)
    return ReviewOutcome(job.source.title, REVIEWED, "", job.folder, result.value)


@dataclass(frozen=True)
class ReviewOrder:
    """A game to be reviewed."""

    record: GameRecord
    params: SearchParams
    settings: ReviewSettings
    folder: Path  # absolute; whoever does the job writes there
    digest: str
    answers_digest: str


class ReviewJob:
    """The function of these jobs. Keeps its judge, which has compiled and loaded what it needs, for the next game."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._judge: Judge | None = None
        self._rank_teller = RankTeller()
        self._made_for: tuple[SearchParams, ReviewSettings] | None = None

    def __call__(self, order: ReviewOrder, seed: int) -> dict[str, object] | str:
        """Review one game and write its files: its JSON document, or a sentence when they can't be written.

        The search's seed is in the order.
        """
        if self._judge is None or self._made_for != (order.params, order.settings):
            self._judge, self._made_for = Judge(order.params, order.settings), (order.params, order.settings)
            self._judge.warm_up()
        try:
            return self._review(self._judge, order)
        except OutputError as error:
            return str(error)

    def close(self) -> None:
        """Nothing that was begun is left to be ended."""

    def _review(self, judge: Judge, order: ReviewOrder) -> dict[str, object]:
        """The JSON document. Raises OutputError."""
        self._tell(("begin_game", (order.record.source.title, len(order.record.moves) + 1)))
        answers = KeptAnswers(order.folder / PARTIAL, order.answers_digest)
        try:
            review = judge.review(
                order.record,
                lambda done, total: self._tell(("position_done", (done, total))),
                answers,
                lambda first: self._tell(("first_look", (write_first_look(first, order.folder),))),
            )
            self._rank_teller.tell(review)
            document = write_review(review, order.record, order.folder, order.digest)
            answers.remove()
        finally:
            answers.close()
        return document


def answers_digest(source: GameSource, task: Task, record: GameRecord) -> str:
    """A name for all that the answers about positions depend on: a review with more effort can use those of one with less."""
    return digest_of(source, ReviewSettings(playouts=0, seconds=task.settings.seconds), task.params, record.rules.name, record.komi)


def real_paths(paths: Sequence[Path]) -> set[str]:
    """Where the files that `paths` name are, without links."""
    return {os.path.realpath(path) for path in find_files(paths) if os.path.isfile(path)}


def overwrites(job: Job, records: Collection[str]) -> bool:
    """Is one of these records, named by real_paths, where this review would be written?"""
    return os.path.realpath(job.folder / f"{job.folder.name}.sgf") in records


def write_first_look(review: GameReview, folder: Path) -> Path:
    """Write the page as far as it is known, and give its path back. No earlier review counts as finished then. Raises OutputError."""
    page = folder / f"{folder.name}.html"
    try:
        page.with_suffix(".json").unlink(missing_ok=True)
        write_file(page, html_page(review, is_first_look=True).encode("utf-8", "replace"))
    except OSError as error:
        raise OutputError(f"cannot write {page}: {error.strerror}") from error
    return page


def write_review(review: GameReview, record: GameRecord, folder: Path, digest: str) -> dict[str, object]:
    """Write every file, the JSON document last: where it is, the others are. Gives the document back."""
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
