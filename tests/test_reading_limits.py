"""How much a search may spend on reading, and one fight of it: from scripted fights, nothing is read here."""

from types import SimpleNamespace
from typing import Any

import pytest

from gtp_engine.engine.player import reading
from gtp_engine.engine.player.own_search import NODES_PER_SIMULATION, reading_limits
from gtp_engine.engine.player.reading import LEAST_NODES, LEAST_SECONDS, MOST_NODES, NODES_PER_POINT, Reader, ReadingLimits
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game

SIZE = 9


@pytest.mark.parametrize(
    ("limits", "nodes", "seconds"),
    [
        (Limits(simulations=50), 50 * NODES_PER_SIMULATION, None),
        (Limits(simulations=10_000), 30_000, None),
        (Limits(seconds=2.0), 30_000, 0.5),
        (Limits(simulations=50, seconds=2.0), 50 * NODES_PER_SIMULATION, 0.5),
    ],
)
def test_reading_takes_a_share_of_the_search(limits: Limits, nodes: int, seconds: float | None) -> None:
    params = SearchParams(reading_nodes=30_000, reading_share=0.25)
    assert reading_limits(params, limits) == ReadingLimits(nodes, seconds)


def read(monkeypatch: pytest.MonkeyPatch, limits: ReadingLimits, spent: int, stake: int = 6) -> list[int]:
    """Read ten fights, each of which spends so many positions and gives nothing; what the solver was allowed for each."""
    allowed: list[int] = []

    def ask(game: Game, question: Any, budget: Any, *_: Any) -> Any:
        allowed.append(budget.nodes)
        return SimpleNamespace(nodes=spent, was_cut_short=False)

    doubts = SimpleNamespace(judge_again=lambda each: each, is_worth_telling=lambda fight: False, trust=lambda question: None)
    monkeypatch.setattr(reading, "questions", lambda *_: [SimpleNamespace(identity=bytes([i]), stake=stake) for i in range(10)])
    monkeypatch.setattr(reading, "ask", ask)
    monkeypatch.setattr(reading, "Doubts", lambda *_: doubts)
    assert Reader().read(Game(SIZE), limits).identities == ()
    return allowed


def test_reading_ends_when_its_positions_are_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, ReadingLimits(20_000), 9_000) == [20_000, 11_000, 2_000]
    assert read(monkeypatch, ReadingLimits(19_999), 9_000) == [19_999, 10_999]
    assert read(monkeypatch, ReadingLimits(LEAST_NODES), 1) == [LEAST_NODES]
    assert read(monkeypatch, ReadingLimits(LEAST_NODES - 1), 1) == []


def test_one_fight_does_not_take_all_of_a_long_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, ReadingLimits(1_000_000), 1) == [MOST_NODES] * 10
    assert read(monkeypatch, ReadingLimits(1_000_000), 1, stake=50) == [50 * NODES_PER_POINT] * 10


def test_nothing_is_read_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, ReadingLimits(1_000_000, LEAST_SECONDS / 2), 1) == []
