"""Search trees seen from outside: read into plain objects, and checked node by node."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Search
from gtp_engine.engine.search.tree import FORBIDDEN, NO_CHILDREN, ROOT
from gtp_engine.go.points import to_vertex

# What UCT is without the rest: uniform playouts, no AMAF, no priors. Tests of the tree alone use it, so that tuning can't break them.
PLAIN: dict[str, Any] = {
    "policy": "light",
    "exploration": 0.7,
    "rave_visits": 0.0,
    "priors": False,
    "score_weight": 0.0,
    "lead_weight": 0.0,
    "threads": 1,
    "memory": 16,
    "seed": 1,
}

# A network's priors as they are: none is lifted for what the network may have overlooked.
NO_LIFTS = {"tactics_prior": 0.0}


def plain_params(**changes: Any) -> SearchParams:
    """Parameters of plain UCT with light playouts, seeded, in little memory."""
    return SearchParams(**(PLAIN | changes))


@dataclass
class Tree:
    """A node and what is under it; two are equal when everything under them is."""

    move: int
    visits: int
    wins: float
    score_sum: float
    children: list["Tree"] = field(default_factory=list)

    def as_json(self, least_visits: int) -> dict[str, Any]:
        """Readable form, without children of fewer visits: a child's key is its move."""
        children = [child for child in self.children if child.visits >= least_visits]
        text: dict[str, Any] = {"visits": self.visits, "wins": round(self.wins, 6), "score_sum": round(self.score_sum, 6)}
        return text | {to_vertex(child.move): child.as_json(least_visits) for child in children}

    def count(self) -> int:
        """Nodes here and below."""
        return 1 + sum(child.count() for child in self.children)


def read_tree(nodes: np.ndarray, index: int = ROOT, least_visits: int = 0) -> Tree:
    """The tree under nodes[index]; nodes with fewer visits than `least_visits` are read without their children."""
    node = nodes[index]
    tree = Tree(int(node["move"]), int(node["visits"]), float(node["wins"]), float(node["score_sum"]))
    if node["first_child"] != NO_CHILDREN and node["visits"] >= least_visits:
        first = int(node["first_child"])
        tree.children = [read_tree(nodes, child, least_visits) for child in range(first, first + int(node["child_count"]))]
    return tree


def tree_of(search: Search) -> Tree:
    """The whole tree of a search."""
    return read_tree(search._arrays.nodes)


def indices(nodes: np.ndarray, index: int = ROOT) -> list[int]:
    """This node's index and those of all nodes under it."""
    found, waiting = [], [index]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if nodes[node]["first_child"] != NO_CHILDREN:
            waiting += range(int(nodes[node]["first_child"]), int(nodes[node]["first_child"]) + int(nodes[node]["child_count"]))
    return found


def assert_sound(search: Search) -> None:
    """Every link and every sum in the tree of a search at rest holds; superko cuts no visits off where it forbids nothing."""
    nodes, used = search._arrays.nodes, int(search._arrays.shared[0]["next_free"])
    reached = indices(nodes)
    assert len(reached) == len(set(reached)), "a node has two parents"
    assert max(reached) < used <= len(nodes)
    for index in reached:
        node = nodes[index]
        if node["first_child"] == NO_CHILDREN:
            continue
        assert node["first_child"] > 0 and node["child_count"] > 0
        children = nodes[int(node["first_child"]) : int(node["first_child"]) + int(node["child_count"])]
        assert (children["parent"] == index).all()
        moves = children["move"][children["move"] != FORBIDDEN].tolist()
        assert len(moves) == len(set(moves)), "a move stands twice"
        assert_sums(node, children, search.params)


def assert_sums(node: np.void, children: np.ndarray, params: SearchParams) -> None:
    """A node's visits and wins are those of its children and of its own evaluations before it was expanded."""
    own = int(node["visits"]) - int(children["visits"].sum())
    assert own >= 0
    if params.threads == 1:  # of several, the others evaluate the node while one makes the children
        assert own < max(params.expand_visits, 2)
    lost_by_children = float((children["visits"] - children["wins"]).sum())
    assert -1e-6 <= float(node["wins"]) - lost_by_children <= own + 1e-6
    assert (children["wins"] <= children["visits"]).all() and (children["wins"] >= 0).all()


def assert_links(search: Search) -> None:
    """As assert_sound, without the sums, which thinning breaks: the visits of lost children stay in their parent."""
    nodes = search._arrays.nodes
    reached = indices(nodes)
    assert len(reached) == len(set(reached)) and max(reached) < search._arrays.shared[0]["next_free"]
    for index in reached[1:]:
        parent = nodes[int(nodes[index]["parent"])]
        assert parent["first_child"] <= index < parent["first_child"] + parent["child_count"]
