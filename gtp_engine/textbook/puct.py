"""PUCT: tree search with a guide instead of rollouts, as AlphaZero has it. The guide says which moves look good, and who is ahead.

A move is chosen by its value so far plus a bonus in proportion to its prior: moves that the guide likes are tried first, the others
only when those disappoint. A new node is worth what the guide says, and no game is played to the end. The guide is any function:
an evaluation by hand, a few rollouts, a neural network. Two players who decide everything, as in `minimax.py`.

D. Silver and others: A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play. Science 362, 2018.
"""

import math
import random
from collections.abc import Callable

from gtp_engine.textbook.game import Move, Position, require_moves, require_two_players
from gtp_engine.textbook.rollouts import Rollout

Guide = Callable[[Position], tuple[dict[Move, float], float]]
"""A position that is not over -> (prior of each legal move, value).

Priors are 0 or more, and only their proportions count. The value is for the player to move: 1 a sure win, 0 even, -1 a sure loss.
"""

EXPLORATION = 1.5  # c of PUCT; AlphaZero began at 1.25
SURE = 1.0  # the largest value


class GuidedNode:
    """A position in the tree: its value for the player to move, and a child for each legal move, made when first tried."""

    __slots__ = ("children", "position", "priors", "value_sum", "visits")

    def __init__(self, position: Position, priors: dict[Move, float], value: float) -> None:
        self.position = position
        self.priors = priors  # of the legal moves, adding up to 1; none when the game is over
        self.children: dict[Move, GuidedNode] = {}
        self.visits = 1  # the look that `value` comes from
        self.value_sum = value  # for the player to move here

    def value_of(self, move: Move) -> float:
        """The mean value of a move for the player who makes it; 0, an even game, before it was tried."""
        child = self.children.get(move)
        return -child.value_sum / child.visits if child else 0.0

    def visits_of(self, move: Move) -> int:
        """How often the move was tried."""
        return self.children[move].visits if move in self.children else 0

    def puct(self, move: Move, exploration: float) -> float:
        """value + c * prior * sqrt(visits of the node) / (1 + visits of the move): the bonus that decides what is tried next."""
        return self.value_of(move) + exploration * self.priors[move] * math.sqrt(self.visits) / (1 + self.visits_of(move))


class GuidedSearch:
    """Chooses moves by PUCT with `rounds` positions shown to the guide for each move."""

    def __init__(self, guide: Guide, rounds: int, exploration: float = EXPLORATION) -> None:
        if rounds < 1:
            raise ValueError(f"{rounds} rounds: at least one is needed to find a move")
        if not 0.0 <= exploration < math.inf:
            raise ValueError(f"exploration must be 0 or more, not {exploration}")
        self.guide, self.rounds, self.exploration = guide, rounds, exploration

    def choose_move(self, position: Position) -> Move:
        """The move with the most visits, by prior among equals. Raises ValueError as `search` does."""
        root = self.search(position)
        return max(root.priors, key=lambda move: (root.visits_of(move), root.priors[move]))

    def search(self, position: Position) -> GuidedNode:
        """The root after the rounds.

        Raises ValueError when the game is over or not one for two players who decide, and when the guide returns nonsense.
        """
        require_moves(position)
        root = self.look(position)
        for _ in range(self.rounds):
            self.play_round(root)
        return root

    def play_round(self, node: GuidedNode) -> float:
        """One round from `node` down; gives back its value for the player to move at `node`."""
        if node.position.is_over():
            value = sign(node.position.utility(node.position.next_player))
        else:
            move = max(node.priors, key=lambda move: node.puct(move, self.exploration))
            if move in node.children:
                value = -self.play_round(node.children[move])
            else:
                child = node.children[move] = self.look(node.position.apply_move(move))
                value = -child.value_sum
        node.visits += 1
        node.value_sum += value
        return value

    def look(self, position: Position) -> GuidedNode:
        """A new node, visited once: worth what the guide says, or what the finished game was."""
        require_two_players(position)
        if position.is_over():
            return GuidedNode(position, {}, sign(position.utility(position.next_player)))
        priors, value = self.guide(position)
        check_advice(position, priors, value)
        total = sum(priors.values())
        return GuidedNode(position, {move: priors[move] / total for move in position.legal_moves()}, value)


def check_advice(position: Position, priors: dict[Move, float], value: float) -> None:
    """Raises ValueError, saying what is wrong, unless a guide may say this of the position."""
    legal = set(position.legal_moves())
    if set(priors) != legal:
        missing, extra = sorted(legal - set(priors)), sorted(map(str, set(priors) - legal))
        raise ValueError(f"the guide's priors must be for the legal moves: missing {missing}, not legal {extra}")
    for move, prior in priors.items():
        if not 0.0 <= prior < math.inf:
            raise ValueError(f"the guide's prior for {move} must be 0 or more, not {prior}")
    if not 0.0 < sum(priors.values()) < math.inf:
        raise ValueError("the guide's priors are all 0: no move can be chosen")
    if not -SURE <= value <= SURE:
        raise ValueError(f"the guide's value must be between -1 and 1, not {value}")


def sign(utility: float) -> float:
    """A result as a value: 1 won, 0 drawn, -1 lost, whatever the margin."""
    return float((utility > 0) - (utility < 0))


def know_nothing(position: Position) -> tuple[dict[Move, float], float]:
    """The guide without an opinion: every move is as likely, every position even. The search then lives on finished games alone."""
    return dict.fromkeys(position.legal_moves(), 1.0), 0.0


def evaluating_guide(evaluate: Callable[[Position], float], scale: float) -> Guide:
    """A guide from an evaluation for the player to move: tanh(evaluation / scale) as the value, and priors from a look one move ahead.

    `scale` is an evaluation that is clearly good, in its own units: it counts as 0.76.
    """

    def guide(position: Position) -> tuple[dict[Move, float], float]:
        """See Guide."""
        after = {move: position.apply_move(move) for move in position.legal_moves()}
        values = {move: next_value(position_after) for move, position_after in after.items()}
        return {move: math.exp(2.0 * value) for move, value in values.items()}, math.tanh(evaluate(position) / scale)

    def next_value(position: Position) -> float:
        """For the player who has just moved."""
        if position.is_over():
            return -sign(position.utility(position.next_player))
        return -math.tanh(evaluate(position) / scale)

    return guide


def rollout_guide(rollout: Rollout, count: int, rng: random.Random) -> Guide:
    """A guide that plays `count` rollouts for the value, and has no opinion on the moves."""

    def guide(position: Position) -> tuple[dict[Move, float], float]:
        """See Guide."""
        player = position.next_player
        won = sum(rollout(position, rng)[player] for _ in range(count))
        return dict.fromkeys(position.legal_moves(), 1.0), 2.0 * won / count - 1.0

    return guide
