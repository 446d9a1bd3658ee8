"""Answers the lines: an action is answered at once; the positions of a query are added to the pool."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gtp_engine.interfaces.analysis.pool import Pool
from gtp_engine.interfaces.analysis.protocol import Fields, Refusal, error_message, id_of, parse, warning_message
from gtp_engine.interfaces.analysis.query import ReportOptions, read_query
from gtp_engine.interfaces.analysis.searcher import QueriedPosition, Send, positions_of

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Identity:
    """The engine's identity."""

    version: str
    models: list[dict[str, Any]] = field(default_factory=list)  # in the form of query_models


class Service:
    """Answers lines by `send`, which is called by several threads."""

    def __init__(self, pool: Pool, send: Send, identity: Identity, defaults: ReportOptions = ReportOptions()) -> None:  # noqa: B008  # it is frozen
        self._pool, self._send = pool, send
        self._identity, self._defaults = identity, defaults
        self._actions: dict[str, Callable[[Message], Message]] = {
            "query_version": self._query_version,
            "query_models": self._query_models,
            "clear_cache": self._clear_cache,
            "terminate": self._terminate,
            "terminate_all": self._terminate_all,
        }

    def run(self, lines: Iterable[bytes]) -> None:
        """Answer each line; returns at their end, while positions may still be searched."""
        for line in lines:
            text = line.decode("utf-8", "replace").strip()
            if text:
                self.answer(text)

    def answer(self, line: str) -> None:
        """Answer one line, perhaps with an error."""
        query_id = None
        try:
            message = parse(line)
            query_id = id_of(message)
            if "action" in message:
                self._send(self._act(message))
            else:
                self._ask(message)
        except Refusal as refusal:
            self._send(error_message(refusal, query_id))

    def _ask(self, message: Message) -> None:
        """Add a query's positions to the pool. Raises Refusal."""
        query = read_query(message, self._defaults)
        positions = positions_of(query)
        for text, name in query.warnings:
            self._send(warning_message(text, name, query.id))
        self._pool.add(positions)

    def _act(self, message: Message) -> dict[str, Any]:
        """Do an action; returns the answer, which repeats the message. Raises Refusal."""
        action = self._actions.get(str(message["action"]))
        if action is None:
            raise Refusal(f"there is no such action; there are {', '.join(self._actions)}", "action")
        return {**message, **action(message)}

    def _query_version(self, message: Message) -> Message:
        """Answer with the version."""
        return {"version": self._identity.version, "git_hash": "<omitted>"}

    def _query_models(self, message: Message) -> Message:
        """Answer with the networks in use."""
        return {"models": self._identity.models}

    def _clear_cache(self, message: Message) -> Message:
        """Forget all results about positions."""
        self._pool.clear_cache()
        return {}

    def _terminate(self, message: Message) -> Message:
        """Terminate the positions of one query."""
        query_id = message.get("terminateId")
        if not isinstance(query_id, str):
            raise Refusal("must be the id of a query, a text", "terminateId")
        is_meant = turns_in(message)
        self._pool.terminate(lambda position: position.query.id == query_id and is_meant(position))
        return {}

    def _terminate_all(self, message: Message) -> Message:
        """Terminate the positions of all queries."""
        self._pool.terminate(turns_in(message))
        return {}


def turns_in(message: Message) -> Callable[[QueriedPosition], bool]:
    """A test whether a position's turn is among the message's turnNumbers; without these, all are. Raises Refusal."""
    if "turnNumbers" not in message:
        return lambda position: True
    turns = set(Fields(message).integers("turnNumbers"))
    return lambda position: position.turn in turns
