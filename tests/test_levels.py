"""Levels: the table, what comes to mind, how a level plays and ends games, and how it is chosen."""

import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from conftest import Client, load_script
from drawings import ONE_POINT_LEFT

from gtp_engine.cli.main import main
from gtp_engine.engine.config.front_end import HIGHEST_LEVEL
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.levels.chooser import chooser_at
from gtp_engine.engine.player.levels.table import ALL, LEVELS, Level, level_of
from gtp_engine.engine.player.levels.view import line_of, moves_in_view
from gtp_engine.engine.player.move_chooser import FULL_STRENGTH
from gtp_engine.engine.player.textbook_chooser import TextbookChooser
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, from_vertex, opponent
from gtp_engine.go.rules import TROMP_TAYLOR
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.tools.match.elo import Tally
from gtp_engine.tools.match.results import load_records

pytestmark = pytest.mark.usefixtures("jobs_here")

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]
DRAWS = 60

SETTLED = """
    . X O . .
    X X O . O
    . X O O .
    X X O X .
    . X O O O
"""  # area: Black 10, White 15 with the dead stone taken

CAPTURE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . O O O . . .
    . . O X X b a . .
    . . . O O O . . .
    . . . . X . . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def engine_at(game: Game, level: int, komi: float = 7.5, **changes: object) -> Engine:
    """An engine of that level that stands at `game`."""
    options: dict[str, object] = {"seed": 1, "memory": 16, "resign": False, "evaluator": "playouts"}  # as at every level
    params = SearchParams(**(options | changes))  # type: ignore[arg-type]  # any field
    engine = Engine(params, game.rules, komi, game.size, chooser_at(level))
    engine.state.set_game(game)
    return engine


def seeing(view: float) -> Level:
    """A level with this view."""
    return Level(simulations=0, view=view)


def look_at(game: Game) -> SearchResult:
    """A short search of the whole board."""
    return engine_at(game, FULL_STRENGTH).examine(game.to_play, Limits(simulations=32))


def first_moves(engine: Engine, count: int) -> list[int]:
    """The first moves of a game of the engine against itself."""
    color, moves = BLACK, []
    for _ in range(count):
        moves.append(engine.genmove(color))
        color = opponent(color)
    return moves


# ---------------------------------------------------------------- the table


def test_a_higher_level_never_sees_or_thinks_less() -> None:
    assert len(LEVELS) == HIGHEST_LEVEL == 20
    for lower, upper in itertools.pairwise(LEVELS):
        assert lower != upper
        assert upper.simulations >= lower.simulations
        assert upper.view == ALL or (lower.view != ALL and upper.view >= lower.view)
        assert upper.eye >= lower.eye
        assert upper.model_bonus >= lower.model_bonus


@pytest.mark.parametrize("number", [-1, 0, 21])
def test_there_is_no_other_level(number: int) -> None:
    with pytest.raises(ValueError, match=f"level must be between 1 and 20, not {number}"):
        level_of(number)


# ---------------------------------------------------------------- what comes to mind


@pytest.mark.parametrize("size", [9, 19])
def test_nobody_thinks_of_the_first_line_in_the_opening(size: int) -> None:
    game = Game(size)
    for vertex in ("D3", "C6", "B2"):
        game.play(game.to_play, from_vertex(vertex, size))
    look, random = look_at(game), np.random.default_rng(1)
    seen = [point for _ in range(DRAWS) for point in moves_in_view(game, look, seeing(4), random)]
    assert len(seen) == 4 * DRAWS
    assert min(line_of(game, point) for point in seen) >= 2


def test_what_looks_good_comes_to_mind_more_often(diagram: Diagram, marks: Marks) -> None:
    """Taking the three stones that have just run into atari."""
    game = diagram(CAPTURE, BLACK)
    game.play(BLACK, marks(CAPTURE)["b"])
    look, random = look_at(game), np.random.default_rng(1)
    counts = Counter(point for _ in range(DRAWS) for point in moves_in_view(game, look, seeing(1), random))
    assert counts.most_common(1)[0][0] == marks(CAPTURE)["a"]
    assert len(counts) > 3  # and other moves now and then


