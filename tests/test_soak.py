"""The soak test itself: a few games pass, and each thing that it looks for is noticed."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import PASS, RESIGN, opponent


@pytest.fixture
def soak(repository: Path) -> ModuleType:
    """tests/tools/selfplay.py as a module."""
    spec = importlib.util.spec_from_file_location("selfplay", repository / "tests" / "tools" / "selfplay.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["selfplay"] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


class Cheat(Engine):
    """An engine that goes wrong in one of several ways."""

    way = ""

    def genmove(self, color: int, *args: Any, **options: Any) -> int:
        """See `way`."""
        if self.way == "another move":
            super().genmove(color, *args, **options)
            return PASS if self.game.moves[-1][1] != PASS else self.game.legal_points(color)[0]
        if self.way == "illegal":
            self.game.play(color, PASS)
            return self.game.stones(opponent(color))[0]
        if self.way == "resign and play":
            self.game.play(color, PASS)
            return RESIGN
        point = super().genmove(color, *args, **options)
        if self.way == "damage":
            self.game.positions[0]["hash"] ^= 1
        return point


@pytest.mark.parametrize("way", ["another move", "illegal", "resign and play", "damage", ""])
def test_a_wrong_move_is_noticed(way: str, soak: ModuleType) -> None:
    engine = Cheat(SearchParams(playouts=5, seed=1, memory=16, threads=1), size=5)
    engine.state.play(engine.game.to_play, 63)
    engine.way = way
    if not way:
        assert soak.play_move(engine) == engine.game.moves[-1][1]
        return
    with pytest.raises(soak.ViolationError):
        soak.play_move(engine)


def test_lost_memory_is_noticed(soak: ModuleType) -> None:
    tally = soak.Tally(games=100)
    soak.watch_memory(tally)
    assert tally.settled_mb == soak.resident_mb() > 10
    tally.games = 200
    soak.watch_memory(tally)
    tally.settled_mb -= 2 * soak.GROWTH_MB
    with pytest.raises(soak.ViolationError, match="memory has grown"):
        soak.watch_memory(tally)


@pytest.mark.slow
def test_a_game_is_made_by_its_seed_alone(soak: ModuleType) -> None:
    """So that a violation can be played again."""
    records = []
    for earlier in (1, 3):
        engine, tally = Engine(SearchParams(playouts=1, seed=1, memory=16, threads=1)), soak.Tally()
        soak.play_game(engine, earlier, tally)
        soak.play_game(engine, 7, tally)
        records.append(engine.state.sgf())
        assert tally.games == 2 and tally.moves >= 2 * 10
    assert records[0] == records[1]


@pytest.mark.slow
def test_a_short_soak(repository: Path) -> None:
    command = [sys.executable, str(repository / "tests" / "tools" / "selfplay.py"), "--games", "2"]
    process = subprocess.run(command, capture_output=True, text=True, cwd=repository)
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout.startswith("2 games (")


def test_help_has_examples(repository: Path) -> None:
    command = [sys.executable, str(repository / "tests" / "tools" / "selfplay.py")]
    process = subprocess.run([*command, "--help"], capture_output=True, text=True, cwd=repository)
    assert process.returncode == 0 and "examples:" in process.stdout
    assert subprocess.run([*command, "--games", "0"], capture_output=True, cwd=repository).returncode == 2
