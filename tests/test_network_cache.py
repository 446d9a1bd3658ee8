"""What a search makes of the network's answers: orientations, and the cache of answers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand_made import HandMade
from kernels_network import find_in_cache, keep_in_cache
from trees import plain_params, tree_of

from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN
from gtp_engine.engine.network.katago.model import PLANES
from gtp_engine.engine.search.answer import ANSWER, new_answers
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.search.tree import ROOT
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS
from gtp_engine.go.rules import CHINESE, JAPANESE

KOMI = 7.5
Diagram = Callable[..., Game]


def shape_network() -> HandMade:
    """A network whose answer turns with the board: it looks at every point by itself, whatever else is there."""
    weights = np.linspace(-1.0, 1.0, PLANES)

    def points(planes: np.ndarray) -> np.ndarray:
        return np.tensordot(weights, planes, 1)

    return HandMade(points, value=lambda planes: float(planes[OWN].sum() - planes[OPPONENT].sum()))


def search_of(game: Game, simulations: int, backend: HandMade, **changes: Any) -> Search:
    """A search after some simulations."""
    params = plain_params(**changes)
    search = Search(params, backend.evaluator(params))
    search.prepare(game, game.to_play, KOMI)
    search.run(Limits(simulations=simulations))
    return search


LOPSIDED = """
    . X . . .
    . . X O .
    . . X O .
    X . . . O
    . . . . .
"""


def test_what_the_network_says_does_not_depend_on_the_orientation(diagram: Diagram) -> None:
    """With eight orientations at random, the priors of every node are those of the board as it lies."""
    lying: list[dict[int, float]] = []
    turned: list[dict[int, float]] = []
    for seed in range(1, 9):
        for found, symmetry in ((lying, False), (turned, True)):
            search = search_of(diagram(LOPSIDED), 1, shape_network(), symmetry=symmetry, seed=seed)
            children = search._children(ROOT)
            found.append(dict(zip(children["move"].tolist(), children["probability"].tolist(), strict=True)))
    for one, other in zip(lying, turned, strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    assert max(lying[0].values()) > 2 * min(lying[0].values())


def test_the_network_sees_the_board_in_eight_orientations(diagram: Diagram) -> None:
    """LOPSIDED looks different in each of them."""
    questions: list[bytes] = []

    def points(planes: np.ndarray) -> np.ndarray:
        questions.append((planes[OWN] - planes[OPPONENT]).tobytes())
        return np.zeros(planes.shape[1:])

    roots = set()
    for seed in range(1, 60):
        questions.clear()
        search_of(diagram(LOPSIDED), 1, HandMade(points), seed=seed)
        roots.add(questions[0])
    assert len(roots) == 8


def test_a_position_known_is_not_asked_for_again() -> None:
    """No two moves have the same prior, so nothing is left to chance: the second tree is like the first."""
    logits = np.random.default_rng(3).random((5, 5))
    game, backend = Game(5), HandMade(lambda planes: logits)
    search = search_of(game, 100, backend, symmetry=False)
    asked, tree = backend.asked, tree_of(search)
    search.prepare(game, BLACK, KOMI, avoid={(BLACK, PASS): 1})  # another tree of the same position
    search.run(Limits(simulations=100))
    assert backend.asked == asked
    search.clear()
    search.prepare(game, BLACK, KOMI)
    search.run(Limits(simulations=100))
    assert backend.asked >= asked + 90, "forgotten with the tree"
    assert tree.visits == 101


def test_another_komi_and_another_history_are_other_questions() -> None:
    backend, game = shape_network(), Game(5)
    search = search_of(game, 1, backend)
    for komi, expected in ((KOMI, 2), (0.5, 4)):
        search.prepare(game, BLACK, komi)
        search.run(Limits(simulations=1))
        assert backend.asked >= expected
    first, second = Game(5), Game(5)
    for game, order in ((first, (21, 22, 61, 62)), (second, (61, 62, 21, 22))):
        for point in order:
            game.play(game.to_play, point)
    asked = backend.asked
    for game in (first, second):
        search.prepare(game, BLACK, 0.5)
        search.run(Limits(simulations=1))
    assert backend.asked >= asked + 4, "the same stones, played in another order"


def test_other_rules_are_another_question() -> None:
    """KataGo's networks are told the rules. The komi is the same, and nothing but the tree is forgotten, as in an analysis."""
    logits = np.random.default_rng(3).random((5, 5))
    backend = HandMade(lambda planes: logits)
    search = search_of(Game(5, CHINESE), 20, backend, symmetry=False)
    asked = backend.asked
    for rules, expected in ((CHINESE, 0), (JAPANESE, 20)):
        search.forget_tree()
        search.prepare(Game(5, rules), BLACK, KOMI)
        search.run(Limits(simulations=20))
        assert backend.asked >= asked + expected
        assert expected or backend.asked == asked, "known from before"


def test_the_cache_keeps_the_later_of_two_that_share_a_place() -> None:
    cache, answers = new_answers(8), np.zeros(1, ANSWER)
    answers["policy"][0, :3], answers["win"], answers["lead"] = (1.0, 2.0, 3.0), 0.25, -4.0
    keep_in_cache(cache, np.uint64(11), answers)
    found = np.zeros(1, ANSWER)
    assert find_in_cache(cache, np.uint64(11), found)
    assert (found["policy"][0, :3].tolist(), float(found["win"][0]), float(found["lead"][0])) == ([1.0, 2.0, 3.0], 0.25, -4.0)
    assert not find_in_cache(cache, np.uint64(19), found), "the same place, another key"
    keep_in_cache(cache, np.uint64(19), answers)
    assert find_in_cache(cache, np.uint64(19), found) and not find_in_cache(cache, np.uint64(11), found)
    cache["is_claimed"] = 1
    assert not find_in_cache(cache, np.uint64(19), found), "another thread is at it"


def test_a_table_is_smaller_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    real = np.zeros

    def short(count: int, kind: np.dtype[np.void]) -> np.ndarray:
        if count > 300:
            raise MemoryError
        return real(count, kind)

    monkeypatch.setattr("gtp_engine.engine.search.answer.np.zeros", short)
    assert len(new_answers(1000)) == 250
    assert len(new_answers(0)) == 0
