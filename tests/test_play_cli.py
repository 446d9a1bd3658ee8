"""The game in the terminal: typed lines in, sentences or a drawn board out."""

import fcntl
import io
import os
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import build_small_engine, draw_game
from rich.console import Console

from gtp_engine.cli.main import main
from gtp_engine.cli.play import take_strength
from gtp_engine.engine.config.sources import DEFAULT, Configuration
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.levels.chooser import chooser_at
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.points import BLACK, WHITE, board_points, from_vertex
from gtp_engine.interfaces.person.kept_game import claimed, keep
from gtp_engine.interfaces.person.kept_game import load as load_unfinished
from gtp_engine.interfaces.terminal.game import TerminalGame
from gtp_engine.interfaces.terminal.view import DrawnView, PlainView, is_star
from gtp_engine.sgf import load


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One engine for all games, as it takes a while to build."""
    return build_small_engine()


def typing(*lines: str) -> Callable[[str], str]:
    """A person who types these lines and then closes the input."""
    left: Iterator[str] = iter(lines)

    def read(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return read


def play(engine: Engine, colors: set[int], *lines: str) -> TerminalGame:
    """A game on 5x5 in which a person types these lines."""
    engine.state.set_board_size(5)
    game = TerminalGame(engine, colors, PlainView(), typing(*lines))
    game.run()
    return game


def test_moves_are_answered(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    play(engine, {BLACK}, "c3", "D1")
    assert [color for color, _ in engine.game.moves] in ([BLACK, WHITE, BLACK, WHITE], [BLACK, WHITE])
    assert "Move 1, black: C3. Prisoners: black 0, white 0." in capsys.readouterr().out


def test_undo_takes_the_answer_back_too(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    play(engine, {BLACK}, "c3", "undo", "undo")
    assert engine.game.moves == []
    assert "no move of yours" in capsys.readouterr().out


def test_as_white_the_engine_begins(engine: Engine) -> None:
    play(engine, {WHITE}, "quit")
    assert len(engine.game.moves) == 1


def test_mistakes_are_told_and_change_nothing(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    play(engine, {BLACK, WHITE}, "c3", "c3", "z9", "hnit", "", "save", "save /no/such/folder/x.sgf", "save ~nobody-of-that-name.sgf")
    assert engine.game.moves == [(BLACK, from_vertex("C3", 5))]
    text = capsys.readouterr().out
    for part in (
        "Illegal: occupied point.",
        "'z9' is neither",
        "did you mean hint?",
        "Save where?",
        "Cannot write /no",
        "Cannot write ~nobody",
    ):
        assert part in text


def test_superko_is_told(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.state.set_board_size(2)
    TerminalGame(engine, {BLACK, WHITE}, PlainView(), typing("a1", "b1", "a2", "b2", "a1", "a2", "a1")).run()
    assert "repeats an earlier position" in capsys.readouterr().out
    assert len(engine.game.moves) == 6


def test_two_passes_end_the_game_until_one_is_taken_back(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.state.komi = 0.5
    game = play(engine, {BLACK, WHITE}, "c3", "pass", "pass", "d4", "score", "undo", "d4")
    text = capsys.readouterr().out
    assert "Both passed. Black leads by 24.5, komi included." in text and "The game is over" in text
    assert game.result == "" and engine.game.moves[-1] == (BLACK, from_vertex("D4", 5))


def test_a_saved_game_has_its_result(engine: Engine, tmp_path: Path) -> None:
    play(engine, {BLACK, WHITE}, "c3", "resign", f"save {tmp_path}/game.sgf")
    record = load(tmp_path / "game.sgf")
    assert record.result == "B+R" and len(record.game.moves) == 1


def test_hint_help_and_board(engine: Engine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.interfaces.terminal.game.HINT", Limits(seconds=0.05, early_stop=False))
    play(engine, {BLACK, WHITE}, "c3", "hint", "help", "board")
    text = capsys.readouterr().out
    assert "of the time; expected: " in text and "undo: take back your last move" in text
    assert "Row 3: C3 black.\nPrisoners: black 0, white 0. White to play." in text
    assert len(engine.game.moves) == 1


# ---------------------------------------------------------------- the drawn board

CORNER = """
    . . .
    . O .
    X . .
