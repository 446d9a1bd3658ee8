"""What all views of the board have in common: the tree of the game, the engine, and the pages that are told what changes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import RLock
from typing import Any

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import PASS, from_vertex
from gtp_engine.interfaces.browser.engine_thread import EngineThread
from gtp_engine.interfaces.browser.events import Events
from gtp_engine.interfaces.browser.found import Findings
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree, node_as_dict

Request = Mapping[str, Any]
Answer = dict[str, Any]


class BadRequest(Exception):
    """The page asked for something that there is not. The message says what."""


class NotPossible(Exception):
    """What the person wants can't be done. The message is a sentence that says why."""


class Desk:
    """The tree, behind a lock; the engine, in a thread of its own; the pages.

    Whoever reads or changes the tree holds `lock`; nothing is searched meanwhile. Only `thread` uses the engine, `interrupt` excepted.
    """

    def __init__(self, engine: Engine, tree: GameTree, warn: Callable[[str], None]) -> None:
        """`warn`: hears sentences that the person should read, which no page shows."""
        self.engine, self.tree, self.warn = engine, tree, warn
        self.network = ""  # the file of the one that analyzes and reviews; empty: the one of the game
        self.lock = RLock()
        self.events = Events()
        self.thread = EngineThread()
        self._side_thread: EngineThread | None = None  # for what takes seconds and does not need the engine
        engine.warn = lambda text: self.tell(note=text)

    @property
    def params(self) -> SearchParams:
        """The parameters that analysis and reviews search with."""
        params = self.engine.full_params
        return replace(params, network=self.network) if self.network else params

    def companion(self, **changes: Any) -> Engine:
        """An engine for a thread of its own, with the network that analyzes."""
        return self.engine.companion(network=self.params.network, **changes)

    def later(self, work: Callable[[], None]) -> None:
        """Do this soon in a thread that does nothing else at that time; nobody waits for it."""
        self._side_thread = self._side_thread or EngineThread()
        self._side_thread.submit(work)

    # ---------------------------------------------------------------- what the pages are told

    def tell(self, **event: Any) -> None:
        """An event for all pages."""
        self.events.publish(event)

    def tell_nodes(self, *nodes: GameNode) -> None:
        """These nodes are new, or something was written there."""
        self.tell(nodes=[node_as_dict(node) for node in nodes])

    def set_tree(self, tree: GameTree) -> None:
        """Another game is on the board."""
        self.tree = tree
        self.tell(tree=tree.as_dict())

    def note_found(self, tree: GameTree, number: int, found: Findings) -> None:
        """Something was found at a node, if it is still there. For any thread."""
        with self.lock:
            node = tree.nodes.get(number) if tree is self.tree else None
            if node is not None:
                node.found = found
                self.tell(found={number: found.as_dict()})

    # ---------------------------------------------------------------- what requests name

    def node_of(self, request: Request) -> GameNode:
        """The node that a request names. Raises BadRequest."""
        number = request.get("node")
        node = self.tree.nodes.get(number) if isinstance(number, int) else None
        if node is None:
            raise BadRequest(f"there is no position {number!r}")
        return node

    def point_of(self, request: Request, may_pass: bool = True) -> int:
        """The point, or PASS, that a request names. Raises NotPossible: people type it."""
        vertex = str(request.get("vertex"))
        try:
            point = from_vertex(vertex, self.tree.size)
        except ValueError:
            point = 0
        if not point or (point == PASS and not may_pass):
            raise NotPossible(f"{vertex[:20]} is no point of this board.")
        return point
