"""The top of a search tree: what the search knows of each move, and a picture of the moves that it looked at most."""

from dataclasses import dataclass

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, NO_POINT, opponent, to_vertex
from gtp_engine.search.arrays import new_arrays, seed_workspaces, set_root
from gtp_engine.search.params import SearchParams
from gtp_engine.search.simulation import run_simulations
from gtp_engine.search.tree import FORBIDDEN, ROOT, clear_tree
from gtp_engine.textbook.go_game import GoPosition
from gtp_engine.textbook.picture import draw
from gtp_engine.textbook.search_tree import Branch

WIDTHS = (6, 3, 2, 1)  # branches drawn below a node, by depth
LEAST_VISITS = 8  # a node with fewer says nothing


@dataclass
class TreeTop:
    """A finished search for `color`. Win rates and leads are from the side of the player who makes the move."""

    nodes: np.ndarray  # NODE
    color: int

    def children(self, index: int) -> list[int]:
        """The nodes below one, most visits first; those that superko forbids are left out."""
        first = max(int(self.nodes[index]["first_child"]), 0)
        indices = range(first, first + int(self.nodes[index]["child_count"])) if first else range(0)
        allowed = [child for child in indices if self.nodes[child]["move"] != FORBIDDEN]
        return sorted(allowed, key=lambda child: -int(self.nodes[child]["visits"]))

    def best_moves(self, count: int) -> list[int]:
        """The points with the most visits."""
        return [int(self.nodes[child]["move"]) for child in self.children(ROOT)[:count]]

    def find(self, point: int) -> int | None:
        """The node of a move at the root, if it was visited."""
        return next((child for child in self.children(ROOT) if self.nodes[child]["move"] == point and self.nodes[child]["visits"]), None)

    def visits(self, point: int) -> int:
        """Simulations through a move at the root."""
        node = self.find(point)
        return int(self.nodes[node]["visits"]) if node is not None else 0

    def win_rate(self, point: int) -> float | None:
        """0..1; None for a move that was never visited."""
        node = self.find(point)
        return self.value(node) if node is not None else None

    def lead(self, point: int) -> float | None:
        """Mean points at the end; None for a move that was never visited."""
        node = self.find(point)
        if node is None:
            return None
        sign = 1 if self.color == BLACK else -1
        return sign * float(self.nodes[node]["score_sum"]) / int(self.nodes[node]["visits"])

    def value(self, index: int) -> float:
        """The win rate of the player who moved into a node."""
        return float(self.nodes[index]["wins"]) / max(int(self.nodes[index]["visits"]), 1)

    def picture(self, game: Game, komi: float, title: str) -> str:
        """The top of the tree as SVG text; `game` is the position at the root."""
        root = Branch(GoPosition.from_game(game, self.color, komi), "", 1.0 - self.value(ROOT), visits=int(self.nodes[ROOT]["visits"]))
        root.is_best = True
        self.add_branches(root, ROOT, game, komi, 0)
        return draw(root, title, "win rate of the player who makes the move, and visits")

    def add_branches(self, branch: Branch, index: int, game: Game, komi: float, depth: int) -> None:
        """Draw on below a node."""
        for rank, child in enumerate(self.children(index)[: WIDTHS[depth]] if depth < len(WIDTHS) else []):
            if self.nodes[child]["visits"] < LEAST_VISITS:
                break
            after = game.copy()
            color, point = int(after.positions[0]["to_play"]), int(self.nodes[child]["move"])
            after.play(color, point)
            position = GoPosition.from_game(after, opponent(color), komi)
            below = Branch(position, to_vertex(point), self.value(child), visits=int(self.nodes[child]["visits"]))
            below.is_best = branch.is_best and rank == 0
            branch.children.append(below)
            self.add_branches(below, child, after, komi, depth + 1)


def search_tree(game: Game, color: int, komi: float, params: SearchParams, simulations: int, seed: int) -> TreeTop:
    """Search a position from nothing with one thread; `komi` is all that White gets."""
    arrays = new_arrays(params, 1)
    seed_workspaces(arrays, seed)
    set_root(arrays, game, color, params, komi, {})
    clear_tree(arrays.nodes, arrays.shared, arrays.workspaces, game.moves[-1][1] if game.moves else NO_POINT)
    run_simulations(arrays.nodes, arrays.shared, arrays.workspaces, arrays.situations, arrays.facts, 0, simulations)
    return TreeTop(arrays.nodes, color)
