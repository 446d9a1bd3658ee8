"""scripts/soak.py itself: a little of each passes, and what it looks for is noticed."""

import contextlib
import gc
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import clock_games
import pytest
from sgfmill.boards import Board
from soaks import clocks, damaged, faults, games, gtp_commands, records, shared, worker, works
from soaks.tally import OURS, Tally

from gtp_engine.go.points import BLACK, PASS, WHITE, point_at

SLOW = [("records", 5), ("faults", 2), ("games", 5), ("damaged", 160), ("kills", 70), ("pondering", 1), ("shared", 160)]


@pytest.mark.parametrize(("what", "count"), [("gtp", 200), *(pytest.param(*each, marks=pytest.mark.slow) for each in SLOW)])
def test_a_little_of_each(what: str, count: int, repository: Path) -> None:
    command = [sys.executable, str(repository / "scripts" / "soak.py"), what, "--count", str(count)]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    assert " done, 0 faults" in process.stdout.splitlines()[-1]


def test_the_sound_files_of_damaged_are_sound(tmp_path: Path) -> None:
    """Else only refusals are tried. It must hold with torch and without."""
    refused = {name: damaged.use_sound(tmp_path / name, content, use) for name, content, use in damaged.kinds_of(tmp_path)}
    assert len(refused) >= 7 and not any(refused.values()), refused


@pytest.mark.parametrize(("seconds", "faults"), [(1000.0, 0), (-1.0, 2)])
def test_a_game_lost_on_time_is_noticed(seconds: float, faults: int, monkeypatch: pytest.MonkeyPatch) -> None:
    system = clock_games.TimeSystem("time_settings 1000 0 0", "", lambda: clock_games.RefereeClock(seconds))
    for module in (clock_games, clocks):
        monkeypatch.setattr(module, "SYSTEMS", {"one": system, "other": system})
    monkeypatch.setattr(clock_games, "MOST_MOVES", 6)
    monkeypatch.setattr(clocks, "ENGINE", [*OURS, "gtp", "--evaluator", "playouts", "--playouts", "1", "--threads", "1"])
    tally = clocks.run(2, 1, load=0, jobs=2)
    assert tally.done == 2 and len(tally.faults) == faults
    assert sum("1 games" in note for note in tally.notes) == 2


@pytest.mark.parametrize(("answer", "count"), [("= A1", shared.AT_ONCE), ("= B1", 0)])
def test_a_game_that_goes_another_way_in_a_shared_process_is_noticed(answer: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "hold", lambda game, more, *_: ["=", answer if more else "= B1"])
    monkeypatch.setattr(shared, "Disturbance", lambda *_: contextlib.nullcontext(SimpleNamespace(killed=0, is_stuck=False)))
    tally = shared.run(1, 1)
    assert len(tally.faults) == count and tally.done == shared.AT_ONCE * shared.MOVES
    assert all("command 1, clear_board: '= A1' in the shared process, '= B1' in one of its own" in fault for fault in tally.faults)


def test_what_takes_too_long_is_interrupted() -> None:
    """This process or one that it started."""
    for act in (lambda: [None for _ in iter(int, 1)], lambda: subprocess.run([sys.executable, "-c", "while True: pass"])):
        with pytest.raises(KeyboardInterrupt), worker.interrupted_after(0.3):
            act()
    with worker.interrupted_after(60.0):
        pass


def test_the_interruption_is_not_lost_in_a_garbage_collection() -> None:
    """As it is where hypothesis counts the time of collections."""

    def callback(*_: object) -> None:
        time.sleep(0.001)

    gc.callbacks.append(callback)
    try:
        with pytest.raises(KeyboardInterrupt), worker.interrupted_after(0.3):
            all(gc.collect(0) >= 0 for _ in iter(int, 1))
        assert callback in gc.callbacks
    finally:
        gc.callbacks.remove(callback)


def test_records_that_are_made_up_are_made_again() -> None:
    made = [records.invented(number) for number in range(20)]
    assert made == [records.invented(number) for number in range(20)]
    assert len(set(made)) > 10 and all(data.startswith(b"(") for data in made if data)


class Liar(gtp_commands.Conversation):
    """An engine whose answers are changed on the way."""

    def __init__(self, old: bytes, new: bytes) -> None:
        super().__init__()
        self.old, self.new = old, new

    def ask(self, lines: list[bytes], answers: int) -> list[bytes]:
        """See Conversation."""
        return [answer.replace(self.old, self.new) for answer in super().ask(lines, answers)]


