"""Suites run by real processes: outcomes, engines that die or keep silent, results from run to run, and the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from networks import save_network

from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.tools.regression.batch import SuiteBatch
from gtp_engine.tools.regression.junit import as_junit
from gtp_engine.tools.regression.page import as_page
from gtp_engine.tools.regression.results import Changes, RegressionError, RegressionRun, Results, SuiteResult, TestOutcome
from gtp_engine.tools.regression.runner import EngineCommand, SuiteRun
from gtp_engine.tools.regression.suite import read_suite
from gtp_engine.tools.regression.table import as_table, percentage

pytestmark = pytest.mark.usefixtures("jobs_here")

# A GTP engine that remembers a word, and can be told to misbehave.
ENGINE = """
import sys, time
word = "nothing"
for line in sys.stdin:
    words = line.split()
    number = words.pop(0) if words[0].isdigit() else ""
    command, rest = words[0], " ".join(words[1:])
    if command == "die":
        print("a last word", file=sys.stderr, flush=True)
        sys.exit(3)
    if command == "wait":
        time.sleep(60)
    if command == "remember":
        word = rest
    if command == "refuse":
        print(f"?{number} not {rest}\\n", flush=True)
        continue
    answers = {"name": "Rememberer", "version": "2", "recall": word, "showboard": "the board <of> " + word, "two": "one\\ntwo"}
    print(f"={number} {answers.get(command, '')}\\n", flush=True)
    if command == "quit":
        break
