"""Reviews of many games: one after the other, each either whole in its folder or not there, none twice without need."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gtp_engine import sgf
from gtp_engine.files import write_file
from gtp_engine.go.rules import Rules
from gtp_engine.review.annotate import annotated_record
from gtp_engine.review.explain import ExplainSettings, Explanation, explain
from gtp_engine.review.html_page import html_page
from gtp_engine.review.judge import Judge
from gtp_engine.review.kept_answers import KeptAnswers
from gtp_engine.review.model import GameReview
from gtp_engine.review.output import OutputError, digest_of, finished, folder_names
from gtp_engine.review.plot import draw_plot
from gtp_engine.review.records import CUT, GameRecord, GameSource, find_files, read_record, read_sources
from gtp_engine.review.settings import ReviewSettings
from gtp_engine.review.tables import csv_table, json_document
from gtp_engine.search.params import SearchParams

REVIEWED, KEPT, FAILED = "reviewed", "kept", "failed"
PARTIAL = "answers.part"  # in a game's folder, until its review is written: what was found so far


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

    def position_done(self, done: int, positions: int) -> None:
        """So many of its searches are done, of so many that are wanted by now."""

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


def review_all(task: Task, jobs: Sequence[Job], watcher: Watcher) -> Iterator[ReviewOutcome]:
    """Review game after game. Raises OutputError when the disk takes no more; games that are finished stay."""
    watcher.begin(len(jobs))
    make_judge = keep(lambda: Judge(task.params, task.settings))
    for job in jobs:
        outcome = review_job(task, job, make_judge, watcher)
        watcher.end_game(outcome)
        yield outcome


def keep(make: Callable[[], Judge]) -> Callable[[], Judge]:
    """The same judge each time, made and warmed up when it is needed first."""
    made: list[Judge] = []

    def get() -> Judge:
        """The one judge."""
        if not made:
            made.append(make())
            made[0].warm_up()
        return made[0]

    return get


def review_job(task: Task, job: Job, get_judge: Callable[[], Judge], watcher: Watcher) -> ReviewOutcome:
    """Review one game and write its files, unless they are there."""
    title = job.source.title
    try:
        record = read_record(job.source, task.rules, task.komi)
    except sgf.SgfError as error:
        return ReviewOutcome(title, FAILED, str(error))
    digest = digest_of(job.source, task.settings, task.params, record.rules.name, record.komi)
    document = finished(job.folder, digest)
    if document is not None:
        return ReviewOutcome(title, KEPT, "", job.folder, document)
    if overwrites(job, task.paths):
        return ReviewOutcome(title, FAILED, f"its review would be written over it in {job.folder}; choose another folder with --output")
    judge = get_judge()
    watcher.begin_game(title, len(record.moves) + 1)
    answers = KeptAnswers(job.folder / PARTIAL, answers_digest(job.source, task, record))
    try:
        review = judge.review(record, watcher.position_done, answers, lambda first: watcher.first_look(write_first_look(first, job.folder)))
        document = write_review(review, record, job.folder, digest)
        answers.remove()
    finally:
        answers.close()
    return ReviewOutcome(title, REVIEWED, "", job.folder, document)


def answers_digest(source: GameSource, task: Task, record: GameRecord) -> str:
    """A name for all that the answers about positions depend on: a review with more effort can use those of one with less."""
    return digest_of(source, ReviewSettings(playouts=0, seconds=task.settings.seconds), task.params, record.rules.name, record.komi)


def overwrites(job: Job, paths: Sequence[Path]) -> bool:
    """Is one of the records that are to be read where this review would be written?"""
    target = os.path.realpath(job.folder / f"{job.folder.name}.sgf")
    return any(os.path.realpath(path) == target for path in find_files(paths))  # Path.resolve raises for links that lead in a circle


def write_first_look(review: GameReview, folder: Path) -> Path:
    """Write the page as far as it is known, and give its path back. Raises OutputError."""
    page = folder / f"{folder.name}.html"
    try:
        write_file(page, html_page(review, is_first_look=True).encode("utf-8", "replace"))
    except OSError as error:
        raise OutputError(f"cannot write {page}: {error.strerror}") from error
    return page


def write_review(review: GameReview, record: GameRecord, folder: Path, digest: str) -> dict[str, object]:
    """Write every file, the JSON document last: where it is, the others are. Gives the document back."""
    texts = {
        ".sgf": annotated_record(review).encode("utf-8", "replace"),
        ".csv": csv_table(review).encode("utf-8", "replace"),
        ".png": draw_plot(review, "png"),
        ".svg": draw_plot(review, "svg"),
        ".html": html_page(review).encode("utf-8", "replace"),
        ".json": json_document(review, digest).encode("utf-8", "replace"),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{folder.name}.json").unlink(missing_ok=True)
        for suffix, data in texts.items():
            write_file(folder / f"{folder.name}{suffix}", data)
    except OSError as error:
        raise OutputError(f"cannot write the review of {record.source.title} to {folder}: {error.strerror}") from error
    return finished(folder, digest) or {}


def explain_job(task: Task, job: Job, number: int, settings: ExplainSettings) -> tuple[Explanation, Path]:
    """Compare the players before move `number` (0: in the last position) and write what they think and the tree beside the review.

    Gives back the explanation and the picture's path. Raises sgf.SgfError for a record that can't be read, OutputError as write_review.
    """
    record = read_record(job.source, task.rules, task.komi)
    explanation = explain(record, number or len(record.moves) + 1, task.params, settings)
    picture = job.folder / f"{job.folder.name}-move{explanation.number}.svg"
    try:
        job.folder.mkdir(parents=True, exist_ok=True)
        write_file(picture, explanation.picture.encode())
        write_file(picture.with_suffix(".json"), explanation.as_json().encode())
    except OSError as error:
        raise OutputError(f"cannot write to {job.folder}: {error.strerror}") from error
    return explanation, picture
