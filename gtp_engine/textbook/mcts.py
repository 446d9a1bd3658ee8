"""Monte Carlo tree search: a tree that grows where rollouts say that the game is decided.

A round has four steps, a function each: `select` walks down the tree by UCT, the bandit rule of `bandit.py` at every node; `expand`
adds one move that was never tried; a rollout from there tells who wins; `back_up` notes the result in every node on the way back.
Win rates are those of rollouts at first. As visits gather on good moves they become those of good play: with enough rounds the
search finds the minimax move, and it can be stopped at any time.

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
    """A position in the tree and what the rounds through it have found."""

    __slots__ = ("_unvisited", "children", "move", "parent", "position", "visits", "wins")

    def __init__(self, position: Position, parent: Self | None = None, move: Move | None = None) -> None:
        self.position = position
        self.parent = parent
        self.move = move  # that led here from the parent
        self.children: dict[Move, Self] = {}
        self.visits = 0
        self.wins = [0.0] * position.players  # for each player; together they are the visits
        self._unvisited: list[Move] | None = None

    @property
    def unvisited(self) -> list[Move]:
        """The legal moves without a child yet. Worked out when first asked for: most nodes are visited once and never asked."""
        if self._unvisited is None:
            self._unvisited = self.position.legal_moves()
        return self._unvisited

    def win_rate(self, player: int) -> float:
        """The part of the visits that `player` won, draws shared out. Raises ValueError without a visit."""
        if self.visits == 0:
            raise ValueError("a node without visits has no win rate")
        return self.wins[player] / self.visits

    def uct(self, temperature: float) -> float:
        """How promising this child is to the player who moves to it: its win rate plus what it may be better than that."""
        assert self.parent is not None
        player = self.parent.position.next_player
        return self.win_rate(player) + confidence_radius(self.visits, self.parent.visits, temperature)


def select(root: Node, temperature: float, rng: random.Random) -> Node:
    """Step 1: from the root down to the first node with an untried move, or to the end of the game.

    A high temperature tries much, a low one trusts the win rates so far; 0 never looks back at a move that once went wrong.
    """
    node = root
    while not node.unvisited and node.children:
        if node.position.next_player == CHANCE:
            node = node.children[chance_move(node.position, rng)]
        else:
            node = max(node.children.values(), key=lambda child: child.uct(temperature))
    return node


def expand(node: Node, rng: random.Random) -> Node:
    """Step 2: the child for one of the untried moves, drawn by lot; the node itself at the end of the game."""
    if not node.unvisited:
        return node
    move = node.unvisited.pop(rng.randrange(len(node.unvisited)))
    node.children[move] = Node(node.position.apply_move(move), node, move)
    return node.children[move]


def back_up(leaf: Node, rewards: list[float]) -> None:
    """Step 4 (step 3 is the rollout): note what each player won in the leaf and every node above it."""
    node: Node | None = leaf
    while node is not None:
        node.visits += 1
        for player, reward in enumerate(rewards):
            node.wins[player] += reward
        node = node.parent


def most_visited(root: Node) -> Node:
    """The child to play: the one with the most visits, by win rate among equals.

    Not the one with the best win rate: that may be one lucky rollout. Raises ValueError when the root has no child.
    """
    if not root.children:
        raise ValueError("no move was searched")
    player = root.position.next_player
    return max(root.children.values(), key=lambda child: (child.visits, child.win_rate(player)))


def should_resign(root: Node, threshold: float) -> bool:
    """Does the move to play win less often than `threshold`? Raises ValueError when the root has no child."""
    return most_visited(root).win_rate(root.position.next_player) < threshold


class TreeSearch:
    """Chooses moves by Monte Carlo tree search, and keeps the tree between moves.

    rounds -- visits of the root to reach for each move, those kept from the move before included
    temperature -- of UCT; sqrt(2) is what the theory asks of rewards in 0..1, and less is often stronger
    rollout -- how a new node is judged: any function from a position to a reward in 0..1 for each player
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
        """The move to play. Raises ValueError when the game is over and where chance moves."""
        move = most_visited(self.search(position)).move
        assert move is not None
        return move

    def search(self, position: Position, should_stop: Callable[[], bool] = lambda: False) -> Node:
        """The root of the tree after the rounds, or after `should_stop` said so, but at least one. Raises ValueError as choose_move."""
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
        """The node that the last tree has for `position`, made a root; None when it has none.

        Looks as far down as one move of each player and a throw of dice between them.
        """
        level = [self.root] if self.root is not None else []
        for _ in range(2 * position.players):
            for node in level:
                if node.position == position:
                    node.parent = None  # what is not below is forgotten
                    return node
            level = [child for node in level for child in node.children.values()]
        return None