"""


@pytest.fixture
def engine(tmp_path: Path) -> list[str]:
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    return [sys.executable, str(path)]


@pytest.fixture
def run(tmp_path: Path, engine: list[str]) -> Callable[..., SuiteResult]:
    """`run(text, patience=10)` -> the result of a suite."""

    def run_text(text: str, patience: float = 10.0) -> SuiteResult:
        path = tmp_path / "some.tst"
        path.write_text(text)
        return SuiteRun(read_suite(path), EngineCommand(engine, patience), "some.tst").run()

    return run_text


def outcomes(result: SuiteResult) -> dict[int | None, str]:
    return {test.number: test.outcome.value for test in result.tests}


# ---------------------------------------------------------------- a suite


def test_every_outcome(run: Callable[..., SuiteResult]) -> None:
    result = run(
        "remember a word\n1 recall\n#? [a word]\n2 recall\n#? [b]\n3 recall\n#? [b]*\n4 recall\n#? [a.*]*\n"
        "5 recall\n#? [!b]\n6 two\n#? [one.two]\n7 refuse me\n#? [.*]\n8 refuse me\n9 recall\nrefuse her\nrecall\n#? [a word]\n"
    )
    assert outcomes(result) == {
        1: "pass",
        2: "fail",
        3: "expected fail",
        4: "unexpected pass",
        5: "pass",
        6: "pass",
        7: "fail",
        8: "fail",
        9: "pass",
        None: "pass",
    }
    assert [(error.line, error.command, error.reason) for error in result.errors] == [(18, "refuse her", "error: not her")]
    failed = result.tests[1]
    assert (failed.answer, failed.expected, failed.reason, failed.board) == ("a word", "b", "", "the board <of> a word")
    assert result.tests[6].reason == "error: not me"
    assert not result.is_good and result.not_run == 0


def test_records_are_looked_for_from_the_folder_of_the_suite(tmp_path: Path) -> None:
    suite = tmp_path / "folder" / "some.tst"
    suite.parent.mkdir()
    suite.write_text("1 where\n")
    path = tmp_path / "where.py"
    path.write_text("import os\ninput()\nprint('=1 ' + os.getcwd() + '\\n', flush=True)\ninput()")
    result = SuiteRun(read_suite(suite), EngineCommand([sys.executable, str(path)], 10.0), "").run()
    assert result.tests[0].answer == str(suite.parent)


def test_the_record_of_a_test_is_the_one_loaded_last(run: Callable[..., SuiteResult]) -> None:
    result = run("1 recall\nloadsgf a.sgf 3\n2 recall\n3 recall\nloadsgf b.sgf\n4 recall\n")
    assert [test.record for test in result.tests] == ["", "a.sgf 3", "a.sgf 3", "b.sgf"]


def test_an_engine_that_dies_is_replaced_and_brought_up_to_date(run: Callable[..., SuiteResult]) -> None:
    result = run("remember me\n1 die\n#? [x]*\n2 recall\n#? [me]\ndie\n3 recall\n#? [me]\n")
    assert outcomes(result) == {1: "expected fail", 2: "pass", 3: "pass"}
    assert result.tests[0].reason == "the engine died with exit status 3: a last word"
    assert [error.command for error in result.errors] == ["die"]


def test_an_engine_that_keeps_silent_is_replaced(run: Callable[..., SuiteResult]) -> None:
    result = run("remember me\n1 wait\n2 recall\n#? [me]\n", patience=1.0)
    assert outcomes(result) == {1: "fail", 2: "pass"}
    assert result.tests[0].reason.startswith("the engine did not answer in 1 s")


def test_an_engine_that_always_dies_is_given_up(run: Callable[..., SuiteResult]) -> None:
    result = run("".join(f"{number} die\n" for number in range(1, 7)))
    assert [test.reason.split(":")[0] for test in result.tests] == ["the engine died with exit status 3"] * 3 + ["not run"] * 3
    assert not result.is_good


def test_quit_is_no_death(run: Callable[..., SuiteResult]) -> None:
    result = run("1 quit\n2 recall\n#? [nothing]\n" * 4)
    assert {test.outcome for test in result.tests} == {TestOutcome.PASS}


def test_a_quit_without_a_number_is_not_asked_of_later_engines(run: Callable[..., SuiteResult]) -> None:
    result = run("remember me\nquit\n1 recall\n#? [me]\n2 die\n#? [x]*\n3 recall\n#? [me]\n")
    assert outcomes(result) == {1: "pass", 2: "expected fail", 3: "pass"}
    assert not result.errors


@pytest.mark.parametrize(("text", "starts"), [("1 recall\nquit\n", 1), ("1 die\n#? [x]*\n", 1), ("quit\n1 quit\n", 2)])
def test_no_engine_is_started_after_the_last_step(text: str, starts: int, tmp_path: Path, engine: list[str]) -> None:
    (tmp_path / "some.tst").write_text(text)
    told = ["sh", "-c", f'echo >> {tmp_path / "starts"}; exec "$@"', "sh", *engine]
    assert SuiteRun(read_suite(tmp_path / "some.tst"), EngineCommand(told, 10.0), "some.tst").run().is_good
    assert len((tmp_path / "starts").read_text().splitlines()) == starts


# ---------------------------------------------------------------- results


def test_suites_that_never_began_are_not_run(tmp_path: Path, engine: list[str]) -> None:
    """Ctrl-C as soon as the first of three has ended."""
    named = []
    for name in "abc":
        (tmp_path / f"{name}.tst").write_text("1 recall\n2 recall\n")
        named.append((f"{name}.tst", read_suite(tmp_path / f"{name}.tst")))

    def stop(_: SuiteResult) -> None:
        """What Ctrl-C does."""
        raise KeyboardInterrupt

    batch = SuiteBatch(named, EngineCommand(engine, 10.0), on_suite=stop)
    with pytest.raises(KeyboardInterrupt):
        batch.run()
    run = RegressionRun("Rememberer 2", "engine", "2026-01-01T00:00:00", batch.in_order())
    assert [(suite.file, len(suite.tests), suite.not_run) for suite in run.suites] == [("a.tst", 2, 0), ("b.tst", 0, 2), ("c.tst", 0, 2)]
    assert not run.is_complete and percentage(run) == "2 of 2 tests passed (100.0 %), 4 not run"


def a_run(folder: Path, engine: list[str], jobs: int = 2, **suites: str) -> RegressionRun:
    """A run of the suites `name="text"`."""
    named = []
    for name, text in suites.items():
        path = folder / f"{name}.tst"
        path.write_text(text)
        named.append((f"{name}.tst", read_suite(path)))
    batch = SuiteBatch(named, EngineCommand(engine, 10.0), JobPlace(jobs))
    batch.run()
    return RegressionRun("Rememberer 2", "engine", "2026-01-01T00:00:00", batch.in_order())


def test_one_job_and_two_give_the_same_results(tmp_path: Path, engine: list[str]) -> None:
    suites = {name: f"play {name}\n1 recall\n#? [b]\n2 recall\nnonsense\n3 die\n" for name in "abc"}
    runs = [a_run(tmp_path, engine, jobs, **suites) for jobs in (1, 2)]
    assert len(runs[0].suites) == 3 and all(len(suite.tests) == 3 for suite in runs[0].suites)
    timeless = [
        [replace(suite, seconds=0.0, tests=[replace(test, seconds=0.0) for test in suite.tests]) for suite in run.suites] for run in runs
    ]
    assert timeless[0] == timeless[1]


def test_changes_since_the_last_run_of_each_test(tmp_path: Path, engine: list[str]) -> None:
    folder = tmp_path / "results"
    first = a_run(tmp_path, engine, a="1 recall\n#? [nothing]\n2 recall\n#? [x]\n3 recall\n", b="1 recall\n#? [x]*\n")
    assert Results(folder).changes(first) == Changes()
    Results(folder).keep(first)
    second = a_run(tmp_path, engine, a="1 recall\n#? [x]\n2 recall\n#? [nothing]\n3 recall\n4 recall\n")
    changes = Results(folder).changes(second)
    assert [change.test.number for change in changes.new_passes] == [2]
    assert [change.test.number for change in changes.new_failures] == [1]
    Results(folder).keep(second)
    third = a_run(tmp_path, engine, b="1 recall\n#? [nothing]*\n")  # not in the second run: compared with the first
    assert [(change.file, change.test.number) for change in Results(folder).changes(third).new_passes] == [("b.tst", 1)]


def test_two_tests_with_one_number_are_told_apart(tmp_path: Path, engine: list[str]) -> None:
    results = Results(tmp_path / "results")
    results.keep(a_run(tmp_path, engine, a="1 recall\n#? [nothing]\n1 recall\n#? [x]\n"))
    same = a_run(tmp_path, engine, a="1 recall\n#? [nothing]\n1 recall\n#? [x]\n")
    assert Results(results.folder).changes(same) == Changes()


def test_what_is_kept_is_plain_json(tmp_path: Path, engine: list[str]) -> None:
    results = Results(tmp_path / "results")
    results.keep(a_run(tmp_path, engine, a="1 recall\n#? [x]\nrefuse me\n"))
    data = json.loads(results.file.read_text())
    assert data["engine"] == "Rememberer 2" and data["is_complete"] is True
    assert data["suites"][0]["file"] == "a.tst"
    assert data["suites"][0]["tests"][0]["outcome"] == "fail"
    assert data["suites"][0]["errors"][0]["line"] == 3
    assert sorted(path.name for path in results.folder.iterdir()) == ["results.json"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 0}', '{"format": 1, "suites": [{}], "earlier": []}', '{"format": 1'])
def test_a_foreign_results_file_is_refused_and_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(RegressionError, match=r"these are no results of this version; move it away"):
        Results(tmp_path)
    assert (tmp_path / "results.json").read_text() == text


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("")
    with pytest.raises(RegressionError, match=r"results: cannot be written: .*; choose another folder"):
        Results(tmp_path / "results")


def test_table_and_page_tell_what_failed(tmp_path: Path, engine: list[str]) -> None:
    run = a_run(tmp_path, engine, a="loadsgf b.sgf\nremember <b>\n10 recall\n#? [x]\n20 recall\n#? [<b>]*\nrefuse me\n", c="1 die\n")
    table = as_table(run, Changes())
    assert "Rememberer 2: 1 of 3 tests passed (33.3 %)" in table
    assert "a.tst 10 recall: <b>, wanted x (b.sgf)" in table
    assert "a.tst, line 7: refuse me: error: not me" in table
    assert "a.tst 20 recall: <b>" in table
    assert "c.tst 1 die: the engine died with exit status 3: a last word" in table
    page = as_page(run, Changes())
    assert "<b>" not in page and "the board &lt;of&gt; &lt;b&gt;" in page
    assert "http" not in page.replace("http-equiv", "")


def test_junit_has_a_case_for_each_test_and_each_error(tmp_path: Path, engine: list[str]) -> None:
    run = a_run(tmp_path, engine, a="remember <b>\n10 recall\n#? [x]\n20 recall\n#? [y]*\n30 recall\nrefuse me\n")
    run.suites[0].tests[0] = replace(run.suites[0].tests[0], answer="a\0b\ud800")
    root = ElementTree.fromstring(as_junit(run))
    assert (root.tag, root.attrib["tests"], root.attrib["failures"], root.attrib["errors"], root.attrib["skipped"]) == (
        *("testsuites", "4", "1", "1", "1"),
    )
    (suite,) = root
    assert suite.attrib["name"] == "a.tst" and suite.attrib["tests"] == "4"
    told = [(case.attrib["name"], [child.tag for child in case]) for case in suite]
    assert told == [("10: recall", ["failure"]), ("20: recall", ["skipped"]), ("30: recall", []), ("line 7: refuse me", ["error"])]
    assert suite[0][0].attrib["message"] == "a\ufffdb\ufffd, wanted x"
    assert suite[3][0].attrib["message"] == "error: not me"


# ---------------------------------------------------------------- the command line


def regress(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`gtp-engine regress` in a folder."""
    return subprocess.run(command_line(*arguments), capture_output=True, text=True, cwd=folder, env=environment(), timeout=120)


