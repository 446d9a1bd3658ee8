"""The kinds of positions that are chosen for labels: late ones, finished games, fights cut out of games, unlikely moves."""

from pathlib import Path

import numpy as np
import pytest
from conftest import draw_game
from kata_blocks import Residual
from kata_twin import Twin
from test_kata_labels import random_game, write_records

from gtp_engine.cli.main import main
from gtp_engine.cli.options.training import MIX
from gtp_engine.engine.network.katago import conversion
from gtp_engine.go.life import safe_area
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, from_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.choice import UNLIKELY, ChoiceParams, PositionChooser, unlikely_child
from gtp_engine.learning.training.katago.fights import cut_out
from gtp_engine.learning.training.katago.labels import read_labels
from gtp_engine.learning.training.katago.position_search import game_of
from gtp_engine.learning.training.katago.position_sources import FINISHED, LATE, GamePositions
from gtp_engine.learning.training.katago.positions import NetworkAnswer, RecordPosition
from gtp_engine.learning.training.records import RESIGNED, Records
from gtp_engine.learning.training.set_up import set_up_moves

pytestmark = pytest.mark.usefixtures("jobs_here")
PASSED = 81

# A fight on the right, stones elsewhere.
FIGHT = """
    . . . . . . . . .
    . . O . . X . . .
    . . . . . . X O .
    . . . . . X O . .
    . . . . . X O . .
    . . . . . . X O .
    . . . . . X . . .
    . . X . . . . . .
    . . . . . . . . .
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Converted networks go into a folder of the test's own."""
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")


def source(margin: float) -> GamePositions:
    """One game of 20 moves and two passes, with this margin."""
    game = random_game(9, CHINESE, 20, 3)
    moves = np.array([*(place_of(point, 9) for _, point in game.moves), PASSED, PASSED], np.uint16)
    one = np.ones(1)
    return GamePositions("game", Records(9, moves, np.array([22], np.uint16), one.astype(np.int8), one * margin, one * 7.0))


def numbers(margin: float, kind: str) -> set[int]:
    """The numbers of moves of drawn positions of this kind."""
    random, games = np.random.default_rng(1), source(margin)
    return {len(games.draw(random, kind).position.moves) for _ in range(100)}


def test_late_positions_are_from_the_last_quarter() -> None:
    assert numbers(RESIGNED, LATE) == set(range(16, 23))


def test_finished_games_end_with_at_most_one_pass() -> None:
    assert numbers(3.5, FINISHED) == {20, 21}
    assert numbers(RESIGNED, FINISHED) == set(range(16, 23))  # nobody knows that it was finished


def test_finished_games_get_no_more_moves_and_no_second_pass() -> None:
    chooser, random = PositionChooser([source(3.5)], (), ChoiceParams(children=82, finished=1.0, late=0.0)), np.random.default_rng(2)
    even = np.full(82, 1 / 82)
    answer = NetworkAnswer(even, even, 0.5, 0.0, np.zeros(81, np.float32))
    for _ in range(20):
        position = chooser.draw(random).position
        assert len(position.moves) in (20, 21)
        passes = [child.moves[-1] == PASSED for child in chooser.children_of(random, position, answer)]
        assert sum(passes) == (0 if position.moves[-1] == PASSED else 1)


def test_a_finished_game_with_an_illegal_move_is_not_taken() -> None:
    damaged = source(3.5)
    damaged.records.moves[12] = damaged.records.moves[11]  # a stone on a stone
    chooser = PositionChooser([damaged], (), ChoiceParams(finished=1.0, late=0.0, fights=0.0))
    with pytest.raises(TrainingError, match="hardly any position can be reached by legal moves"):
        chooser.draw(np.random.default_rng(2))


def fight_position() -> RecordPosition:
    """FIGHT as set-up stones, and two moves in it."""
    stones = draw_game(FIGHT).setup_stones
    moves = [*set_up_moves(stones, 9, BLACK), *(place_of(from_vertex(name, 9), 9) for name in ("J6", "H5"))]
    return RecordPosition(9, np.array(moves, np.uint16), 7.0, CHINESE, placed=len(moves) - 2)


def test_a_fight_stays_and_all_else_is_settled() -> None:
    position = fight_position()
    before = game_of(position)
    cut = [found for seed in range(30) if (found := cut_out(np.random.default_rng(seed), position)) is not None]
    assert len(cut) > 5 and len({found.moves.tobytes() for found in cut}) > 3
    for found in cut:
        after = game_of(found)
        assert (found.placed, after.to_play, after.moves) == (len(found.moves), before.to_play, [])
        safe = safe_area(after, BLACK) | safe_area(after, WHITE)
        fight = set(board_points(9)) - safe
        assert {from_vertex("J6", 9), from_vertex("H5", 9)} & fight
        assert all(after.color_at(point) == before.color_at(point) for point in fight)
        assert {before.color_at(point) for point in fight} == {BLACK, WHITE, EMPTY}
        assert abs(found.komi) <= 81 and found.komi % 1 == 0.5


def test_there_is_no_fight_without_recent_stones_or_on_a_small_board() -> None:
    start = RecordPosition(9, np.zeros(0, np.uint16), 7.0, CHINESE)
    small = RecordPosition(5, np.array([12, 13, 7], np.uint16), 7.0, CHINESE)
    lonely = RecordPosition(9, np.array([0, 80], np.uint16), 7.0, CHINESE)
    for seed in range(10):
        assert all(cut_out(np.random.default_rng(seed), position) is None for position in (start, small, lonely))


def test_an_unlikely_child_is_one() -> None:
    position = RecordPosition(9, np.array([40], np.uint16), 7.0, CHINESE)
    policy = np.full(82, UNLIKELY / 2)
    policy[:50] = 0.0
    policy[60] = 1.0 - policy.sum()
    answer = NetworkAnswer(policy, policy, 0.5, 0.0, np.zeros(81, np.float32))
    random = np.random.default_rng(1)
    chooser = PositionChooser([source(3.5)], (), ChoiceParams(family_share=0.0, unlikely=1.0))
    families = [chooser.families_of(random, position, answer, None) for _ in range(500)]
    moves = {int(child.moves[-1]) for ((child,),) in families}
    assert moves == {*range(50, 82)} - {60}
    sure = NetworkAnswer(np.eye(82)[3], policy, 0.5, 0.0, np.zeros(81, np.float32))
    assert unlikely_child(random, position, sure) == []


def test_the_command_line_has_the_same_shares() -> None:
    params = ChoiceParams()
    assert {kind: getattr(params, kind) for kind in MIX} == MIX


def test_the_mix_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Twin(12, (Residual,)).save(tmp_path / "teacher")
    write_records(tmp_path / "records.npz", 20)  # of 12 moves
    words = ["train", "label", "records.npz", "--network", "teacher.bin.gz", "--positions", "32", "--cache", "unpacked"]
    assert main([*words, "--family-share", "0", "--mix", "late=1,finished=0,fights=0,unlikely=1"]) == 0
    arrays = read_labels(tmp_path / "labels.npz").arrays
    assert arrays["number"].min() == 9
    capsys.readouterr()
    for mix, says in (
        ("late=2", "is not a list of kinds (late, finished, fights, unlikely) with shares from 0 to 1"),
        ("early=0.5", "is not a list of kinds"),
        ("late", "is not a list of kinds"),
        ("late=0.6,fights=0.6", "late, finished and fights are more than 1 together"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main([*words, "--mix", mix])
        assert says in capsys.readouterr().err
