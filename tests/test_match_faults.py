"""Engines that misbehave: the match goes on, the record names the cause, and no process is left over."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from match_players import ROWS, processes_with, rows

from gtp_engine.base.jobs.job import JobResult
from gtp_engine.tools.match.game_job import GamePlayer, GameSpec
from gtp_engine.tools.match.opening import open_book
from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.results import split_lines
from gtp_engine.tools.match.runner import run_tournament, value_of
from gtp_engine.tools.match.schedule import schedule
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tournament import Player, TimeControl, Tournament, TournamentError

GAMES = 4
FAULT_AT = 5  # genmove of the bad engine's process: in mid-game

Play = Callable[..., Standings]


@pytest.fixture
def play(tmp_path: Path, jobs_here: None) -> Play:
    """`play(fault, **settings)`: a bad engine against a good one; checks what holds for every fault."""

    def play_match(fault: str, **settings: object) -> Standings:
        mark = str(tmp_path / "mark")
        bad, good = rows("bad", "B+1", fault, FAULT_AT, mark), rows("good", "B+1", "stray", 10_000, mark)
        tournament = replace(Tournament((bad, good), games=GAMES, openings="random:0"), **settings)  # type: ignore[arg-type]
        standings = run_tournament(tournament, tmp_path / "output")
        assert len(standings.records) == tournament.games
        assert all((tmp_path / "output" / "games" / record.sgf).exists() for record in standings.records)
        assert processes_with(mark) == []
        return standings

    return play_match


def first_fault(standings: Standings, tmp_path: Path) -> PlayedGame:
    """The first game that the bad engine lost by its fault, which the report names."""
    record = standings.faults()[0]
    assert (record.fault, record.winner) == ("bad", "good")
    assert standings.total("good").wins == len(standings.records)
    assert record.ending in (tmp_path / "output" / "report.html").read_text(encoding="utf-8")
    return record


def test_an_engine_that_dies_loses_and_is_started_again(play: Play, tmp_path: Path) -> None:
    standings = play("die")
    record = first_fault(standings, tmp_path)
    assert record.ending == "crash"
    assert record.text == "bad died with exit status 3: something broke (after 'genmove black')"
    assert [record.black.moves + record.white.moves for record in standings.records] == [8, 9, 8, 9]
    assert record.result == "W+F"


def test_an_engine_that_leaves_children_behind(play: Play, tmp_path: Path) -> None:
    assert first_fault(play("orphans"), tmp_path).ending == "crash"


def test_what_engines_write_reaches_no_terminal_and_breaks_no_line(tmp_path: Path) -> None:
    """A version with every separator that Python takes for the end of a line, and escape sequences."""
    odd = "1\u2028\u0085\u2029\x1b[31m\x1b]0;title\x07\x9b31m2\x0b\x0c\x1c"
    script = tmp_path / "odd.py"
    script.write_text(ROWS.read_text(encoding="utf-8").replace('"version": "1"', f'"version": {odd!r}'), encoding="utf-8")
    command = (sys.executable, "-X", "utf8", str(script))
    tournament = Tournament((Player("odd", command), Player("other", command)), games=2, openings="random:0")
    first = run_tournament(tournament, tmp_path / "output")
    assert first.records[0].black.identity == "rows 1231m".replace("1231m", "131m2")
    again = run_tournament(tournament, tmp_path / "output")
    assert again.records == first.records


def test_lines_of_results_end_with_a_line_feed_only() -> None:
    assert split_lines('{"a": "x\u2028y\u0085z"}\n{}\n'.encode()) == ['{"a": "x\u2028y\u0085z"}', "{}"]


STOPPED_RUNNER = """
import sys
from match_players import rows
from gtp_engine.go.points import BLACK
from gtp_engine.tools.match.client import EngineClient
from gtp_engine.tools.match.clock import PlayerClock
from gtp_engine.tools.match.contestant import Contestant
from gtp_engine.tools.match.tournament import TimeControl, Tournament
player, control = rows("late", "B+1", "late", 1), TimeControl(main=5.0, byo_yomi=0.0)
contestant = Contestant(player, Tournament((player, player), time=control), EngineClient(player.command))
contestant.new_game(1, PlayerClock(control))
print("asking", flush=True)
answer, late = contestant.genmove(BLACK, PlayerClock(control))
print(answer, late, contestant.times.slowest < 5.0)
contestant.client.close()
"""


@pytest.mark.slow
def test_time_in_which_the_runner_was_stopped_is_not_the_engines(repository: Path) -> None:
    """An engine with five seconds answers after two; the runner is stopped for six meanwhile."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(repository), str(repository / "tests")])}
    command = [sys.executable, "-c", STOPPED_RUNNER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout and process.stdout.readline() == "asking\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGSTOP)
        time.sleep(6.0)
        process.send_signal(signal.SIGCONT)
        assert process.communicate(timeout=60)[0] == "A1 0.0 True\n"


def test_too_many_open_files_are_no_forfeit(tmp_path: Path) -> None:
    tournament = Tournament((rows("bad", "B+1"), rows("good", "B+1")), games=2, openings="random:0")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 6, limits[1]))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            GamePlayer(print)(GameSpec(tournament, next(schedule(tournament)), open_book(tournament).opening(0)), 1)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_game_that_could_not_be_played_ends_the_match() -> None:
    with pytest.raises(TournamentError, match="game 7 could not be played: OSError: Too many open files"):
        value_of(JobResult("7", error="OSError: Too many open files"))


