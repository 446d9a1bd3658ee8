"""`gtp-engine solve` from outside: what it prints, what it refuses and how, and the proofs that it writes."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Client

from gtp_engine import sgf
from gtp_engine.cli.main import main
from gtp_engine.engine.solver.problem import parse_sgf, read_bytes
from gtp_engine.go.points import BLACK

THREE = ". . . # O\n# # # # O\nO O O O O\nO . O . O\nO O O O O\n"  # a straight three; White has two eyes
SGF = "(;GM[1]FF[4]SZ[5]AB[da][ab][bb][cb][db]AW[ea][eb][ac][bc][cc][dc][ec][ad][cd][ed][ae][be][ce][de][ee]{marks};B[ba])"


@pytest.fixture
def drawing(tmp_path: Path) -> str:
    """A file with the straight three."""
    path = tmp_path / "three.txt"
    path.write_text(THREE)
    return str(path)


def record(tmp_path: Path, marks: str) -> str:
    """The same position as a record that goes on with a move."""
    path = tmp_path / "three.sgf"
    path.write_text(SGF.format(marks=marks))
    return str(path)


def test_one_problem_is_told_in_sentences(drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", drawing]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "three.txt: black is unsettled: the first move decides"
    assert lines[1] == "  black first: alive with B5"
    assert "  white first: dead with B5" in lines
    assert "taken for safe" not in "".join(lines), "White has two eyes"


def test_stdin_is_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(THREE.encode())))
    assert main(["solve", "-"]) == 0
    assert capsys.readouterr().out.startswith("stdin: black is unsettled")


def test_coordinates_around_a_board_mean_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = THREE.splitlines()
    path = tmp_path / "board.txt"
    path.write_text("   A B C D E\n" + "".join(f" {5 - i} {row} {5 - i}\n" for i, row in enumerate(rows)) + "   A B C D E\n")
    assert main(["solve", str(path)]) == 0
    assert "black is unsettled" in capsys.readouterr().out


def test_marks_of_a_record_name_the_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The position is the one with the marks, not the end of the record."""
    assert main(["solve", record(tmp_path, "TR[db]")]) == 0
    assert "black first: alive with B5" in capsys.readouterr().out


def test_a_target_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", record(tmp_path, ""), "--target", "A4", "--color", "white"]) == 0
    text = capsys.readouterr().out
    assert "white first: dead" in text and "black first" not in text


