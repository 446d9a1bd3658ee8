"""A conversation with the analysis engine in this process, for its tests."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from networks import save_network

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.interfaces.analysis.pool import Pool
from gtp_engine.interfaces.analysis.query import ReportOptions
from gtp_engine.interfaces.analysis.searcher import Searcher
from gtp_engine.interfaces.analysis.service import Identity, Service

SIZE = 5
PARAMS = SearchParams(memory=16, threads=1, seed=1, evaluator="playouts")
QUERY: dict[str, Any] = {"id": "q", "moves": [], "rules": "chinese", "boardXSize": SIZE, "boardYSize": SIZE, "maxVisits": 40}
NO_END = 10**9  # visits
PATIENCE = 60  # seconds for a message on a busy machine


class Conversation:
    """A service whose messages are kept as they come."""

    def __init__(self, params: SearchParams, positions: int = 1) -> None:
        self.messages: list[dict[str, Any]] = []
        self.errors: list[BaseException] = []
        self._came = threading.Condition()
        self.searchers = [Searcher(Engine(params)) for _ in range(positions)]
        self.pool = Pool(self.searchers, self.take, self.errors.append)
        self.service = Service(self.pool, self.take, Identity("1.2.3", [{"name": "net"}]), ReportOptions())

    def take(self, message: dict[str, Any]) -> None:
        """What the service sends; it must be JSON."""
        with self._came:
            self.messages.append(json.loads(json.dumps(message, allow_nan=False)))
            self._came.notify_all()

    def say(self, **fields: Any) -> None:
        """Send a line."""
        self.service.answer(json.dumps(fields))

    def ask(self, **fields: Any) -> None:
        """Send a query with these fields besides those of QUERY."""
        self.say(**QUERY | fields)

    def wait(self, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message like that, as soon as it comes."""
        with self._came:
            assert self._came.wait_for(lambda: any(map(is_there, self.messages)), PATIENCE), self.messages
            return next(filter(is_there, self.messages))

    def finish(self) -> list[dict[str, Any]]:
        """All messages, when the work is done."""
        self.pool.finish()
        assert self.errors == []
        return self.messages

    def result(self, **fields: Any) -> dict[str, Any]:
        """The one message that answers a query."""
        self.ask(**fields)
        (message,) = self.finish()
        return message


def is_final(message: dict[str, Any]) -> bool:
    """Does this message end its position?"""
    return message.get("isDuringSearch") is False


@pytest.fixture
def talk() -> Iterator[Conversation]:
    """A service of one position at a time, with playouts."""
    conversation = Conversation(PARAMS)
    yield conversation
    conversation.pool.abandon()


@pytest.fixture
def network_params(tmp_path: Path) -> SearchParams:
    """Parameters of a search with a tiny network."""
    save_network(tmp_path / "tiny.kata.onnx")
    return replace(PARAMS, network=str(tmp_path / "tiny.kata.onnx"), evaluator="network")
