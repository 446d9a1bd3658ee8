"""Reading in a game: what the solver proves of fights enters the search, and nothing else changes."""

import numpy as np
import pytest
from conftest import draw_game
from drawings import LOST_BESIDE, THROW_IN
from kernels_network import lift_decided
from kernels_policy import survey_first
from readings import MUCH, engine, known, only, read

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.fights import ask, questions
from gtp_engine.engine.player.reading import Reader, Reading, ReadingLimits
from gtp_engine.engine.player.verdict import judge
from gtp_engine.engine.playout.policy import SUGGESTIONS, playout_policy
from gtp_engine.engine.playout.proved_fights import PROVED_FIGHTS
from gtp_engine.engine.playout.survey import SURVEY
from gtp_engine.engine.search.arrays import new_arrays
from gtp_engine.engine.search.facts import look_up_first
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.engine.search.tree import NODE
from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER
from gtp_engine.engine.solver.question import Answer, Budget, Question
from gtp_engine.engine.solver.region import make_region, safe_stones
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, WHITE, from_vertex, opponent

# A fight between chains, two of them of three stones: several answers, some with kos.
RACE = """
    X . X . X X O . .
    X X X X X . . . O
    O X X X X X O . .
    O O X . X X O O .
    O O O X X X . O O
    O O . O X X X X X
    O O O O O X . X .
    O O O O . O X X X
    . O . O O O O O X
"""
# Whoever plays first in the corner wins it. White's wall has the whole board to live in.
CORNER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . O . . O . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    O O O O O . . . .
    X X X X O . . . .
    . X . . O . . . .
"""
# The same corner; the wall has one liberty outside.
CORNER_IN_BLACK = """
    . X . X . X . X .
    X X X X X X X X X
    . X . X . X . X .
    X X X X X X X X X
    . X . X . X . X .
    X X X X X X X X X
    O O O O O X . X .
    X X X X O X X X X
    . X . . O . X . X
"""
# ---------------------------------------------------------------- what is read


def test_an_unsettled_group_is_found_with_the_move_that_decides() -> None:
    game, reading = read(THROW_IN)
    proved = known(game, reading)[0]
    assert (int(proved["winner"]), int(proved["move"])) == (WHITE, from_vertex("H5", 9))
    game.positions[0]["to_play"] = BLACK
    proved = known(game, reading)[0]
    assert (int(proved["winner"]), int(proved["move"])) == (BLACK, from_vertex("H5", 9))


def test_facts_follow_the_fight() -> None:
    game, reading = read(THROW_IN)
    game.play(WHITE, from_vertex("H5", 9))
    assert int(known(game, reading)[0]["winner"]) == WHITE  # whatever Black plays
    game.play(BLACK, from_vertex("G5", 9))
    assert int(known(game, reading)[0]["winner"]) == WHITE


def test_nothing_is_read_on_an_open_board() -> None:
    assert Reader().read(Game(9), MUCH).record[0]["count"] == 0
    assert list(questions(Game(19))) == []


def test_a_reading_is_kept_while_the_fight_stands() -> None:
    game, reader = draw_game(THROW_IN, WHITE), Reader()
    first = reader.read(game, MUCH)
    assert reader.read(game, MUCH) is first
    game.play(WHITE, from_vertex("H5", 9))
    assert reader.read(game, ReadingLimits(nodes=0)) is first
    game.set_up([(BLACK, 21)], WHITE)
    assert len(known(game, reader.read(game, ReadingLimits(nodes=0)))) == 0


def test_a_question_that_was_cut_short_is_asked_again_with_more_nodes() -> None:
    """The chains of the race take about 24,000 nodes, over four questions."""
    game, reader = draw_game(RACE, BLACK), Reader()
    for nodes in (4_000, 7_000):  # the second one is hardly more: other questions get it
        assert len(known(game, reader.read(game, ReadingLimits(nodes=nodes)))) == 0
        assert 8_000 in reader._left_to_ask_again.values()
    assert len(known(game, reader.read(game, MUCH))) == 1


def test_nothing_is_known_when_the_stones_around_have_changed() -> None:
    """A stone beside the region has the other color, as if it had been taken."""
    game, reading = read(THROW_IN)
    reading = only(reading, 0)
    assert len(known(game, reading)) == 1
    beside = int(reading.record[0]["fight"][0]["surrounding"][0])
    game.positions[0]["color"][beside] = opponent(game.color_at(beside))
    assert len(known(game, reading)) == 0


def test_who_wins_by_stones_that_are_lost_themselves_is_not_believed() -> None:
    """The solver takes the stones around a region to live. Here White's would take B8 and B9, and all of them are lost."""
    game, reading = read(LOST_BESIDE)
    target = from_vertex("B8", 9)
    asked = [question for question in questions(game) if target in question.target]
    assert ask(game, asked[0], Budget(20_000)).taken.winner == WHITE
    assert not [row for row in known(game, reading) if target in row["targets"] and row["winner"] == WHITE]


