"""The course in docs/course: the graders, the notebooks, players from files, and matches of a folder."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.cli.main import main
from gtp_engine.textbook.go_game import GoPosition
from gtp_engine.textbook.submission import load_player
from gtp_engine.textbook.tictactoe import TicTacToe

TASKS = ("minimax", "alphabeta", "bandit", "uct", "puct", "policy")

# What somebody might write who has not understood: each must be noticed.
WRONG = {
    "minimax": "def best_value(position):\n"
    "    if position.is_over():\n        return position.utility(position.next_player)\n"
    "    return max(best_value(position.apply_move(move)) for move in position.legal_moves())\n",
    "alphabeta": "from gtp_engine.textbook.counter import Counter\nfrom gtp_engine.textbook.minimax import value\n"
    "def search(position, alpha, beta):\n    return value(position, position.next_player, Counter())\n",
    "bandit": "def choose_arm(arms):\n    return max(range(len(arms)), key=lambda i: arms[i].mean if arms[i].pulls else 1)\n",
    "uct": "from gtp_engine.textbook.mcts import TreeSearch\n"
    "def play_round(root, rng):\n    TreeSearch(1, 0.0, rng=rng).play_round(root)\n",
    "puct": "from gtp_engine.textbook.puct import GuidedSearch\n"
    "def play_round(node, guide, exploration):\n    return -GuidedSearch(guide, 1, exploration).play_round(node)\n",
    "policy": "def policy(position):\n    moves = position.legal_moves()\n    return dict.fromkeys(moves, 1 / len(moves))\n",
}


def grade(folder: Path, repository: Path) -> tuple[set[str], set[str]]:
    """The tasks in which a test passes, and those in which one fails."""
    graders = [f"docs/course/grade_{task}.py" for task in TASKS]
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-rA", "--tb=no", "-q", *graders]
    done = subprocess.run(command, cwd=repository, env=os.environ | {"COURSE": str(folder)}, capture_output=True, text=True)
    found = re.findall(r"^(PASSED|FAILED|ERROR) docs/course/grade_(\w+)\.py", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    return {task for word, task in found if word == "PASSED"}, {task for word, task in found if word != "PASSED"}


def test_the_graders_accept_the_textbooks_solutions(repository: Path) -> None:
    assert grade(repository / "tests" / "course_solutions", repository) == (set(TASKS), set())


def test_the_graders_refuse_what_is_not_solved(repository: Path) -> None:
    assert grade(repository / "docs" / "course" / "tasks", repository) == (set(), set(TASKS))


def test_the_graders_notice_typical_mistakes(tmp_path: Path, repository: Path) -> None:
    for task, text in WRONG.items():
        (tmp_path / f"{task}.py").write_text(text, encoding="utf-8")
    assert grade(tmp_path, repository)[1] == set(TASKS)


@pytest.mark.usefixtures("jobs_here")
def test_a_match_of_a_folder(tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two players, named as their files; one that returns nonsense loses with the reason. Files that begin with _ are no players."""
    players = tmp_path / "players"
    players.mkdir()
    given = (repository / "docs" / "course" / "players" / "captures_first.py").read_text(encoding="utf-8")
    (players / "anna.py").write_text(given, encoding="utf-8")
    (players / "bert.py").write_text("def choose_move(position, dice):\n    return 'Z9'\n", encoding="utf-8")
    (players / "_tools.py").write_text("", encoding="utf-8")
    assert main(["match", str(players), "--size", "5", "--games", "2", "--output", str(tmp_path / "out")]) == 0
    output = capsys.readouterr().out
    assert re.search(r"^anna .* 2 +2 +0 +0 ", output, re.MULTILINE), output
    assert "returned 'Z9', which is no legal move" in (tmp_path / "out" / "results.jsonl").read_text(encoding="utf-8")


def test_a_folder_without_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", str(tmp_path)]) == 2
    assert "holds 0 players: a match needs two" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = 1", "has no function choose_move"),
        ("1 / 0", "can't be run: ZeroDivisionError"),
        ("def choose_move(:", "can't be run: SyntaxError"),
    ],
)
def test_files_that_are_no_players(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=problem):
        load_player(tmp_path / "player.py", random.Random(1))


def test_a_player_plays_any_game(tmp_path: Path) -> None:
    """Its own modules lie beside it; what it raises is told in one sentence."""
    (tmp_path / "helpers_of_the_player.py").write_text("def last(moves): return moves[-1]", encoding="utf-8")
    text = "from helpers_of_the_player import last\ndef choose_move(position, dice): return last(position.legal_moves())"
    (tmp_path / "player.py").write_text(text, encoding="utf-8")
    player = load_player(tmp_path / "player.py", random.Random(1))
    assert player(TicTacToe(), lambda: False).move == TicTacToe().legal_moves()[-1]
    assert player(GoPosition.start(5), lambda: False).move == "pass"
    (tmp_path / "broken.py").write_text("def choose_move(position, dice): return position.nothing", encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken\.py: choose_move failed: AttributeError"):
        load_player(tmp_path / "broken.py", random.Random(1))(TicTacToe(), lambda: False)


def test_a_configuration_file_names_no_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.toml").write_text(f'player_file = "{Path(__file__).as_posix()}"', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["gtp", "--config", str(tmp_path / "c.toml")])
    assert "say it on the command line" in capsys.readouterr().err


def test_a_player_that_fails_in_a_game_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.py").write_text("def choose_move(position, dice): return 'z9'", encoding="utf-8")
    monkeypatch.setattr("builtins.input", lambda *_: "b2")
    with pytest.raises(SystemExit):
        main(["play", "--game", "tictactoe", "--player-file", str(tmp_path / "broken.py")])
    assert "broken.py: choose_move returned 'z9', which is no legal move" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--player-file", "nowhere.py"], "--player-file: there is no file nowhere.py"),
        (["--player-file", __file__, "--level", "5"], "--player-file and --level are two players"),
        (["--player-file", __file__, "--player", "greedy"], "--player-file and --player are two players"),
    ],
)
def test_options_that_exclude_each_other(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["gtp", *options])
    assert message in capsys.readouterr().err