def test_many_problems_make_a_table(tmp_path: Path, drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", drawing, record(tmp_path, "CR[db]")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["problem", "status"]
    assert [line.split()[:2] for line in lines[1:]] == [["three.txt", "unsettled"], ["three.sgf", "unsettled"]]


def test_json_says_everything(drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--json", drawing]) == 0
    [solution] = json.loads(capsys.readouterr().out)
    assert (solution["problem"], solution["status"], solution["target_color"]) == ("three.txt", "unsettled", "black")
    assert solution["empty_points"] == 3 and solution["assumed_safe"] == []
    white = solution["first"]["white"]
    assert (white["outcome"], white["moves"], white["first_threat"], white["line"][0]) == ("dead", ["B5"], None, "B5")


def test_several_drawings_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.txt"
    path.write_text(THREE + "\n" + THREE)
    assert main(["solve", str(path)]) == 0
    text = capsys.readouterr().out
    assert "two.txt:1: black" in text and "two.txt:2: black" in text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (". . .\n. . .\n", "row 1 of the diagram has 3 points, and there are 2 rows; the board must be square"),
        (". ?\n. .\n", "'?' in row 1 means nothing"),
        (". X\n. .\n", "no stone is marked as target"),
        ("", "there is nothing in it"),
        ("X O\nO #\n", "the position is not possible: the stone on"),
        ("(;GM[1]SZ[5", "the record"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(
    content: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad"
    path.write_text(content)
    assert main(["solve", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("gtp-engine solve: ") and sentence in captured.err
    assert captured.err.count("\n") == 1 and captured.out == ""


def test_a_bad_file_does_not_stop_the_others(drawing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(tmp_path / "missing.sgf"), drawing]) == 2
    captured = capsys.readouterr()
    assert "missing.sgf: the file cannot be read: No such file or directory" in captured.err
    assert "three.txt" in captured.out


def test_a_folder_stands_for_its_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(tmp_path)]) == 2
    assert "it is a folder without SGF files" in capsys.readouterr().err
    record(tmp_path, "TR[ab]")
    assert main(["solve", str(tmp_path)]) == 0
    assert "three.sgf" in capsys.readouterr().out


def test_a_reader_that_goes_away_is_no_traceback(drawing: str, repository: Path) -> None:
    command = [sys.executable, "-m", "gtp_engine", "solve", "--json", drawing]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=repository, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_all_problems_of_a_record_file_are_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three records, of which the second is damaged."""
    path = tmp_path / "three.sgf"
    path.write_text(f"{SGF.format(marks='TR[da]')}\n(;SZ[5]AB[zz])\n{SGF.format(marks='TR[ea]')}")
    assert main(["solve", str(path)]) == 2
    output = capsys.readouterr()
    assert [line for line in output.out.splitlines() if line.startswith("three.sgf")] == [
        *("three.sgf:1: black is unsettled: the first move decides", "three.sgf:3: white is alive"),
    ]
    assert output.err == f"gtp-engine solve: {path}:2: AB[zz] after move 0 is not a point of the 5x5 board\n"


def test_a_target_that_is_no_stone_is_refused(drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", drawing, "--target", "B5"]) == 2
    assert "there is no stone on B5" in capsys.readouterr().err
    assert main(["solve", drawing, "--target", "pass"]) == 2
    assert main(["solve", drawing, "--target", "Z9"]) == 2


def test_an_unknown_status_has_its_own_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.txt"
    path.write_text(". . . . . . .\n" * 3 + ". . . # . . .\n" + ". . . . . . .\n" * 3)
    assert main(["solve", str(path), "--nodes", "5000"]) == 1
    assert "black is unknown after" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--nodes", "0"], ["--seconds", "-1"], ["--nodes", "many"]])
def test_a_budget_of_nothing_is_refused(option: list[str], drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_status:
        main(["solve", drawing, *option])
    assert exit_status.value.code == 2


@pytest.mark.parametrize(
    "option",
    ["--target=A1", "--region=A1", "--color=black", "--nodes=5", "--tries", "--json", "--output=proofs"],
)
def test_what_a_check_makes_no_use_of_is_refused(
    option: str, drawing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["solve", "--check", drawing, option])
    assert f"{option.partition('=')[0]} has no effect beside --check" in capsys.readouterr().err
    assert not (tmp_path / "proofs").exists()


# ---------------------------------------------------------------- proofs


def test_proofs_are_records_that_read_back(drawing: str, tmp_path: Path) -> None:
    """The main line of White's proof takes the target; the target is marked, so that the record is a problem again."""
    folder = tmp_path / "new" / "proofs"
    assert main(["solve", drawing, "--output", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["three-black-first.sgf", "three-white-first.sgf"]
    game = sgf.load(folder / "three-white-first.sgf").game
    assert game.color_at(4 * 20 + 1) != BLACK, "A4 was taken"
    problem = parse_sgf(read_bytes(folder / "three-white-first.sgf"), "proof")
    assert len(problem.targets) == 5 and problem.comment == "dead with B5"


def test_problems_of_one_name_have_proofs_of_their_own(tmp_path: Path) -> None:
    """From two folders; the second one is mirrored."""
    for folder, rows in (("a", THREE.splitlines()), ("b", THREE.splitlines()[::-1])):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.txt").write_text("\n".join(rows))
    assert main(["solve", str(tmp_path / "a" / "1.txt"), str(tmp_path / "b" / "1.txt"), "--output", str(tmp_path / "proofs")]) == 0
    first, second = (sgf.load(tmp_path / "proofs" / f"{name}-black-first.sgf").game for name in ("1", "1-2"))
    assert first.moves[0][1] != second.moves[0][1]


def test_a_proof_answers_every_reply(drawing: str, tmp_path: Path) -> None:
    """White's move at the root, then as many branches as Black has replies, pass among them."""
    main(["solve", drawing, "--output", str(tmp_path)])
    text = (tmp_path / "three-white-first.sgf").read_text(encoding="utf-8")
    assert ";W[ba](;B[" in text
    assert text.count("(;B[") + text.count("(;W[") == text.count("(") - 1
    assert text.count("(") == text.count(")")
    assert all(f"(;B[{reply}]" in text for reply in ("aa", "ca", ""))


def test_a_folder_that_cannot_be_written_is_told_before_the_work(drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", drawing, "--output", drawing]) == 2
    captured = capsys.readouterr()
    assert "cannot be written" in captured.err and captured.out == ""


# ---------------------------------------------------------------- GTP


def test_the_gtp_command_solves_the_board(gtp: Client) -> None:
    gtp.board(THREE.replace("#", "X"))
    assert gtp.ok("gtp_engine-solve D4") == "unsettled, black alive B5, white dead B5"
    assert gtp.ok("gtp_engine-solve A3 ").startswith("alive")
    assert gtp.fails("gtp_engine-solve B5").startswith("there is no stone on B5")
    assert gtp.fails("gtp_engine-solve") == "no stone is marked as target"


OPEN_CORNER = "(;SZ[19]AB[pd][dp]AW[dd][pp])"


def test_where_the_surroundings_are_open_the_region_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.sgf"
    path.write_text(OPEN_CORNER)
    words = ["solve", str(path), "--target", "D16"]
    assert main(words) == 2
    complaint = capsys.readouterr().err
    assert "the region has 357 empty points" in complaint and "--region A1,B1,C2" in complaint and complaint.count("\n") == 1
    assert main([*words, "--region", "D17,E16", "--region", "C16"]) == 2
    assert "liberties outside the region: D15; name" in capsys.readouterr().err
    assert main([*words, "--region", "D17,E16,C16,D15", "--color", "white"]) == 0
    assert "4 empty points" in capsys.readouterr().out
    assert main([*words, "--region", "pass"]) == 2
    assert "pass is no point of a region" in capsys.readouterr().err


def test_over_gtp_the_region_stands_behind_the_stones(gtp: Client) -> None:
    gtp.ok("boardsize 19")
    for move in ("b Q16", "w D16", "b D4", "w Q4"):
        gtp.ok(f"play {move}")
    assert gtp.fails("gtp_engine-solve D16").endswith("name the empty points to play on behind the stones")
    assert gtp.ok("gtp_engine-solve D16 D17 E16 C16 D15").startswith("alive")