def command_line(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gtp_engine", "regress", *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}


def test_the_exit_status_tells_of_unexpected_failures(tmp_path: Path, engine: list[str]) -> None:
    (tmp_path / "good.tst").write_text("1 recall\n#? [nothing]\n2 recall\n#? [x]*\n")
    (tmp_path / "bad.tst").write_text("1 recall\n#? [x]\n")
    (tmp_path / "error.tst").write_text("refuse me\n1 recall\n")
    option = "--engine=" + " ".join(engine)
    assert regress(tmp_path, "good.tst", option).returncode == 0
    process = regress(tmp_path, "good.tst", "bad.tst", option, "--jobs", "2", "--output", "results", "--junit", "results.xml")
    assert process.returncode == 1
    assert "2 of 3" not in process.stdout and "1 of 3 tests passed (33.3 %)" in process.stdout
    assert "gtp-engine regress: bad.tst: 0 of 1 passed, 1 unexpected" in process.stderr
    assert ElementTree.parse(tmp_path / "results.xml").getroot().attrib["failures"] == "1"
    assert (tmp_path / "results" / "index.html").read_text().startswith("<!DOCTYPE html>")
    (tmp_path / "bad.tst").write_text("1 recall\n#? [nothing]\n")
    process = regress(tmp_path, "bad.tst", option, "--output", "results")
    assert process.returncode == 0 and "new passes since the last run: 1" in process.stdout
    assert regress(tmp_path, "error.tst", option).returncode == 1


def test_this_engine_is_the_default_and_gets_the_options(tmp_path: Path) -> None:
    (tmp_path / "some.tst").write_text("1 name\n#? [gtp_engine]\n2 kata-get-rules\n#? [.*TERRITORY.*]\n")
    process = regress(tmp_path, "some.tst", "--rules", "japanese", "--no-resign", "--output", "results")
    assert process.returncode == 0, process.stdout + process.stderr
    assert "--rules=japanese --no-resign" in json.loads((tmp_path / "results" / "results.json").read_text())["command"]


@pytest.mark.parametrize("option", ["--network=mine.kata.onnx", "--set=network=mine.kata.onnx", "--config=mine.toml"])
def test_a_network_is_looked_for_where_the_command_is_given(option: str, tmp_path: Path) -> None:
    """The engine runs in the folder of the suite."""
    save_network(tmp_path / "mine.kata.onnx")
    (tmp_path / "mine.toml").write_text('network = "mine.kata.onnx"\n')
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "some.tst").write_text("1 kata-get-models\n#? [.*mine.kata.onnx.*]\n")
    process = regress(tmp_path, "suites/some.tst", option, "--evaluator=network")
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.tst"], "missing.tst: cannot be read"),
        (["some.tst", "some.tst"], "some.tst: this file is named twice"),
        (["some.tst", "--jobs", "0"], "argument --jobs: '0' is not a number from 1 to 1000"),
        (["some.tst", "--timeout", "0"], "argument --timeout: '0' is not between 0.1 and 86400 seconds"),
        (["some.tst", "--engine", "no-such-program"], "no-such-program"),
        (["some.tst", "--engine", ""], "--engine is empty"),
        (["some.tst", "--engine", '"'], "No closing quotation"),
        (["some.tst", "--engine", "gnugo", "--playouts", "7"], "--playouts is an option of this engine"),
        (["some.tst", "--output", "some.tst"], "some.tst: cannot be written"),
        (["some.tst", "--playouts", "many"], "'many' is not a whole number"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "some.tst").write_text("1 name\n")
    process = regress(tmp_path, *arguments)
    assert process.returncode == 2
    assert sentence in process.stderr.splitlines()[0] and process.stderr.startswith("gtp-engine")
    assert "Traceback" not in process.stderr and process.stdout == ""


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, engine: list[str]) -> None:
    (tmp_path / "done.tst").write_text("1 recall\n#? [nothing]\n")
    (tmp_path / "half.tst").write_text("1 recall\n#? [nothing]\n2 wait\n3 recall\n")
    arguments = ["done.tst", "half.tst", "--engine", " ".join(engine), "--output", "results"]
    process = subprocess.Popen(
        command_line(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment()
    )
    try:
        assert process.stderr is not None
        assert "done.tst" in process.stderr.readline()
        time.sleep(0.5)  # so that `half` has probably begun; if not, less is kept, and what follows still holds
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Traceback" not in errors and "not run" in output
    data = json.loads((tmp_path / "results" / "results.json").read_text())
    assert data["is_complete"] is False
    assert [test["outcome"] for test in data["suites"][0]["tests"]] == ["pass"]
    assert "interrupted" in (tmp_path / "results" / "index.html").read_text()
