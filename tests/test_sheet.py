"""`gtp-engine problems --sheet`: problems to print."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from gtp_engine.cli.main import main
from gtp_engine.go.points import to_vertex
from gtp_engine.tools.problems.sheet import draw_problems, write_sheet

PROBLEMS = 14  # more than a page


def test_an_svg_sheet_asks_and_answers(tmp_path: Path) -> None:
    problems = draw_problems(3, PROBLEMS, ["easy"])
    assert [problem.sgf() for problem in problems[:4]] == [problem.sgf() for problem in draw_problems(3, 4, ["easy"])]
    paths = write_sheet(tmp_path / "work.svg", problems)
    assert [path.name for path in paths] == ["work.svg", "work-2.svg"]
    texts = ["".join(ElementTree.parse(path).getroot().itertext()) for path in paths]
    assert "12. " in texts[0] and "13. " in texts[1] and "(easy)" in texts[0]
    assert f"14: {' or '.join(map(to_vertex, problems[13].report.moves))}" in texts[1]


def test_a_pdf_sheet_has_all_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "work.pdf"
    assert main(["problems", "--sheet", str(path), "--count", str(PROBLEMS), "--grade", "very easy"]) == 0
    data = path.read_bytes()
    assert data.startswith(b"%PDF") and data.count(b"/Type /Page ") + data.count(b"/Type /Page\n") == 2
    assert capsys.readouterr().err == f"{PROBLEMS} problems are in {path}\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--sheet", "work.png"], "a sheet is a .pdf or .svg file"),
        (["--sheet", "work.pdf", "--output", "work"], "name a folder with --output, or a file with --sheet"),
        ([], "name a folder with --output, or a file with --sheet"),
        (["--sheet", "work.pdf", "--count", "601"], "sheets have at most 600 problems"),
    ],
)
def test_what_makes_no_sense_is_told(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["problems", *words])
    assert sentence in capsys.readouterr().err


def test_without_matplotlib_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="2"):
        main(["problems", "--sheet", "work.pdf"])
    assert 'pip install "gtp-engine[plots]"' in capsys.readouterr().err
