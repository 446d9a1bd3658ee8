"""Live analysis at the board: the engine's results for the position on the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gtp_engine.engine.network.clients import known_networks
from gtp_engine.engine.search.arrays import Avoid
from gtp_engine.go.game import Game
from gtp_engine.go.points import EMPTY, PASS, board_points, to_vertex
from gtp_engine.interfaces.browser.analyst import LONGEST, LOOK_SECONDS, Analyst, Target
from gtp_engine.interfaces.browser.desk import Answer, BadRequest, Desk, NotPossible, Request
from gtp_engine.interfaces.browser.fates import fate_text
from gtp_engine.interfaces.browser.findings import Findings
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree
from gtp_engine.interfaces.browser.objections import Objections
from gtp_engine.interfaces.person.game import why_not


@dataclass(frozen=True)
class Wish:
    """The requested analysis."""

    node: int
    avoided: tuple[int, ...] = ()  # first moves to avoid
    tried: int | None = None  # the only allowed first move

    @property
    def is_plain(self) -> bool:
        """True if all first moves are allowed."""
        return self.tried is None and not self.avoided

    def avoid(self, game: Game) -> Avoid | None:
        """The first moves that the search must avoid."""
        if self.is_plain:
            return None
        others = [point for point in (*board_points(game.size), PASS) if point != self.tried] if self.tried is not None else self.avoided
        return {(game.to_play, point): 1 for point in others}

    def as_dict(self) -> dict[str, Any]:
        """For the pages."""
        tried = None if self.tried is None else to_vertex(self.tried)
        return {"node": self.node, "avoided": [to_vertex(point) for point in self.avoided], "tried": tried}


class AnalysisView:
    """Searches by the analyst: short ones, and one that continues until it is stopped."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.wish: Wish | None = None  # None: nothing is analyzed
        self.network = ""  # the name of the analyzing network; empty: the game's network
        self._analyst = Analyst(desk, self._report)
        self._objections = Objections(desk)

    # ---------------------------------------------------------------- requests

    def do_look(self, request: Request) -> Answer:
        """Search `node` for LOOK_SECONDS and send the results to the pages, for a hint or for ownership."""
        node = self.desk.node_of(request)
        if self.wish is None or self.wish.node != node.number:
            self._set(None)
            self._analyst.search(self._target(node, LOOK_SECONDS))
        return {}

    def do_analyze(self, request: Request) -> Answer:
        """Search `node` continuously, or nothing for null; without the first moves in `avoid`, or only with `try`."""
        if request.get("node") is None:
            self._set(None)
            self._analyst.search(None)
            return {}
        node = self.desk.node_of(request)
        avoided = request.get("avoid", [])
        if not isinstance(avoided, list):
            raise BadRequest("the moves to avoid are a list")
        points = tuple(self.desk.point_of({"vertex": vertex}) for vertex in avoided[: self.desk.tree.size**2])
        tried = self.desk.point_of({"vertex": request["try"]}) if request.get("try") else None
        wish = Wish(node.number, points, tried)
        game = self.desk.tree.game_at(node)
        if tried is not None and (reason := why_not(game, tried)):
            raise NotPossible(reason)
        self._set(wish)
        others = self._not_searched_yet(self.desk.tree, self.desk.tree.line(node)) if wish.is_plain else ()
        self._analyst.search(self._target(node, LONGEST, wish.avoid(game)), others)
        return {}

    def do_network(self, request: Request) -> Answer:
        """Analyze and review with the network of this `name`, one of `gtp-engine networks`; empty: the game's network."""
        name, networks = str(request.get("name", "")), {path.name: path for path in known_networks()}
        if name and name not in networks:
            raise BadRequest(f"there is no network {name[:60]!r}")
        self.network = name
        self._set(None)
        self._analyst.search(None)
        self.desk.network = str(networks[name]) if name else ""
        self._analyst.renew()
        self._objections = Objections(self.desk)
        self.desk.tell(network=name)
        return {}

    def do_why(self, request: Request) -> Answer:
        """Explain what is wrong with a move at `vertex` in the position `node`; the answer is sent to the pages later."""
        node, point = self.desk.node_of(request), self.desk.point_of(request)
        game = self.desk.tree.game_at(node)
        if reason := why_not(game, point):
            raise NotPossible(reason)
        self._set(None)
        self._analyst.search(None)
        self._objections.show(self.desk.tree, node.number, game, point)
        return {}

    def do_fate(self, request: Request) -> Answer:
        """Prove the status of the chain at `vertex` in the position `node`; the answer is sent to the pages later."""
        node, point = self.desk.node_of(request), self.desk.point_of(request, may_pass=False)
        game = self.desk.tree.game_at(node)
        if game.color_at(point) == EMPTY:
            raise NotPossible(f"There is no stone on {to_vertex(point)}.")
        self.desk.later(lambda: self.desk.tell(fate={"node": node.number, **fate_text(game, point)}))
        return {}

    # ---------------------------------------------------------------- what comes of them

    def prepare(self) -> None:
        """Open the network for boards of this size, so that an analysis has its first numbers at once."""
        if self.wish is None:
            self._analyst.search(self._target(self.desk.tree.root, 0.0))

    def _not_searched_yet(self, tree: GameTree, line: list[GameNode]) -> Iterator[Target]:
        """The positions of the line without results, each made on demand, because a long game has many."""
        for node in line:
            with self.desk.lock:
                if tree is not self.desk.tree:
                    return
                is_wanted = node.findings is None and node.number in tree.nodes
                target = self._target(node, LOOK_SECONDS) if is_wanted else None
            if target is not None:
                yield target

    def _target(self, node: GameNode, seconds: float, avoid: Avoid | None = None) -> Target:
        tree = self.desk.tree
        return Target(tree, node.number, tree.game_at(node), seconds, avoid)

    def _set(self, wish: Wish | None) -> None:
        """Set what is analyzed, and tell the pages."""
        self.wish = wish
        self.desk.tell(analysis=wish.as_dict() if wish is not None else None)

    def _report(self, target: Target, findings: Findings) -> None:
        """Handle a search's results. Those of a restricted search are shown but not kept."""
        if target.avoid is None:
            self.desk.keep_findings(target.tree, target.node, findings)
        else:
            self.desk.tell(limited={"node": target.node, "found": findings.as_dict()})

    def state(self) -> dict[str, Any] | None:
        """The analysis for the pages."""
        return self.wish.as_dict() if self.wish is not None else None