def test_a_view_is_a_mean() -> None:
    game = Game(9)
    look, random = look_at(game), np.random.default_rng(1)
    sizes = Counter(len(moves_in_view(game, look, seeing(2.25), random)) for _ in range(200))
    assert set(sizes) == {2, 3}
    assert 30 <= sizes[3] <= 70


def test_there_is_always_something_in_view(diagram: Diagram) -> None:
    """Where everything is settled, anything comes to mind before nothing does."""
    game = diagram(SETTLED, BLACK)
    assert len(moves_in_view(game, look_at(game), seeing(2), np.random.default_rng(1))) == 2


# ---------------------------------------------------------------- how a level plays


def test_without_a_level_the_engine_is_the_engine() -> None:
    params = SearchParams(playouts=80, seed=3, memory=16, threads=1)
    assert first_moves(Engine(params, size=9, chooser=chooser_at(FULL_STRENGTH)), 6) == first_moves(Engine(params, size=9), 6)


@pytest.mark.parametrize("level", [1, 12])
def test_a_level_plays_the_same_whatever_the_machine_and_its_limits(level: int) -> None:
    """More threads, other limits, pondering: none changes a move."""
    one = engine_at(Game(9), level, threads=1)
    other = engine_at(Game(9), level, threads=3, playouts=5000, ponder=True, policy="light", model_bonus=1.0)
    assert first_moves(one, 8) == first_moves(other, 8)


def test_another_seed_is_another_game() -> None:
    assert len({tuple(first_moves(engine_at(Game(9), 5, seed=seed), 6)) for seed in (1, 2, 3)}) == 3


def test_a_poorer_eye_misses_what_looks_good(diagram: Diagram, marks: Marks) -> None:
    """Of all moves, the capture comes to mind seldom without an eye for it, and mostly with one."""
    game = diagram(CAPTURE, BLACK)
    game.play(BLACK, marks(CAPTURE)["b"])
    look, random = look_at(game), np.random.default_rng(1)
    seen = [
        sum(marks(CAPTURE)["a"] in moves_in_view(game, look, Level(0, 1.0, eye), random) for _ in range(DRAWS)) for eye in (0.0, 1.0, 3.0)
    ]
    assert seen[0] < DRAWS / 4 and seen[0] < seen[1] < seen[2]


@pytest.mark.parametrize("level", [1, 15, 18])
def test_a_level_runs_its_simulations(level: int) -> None:
    engine = engine_at(Game(9), level)
    engine.genmove(BLACK)
    assert engine.last_result is not None
    assert engine.last_result.simulations == LEVELS[level - 1].simulations


def test_parameters_set_under_a_level_hold_when_it_is_left() -> None:
    engine = engine_at(Game(9), 3)
    engine.set_params(SearchParams(playouts=77, memory=17, threads=2, nakade=0.3))
    assert (engine.params.playouts, engine.params.nakade, engine.params.memory) == (LEVELS[2].simulations, SearchParams().nakade, 17)
    engine.set_chooser(chooser_at(FULL_STRENGTH))
    assert (engine.params.playouts, engine.params.nakade, engine.params.threads) == (77, 0.3, 2)


def test_a_wrong_level_changes_nothing() -> None:
    engine = engine_at(Game(9), 3)
    with pytest.raises(ValueError, match="not 21"):
        engine.set_chooser(chooser_at(21))
    assert (engine.chooser.level, engine.params.playouts) == (3, LEVELS[2].simulations)


# ---------------------------------------------------------------- how it ends games


@pytest.mark.parametrize("level", [1, 4, 9])
def test_every_level_passes_when_the_game_is_over(level: int, diagram: Diagram) -> None:
    assert engine_at(diagram(SETTLED, WHITE), level, 0.5).genmove(WHITE) == PASS


@pytest.mark.parametrize("seed", range(1, 9))
def test_no_absurd_moves_in_a_won_endgame(seed: int, diagram: Diagram, marks: Marks) -> None:
    """Nothing inside anybody's territory while a neutral point is left."""
    move = engine_at(diagram(ONE_POINT_LEFT, BLACK), 1, -9.5, seed=seed).genmove(BLACK)
    assert move in (marks(ONE_POINT_LEFT)["a"], PASS)