"""


def drawn(color_system: str | None) -> str:
    """The corner as the view draws it."""
    console = Console(file=io.StringIO(), force_terminal=color_system is not None, color_system=color_system, width=80)  # type: ignore[arg-type]  # its names are a Literal
    game = draw_game(CORNER)
    game.play(BLACK, from_vertex("C3", 3))
    DrawnView(console).show(game)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_board_without_colors() -> None:
    assert drawn(None).splitlines() == ["   A B C", " 3 · ·[X]3", " 2 · O · 2", " 1 X · · 1", "   A B C", "Prisoners: black 0, white 0."]


def test_the_board_in_colors() -> None:
    text = drawn("truecolor")
    assert (text.count("●"), text.count("○")) == (2, 1) and "\x1b[" in text  # their shapes differ, too


@pytest.mark.parametrize(("size", "count"), [(9, 5), (13, 5), (19, 9), (7, 0)])
def test_star_points(size: int, count: int) -> None:
    assert sum(is_star(point, size) for point in board_points(size)) == count


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("e5\nquit\n"))
    assert main("play --plain --size 9 --playouts 20 --seed 1 --threads 1 --memory 16".split()) == 0
    assert "Move 1, black: E5." in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main("play --size 5 --handicap 9".split())
    assert stop.value.code == 2 and "--handicap 9" in capsys.readouterr().err


def test_handicap(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("board\n"))
    assert main("play --plain --handicap 2 --playouts 20 --threads 1 --memory 16".split()) == 0
    assert "Move 1, white" in capsys.readouterr().out


# ---------------------------------------------------------------- levels, blunders, Ctrl-C, the game that is kept


def test_the_level_can_be_changed_during_the_game(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    before = engine.chooser
    play(engine, {BLACK, WHITE}, "level", "level 3", "level 99", "level x", "level 0")
    assert [line for line in capsys.readouterr().out.splitlines() if "level" in line or "strength" in line] == [
        "The engine plays at full strength.",
        "The engine plays at level 3.",
        "'99' is no level: 1 to 20, or 0 for full strength.",
        "'x' is no level: 1 to 20, or 0 for full strength.",
        "The engine plays at full strength.",
    ]
    engine.set_chooser(before)


SELF_ATARI = """
. O X . .
O O X . .
O O X X X
O O O O O
. O O O O
"""  # Black D5 or E5 is as good as any; White A5 leaves White's stones with one eye


def test_a_blunder_can_be_taken_back(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    position = draw_game(SELF_ATARI, WHITE)
    for answer, moves in (("y", 0), ("n", 1)):
        engine.state.set_game(position.copy())
        game = TerminalGame(engine, {BLACK, WHITE}, PlainView(), typing("a5", answer), warns_of_blunders=True)
        game.run()
        assert len(engine.game.moves) == moves
        assert "A5 loses about" in capsys.readouterr().out


def test_a_good_move_is_not_warned_of(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.state.set_board_size(5)
    TerminalGame(engine, {BLACK, WHITE}, PlainView(), typing("c3"), warns_of_blunders=True).run()
    assert len(engine.game.moves) == 1 and "loses" not in capsys.readouterr().out


def test_the_rank_can_be_changed_during_the_game(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.set_chooser(chooser_at(0))
    play(engine, {BLACK, WHITE}, "rank", "rank 12k", "rank 9d", "rank x", "rank none")
    assert [line for line in capsys.readouterr().out.splitlines() if "plays" in line or "rank" in line] == [
        "The engine plays at full strength.",
        "The engine plays at rank 12k.",
        "ranks are from 20k to 3d: there are too few games of other ranks to learn from.",
        "'x' is not a rank from 30k to 1k or 1d to 9d.",
        "The engine plays at full strength.",
    ]


def test_an_unfinished_game_is_kept_with_its_rank(engine: Engine, tmp_path: Path) -> None:
    engine.set_chooser(chooser_at(0))
    game = play(engine, {BLACK, WHITE}, "rank 8k", "c3", "quit")
    keep(tmp_path / "left.sgf", game.record())
    engine.set_chooser(chooser_at(0))
    found = load_unfinished(tmp_path / "left.sgf")
    assert found is not None and (found.level, found.rank, found.colors) == (None, "", {BLACK, WHITE})  # nobody plays at that rank there
    game.colors = {BLACK}
    game.set_rank("8k")
    keep(tmp_path / "left.sgf", game.record())
    engine.set_chooser(chooser_at(0))
    found = load_unfinished(tmp_path / "left.sgf")
    assert found is not None and (found.rank, found.as_text()) == ("8k", "a game of 1 move on 5x5 against rank 8k")


def test_an_unfinished_game_is_kept_with_its_level_and_colors(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "state" / "unfinished.sgf"
    assert load_unfinished(path) is None
    engine.set_chooser(chooser_at(2))
    try:
        game = play(engine, {WHITE}, "quit")
        assert "the next" in keep(path, game.record())
    finally:
        engine.set_chooser(chooser_at(0))
    found = load_unfinished(path)
    assert found is not None and (found.colors, found.level, found.komi) == ({WHITE}, 2, engine.state.komi)
    assert found.as_text() == "a game of 1 move on 5x5 against level 2"
    path.write_text("nonsense")
    assert load_unfinished(path) is None
    assert "cannot be saved" in keep(path / "below a file", "")


@pytest.mark.parametrize("name", ["level 0", "level 21", "level 99999", f"level {'9' * 5_000}", "99k"])
def test_a_strength_that_there_is_not_is_not_taken_from_the_kept_game(name: str, tmp_path: Path) -> None:
    (tmp_path / "left.sgf").write_text(f"(;SZ[9]PB[person]PW[gtp_engine, {name}];B[cc])")
    unfinished = load_unfinished(tmp_path / "left.sgf")
    assert unfinished is not None and unfinished.level is None
    configuration = Configuration()
    take_strength(unfinished, configuration)
    assert configuration.settings["level"].source == configuration.settings["rank"].source == DEFAULT


def test_only_one_process_at_a_time_has_the_kept_game(tmp_path: Path) -> None:
    path, told = tmp_path / "state" / "left.sgf", list[str]()
    with claimed(path, pytest.fail) as first, claimed(path, told.append) as second:
        assert (first, second) == (path, None)
        assert len(told) == 1 and "this game is not kept" in told[0]
    with claimed(path, pytest.fail) as third:
        assert third == path


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--level", "3"], "--level: there are none in hexapawn"),
        (["--rank", "12k"], "--rank: there are none in hexapawn"),
        (["--human-rank", "12k", "--network", "x.bin.gz"], "--human-rank: there are none in hexapawn"),
        (["--handicap", "2"], "--handicap: there is none in hexapawn"),
        (["--komi", "0.5"], "--komi is for go"),
        (["--warn-blunders"], "--warn-blunders is for go"),
    ],
)
def test_what_only_go_has_is_refused_in_other_games(options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["play", "--game", "hexapawn", *options])
    assert sentence in capsys.readouterr().err


def test_a_rank_from_the_users_file_is_for_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.toml").write_text('rank = "12k"\n')
    monkeypatch.setenv("GTP_ENGINE_CONFIG", str(tmp_path / "own.toml"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    main(["play", "--game", "hexapawn"])
    assert "--rank" not in capsys.readouterr().err


class Terminal:
    """`gtp-engine play` at a terminal of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.master, terminal = os.openpty()
        command = [sys.executable, "-P", "-m", "gtp_engine", "play", "--plain", "--evaluator", "playouts"]
        command += ["--set", "reading_share=0", *options]
        environment = os.environ | {"XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, start_new_session=True, preexec_fn=own_terminal
        )
        os.close(terminal)
        self.seen = ""

    def until(self, text: str) -> str:
        """Read until this text was written; what was written since the last call."""
        while text not in self.seen:
            assert select.select([self.master], [], [], 120.0)[0], f"{text!r} was not written: {self.seen!r}"
            self.seen += os.read(self.master, 1000).decode()
        before, _, self.seen = self.seen.partition(text)
        return before

    def type(self, line: str) -> None:
        """As a person does; Ctrl-C is `\x03`."""
        os.write(self.master, line.encode())


