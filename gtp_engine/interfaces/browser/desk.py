"""The common part of all views of the board: the tree of the game, the engine, and the pages that get changes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import RLock
from typing import Any

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import PASS, from_vertex
from gtp_engine.interfaces.browser.engine_thread import EngineThread
from gtp_engine.interfaces.browser.events import Events
from gtp_engine.interfaces.browser.findings import Findings
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree, node_as_dict

Request = Mapping[str, Any]
Answer = dict[str, Any]


class BadRequest(Exception):
    """An invalid request of a page; str() says what is wrong."""


class NotPossible(Exception):
    """A request that can't be done; str() is a sentence that says why."""


class Desk:
    """The tree, behind a lock; the engine, in its own thread; the pages.

    Hold `lock` to read or change the tree, but not during a search. Only `thread` uses the engine.
    """

    def __init__(self, engine: Engine, tree: GameTree, warn: Callable[[str], None]) -> None:
        """`warn`: called with sentences for the person that no page shows."""
        self.engine, self.tree, self.warn = engine, tree, warn
        self.network = ""  # the file of the network for analysis and reviews; empty: the game's network
        self.lock = RLock()
        self.events = Events()
        self.thread = EngineThread()
        self._side_thread: EngineThread | None = None  # for work that takes seconds and doesn't need the engine
        engine.warn = lambda text: self.tell(note=text)

    @property
    def params(self) -> SearchParams:
        """The search parameters of analysis and reviews."""
        params = self.engine.full_params
        return replace(params, network=self.network) if self.network else params

    def companion(self, **changes: Any) -> Engine:
        """A new engine for another thread, with the network for analysis."""
        return self.engine.companion(network=self.params.network, **changes)

    def later(self, work: Callable[[], None]) -> None:
        """Do this soon in the side thread, without waiting for it."""
        self._side_thread = self._side_thread or EngineThread()
        self._side_thread.submit(work)

    # ---------------------------------------------------------------- what the pages are told

    def tell(self, **event: Any) -> None:
        """Send an event to all pages."""
        self.events.publish(event)

    def tell_nodes(self, *nodes: GameNode) -> None:
        """Send these new or changed nodes to the pages."""
        self.tell(nodes=[node_as_dict(node) for node in nodes])

    def set_tree(self, tree: GameTree) -> None:
        """Put another game on the board."""
        self.tree = tree
        self.tell(tree=tree.as_dict())

    def keep_findings(self, tree: GameTree, number: int, findings: Findings) -> None:
        """Keep results for a node, if it still exists. For any thread."""
        with self.lock:
            node = tree.nodes.get(number) if tree is self.tree else None
            if node is not None:
                node.findings = findings
                self.tell(found={number: findings.as_dict()})

    # ---------------------------------------------------------------- what requests name

    def node_of(self, request: Request) -> GameNode:
        """The node that a request names. Raises BadRequest."""
        number = request.get("node")
        node = self.tree.nodes.get(number) if isinstance(number, int) else None
        if node is None:
            raise BadRequest(f"there is no position {number!r}")
        return node

    def point_of(self, request: Request, may_pass: bool = True) -> int:
        """The point, or PASS, that a request names. Raises NotPossible, because people type it."""
        vertex = str(request.get("vertex"))
        try:
            point = from_vertex(vertex, self.tree.size)
        except ValueError:
            point = 0
        if not point or (point == PASS and not may_pass):
            raise NotPossible(f"{vertex[:20]} is no point of this board.")
        return point
