"""Batches: what is finished is kept, what is broken is named, and nothing is ever half written."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from review_samples import PARAMS, QUICK, SHORT_GAME

from gtp_engine.base.charts import can_draw_png
from gtp_engine.base.files import write_file
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.progress import ProgressLine
from gtp_engine.cli.main import main, make_parser
from gtp_engine.go.rules import CHINESE
from gtp_engine.tools.review.batch import (
    FAILED,
    KEPT,
    REVIEWED,
    Job,
    ReviewJob,
    ReviewOutcome,
    ReviewSpec,
    Task,
    find_jobs,
    look_at,
    review_all,
)
from gtp_engine.tools.review.output import SUFFIXES, OutputError, check_folder, folder_names
from gtp_engine.tools.review.progress import ReviewProgress
from gtp_engine.tools.review.records import GameSource, find_files
from gtp_engine.tools.review.settings import ReviewSettings
from gtp_engine.tools.review.tables import COLUMNS

FAST = ["--playouts", "40", "--threads", "1", "--seed", "1", "--memory", "16"]
WAIT = 120.0  # seconds for a process; far more than it needs

pytestmark = pytest.mark.usefixtures("jobs_here")


def task_for(folder: Path, settings: ReviewSettings = QUICK) -> Task:
    return Task([folder / "games"], folder / "out", settings, PARAMS, CHINESE, 7.5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with games/a.sgf and games/b.sgf."""
    (tmp_path / "games").mkdir()
    for name in ("a", "b"):
        (tmp_path / "games" / f"{name}.sgf").write_text(SHORT_GAME.replace("Anna", name), encoding="utf-8")
    return tmp_path


def run(task: Task, place: JobPlace | None = None) -> list[ReviewOutcome]:
    """Every outcome, files without a game first."""
    jobs, failures = find_jobs(task)
    return failures + list(review_all(task, jobs, ReviewProgress(ProgressLine("review")), place))


def statuses(outcomes: list[ReviewOutcome]) -> list[str]:
    return [outcome.status for outcome in outcomes]


# ---------------------------------------------------------------- again and again


def test_a_finished_game_is_not_reviewed_again(folder: Path) -> None:
    assert statuses(run(task_for(folder))) == [REVIEWED, REVIEWED]
    files = sorted(path.name for path in (folder / "out" / "a").iterdir())
    assert files == sorted(f"a{suffix}" for suffix in (*SUFFIXES, *([".png"] if can_draw_png() else [])))
    before = {path: path.stat().st_mtime_ns for path in (folder / "out").rglob("*.*")}
    assert statuses(run(task_for(folder))) == [KEPT, KEPT]
    assert {path: path.stat().st_mtime_ns for path in (folder / "out").rglob("*.*")} == before


def stopped_at_first_look(told: tuple[str, tuple[Any, ...]]) -> None:
    """For a ReviewJob in our own process: what Ctrl-C does right after the first look is written."""
    if told[0] == "first_look":
        raise KeyboardInterrupt


def stop_at_first_look(task: Task, job: Job) -> None:
    """Begin a review, and stop when its first look is written."""
    spec = look_at(task, job, ())
    assert isinstance(spec, ReviewSpec)
    with pytest.raises(KeyboardInterrupt):
        ReviewJob(stopped_at_first_look)(spec, 1)


def test_a_review_stopped_at_its_first_look_leaves_none_that_counts_as_finished(folder: Path) -> None:
    """The page of the finished review is written over by then."""
    task = task_for(folder)
    run(task)
    jobs, _ = find_jobs(task)
    stop_at_first_look(task_for(folder, ReviewSettings(playouts=50)), jobs[0])
    page = folder / "out" / "a" / "a.html"
    assert '"isFirstLook":true' in page.read_text(encoding="utf-8")
    assert statuses(run(task)) == [REVIEWED, KEPT]
    assert '"isFirstLook":false' in page.read_text(encoding="utf-8")


