"""`gtp-engine match` from outside: tournament files, command lines, and how a runner ends."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from match_players import processes_with, quoted, rows

from gtp_engine.cli.main import main, make_parser
from gtp_engine.cli.match import default_names, read_tournament
from gtp_engine.tools.match.client import EngineClient
from gtp_engine.tools.match.results import RESULTS_FILE, load_records
from gtp_engine.tools.match.schedule import schedule
from gtp_engine.tools.match.tournament import Player, Sprt, TimeControl, Tournament, TournamentError
from gtp_engine.tools.match.tournament_file import load_tournament, tournament_from

TWO = Tournament((rows("a"), rows("b")))
START = 60.0  # seconds for a process to show a first sign of life on a busy machine


def test_a_tournament_file(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("""
size = 13
openings = "book"
[time]
byo_yomi = 2
[[player]]
name = "new engine"
command = "engine --name 'new engine'"
setup = ["level 3"]
anchor = 1500
[[player]]
name = "old"
command = ["engine"]
""")
    tournament = load_tournament(path)
    assert tournament.players[0] == Player("new engine", ("engine", "--name", "new engine"), ("level 3",), "", 1500.0)
    assert (tournament.size, tournament.time, tournament.openings) == (13, TimeControl(byo_yomi=2.0), str(tmp_path / "book"))


def test_the_tournaments_behind_the_strength_claims_can_be_read(repository: Path) -> None:
    files = sorted((repository / "scripts" / "tournaments").glob("*.toml"))
    assert len(files) >= 3
    for path in files:
        assert load_tournament(path).games >= 20


def test_the_example_file_of_the_manual_can_be_read(repository: Path) -> None:
    text = (repository / "docs" / "match.md").read_text(encoding="utf-8")
    tournament = tournament_from(tomllib.loads(text.split("```toml\n")[1].split("```")[0]))
    assert (tournament.sprt, tournament.players[1].anchor) == (Sprt(0, 20), 1800)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"sise": 9}, "unknown key 'sise'; did you mean size"),
        ({"size": "9"}, "size must be a whole number, not '9'"),
        ({"size": 25}, "size must be from 2 to 19, not 25"),
        ({"komi": float("nan")}, "komi must be a number"),
        ({"rules": "mongolian"}, "unknown rules 'mongolian': choose one of chinese"),
        ({"openings": "random:x"}, "random:N takes 0 to 9 moves"),
        ({"time": {"main": 0}}, "neither main time nor byo-yomi"),
        ({"sprt": {"elo0": 5, "elo1": 5}}, "elo0 < elo1"),
        ({"sprt": {"elo0": 5}}, "sprt: elo1 is missing"),
        ({"player": [{"name": "a", "command": "x"}]}, "at least two players"),
        ({"players": [{"name": "a", "command": "x"}]}, "unknown key 'players'; did you mean player"),
        ({"player": [{"name": "a", "command": "x"}] * 2}, "2 players are called 'a'"),
        ({"player": [{"name": "a", "comand": "x"}]}, "player 1: unknown key 'comand'; did you mean command"),
        ({"player": [{"name": "a", "command": "'x"}]}, "cannot be split into words"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_sentence(table: dict[str, object], message: str) -> None:
    two = [{"name": "a", "command": "x"}, {"name": "b", "command": "y"}]
    with pytest.raises(TournamentError, match=message):
        tournament_from({"player": two, **table})


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", quoted(rows("a")), quoted(rows("b")), "--games", "2", "--openings", "random:0", "--output", str(tmp_path)]
    assert main([*words, "--names", "first,second", "--seconds", "30", "--sprt=-10,10"]) == 0
    captured = capsys.readouterr()
    assert "first: 1 won, 0 drawn, 1 lost; 50.0 %" in captured.out
    assert "no decision yet" in captured.out and str(tmp_path / "report.html") in captured.out
    assert captured.err.splitlines()[-1].startswith("gtp-engine match: 2/2 game 2: second (black) - first (white) B+1, score, 56 moves")
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'href="games/00001.sgf"' in report and "http" not in report.replace("http-equiv", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["A"], "at least two players"),
        (["A", "B", "--names", "x"], "--names gives 1 names for 2 engines"),
        (["A", "B", "--setup-for", "C", "level 1"], "--setup-for C: the players are A, B"),
        (["A", "B", "--playouts", "1,2,3"], "--visits takes 2 numbers here, not 3"),
        (["A", "B", "--openings", "nowhere"], "'nowhere' is neither random:N nor a folder"),
        (["missing.toml"], "missing.toml: cannot be read: No such file or directory"),
        (["missing.toml", "--size", "9"], "--size has no effect beside a tournament file"),
        (["missing.toml", "--move-limit", "0"], "--move-limit has no effect beside a tournament file"),
        (["missing.toml", "--alpha", "0.01"], "--alpha has no effect beside a tournament file"),
        (["missing.toml", "--beta", "0"], "--beta has no effect beside a tournament file"),
        (["missing.toml", "--playouts-command", "level {}"], "--playouts-command has no effect beside a tournament file"),
        (["A", "B", "--beta", "0.01"], "--beta is for --sprt"),
        (["A", "B", "--sprt", "0,20", "--alpha", "0"], "alpha and beta between 0 and 0.5"),
        (["A", "B", "--playouts-command", "level {}"], "--visits-command is for --visits"),
    ],
)
def test_bad_command_lines(words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *words, "--output", str(tmp_path / "output")]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("gtp-engine match: ") and message in captured.err
    assert captured.err.count("\n") == 1


def test_the_playouts_become_setup_commands() -> None:
    words = ["match", "A", "B", "--playouts", "50,100", "--setup", "x", "--setup-for", "B", "y", "--output", "o"]
    players = read_tournament(make_parser(["match"]).parse_args(words)).players
    assert [player.setup for player in players] == [
        ("x", "gtp_engine-param playouts 50"),
        ("x", "y", "gtp_engine-param playouts 100"),
    ]


# ---------------------------------------------------------------- the end of a runner


def start_match(repository: Path, output: Path, games: int) -> subprocess.Popen[bytes]:
    """A match in a process of its own; its engines carry the output's name in their commands."""
    players = [quoted(rows(name, "B+1", "stray", 100_000, output)) for name in "ab"]
    words = ["match", *players, "--games", str(games), "--openings", "random:2", "--jobs", "2", "--output", str(output)]
    command = [sys.executable, "-m", "gtp_engine", *words]
    return subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def wait_for_games(output: Path, games: int) -> None:
    """Until so many games are in the results file."""
    deadline = time.monotonic() + START
    path = output / RESULTS_FILE
    while not path.exists() or path.read_bytes().count(b"\n") <= games:
        assert time.monotonic() < deadline, "the match does not go on"
        time.sleep(0.01)