def test_engines_stay_for_the_next_game(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    players = [rows(name) for name in "ab"]
    told = [replace(each, command=("sh", "-c", f'echo >> {starts}; exec "$@"', "sh", *each.command)) for each in players]
    standings = run_tournament(Tournament(tuple(told), games=4, openings="random:0"), tmp_path / "output")
    assert len(standings.records) == 4 and not any(record.fault for record in standings.records)
    assert len(starts.read_text().splitlines()) == 2


@pytest.mark.parametrize("control", [None, TimeControl(byo_yomi=1.0, tolerance=0.5)], ids=["no clock", "clock"])
def test_what_an_engine_compiles_for_its_first_move_costs_it_no_game(control: TimeControl | None, tmp_path: Path) -> None:
    """Its first move takes three seconds; it has one or two for the others."""
    slow, other = rows("slow", "B+1", "slow_start", 1), rows("other", "B+1")
    tournament = Tournament((slow, other), games=2, openings="random:0", time=control, patience=2.0, start_patience=30.0)
    standings = run_tournament(tournament, tmp_path / "output")
    assert [record.fault for record in standings.records] == ["", ""]


def test_an_engine_that_prints_nothing(play: Play, tmp_path: Path) -> None:
    record = first_fault(play("hang", patience=2.0, games=2), tmp_path)
    assert (record.ending, record.text) == ("time-out", "bad did not answer in 2 s (after 'genmove black')")


def test_an_engine_that_writes_what_is_no_response(play: Play, tmp_path: Path) -> None:
    record = first_fault(play("garbage", patience=2.0, games=1), tmp_path)
    assert record.ending == "time-out"
    assert "'I am no GTP engine', which is no response" in record.text


def test_an_engine_that_answers_nonsense(play: Play, tmp_path: Path) -> None:
    record = first_fault(play("nonsense"), tmp_path)
    assert (record.ending, record.text) == ("nonsense", "bad answered 'banana' to genmove")


def test_an_engine_whose_answer_never_ends(play: Play, tmp_path: Path) -> None:
    assert first_fault(play("endless"), tmp_path).ending == "nonsense"


def test_an_engine_that_plays_an_illegal_move(play: Play, tmp_path: Path) -> None:
    record = first_fault(play("illegal"), tmp_path)
    assert (record.ending, record.text) == ("illegal move", "bad played black A1: occupied point")


def test_an_engine_that_refuses(play: Play, tmp_path: Path) -> None:
    record = first_fault(play("refuse"), tmp_path)
    assert (record.ending, record.text) == ("refusal", "bad refused 'genmove black': I don't want to")


def test_an_engine_that_is_too_late(play: Play, tmp_path: Path) -> None:
    """It loses on time; the other one plays on the same clock."""
    record = first_fault(play("late", time=TimeControl(byo_yomi=1.0, tolerance=1.0), games=1), tmp_path)
    assert (record.ending, record.result) == ("time", "W+T")
    assert record.black.slowest > 2.0


def test_an_engine_that_never_began_has_used_nothing(tmp_path: Path) -> None:
    """The second player dies when it is to begin the second game, as Black: what White used in the first one is not counted again."""
    script = tmp_path / "one_game.py"
    text = ROWS.read_text(encoding="utf-8").replace("size = int(words[1])", "size = int(words[1]) if not asked else sys.exit(3)")
    script.write_text(text, encoding="utf-8")
    players = rows("good"), Player("bad", (sys.executable, str(script)))
    standings = run_tournament(Tournament(players, games=2, openings="random:0"), tmp_path / "output")
    first, second = standings.records
    assert (second.black.name, second.fault, second.ending, second.moves) == ("bad", "bad", "crash", 0)
    assert first.black.moves == 28 and (second.white.moves, second.white.seconds, second.white.slowest) == (0, 0.0, 0.0)
    assert standings.spent("good").moves == 28


def test_a_flood_on_stderr_stops_nobody(play: Play) -> None:
    standings = play("flood")
    assert standings.faults() == []
    assert [record.ending for record in standings.records] == ["score"] * GAMES


def test_lines_outside_of_responses_stop_nobody(play: Play) -> None:
    standings = play("stray")
    assert standings.faults() == []
    assert [record.ending for record in standings.records] == ["score"] * GAMES


def test_a_resignation_is_no_fault(play: Play) -> None:
    standings = play("resign")
    assert [(record.winner, record.ending, record.fault) for record in standings.records] == [("good", "resignation", "")] * GAMES


def test_a_program_that_is_not_there_is_told_before_the_first_game(tmp_path: Path) -> None:
    tournament = Tournament((rows("good"), Player("missing", ("/no/such/program",))))
    with pytest.raises(TournamentError, match="missing cannot start /no/such/program: No such file or directory"):
        run_tournament(tournament, tmp_path / "output")
    assert not (tmp_path / "output" / "report.html").exists()


def test_a_setup_command_that_is_refused_is_told_before_the_first_game(tmp_path: Path) -> None:
    refusing = replace(rows("refusing"), setup=("level 10",))
    with pytest.raises(TournamentError, match="refusing refused 'level 10': unknown command"):
        run_tournament(Tournament((rows("good"), refusing)), tmp_path / "output")