def test_a_review_stopped_while_it_is_written_goes_on_inside_the_folder_that_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `cd games; gtp-engine review .`: the annotated record is there, the JSON document isn't."""
    task = replace(task_for(folder), output=folder / "games" / "review")
    jobs, _ = find_jobs(task)
    spec = look_at(task, jobs[0], ())
    assert isinstance(spec, ReviewSpec)

    def stopped(path: Path, data: bytes) -> None:
        """Write all but the table."""
        if path.suffix == ".csv":
            raise KeyboardInterrupt
        write_file(path, data)

    monkeypatch.setattr("gtp_engine.tools.review.batch.write_file", stopped)
    with pytest.raises(KeyboardInterrupt):
        ReviewJob(lambda _: None)(spec, 1)
    assert sorted({path.name for path in (folder / "games" / "review" / "a").iterdir()} - {"a.png"}) == ["a.html", "a.sgf", "answers.part"]
    monkeypatch.undo()
    assert [job.source.stem for job in find_jobs(task)[0]] == ["a", "b"]
    assert statuses(run(task)) == [REVIEWED, REVIEWED]


def test_files_are_looked_for_once_and_not_for_each_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once by find_jobs, and once by review_all, which asks what must not be written over."""
    calls: list[int] = []

    def counted(paths: Sequence[Path]) -> list[Path]:
        """The same files."""
        calls.append(len(paths))
        return find_files(paths)

    monkeypatch.setattr("gtp_engine.tools.review.batch.find_files", counted)
    assert statuses(run(task_for(folder))) == [REVIEWED, REVIEWED]
    assert len(calls) == 2


def test_one_job_and_two_give_the_same_reviews(folder: Path) -> None:
    both = [replace(task_for(folder), output=folder / name) for name in ("one", "two")]
    assert [statuses(run(task, JobPlace(jobs))) for jobs, task in enumerate(both, 1)] == [[REVIEWED, REVIEWED]] * 2
    for name in ("a/a.csv", "a/a.sgf", "b/b.csv", "b/b.sgf"):
        assert (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes()


def test_other_settings_a_changed_record_and_a_lost_file_make_it_due(folder: Path) -> None:
    run(task_for(folder))
    assert statuses(run(task_for(folder, ReviewSettings(playouts=50)))) == [REVIEWED, REVIEWED]
    record = folder / "games" / "b.sgf"
    record.write_text(record.read_text(encoding="utf-8").replace("W[dd]", "W[ee]"), encoding="utf-8")
    assert statuses(run(task_for(folder, ReviewSettings(playouts=50)))) == [KEPT, REVIEWED]
    (folder / "out" / "a" / "a.html").unlink()
    assert statuses(run(task_for(folder, ReviewSettings(playouts=50)))) == [REVIEWED, KEPT]


def test_a_broken_file_does_not_stop_the_others(folder: Path) -> None:
    (folder / "games" / "aa.sgf").write_text("(;SZ[5]AB[cc];B[cc];W[cc])", encoding="utf-8")
    (folder / "games" / "c.sgf").write_text("nothing", encoding="utf-8")
    outcomes = run(task_for(folder))
    assert statuses(outcomes) == [FAILED, REVIEWED, FAILED, REVIEWED]
    assert outcomes[2].reason.startswith("move 1 (black C3) is illegal: occupied point")


def test_a_record_is_reviewed_up_to_its_first_illegal_move(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "games" / "a.sgf"
    path.write_text("(;SZ[5]KM[0.5];B[cc];W[dd];B[cc];W[bb])", encoding="utf-8")
    assert main(["review", str(path), "--output", str(folder / "out"), "--quick", *FAST]) == 0
    assert "move 3 (black C3) is illegal: occupied point" in capsys.readouterr().err
    document = json.loads((folder / "out" / "a" / "a.json").read_text(encoding="utf-8"))
    assert len(document["moves"]) == 2 and document["warnings"][-1].endswith("reviewed up to move 2")
    assert "W[bb]" in (folder / "out" / "a" / "a.sgf").read_text(encoding="utf-8"), "nothing is taken out of the record"


def test_a_folder_stands_for_its_folders_too_but_not_for_reviews(folder: Path) -> None:
    below = folder / "games" / "2026" / "May"
    below.mkdir(parents=True)
    (folder / "games" / "b.sgf").rename(below / "c.SGF")
    task = replace(task_for(folder), output=folder / "games" / "review")
    assert [job.source.stem for job in find_jobs(task)[0]] == ["c", "a"]
    assert statuses(run(task)) == [REVIEWED, REVIEWED]
    assert statuses(run(task)) == [KEPT, KEPT]


def test_an_error_is_said_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "broken.sgf"
    path.write_text("(;SZ[5]AB[cc];B[cc])", encoding="utf-8")
    assert main(["review", str(path), "--output", str(folder / "out"), *FAST]) == 1
    assert capsys.readouterr().err.count("is illegal") == 1


@pytest.mark.parametrize("text", ["", "0-3", "5-", "-5", "9-3", "a-b", "1-2-3"])
def test_odd_ranges_of_moves_are_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["review", "game.sgf", f"--moves={text}"])
    assert "--moves" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--rank", "5k"], ["--human-rank", "5k"], ["--human-time"], ["--level", "3"]])
def test_who_plays_is_nothing_that_a_review_asks(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["review", "game.sgf", *words])
    assert f"unknown argument {words[0]}" in capsys.readouterr().err


def test_moves_can_be_chosen() -> None:
    read = make_parser(["review"]).parse_args
    assert (read(["review", "x", "--moves", "10-50"]).moves, read(["review", "x", "--moves", "7"]).moves) == ((10, 50), (7, 7))


def test_a_write_is_whole_or_not_there(tmp_path: Path) -> None:
    """A partial file of a killed process is in nobody's way."""
    path = tmp_path / "file.html"
    path.write_bytes(b"old")
    (tmp_path / ".file.html.part").write_bytes(b"half")
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["file.html"]


