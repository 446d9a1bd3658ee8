"""How the players see a position: the greedy one by rule, the others by what they find."""

import xml.etree.ElementTree as ElementTree

import pytest
from conftest import draw_game, draw_marks
from review_samples import FIGHT, PARAMS, fight_record, record_of

from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex
from gtp_engine.review.explain import PLAYERS, ExplainSettings, Explanation, as_table, explain
from gtp_engine.review.rollouts import Rollouts, greedy_shares, random_shares, sensible_moves
from gtp_engine.review.tree_top import search_tree

QUICK = ExplainSettings(first_look=6, rollouts=60, simulations=600)


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    """The fight of review_samples, in which Black passed."""
    return explain(record_of(fight_record("pass")), 1, PARAMS, QUICK)


def test_the_greedy_player_takes_the_most_stones() -> None:
    drawing = """
        a O X . .
        O O X . .
        X X X . .
        . X O b .
        . . X . .
    """
    game, marks = draw_game(drawing, BLACK), draw_marks(drawing)
    assert greedy_shares(game, BLACK, sensible_moves(game, BLACK)) == {marks["a"]: 1.0}


def test_the_greedy_player_saves_what_it_can() -> None:
    """The stone on the left can't be saved by extending, the one on the right can."""
    drawing = """
        X O . . .
        a O . . .
        O . . O .
        . . O X b
        . . . O .
    """
    game, marks = draw_game(drawing, BLACK), draw_marks(drawing)
    assert game.color_at(marks["b"]) == 0
    assert greedy_shares(game, BLACK, sensible_moves(game, BLACK)) == {marks["b"]: 1.0}


def test_without_a_fight_the_greedy_player_is_a_random_one() -> None:
    game = draw_game(". . .\n. X .\n. . .", WHITE)
    moves = sensible_moves(game, WHITE)
    assert len(moves) == 8
    assert greedy_shares(game, WHITE, moves) == random_shares(moves) == dict.fromkeys(moves, 0.125)


def test_own_eyes_are_no_moves_and_without_moves_there_is_a_pass() -> None:
    drawing = """
        . X .
        X X X
        . X .
    """
    assert sensible_moves(draw_game(drawing, BLACK), BLACK) == [PASS]


def test_rollouts_know_who_won() -> None:
    """Both policies give the fight to whoever plays on E5; the win rate is of that player."""
    game = draw_game(FIGHT, BLACK)
    for policy in ("light", "heavy"):
        arms = [Rollouts(game, BLACK, from_vertex(vertex, 7), policy, 1) for vertex in ("E5", "A1")]
        for arm in arms:
            arm.run(100, 0.5)
            assert arm.count == 100
        taken, missed = arms
        assert taken.win_rate > missed.win_rate and taken.lead > missed.lead


def test_the_tree_s_top_adds_up() -> None:
    top = search_tree(draw_game(FIGHT, BLACK), BLACK, 0.5, PARAMS, 500, 1)
    assert top.best_moves(1) == [from_vertex("E5", 7)]
    visits = [top.visits(point) for point in top.best_moves(100)]
    assert sum(visits) == 500 and visits == sorted(visits, reverse=True)
    assert top.win_rate(PASS) is None or top.visits(PASS) > 0


def test_everybody_sees_the_capture(explanation: Explanation) -> None:
    assert (explanation.number, explanation.color, explanation.played) == (1, BLACK, "pass")
    assert {explanation.preferences[player] for player in ("greedy", "heavy", "tree")} == {"E5"}
    assert explanation.preferences["random"] == "any"
    views = {view.vertex: view for view in explanation.views}
    assert views["E5"].greedy == 1.0 and views["E5"].reason
    assert {"E5", "pass"} <= views.keys()


def test_the_table_names_every_player(explanation: Explanation) -> None:
    lines = as_table(explanation).splitlines()
    assert lines[0].startswith("before move 1, black to play")
    assert len(lines) == 2 + len(explanation.views) + 2
    assert all(f"{player} " in lines[-2] for player in PLAYERS)
    assert [line for line in lines if line.startswith("pass*")]


def test_the_picture_shows_the_best_line(explanation: Explanation) -> None:
    root = ElementTree.fromstring(explanation.picture)
    labels = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any(label.startswith("E5: ") for label in labels)


def test_the_last_position_has_no_move_that_was_played() -> None:
    record = record_of(fight_record("E5"))
    assert explain(record, 99, PARAMS, QUICK).number == 2
    assert explain(record, 99, PARAMS, QUICK).played == ""
