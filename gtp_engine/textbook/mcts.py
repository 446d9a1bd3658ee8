"""Monte Carlo tree search: rollouts decide where the tree grows.

A round has four steps. `select` walks down the tree by UCT, the rule of `bandit.py` at every node. `expand` adds one untried move. A
rollout from there gives a winner. `back_up` adds the result to every node on the path.
The win rates are those of rollouts at first. They approach those of good play as good moves get more visits: with enough rounds the
search finds the minimax move. It can be stopped at any time.

R. Coulom: Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search, 2006.
L. Kocsis and C. Szepesvari: Bandit Based Monte-Carlo Planning, 2006 (UCT).
"""

import math
import random
from collections.abc import Callable
from typing import Self

from gtp_engine.textbook.bandit import UCB1_TEMPERATURE, confidence_radius
from gtp_engine.textbook.game import CHANCE, Move, Position, require_moves
from gtp_engine.textbook.rollouts import Rollout, chance_move, random_rollout


class Node:
    """A position in the tree, with the visits and wins of the rounds through it."""

    __slots__ = ("_unvisited", "children", "move", "parent", "position", "visits", "wins")

    def __init__(self, position: Position, parent: Self | None = None, move: Move | None = None) -> None:
        self.position = position
        self.parent = parent
        self.move = move  # from the parent to this node
        self.children: dict[Move, Self] = {}
        self.visits = 0
        self.wins = [0.0] * position.players  # for each player; their sum is `visits`
        self._unvisited: list[Move] | None = None

    @property
    def unvisited(self) -> list[Move]:
        """The legal moves without a child. They are computed on first use, because most nodes are visited only once."""
        if self._unvisited is None:
            self._unvisited = self.position.legal_moves()
        return self._unvisited

    def win_rate(self, player: int) -> float:
        """Return the part of the visits that `player` won, with draws shared. Raises ValueError without a visit."""
        if self.visits == 0:
            raise ValueError("a node without visits has no win rate")
        return self.wins[player] / self.visits

    def uct(self, temperature: float) -> float:
        """Return the UCT value for the player who moves to this child: its win rate plus its confidence radius."""
        assert self.parent is not None
        player = self.parent.position.next_player
        return self.win_rate(player) + confidence_radius(self.visits, self.parent.visits, temperature)


def select(root: Node, temperature: float, rng: random.Random) -> Node:
    """Step 1: return the first node with an untried move on the way down from the root, or the end of the game.

    A high temperature explores more, and a low one trusts the win rates so far. With 0 a move that once lost may never be tried again.
    """
    node = root
    while not node.unvisited and node.children:
        if node.position.next_player == CHANCE:
            node = node.children[chance_move(node.position, rng)]
        else:
            node = max(node.children.values(), key=lambda child: child.uct(temperature))
    return node


def expand(node: Node, rng: random.Random) -> Node:
    """Step 2: add and return the child for a random untried move; return the node itself at the end of the game."""
    if not node.unvisited:
        return node
    move = node.unvisited.pop(rng.randrange(len(node.unvisited)))
    node.children[move] = Node(node.position.apply_move(move), node, move)
    return node.children[move]


def back_up(leaf: Node, rewards: list[float]) -> None:
    """Step 4 (step 3 is the rollout): add each player's reward to the leaf and to every node above it."""
    node: Node | None = leaf
    while node is not None:
        node.visits += 1
        for player, reward in enumerate(rewards):
            node.wins[player] += reward
        node = node.parent


def most_visited(root: Node) -> Node:
    """Return the child to play: the one with the most visits, by win rate among equals.

    The best win rate may come from one lucky rollout. Raises ValueError when the root has no child.
    """
    if not root.children:
        raise ValueError("no move was searched")
    player = root.position.next_player
    return max(root.children.values(), key=lambda child: (child.visits, child.win_rate(player)))


def should_resign(root: Node, threshold: float) -> bool:
    """Is the win rate of the move to play below `threshold`? Raises ValueError when the root has no child."""
    return most_visited(root).win_rate(root.position.next_player) < threshold


class TreeSearch:
    """Chooses moves by Monte Carlo tree search, and keeps the tree between moves.

    rounds -- visits that the root must reach for each move, including those kept from the last search
    temperature -- of UCT; the theory requires sqrt(2) for rewards in 0..1, and less is often stronger
    rollout -- evaluates a new node: any function from a position to a reward in 0..1 for each player
    """

    def __init__(
        self,
        rounds: int,
        temperature: float = UCB1_TEMPERATURE,
        rollout: Rollout = random_rollout,
        rng: random.Random | None = None,
    ) -> None:
        if rounds < 1:
            raise ValueError(f"{rounds} rounds: at least one is needed to find a move")
        if not 0.0 <= temperature < math.inf:
            raise ValueError(f"the temperature must be 0 or more, not {temperature}")
        self.rounds, self.temperature, self.rollout = rounds, temperature, rollout
        self.rng = rng or random.Random()
        self.root: Node | None = None  # of the last search

    def choose_move(self, position: Position) -> Move:
        """Return the move to play. Raises ValueError when the game is over and when chance moves."""
        move = most_visited(self.search(position)).move
        assert move is not None
        return move

    def search(self, position: Position, should_stop: Callable[[], bool] = lambda: False) -> Node:
        """Play the rounds, at least one, until `should_stop` returns True, and return the root. Raises ValueError as choose_move."""
        require_moves(position)
        if position.next_player == CHANCE:
            raise ValueError("chance moves here: there is nothing to choose")
        root = self.root = self.kept(position) or Node(position)
        while not root.children or (root.visits < self.rounds and not should_stop()):
            self.play_round(root)
        return root

    def play_round(self, root: Node) -> None:
        """Select, expand, simulate, back up."""
        leaf = expand(select(root, self.temperature, self.rng), self.rng)
        back_up(leaf, self.rollout(leaf.position, self.rng))

    def kept(self, position: Position) -> Node | None:
        """Return the last tree's node for `position` as a new root, or None if there is none.

        It searches the tree down to one move of each player, with a throw of the dice between them.
        """
        level = [self.root] if self.root is not None else []
        for _ in range(2 * position.players):
            for node in level:
                if node.position == position:
                    node.parent = None  # drops the rest of the tree
                    return node
            level = [child for node in level for child in node.children.values()]
        return None