def test_names_of_folders_differ() -> None:
    sources = [GameSource(Path(path), number, of, "") for path, number, of in (("x/a.sgf", 1, 1), ("y/A.sgf", 1, 1), ("b?.sgf", 2, 3))]
    assert folder_names([*sources, GameSource(Path(".sgf"), 1, 1, "")]) == ["a", "A-2", "b_-game2", "sgf"]


def test_a_record_is_never_written_over(folder: Path) -> None:
    """Reviewing what a review has written, into the same folder."""
    run(task_for(folder))
    written = folder / "out" / "a" / "a.sgf"
    content = written.read_bytes()
    outcomes = run(Task([written], folder / "out", QUICK, PARAMS, CHINESE, 7.5))
    assert statuses(outcomes) == [FAILED]
    assert "--output" in outcomes[0].reason
    assert written.read_bytes() == content


def test_an_output_folder_under_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot write to the output folder"):
        check_folder(tmp_path / "file" / "out")


# ---------------------------------------------------------------- the command


def test_the_command_tells_what_it_did(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(folder / "games"), "--output", str(folder / "out"), *FAST]) == 0
    shown = capsys.readouterr()
    assert f"{folder / 'out' / 'b' / 'b.html'}" in shown.out
    assert "points lost per move" in shown.out
    assert "1/2" in shown.err
    assert json.loads((folder / "out" / "a" / "a.json").read_text(encoding="utf-8"))["settings"]["playouts"] == 40


def test_the_command_names_what_was_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = folder / "games" / "z.sgf"
    bad.write_text("(;SZ[5];B[cc];W[cc]", encoding="utf-8")
    assert main(["review", str(bad), str(folder / "missing.sgf"), "--output", str(folder / "out"), *FAST]) == 1
    errors = capsys.readouterr().err
    assert f"gtp-engine review: {bad}: the record is cut off" in errors
    assert "missing.sgf: there is no such file" in errors


def test_a_folder_that_cannot_be_written_is_said_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").touch()
    assert main(["review", str(folder / "games"), "--output", str(folder / "out"), *FAST]) == 2
    assert "gtp-engine review: cannot write to the output folder" in capsys.readouterr().err


