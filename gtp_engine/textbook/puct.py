"""PUCT: tree search with a guide instead of rollouts, as in AlphaZero. The guide returns priors for the moves and a value.

The search chooses a move by its value so far plus a bonus that is proportional to its prior. Moves with high priors are tried first, and
the others follow if those disappoint. The value of a new node is the guide's, and no game is played to the end. The guide is any
function: a handwritten evaluation, a few rollouts, or a neural network. The game has two players and no chance, as in `minimax.py`.

D. Silver and others: A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play. Science 362, 2018.
"""

import math
import random
from collections.abc import Callable

from gtp_engine.textbook.game import Move, Position, require_moves, require_two_players
from gtp_engine.textbook.rollouts import Rollout

Guide = Callable[[Position], tuple[dict[Move, float], float]]
"""A position that is not over -> (prior of each legal move, value).

Priors are 0 or more, and only their proportions count. The value is for the player to move: 1 is a certain win, 0 even, -1 a certain loss.
"""

EXPLORATION = 1.5  # c of PUCT; AlphaZero began at 1.25
SURE = 1.0  # the largest value


class GuidedNode:
    """A position in the tree: its value for the player to move, and its children, which are created when first tried."""

    __slots__ = ("children", "position", "priors", "value_sum", "visits")

    def __init__(self, position: Position, priors: dict[Move, float], value: float) -> None:
        self.position = position
        self.priors = priors  # of the legal moves, with the sum 1; empty when the game is over
        self.children: dict[Move, GuidedNode] = {}
        self.visits = 1  # the visit that gave `value`
        self.value_sum = value  # for the player to move here

    def value_of(self, move: Move) -> float:
        """Return the mean value of a move for the player who makes it; 0, an even game, if it is untried."""
        child = self.children.get(move)
        return -child.value_sum / child.visits if child else 0.0

    def visits_of(self, move: Move) -> int:
        """Return the visits of a move."""
        return self.children[move].visits if move in self.children else 0

    def puct(self, move: Move, exploration: float) -> float:
        """Return value + c * prior * sqrt(visits of the node) / (1 + visits of the move), with c = `exploration`."""
        return self.value_of(move) + exploration * self.priors[move] * math.sqrt(self.visits) / (1 + self.visits_of(move))


class GuidedSearch:
    """Chooses moves by PUCT with `rounds` rounds for each move."""

    def __init__(self, guide: Guide, rounds: int, exploration: float = EXPLORATION) -> None:
        if rounds < 1:
            raise ValueError(f"{rounds} rounds: at least one is needed to find a move")
        if not 0.0 <= exploration < math.inf:
            raise ValueError(f"exploration must be 0 or more, not {exploration}")
        self.guide, self.rounds, self.exploration = guide, rounds, exploration

    def choose_move(self, position: Position) -> Move:
        """Return the move with the most visits, by prior among equals. Raises ValueError as `search` does."""
        root = self.search(position)
        return max(root.priors, key=lambda move: (root.visits_of(move), root.priors[move]))

    def search(self, position: Position) -> GuidedNode:
        """Play the rounds and return the root.

        Raises ValueError when the game is over, when it has chance or not two players, and when the guide returns invalid priors or values.
        """
        require_moves(position)
        root = self.look(position)
        for _ in range(self.rounds):
            self.play_round(root)
        return root

    def play_round(self, node: GuidedNode) -> float:
        """Play one round from `node` down and return its value for the player to move at `node`."""
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
        """Return a new node with one visit. Its value is the guide's, or the result of a finished game."""
        require_two_players(position)
        if position.is_over():
            return GuidedNode(position, {}, sign(position.utility(position.next_player)))
        priors, value = self.guide(position)
        check_advice(position, priors, value)
        total = sum(priors.values())
        return GuidedNode(position, {move: priors[move] / total for move in position.legal_moves()}, value)


def check_advice(position: Position, priors: dict[Move, float], value: float) -> None:
    """Raise ValueError with an explanation if the guide's priors or value are invalid for the position."""
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
    """Return a result as a value without its margin: 1 for a win, 0 for a draw, -1 for a loss."""
    return float((utility > 0) - (utility < 0))


def know_nothing(position: Position) -> tuple[dict[Move, float], float]:
    """Return equal priors and the value 0. With this guide the search learns from finished games only."""
    return dict.fromkeys(position.legal_moves(), 1.0), 0.0


def evaluating_guide(evaluate: Callable[[Position], float], scale: float) -> Guide:
    """Return a guide that is based on an evaluation for the player to move: its value is tanh(evaluation / scale).

    Its priors come from the evaluations after each move. `scale`: a clearly good evaluation, which becomes the value 0.76.
    """

    def guide(position: Position) -> tuple[dict[Move, float], float]:
        """See Guide."""
        after = {move: position.apply_move(move) for move in position.legal_moves()}
        values = {move: next_value(position_after) for move, position_after in after.items()}
        return {move: math.exp(2.0 * value) for move, value in values.items()}, math.tanh(evaluate(position) / scale)

    def next_value(position: Position) -> float:
        """Return the value for the player who has just moved."""
        if position.is_over():
            return -sign(position.utility(position.next_player))
        return -math.tanh(evaluate(position) / scale)

    return guide


def rollout_guide(rollout: Rollout, count: int, rng: random.Random) -> Guide:
    """Return a guide with equal priors whose value is the mean of `count` rollouts."""

    def guide(position: Position) -> tuple[dict[Move, float], float]:
        """See Guide."""
        player = position.next_player
        won = sum(rollout(position, rng)[player] for _ in range(count))
        return dict.fromkeys(position.legal_moves(), 1.0), 2.0 * won / count - 1.0

    return guide
