"""Suites: what a file of commands and answers means, and what is refused."""

from pathlib import Path

import pytest

from gtp_engine.tools.regression.matching import MatchTimeout
from gtp_engine.tools.regression.suite import Suite, SuiteError, read_suite, read_suites


def suite_of(text: str, folder: Path) -> Suite:
    path = folder / "some.tst"
    path.write_text(text, encoding="utf-8")
    return read_suite(path)


def test_what_a_suite_says(tmp_path: Path) -> None:
    suite = suite_of("# a comment\n\nloadsgf a b.sgf 4\n  10 reg_genmove\tb  \n#? [C3|D4]*\n\n20 name\n#?\n30 version\n", tmp_path)
    assert [(step.line, step.number, step.command) for step in suite.steps] == [
        (3, None, "loadsgf a b.sgf 4"),
        (4, 10, "reg_genmove b"),
        (7, 20, "name"),
        (9, 30, "version"),
    ]
    assert [step.is_test for step in suite.steps] == [False, True, True, True]
    assert suite.steps[0].record == "a b.sgf 4"
    wanted = suite.steps[1].expectation
    assert wanted is not None and (wanted.text, wanted.negated, wanted.known_failure) == ("C3|D4", False, True)
    assert suite.steps[2].expectation is suite.steps[3].expectation is None


@pytest.mark.parametrize(
    ("pattern", "answer", "is_met"),
    [
        ("C3|D4", "D4", True),
        ("C3|D4", "D44", False),  # the whole answer has to match
        ("!C3|D4", "E5", True),
        ("!C3|D4", "C3", False),
        (" [CD]3 ", "D3", True),
        ("", "", True),
        ("", "A1", False),
        (".*C3.*", "A1\nC3\nB2", True),  # a dot is a line end, too
        ("[BW]\\+.*", "W+2.5", True),
        ("PASS", "pass", False),
    ],
)
def test_answers(pattern: str, answer: str, is_met: bool, tmp_path: Path) -> None:
    wanted = suite_of(f"1 name\n#? [{pattern}]\n", tmp_path).steps[0].expectation
    assert wanted is not None and wanted.is_met_by(answer) is is_met


def test_a_pattern_that_never_ends(tmp_path: Path) -> None:
    wanted = suite_of("1 name\n#? [(a+)+$]\n", tmp_path).steps[0].expectation
    assert wanted is not None and wanted.is_met_by("aaaa")
    with pytest.raises(MatchTimeout, match=r"within 1 s; write it simpler"):
        wanted.is_met_by("a" * 60 + "b", 1.0)


def test_an_answer_makes_a_test_of_a_command_without_a_number(tmp_path: Path) -> None:
    suite = suite_of("name\n#? [x]\n", tmp_path)
    assert suite.tests == 1 and suite.steps[0].number is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "some.tst: there is no command"),
        ("# nothing else\n", "some.tst: there is no command"),
        ("#? [x]\n", "some.tst, line 1: there is no command right before"),
        ("1 name\n#? [x]\n#? [y]\n", "some.tst, line 3: there is no command right before"),
        ("1 name\n# a comment\n#? [x]\n", "some.tst, line 3: there is no command right before"),
        ("1 name\n#? x\n", r"some.tst, line 2: an answer is written #\? \[PATTERN\]"),
        ("1 name\n#? [x] *\n", r"some.tst, line 2: an answer is written #\? \[PATTERN\]"),
        ("1 name\n#? [(]\n", "some.tst, line 2: '\\(' is no regular expression"),
    ],
)
def test_what_cannot_be_checked_is_refused_with_its_line(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=reason):
        suite_of(text, tmp_path)


def test_files_that_are_no_suites(tmp_path: Path) -> None:
    (tmp_path / "latin.tst").write_bytes(b"\xff name\n")
    for name, reason in (("missing.tst", "No such file"), ("", "Is a directory"), ("latin.tst", "UTF-8"), ("a\0b", "not the name")):
        with pytest.raises(SuiteError, match=reason):
            read_suites([str(tmp_path / name)])


def test_lists_of_suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.tst").write_text("name\n")
    (tmp_path / "inner.txt").write_text("c.tst\n")
    (tmp_path / "all.txt").write_text("# the suites\n\nb.tst\n@inner.txt\n")
    assert [suite.path.name for suite in read_suites(["a.tst", "@all.txt"])] == ["a.tst", "b.tst", "c.tst"]
    with pytest.raises(SuiteError, match=r"c\.tst: this file is named twice"):
        read_suites(["c.tst", "@all.txt"])
    (tmp_path / "inner.txt").write_text("@all.txt\n")
    with pytest.raises(SuiteError, match=r"all\.txt: this list names itself"):
        read_suites(["@all.txt"])