def test_a_fact_is_forgotten_when_the_wall_is_shut_in() -> None:
    game, reading = read(CORNER, BLACK)
    shut_in = draw_game(CORNER_IN_BLACK, BLACK)
    for color in (BLACK, WHITE):
        game.positions[0]["to_play"] = shut_in.positions[0]["to_play"] = color
        assert len(known(game, reading)) == 1
        assert len(known(shut_in, reading)) == (color == BLACK), "White's wall may be taken: nothing that White wins is believed"


def test_a_small_fight_that_waits_for_a_move_counts_for_nobody() -> None:
    """Five stones live or die by the next move; once it is played, they count."""
    game, reading = read(CORNER, BLACK)
    for mover in (BLACK, WHITE):
        game.positions[0]["to_play"] = mover
        proved = known(game, reading)[0]
        assert int(proved["winner"]) == EMPTY and int(proved["target_count"]) == 5
        after = game.copy()
        after.play(mover, int(proved["move"]))
        assert int(known(after, reading)[0]["winner"]) == mover


@pytest.mark.parametrize("drawing", [THROW_IN, RACE])
def test_facts_agree_with_the_solver_asked_afresh(drawing: str) -> None:
    """Random moves in the region: what the table says of who wins is what a new question says, with no ko to be fought."""
    game, reading = read(drawing)
    random, compared = np.random.default_rng(3), 0
    for _ in range(60):
        after = game.copy()
        for _ in range(int(random.integers(1, 5))):
            question = reading.record[0]["fight"][int(random.integers(reading.record[0]["count"]))]
            inside = [int(point) for point in question["points"][: int(question["count"])]]
            legal = [point for point in inside if after.is_legal(after.to_play, point)]
            if legal:
                after.play(after.to_play, int(random.choice(legal)))
        for k in range(int(reading.record[0]["count"])):
            compared += agrees(after, reading, k)
    assert compared > 10


def agrees(game: Game, reading: Reading, k: int) -> bool:
    """Compare what is known of fight `k`, alone, with a fresh question; False when there is nothing to compare."""
    reading = only(reading, k)
    found = known(game, reading)
    if not len(found) or not int(found[0]["is_sure"]):
        return False
    about = reading.record[0]["fight"][0]
    owner, chain = int(about["owner"]), set(game.chain_at(int(about["target"])))
    inside = [int(point) for point in about["points"][: int(about["count"])]]
    playable = {point for point in inside if game.color_at(point) == EMPTY}
    region = make_region(game, chain, opponent(owner), playable, safe_stones(game))
    question = Question(game, region, (CAPTURE, NEITHER), Budget(50_000))
    answer = question.ask(question.start(DEFENDER if game.to_play == owner else ATTACKER))
    if answer is Answer.UNKNOWN:
        return False
    winner = int(found[0]["winner"]) or game.to_play  # nobody gets a small fight that waits for a move
    assert winner == (opponent(owner) if answer is Answer.YES else owner)
    return True


# ---------------------------------------------------------------- what the search makes of it


def test_the_network_finds_the_killing_move_it_is_blind_to() -> None:
    for color in (WHITE, BLACK):
        assert engine(THROW_IN, color, evaluator="mixed", playouts=60).reg_genmove(color) == from_vertex("H5", 9)


@pytest.mark.parametrize(("stones", "is_sure", "share"), [(6, 1, 0.25), (20, 1, 0.25), (2, 1, 0.25 / 3), (6, 0, 0.1), (3, 0, 0.05)])
def test_a_move_gets_prior_by_the_stones_it_decides_about(stones: int, is_sure: int, share: float) -> None:
    nodes, proved_fights = np.zeros(4, NODE), np.zeros(1, PROVED_FIGHTS)
    moves = [from_vertex(vertex, 9) for vertex in ("A1", "B1", "C1")]
    nodes["move"][1:], nodes["probability"][1:] = moves, [0.001, 0.3, 0.699]
    proved_fights[0]["count"], proved = 1, proved_fights[0]["fight"][0]
    proved["move"], proved["is_sure"], proved["target_count"] = moves[0], is_sure, stones
    shared = new_arrays(SearchParams(memory=16), 1).shared
    shared["params"]["proved_share"] = 0.25
    for is_root, expected in ((False, share / 5), (True, share)):
        lift_decided(nodes, 1, 3, shared, is_root, BLACK, proved_fights)
        assert float(nodes[1]["probability"]) == pytest.approx(expected)
        assert float(nodes["probability"].sum()) == pytest.approx(1.0)