def test_an_empty_folder_has_nothing_to_review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games").mkdir()
    assert main(["review", str(tmp_path / "games"), "--output", str(tmp_path / "out"), *FAST]) == 1
    assert "no .sgf files" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_what_is_finished_stays_when_the_process_ends(sign: signal.Signals, folder: Path, repository: Path) -> None:
    """The second game takes a while: the process is ended in the middle of it. Then only what it had not found yet is still due."""
    (folder / "games" / "a.sgf").write_text("(;SZ[5]KM[0];B[cc])", encoding="utf-8")
    long_game = "".join(f";B[a{row}];W[i{row}]" for row in "bdfh")
    (folder / "games" / "b.sgf").write_text(f"(;SZ[9]KM[7]{long_game})", encoding="utf-8")
    words = ["review", str(folder / "games"), "--output", str(folder / "out"), "--playouts", "100", *FAST[2:]]
    process = subprocess.Popen([sys.executable, "-m", "gtp_engine", *words], cwd=repository, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "reviewed" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(sign)
    _, errors = process.communicate(timeout=WAIT)
    assert process.returncode == (130 if sign is signal.SIGINT else -signal.SIGKILL)
    assert "Traceback" not in errors
    assert not (folder / "out" / "b" / "b.json").exists()
    settings = ReviewSettings(playouts=100)
    task = task_for(folder, settings)
    assert statuses(run(task)) == [KEPT, REVIEWED]
    whole = task_for(folder, settings)
    assert statuses(run(replace(whole, output=folder / "other"))) == [REVIEWED, REVIEWED]
    for name in ("b.csv", "b.sgf"):
        assert (folder / "out" / "b" / name).read_bytes() == (folder / "other" / "b" / name).read_bytes()


def test_the_document_s_options_exist_with_their_defaults(repository: Path) -> None:
    text = (repository / "docs" / "review.md").read_text(encoding="utf-8")
    options = [words.split() for words in re.findall(r"`(--[^`]+)`", text) if words != "--quick"]  # which excludes --minutes
    assert len(options) >= 7 and "`--quick`" in text
    args = make_parser(["review"]).parse_args(["review", "game.sgf", *(word for words in options for word in words)])
    assert args.seed == 1
    assert f"(default: {ReviewSettings.playouts}, with a large network" in text and f"{ReviewSettings.first} visits" in text
    columns = re.findall(r"`(\w+)`", text.split("## The table")[1].split("## The page")[0])
    assert set(COLUMNS) <= set(columns)


def test_the_first_look_is_shown_before_the_rest(folder: Path) -> None:
    """The page is there after the first pass, says what it is, and is replaced in the end."""
    task = task_for(folder)
    pages: list[str] = []

    def note(told: tuple[str, tuple[Any, ...]]) -> None:
        """What a worker tells, here in its own process: it goes on when this returns."""
        if told[0] == "first_look":
            pages.append(told[1][0].read_text(encoding="utf-8"))

    worker = ReviewJob(note)
    jobs, _ = find_jobs(task)
    for job in jobs:
        spec = look_at(task, job, ())
        assert isinstance(spec, ReviewSpec)
        assert not isinstance(worker(spec, 1), str)
        page = (job.folder / f"{job.folder.name}.html").read_text(encoding="utf-8")
        assert '"isFirstLook":false' in page
    assert len(pages) == 2 and all('"isFirstLook":true' in page for page in pages)


def test_progress_counts_what_is_due(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = task_for(folder)
    jobs, _ = find_jobs(task)
    with ProgressLine("review") as progress:
        assert statuses(list(review_all(task, jobs, ReviewProgress(progress)))) == [REVIEWED, REVIEWED]
        list(review_all(task, jobs, ReviewProgress(progress)))
    lines = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    names = [job.source.title for job in jobs]
    ends = [f"gtp-engine review: {number}/2 {name}" for number, name in enumerate(names, 1)]
    assert [line for line in lines if "reviewed" in line] == [f"{end}: reviewed" for end in ends] + [
        f"{end}: is already reviewed" for end in ends
    ]


def test_the_time_left_of_a_long_record_is_told_soon(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    monkeypatch.setattr("gtp_engine.base.progress.time.monotonic", lambda: now[0])
    progress = ReviewProgress(ProgressLine("review"))
    progress.begin(1)
    progress.begin_game("long", 5001)
    now[0] += 60.0  # the kernels are compiled
    progress.position_done(1, 5001)
    for done in range(2, 301):
        now[0] += 0.1
        progress.position_done(done, 5001)
    assert capsys.readouterr().err.splitlines() == ["gtp-engine review: 1/1 long: 0%, 8 min left"]