def test_the_one_move_that_matters_stays_in_view(diagram: Diagram, marks: Marks) -> None:
    """However often the look has played it: in all its other lines the point is still open."""
    game = diagram(ONE_POINT_LEFT, BLACK)
    look = engine_at(game, 1, -9.5).examine(BLACK, Limits(simulations=32))
    point = marks(ONE_POINT_LEFT)["a"]
    assert moves_in_view(game, look, seeing(3), np.random.default_rng(1)) == {point}


@pytest.mark.parametrize("level", [1, 2])
def test_the_lowest_levels_do_not_pass_in_the_middle_of_the_game(level: int) -> None:
    assert PASS not in first_moves(engine_at(Game(9), level), 24)


def test_a_level_captures_what_must_be_captured(diagram: Diagram) -> None:
    """Where dead stones count as alive, the lowest level takes them off before it passes."""
    engine = engine_at(diagram(SETTLED, WHITE, TROMP_TAYLOR), 1, -2.5)
    for _ in range(6):
        engine.state.play(BLACK, PASS)
        if engine.genmove(WHITE) == PASS:
            break
    assert engine.score() < 0


def test_cleanup_takes_the_dead_stones_off(diagram: Diagram, marks: Marks) -> None:
    engine = engine_at(diagram(SETTLED, WHITE), 1)
    moves = [engine.genmove_cleanup(WHITE)]
    while moves[-1] != PASS:
        engine.state.play(BLACK, PASS)
        moves.append(engine.genmove_cleanup(WHITE))
    assert len(moves) > 1
    assert not engine.verdict().dead


@pytest.mark.parametrize("level", [1, 12])
def test_a_level_resigns_a_lost_game(level: int, diagram: Diagram) -> None:
    """And not one that is far from lost."""
    lost = engine_at(diagram(ONE_POINT_LEFT, BLACK), level, 30.5, resign=True, resign_moves=1, resign_after=0.0)
    assert lost.genmove(BLACK) == RESIGN
    even = [engine_at(Game(9), level, seed=seed, resign=True, resign_moves=1, resign_after=0.0) for seed in (1, 2, 3)]
    assert RESIGN not in [engine.genmove(BLACK) for engine in even]


# ---------------------------------------------------------------- how it is chosen


@pytest.fixture
def client() -> Client:
    """A client of an engine with levels."""
    return Client(EngineLoader(lambda: Engine(SearchParams(playouts=60, seed=1, memory=16, threads=1), size=9)))


def test_the_command(client: Client) -> None:
    assert client.ok("level") == "0"
    assert client.ok("level 7") == ""
    assert client.ok("level") == "7"
    assert f"playouts {LEVELS[6].simulations}" in client.ok("gtp_engine-param")
    assert client.fails("level 21") == "level must be between 1 and 20, not 21"
    assert client.fails("level x") == "syntax error"
    assert client.ok("level") == "7"
    client.ok("level 0")
    assert "playouts 60" in client.ok("gtp_engine-param")


def test_a_level_may_change_in_the_middle_of_a_game(client: Client) -> None:
    client.ok("genmove b")
    client.ok("level 2")
    client.ok("genmove w")
    assert len(client.ok("move_history").splitlines()) == 2


def test_the_players_of_the_textbook_have_no_levels() -> None:
    client = Client(EngineLoader(lambda: Engine(SearchParams(memory=16, threads=1), size=9, chooser=TextbookChooser("random"))))
    assert client.fails("level 3") == "this player has no levels"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--level", "21"], "level must be between 0 and 20, not 21; the nearest is 20"),
        (["--level", "easy"], "'easy' is not a whole number"),
        (["--level", "5", "--playouts", "100"], "--level 5 has its own number of visits; leave out --visits or --level"),
        (["--level", "5", "--player", "greedy"], "--level 5: the player greedy has no levels; leave out one of the two"),
    ],
)
def test_options_that_contradict_a_level_are_refused(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["gtp", *options])
    assert ending.value.code == 2
    assert message in capsys.readouterr().err


# ---------------------------------------------------------------- strength