def test_few_playouts_are_enough() -> None:
    assert engine(THROW_IN, WHITE, evaluator="playouts", playouts=100).reg_genmove(WHITE) == from_vertex("H5", 9)


def test_without_reading_nothing_is_told() -> None:
    built = engine(THROW_IN, WHITE, evaluator="playouts", playouts=50, reading_share=0.0)
    built.genmove(WHITE, plays=False)
    assert built._search._search._arrays.shared[0]["reading"]["count"] == 0


def test_what_was_read_is_forgotten_with_all_else_that_searches_found() -> None:
    """The last search has no time to read anything itself."""
    built = engine(THROW_IN, WHITE, evaluator="playouts", playouts=300)
    counts = []
    for _ in range(2):
        built.examine(WHITE, Limits(simulations=300))
        counts.append(int(built._search._search._arrays.shared[0]["reading"]["count"]))
        built.clear_search()
    built.examine(WHITE, Limits(seconds=0.01))
    counts.append(int(built._search._search._arrays.shared[0]["reading"]["count"]))
    assert counts[0] == counts[1] > 0 == counts[2]


def test_playouts_that_end_otherwise_are_corrected() -> None:
    """After White's throw-in the group is dead, but playouts let it live every now and then."""
    game, reading = read(THROW_IN)
    game.play(WHITE, from_vertex("H5", 9))
    owned = []
    for is_told in (False, True):
        surveys, positions = np.zeros(1, SURVEY), np.concatenate([game.positions, game.positions[:1]])
        positions[0]["random"] = 1
        if is_told:
            look_up_first(reading.record, reading.facts, game.positions, surveys["proved_fights"])
        survey_first(surveys, 100, 0.5, positions, playout_policy(SearchParams()), np.zeros(1, SUGGESTIONS))
        owned.append(int(surveys[0]["tally"]["ownership"][from_vertex("J5", 9)]))
    assert owned[1] == -100 < owned[0]  # White's in every playout


def test_a_position_without_facts_is_searched_as_without_reading() -> None:
    results = []
    for share in (0.0, 0.15):
        built = Engine(SearchParams(threads=1, memory=16, seed=1, playouts=200, evaluator="playouts", reading_share=share), size=7)
        built.genmove(BLACK, plays=False)
        assert built.last_result is not None
        results.append([(each.point, each.visits) for each in built.last_result.candidates])
    assert results[0] == results[1]


def test_new_arrays_know_of_no_fights() -> None:
    arrays = new_arrays(SearchParams(memory=16), 1)
    assert arrays.shared[0]["reading"]["count"] == 0 and len(arrays.facts) >= 1


# ---------------------------------------------------------------- what is kept when something new is proved


def kept_answers(built: Engine) -> int:
    """How many answers the evaluator of the engine's search keeps."""
    return int(np.count_nonzero(built._search._search._evaluator._answers["key"]))  # type: ignore[attr-defined]


def hits_after_facts(reading: Reading, drawing: str) -> tuple[int, int]:
    """A search of the drawing without reading, then again with `reading`: answers asked for and found in the second one."""
    built = engine(drawing, WHITE, evaluator="mixed", playouts=40, reading_share=0.0)
    built.genmove(WHITE, plays=False)
    search = built._search._search
    before = kept_answers(built)
    assert before > 10
    counts = [int(search._arrays.workspaces[name].sum()) for name in ("asked", "hits")]
    search.set_facts(reading.record, reading.facts)
    assert kept_answers(built) == before
    built.genmove(WHITE, plays=False)
    asked, hits = (int(search._arrays.workspaces[name].sum()) - count for name, count in zip(("asked", "hits"), counts, strict=True))
    return asked, hits


def test_a_new_fact_leaves_the_answers_about_other_positions() -> None:
    """With facts of another fight, of which no leaf knows, most answers are found again: only new leaves are asked for."""
    _, elsewhere = read(RACE)
    asked, hits = hits_after_facts(elsewhere, THROW_IN)
    assert hits > 10 and hits > 3 * asked


def test_an_answer_of_before_a_proof_is_not_taken() -> None:
    """Leaves where the stones around the fight have lost liberties aren't covered by the proof: about those the old answers stay."""
    _, reading = read(THROW_IN)
    asked, hits = hits_after_facts(reading, THROW_IN)
    assert asked > 15 and asked > hits


# ---------------------------------------------------------------- the verdict


def test_an_unsettled_group_keeps_the_game_open() -> None:
    assert not judge(draw_game(THROW_IN, WHITE)).is_settled


def test_a_group_that_is_proved_dead_is_dead() -> None:
    game = draw_game(THROW_IN, WHITE)
    game.play(WHITE, from_vertex("H5", 9))
    assert from_vertex("J5", 9) in judge(game).dead