def own_terminal() -> None:
    """Make stdin the terminal that sends this process its Ctrl-C."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests that run in the background inherit that it is ignored


def test_ctrl_c_moves_at_once_twice_leaves_and_the_next_start_goes_on(tmp_path: Path) -> None:
    first = Terminal(tmp_path, "--seconds", "3000", "--size", "7")
    first.until("black>")
    first.type("d4\r")
    first.until("Thinking.")
    time.sleep(0.5)  # the search may begin; if not, it ends when it does
    first.type("\x03")
    first.until("Move 2, white")
    first.until("black>")
    time.sleep(1)  # Python's input() writes the prompt first; a Ctrl-C before it reads waits for the next key
    first.type("\x03")
    first.until("the next `gtp-engine play` offers to continue it")
    assert first.process.wait(60) == 130
    second = Terminal(tmp_path, "--seconds", "3000")
    assert "a game of 2 moves on 7x7" in second.until("[Y/n]")
    second.type("\r")
    second.until("black>")
    second.type("a1\r")  # nobody has played there
    second.until("Thinking.")
    time.sleep(0.5)
    second.type("\x03")
    time.sleep(0.3)  # two at the same moment count once
    second.type("\x03")
    second.until("the next `gtp-engine play` offers")
    assert second.process.wait(60) == 130
    third = Terminal(tmp_path)
    third.until("[Y/n]")
    third.type("\x04")  # Ctrl-D answers nothing
    third.until("\n")
    assert third.process.wait(60) == 0 and "Traceback" not in third.seen
    fourth = Terminal(tmp_path)
    fourth.until("[Y/n]")
    fourth.type("n\r")
    fourth.until("black>")
    fourth.type("quit\r")
    assert fourth.process.wait(60) == 0
    assert list(tmp_path.rglob("*.sgf")) == []