@pytest.mark.parametrize(("old", "new"), [(b"=", b"?"), (b" D", b" E"), (b"= ", b""), (b"illegal move", b"\x01"), (b"7.5", b"6.5")])
def test_a_wrong_answer_is_noticed(old: bytes, new: bytes) -> None:
    talk, tally, dice, model = Liar(old, new), Tally(), random.Random(1), gtp_commands.Model()
    talk.ask([b"boardsize 9", b"komi 7.5"], 2)
    for _ in range(4):
        gtp_commands.modelled_batch(talk, tally, dice, model)
    talk.process.kill()
    talk.process.wait()
    assert bool(tally.faults) == (old != b"illegal move"), "the text of a refusal is the engine's own"


def test_an_internal_error_is_noticed() -> None:
    talk, tally = Liar(b" ", b" internal error "), Tally()
    gtp_commands.wild_batch(talk, tally, random.Random(1), ["komi", "boardsize", "final_score"])
    talk.process.kill()
    talk.process.wait()
    assert "internal error" in tally.faults[0]


def test_the_model_knows_ko_and_suicide() -> None:
    model = gtp_commands.Model()
    assert model.play("b", (1, 0)) and model.play("b", (0, 1))
    assert not model.play("w", (0, 0)), "suicide: it takes nothing"
    model.clear(5)
    for color, point in (("b", (0, 1)), ("b", (1, 0)), ("b", (2, 1)), ("w", (0, 2)), ("w", (2, 2)), ("w", (1, 3)), ("w", (1, 1))):
        assert model.play(color, point)
    assert model.play("b", (1, 2)) and not model.play("w", (1, 1)), "a ko"
    assert model.play("w", None) and model.play("w", (1, 1)), "after another move it may be taken"
    assert model.undo() and model.stones("b") == {"B1", "A2", "B3", "C2"}


def test_an_illegal_move_of_a_game_is_noticed() -> None:
    twin = games.Twin(5)
    twin.play(BLACK, point_at(1, 2))
    twin.play(BLACK, point_at(2, 1))
    for color, point, said in ((WHITE, point_at(1, 2), "occupied"), (WHITE, point_at(1, 1), "suicide")):
        with pytest.raises(games.GameFaultError, match=said):
            twin.play(color, point)
    twin.board = Board(5)
    twin.play(WHITE, PASS)


def judge_one(number: int) -> str:
    """Case 1 is wrong, 2 raises, 3 ends its process, 5 takes memory."""
    if number == 2:
        raise ValueError("thrown")
    if number == 3:
        os.kill(os.getpid(), 11)
    if number == 5:
        assert len(bytearray(b"x") * 700_000_000) > number
    return "wrong" if number == 1 else ""


def test_what_goes_wrong_with_a_case_is_noticed(tmp_path: Path) -> None:
    tally = Tally()
    worker.try_cases(judge_one, 7, tally, tmp_path / "log")
    assert tally.done == 7
    expected = ("case 1: wrong", "thrown", "case 3: its process ended", "MB more")
    assert len(tally.faults) == 4 and all(text in fault for text, fault in zip(expected, tally.faults, strict=True))


def judge_sleeper(number: int) -> str:
    """Case 1 sleeps."""
    time.sleep(60.0 * (number == 1))
    return ""


def test_a_case_that_hangs_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "HANGS", 1.0)
    tally = Tally()
    worker.try_cases(judge_sleeper, 3, tally, tmp_path / "log")
    assert tally.done == 3 and len(tally.faults) == 1 and "hung" in tally.faults[0]


def test_what_a_killed_command_leaves_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "out" / "games").mkdir(parents=True)
    lines = [f'{{"number": {number}}}' for number in (*range(works.GAMES), 3)]
    (tmp_path / "out" / "results.jsonl").write_text("\n".join(lines))
    assert "3, 3" in works.wrong_with_match(tmp_path)
    assert works.wrong_with_problems(tmp_path) == "0 problems"


@pytest.mark.parametrize(
    ("program", "said"),
    [("raise ValueError", "Traceback"), ("import sys; sys.exit(3)", "status 3"), ("import sys; sys.exit(1)", "no word"), ("", "")],
)
def test_a_subcommand_that_ends_badly_is_noticed(program: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "OURS", [sys.executable, "-c"])
    found = faults.wrong_with([program], "", faults.Condition(), tmp_path, str(tmp_path))
    assert said in found and bool(found) == bool(said)