def kill_and_resume(repository: Path, output: Path, kills: int, games: int) -> None:
    """Kill the runner `kills` times between two games, then let it finish: every game is there once, and no engine is left."""
    for number in range(kills):
        process = start_match(repository, output, games)
        wait_for_games(output, games * number // (kills + 1) + 1)
        time.sleep(0.013 * number)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert processes_with(str(output)) == []
    process = start_match(repository, output, games)
    process.communicate()
    assert process.returncode == 0
    lines = [json.loads(line) for line in (output / RESULTS_FILE).read_text().splitlines()]
    assert sorted(line["number"] for line in lines[1:]) == list(range(games))
    undisturbed = {game.number: game for game in schedule(replace(TWO, games=games))}
    assert all((line["black"]["name"] == "python-1") == (undisturbed[line["number"]].black == 0) for line in lines[1:])


def test_kill_9_loses_no_game_and_leaves_no_process(repository: Path, tmp_path: Path) -> None:
    kill_and_resume(repository, tmp_path / "output", kills=1, games=12)


@pytest.mark.slow
def test_kill_9_ten_times(repository: Path, tmp_path: Path) -> None:
    kill_and_resume(repository, tmp_path / "output", kills=10, games=150)


def test_control_c_keeps_what_is_finished(repository: Path, tmp_path: Path) -> None:
    output = tmp_path / "output"
    process = start_match(repository, output, 100_000)
    wait_for_games(output, 3)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate()
    assert process.returncode == 130
    assert b"of 100000 games" in text
    assert len(load_records(output)) >= 3
    assert (output / "report.html").exists()
    assert processes_with(str(output)) == []


@pytest.mark.parametrize(
    ("commands", "names"),
    [
        (["bin/a --x 1", "gnugo --mode gtp"], ["a", "gnugo"]),
        (["bin/a --playouts 20", "a"], ["a --playouts 20", "a"]),
        (["a --x 1", "a --x 1", "a --x 2", "b"], ["a-1", "a-2", "a --x 2", "b"]),
        ([f"a {'x' * 40}", "a"], ["a-1", "a"]),
    ],
)
def test_players_are_named_after_their_commands(commands: list[str], names: list[str]) -> None:
    assert default_names(commands) == names


def test_odd_names_of_options_still_work_and_the_folder_has_a_default() -> None:
    read = make_parser(["match"]).parse_args
    for words in (["--timeout", "5", "--start-timeout", "9"], ["--patience", "5", "--start-patience", "9"]):
        args = read(["match", "a", "b", *words])
        tournament = read_tournament(args)
        assert (tournament.patience, tournament.start_patience, args.output) == (5.0, 9.0, Path("match"))


def test_our_own_name_starts_this_program_where_no_program_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with EngineClient(["gtp-engine", "--gtp-name", "some name"]) as engine:
        engine.start()
        assert engine.ask("name", START) == "some name"
    program = tmp_path / "gtp-engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert EngineClient(["gtp-engine", "x"]).command == ["gtp-engine", "x"]
