"""Run every search of the textbook and record its tree, for `picture.py`."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from gtp_engine.textbook import alphabeta, depth_limited, expectiminimax, maxn
from gtp_engine.textbook.depth_limited import Evaluate
from gtp_engine.textbook.game import FIRST, Position, require_depth, require_moves, require_two_players
from gtp_engine.textbook.mcts import Node, TreeSearch
from gtp_engine.textbook.rollouts import Rollout, random_rollout
from gtp_engine.textbook.search_tree import Branch, Recorder, add_untried, mark_best, mark_bounds, seen_by_first, walk

FEWEST_PART = 0.01  # part of the rounds: moves of tree search with fewer visits are not drawn


@dataclass(frozen=True)
class Request:
    """The position to search, and the settings of the search."""

    position: Position
    depth: float  # moves to search; for tree search, moves to draw. Expectiminimax and max^n search to the end
    evaluate: Evaluate[Position]
    rounds: int = 1_000  # of tree search
    seed: int = 1  # of the random numbers of tree search
    rollout: Rollout = random_rollout  # of tree search


def record_minimax(position: Position, depth: float, evaluate: Evaluate[Position]) -> Branch:
    """Record minimax to a depth; values are for the first player. Raises ValueError as depth_limited.values_of_moves."""
    require_depth(depth)
    require_two_players(position)
    require_moves(position)
    recorder = Recorder(position, require_two_players)
    depth_limited.negamax(position, depth, evaluate, recorder)
    return mark_best(seen_by_first(recorder.root))


def record_alphabeta(position: Position, depth: float, evaluate: Evaluate[Position]) -> Branch:
    """Record alpha-beta to a depth, with its cut-off branches; values are for the first player. Raises ValueError as AlphaBeta.search."""
    recorder = Recorder(position, require_two_players)
    alphabeta.AlphaBeta(evaluate, counter=recorder).search(position, depth)
    mark_bounds(recorder.root)
    add_untried(recorder.root)
    return mark_best(seen_by_first(recorder.root))


def record_expectiminimax(position: Position) -> Branch:
    """Record expectiminimax to the end of the game; values are for the first player. Raises ValueError without a legal move."""
    require_moves(position)
    recorder = Recorder(position)
    expectiminimax.value(position, FIRST, recorder)
    return mark_best(recorder.root)


def record_maxn(position: Position) -> Branch:
    """Record max^n to the end of the game, with the values of all players. Raises ValueError as maxn.values_of_moves."""
    require_moves(position)
    recorder = Recorder(position)
    maxn.values(position, recorder)

    def add_values(branch: Branch) -> None:
        """Set the values of a branch from those of its children."""
        player, after = branch.position.next_player, branch.children
        if branch.position.is_over():
            branch.values = tuple(branch.position.utility(player) for player in range(branch.position.players))
        else:
            best = max(after, key=lambda child: child.values[player])
            best.is_best, branch.values = True, best.values

    return walk(recorder.root, add_values)


def record_tree_search(root: Node, depth: float, fewest_visits: int) -> Branch:
    """Return the first `depth` levels below a root of Monte Carlo tree search, without children of fewer than `fewest_visits`.

    Values are the first player's win rates. The best move of each node is the most visited one.
    """
    branch = Branch(root.position, root.move or "", root.win_rate(FIRST), visits=root.visits)
    if depth > 0:
        nodes = sorted(root.children.values(), key=lambda node: -node.visits)
        branch.children = [record_tree_search(node, depth - 1, fewest_visits) for node in nodes if node.visits >= fewest_visits]
    if branch.children:
        branch.children[0].is_best = True
    return branch


def tree_search(request: Request) -> Branch:
    """Record Monte Carlo tree search. Raises ValueError without a legal move, rounds or a depth."""
    require_depth(request.depth)
    root = TreeSearch(request.rounds, rollout=request.rollout, rng=random.Random(request.seed)).search(request.position)
    return record_tree_search(root, request.depth, max(round(FEWEST_PART * request.rounds), 1))


SEARCHES: dict[str, Callable[[Request], Branch]] = {
    "minimax": lambda request: record_minimax(request.position, request.depth, request.evaluate),
    "alphabeta": lambda request: record_alphabeta(request.position, request.depth, request.evaluate),
    "expectiminimax": lambda request: record_expectiminimax(request.position),
    "maxn": lambda request: record_maxn(request.position),
    "mcts": tree_search,
}
