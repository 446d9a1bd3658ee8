"""A full pool: what the tree forgets, that it goes on growing, and how threads wait for each other meanwhile."""

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from trees import Tree, assert_links, plain_params, tree_of

from gtp_engine.engine.search import search as search_module
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.room import KEPT, Meeting, is_full, make_room
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.search.tree import BLOCK, NODE
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK
from gtp_engine.interfaces.library.evaluator import Answer, FunctionEvaluator, PositionBatch

PATIENCE = 30.0  # seconds: longer than any machine takes


def in_little_room(search: Search, blocks: int) -> Search:
    """The search with a pool of so many blocks of nodes, before it has begun."""
    search._arrays.nodes = np.empty(blocks * BLOCK, NODE)
    return search


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by the number of nodes in use whenever room is made."""
    found = list[int]()

    def counted(arrays: SearchArrays) -> None:
        """make_room, and count."""
        found.append(int(arrays.shared[0]["next_free"]))
        make_room(arrays)

    monkeypatch.setattr(search_module, "make_room", counted)
    return found


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_makes_room_and_goes_on(threads: int, rooms: list[int]) -> None:
    search = in_little_room(Search(plain_params(threads=threads, expand_visits=1)), 8)
    search.prepare(Game(9), BLACK, 7.5)
    result = search.run(Limits(simulations=6000))
    assert len(rooms) > 2
    assert search._arrays.shared[0]["next_free"] <= 8 * BLOCK
    assert_links(search)
    assert result.simulations >= 6000
    assert sum(candidate.visits for candidate in result.candidates) >= result.simulations - threads, "what is cut keeps its results"


@pytest.mark.parametrize("threads", [1, 2])
def test_room_is_made_in_the_next_moves_too(threads: int, rooms: list[int]) -> None:
    game = Game(9)
    search = Search(plain_params(expand_visits=1, threads=threads))
    for _ in range(5):
        search.prepare(game, game.to_play, 7.5)
        result = search.run(Limits(simulations=6000))
        assert result.simulations >= 6000
        assert game.is_legal(game.to_play, result.best.point)
        tree = search._arrays.shared[0]
        assert 0 < tree["next_free"] <= tree["capacity"] == len(search._arrays.nodes)
        game.play(game.to_play, result.best.point)
    assert len(rooms) > 5


def test_the_least_visited_branches_are_cut_until_enough_is_free() -> None:
    search = in_little_room(Search(plain_params()), 64)
    search.prepare(Game(9), BLACK, 7.5)
    search.run(Limits(simulations=4000))
    before = tree_of(search)
    assert not is_full(search._arrays)
    search._arrays.shared["capacity"] = search._arrays.shared["next_free"]
    assert is_full(search._arrays)
    make_room(search._arrays)
    after = tree_of(search)
    assert after.count() <= KEPT * before.count()
    assert [(child.move, child.visits, child.wins) for child in after.children] == [
        (child.move, child.visits, child.wins) for child in before.children
    ]
    cut, kept = list[int](), list[int]()
    for old, new in pairs(before, after):
        (kept if new.children else cut).append(old.visits)
    assert max(cut) < min(kept)


def pairs(before: Tree, after: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Each node that had children and is still there, as it was and as it is."""
    if before.children:
        yield before, after
    for old, new in zip(before.children, after.children, strict=False):
        yield from pairs(old, new)


def all_alike(batch: PositionBatch) -> Answer:
    """Every move is as good as any other."""
    return np.zeros((len(batch), batch.size**2 + 1), np.float32), np.full(len(batch), 0.5)


def test_what_is_visited_much_is_looked_into() -> None:
    """Without room some of the first moves could never be looked into, and would have 122 visits with one value.

    c doesn't follow the spread of the results here: all are alike, and the search would hardly explore.
    """
    search = in_little_room(
        Search(
            SearchParams(threads=1, memory=16, seed=1, puct_exploration=0.8, puct_growth=0.0, puct_spread=0.0),
            FunctionEvaluator(all_alike, 1),
        ),
        4,
    )
    search.prepare(Game(9), BLACK, 7.5)
    search.run(Limits(simulations=10_000))
    assert max(child.visits for child in tree_of(search).children) > 100
    assert max(visits_of_leaves(tree_of(search))) < 20


def visits_of_leaves(tree: Tree) -> Iterator[int]:
    """The visits of nodes without children."""
    if not tree.children:
        yield tree.visits
    for child in tree.children:
        yield from visits_of_leaves(child)


# ---------------------------------------------------------------- meetings


def test_one_of_those_who_meet_does_the_work() -> None:
    meeting, done = Meeting(3), list[str]()
    threads = [threading.Thread(target=meeting.meet, args=(lambda: done.append("work"),)) for _ in range(3)]
    for thread in threads[:2]:
        thread.start()
    time.sleep(0.05)
    assert done == [], "the third is still at work"
    threads[2].start()
    for thread in threads:
        thread.join(PATIENCE)
    assert done == ["work"]


def test_nobody_waits_for_those_who_have_left() -> None:
    meeting, done = Meeting(2), list[str]()
    waiting = threading.Thread(target=meeting.meet, args=(lambda: done.append("work"),))
    waiting.start()
    meeting.leave()
    waiting.join(PATIENCE)
    assert done == ["work"] and not waiting.is_alive()


def test_work_that_fails_leaves_nobody_waiting() -> None:
    meeting, done = Meeting(2), list[str]()

    def fail() -> None:
        done.append("failed")
        raise MemoryError

    def meet() -> None:
        try:
            meeting.meet(fail)
        except MemoryError:
            done.append("told")

    threads = [threading.Thread(target=meet) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert done == ["failed", "told"] and not any(thread.is_alive() for thread in threads)