@pytest.fixture
def measuring(repository: Path) -> ModuleType:
    """docs/figures/measure_levels.py."""
    return load_script(repository / "docs" / "figures" / "measure_levels.py")


def test_every_step_is_measured_and_one_rating_holds_for_all(measuring: ModuleType) -> None:
    groups = measuring.EVERY_LEVEL
    linked = set(groups[0])
    for _ in groups:
        linked |= {member for group in groups if linked & set(group) for member in group}
    assert linked == {*range(1, len(LEVELS) + 1), *measuring.GNU_GO}
    assert all(any({lower, lower + 1} <= set(group) for group in groups) for lower in range(1, len(LEVELS)))


def test_the_table_of_a_measurement(measuring: ModuleType) -> None:
    """Wins make a rating, the anchor has its own, and the step tells how sure it is."""
    tallies = {("level 1", "level 2"): Tally(5, 0, 20), ("level 2", "GNU Go 10"): Tally(10, 0, 10)}
    lines = list(measuring.table_lines(tallies))
    assert lines[2].startswith(f"| level 1 | {LEVELS[0].simulations} | 1 | 0 |  | 15")
    assert lines[3].startswith(f"| level 2 | {LEVELS[1].simulations} | 1 | {LEVELS[1].eye:g} |  | 1800 | 1648 .. 1952 | +24")
    assert lines[4] == "| GNU Go 10 |  |  |  |  | 1800 | anchor |  | 20 |"
    assert measuring.summary(tallies, 0) == (
        "45 games, 0 lost by a fault. Of 1 steps from a level to the next, 1 go up, 1 of them by more than 2 standard deviations."
    )


@pytest.mark.slow
def test_levels_are_measured_by_jobs_and_go_on_where_they_were(
    measuring: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two weak levels, two games at once; then more games, of which the first two are not played again."""
    monkeypatch.setattr(measuring, "EVERY_LEVEL", ((1, 2),))
    monkeypatch.chdir(tmp_path)  # which main leaves
    for games, jobs in (("2", "1"), ("4", "2")):
        words = ["measure_levels.py", "--games", games, "--jobs", jobs, "--output", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", words)
        before = {record.number: record.began for record in load_records(tmp_path / "9x9" / "1-2")}
        assert measuring.main() == 0
        records = load_records(tmp_path / "9x9" / "1-2")
        assert sorted(record.number for record in records) == list(range(int(games)))
        assert {record.number: record.began for record in records}.items() >= before.items()
    assert "4 games, 0 lost by a fault" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", [*words[:2], "6", "--ray", "127.0.0.1:1", "--output", str(tmp_path)])
    assert measuring.main() == 2
    assert "\nmeasure_levels.py: --ray " in capsys.readouterr().err


def test_the_tables_of_the_document_are_of_these_levels(measuring: ModuleType, repository: Path) -> None:
    document = (repository / "docs" / "levels.md").read_text(encoding="utf-8")
    for number, sight in re.findall(r"^\| level (\d+) \| ((?:[^|]*\|){3}[^|]*) \|", document, re.M):
        assert sight == measuring.sight_of(level_of(int(number)))


@pytest.mark.slow
def test_levels_far_apart_win_as_they_should() -> None:
    """Five pairs of games on 9x9; the table in docs/levels.md is made from many more."""
    engines = [engine_at(Game(9), level) for level in (2, 12)]
    wins = 0
    for seed in range(1, 11):
        strong_color = BLACK if seed % 2 else WHITE
        for engine in engines:
            engine.state.clear_board()
            engine.seed = seed
        wins += winner_of(engines[1], engines[0], strong_color) == strong_color
    assert wins >= 9


def winner_of(one: Engine, other: Engine, color: int) -> int:
    """Who wins a game in which `one` has `color`."""
    to_play, passes = BLACK, 0
    while passes < 2:
        mover, waiter = (one, other) if to_play == color else (other, one)
        move = mover.genmove(to_play)
        waiter.state.play(to_play, move)
        passes = passes + 1 if move == PASS else 0
        to_play = opponent(to_play)
    return BLACK if one.score() > 0 else WHITE
