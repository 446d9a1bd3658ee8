"""Monte Carlo tree search without nodes: it stores visits and wins by position and move, in the notation of reinforcement learning.

It has the same four steps as `mcts.py`, in a third of the code. N(s, a) is the number of times that move `a` was played in position `s`,
W(s, a) its wins, and Q(s, a) = W / N the value of the move. A position that is reached in two ways has one set of numbers, so the tree
is a graph. The disadvantage is that unused numbers are never removed.

R. Sutton and A. Barto: Reinforcement Learning, 2nd edition 2018, section 8.11.
"""

import random
from collections import defaultdict

from gtp_engine.textbook.bandit import UCB1_TEMPERATURE, Arm, choose_arm
from gtp_engine.textbook.game import CHANCE, Move, Position, require_moves
from gtp_engine.textbook.rollouts import Rollout, chance_move, random_rollout


class EdgeSearch:
    """Chooses moves from visits and wins by position and move. It plays `rounds` more rounds for each move."""

    def __init__(
        self,
        rounds: int,
        temperature: float = UCB1_TEMPERATURE,
        rollout: Rollout = random_rollout,
        rng: random.Random | None = None,
    ) -> None:
        if rounds < 1:
            raise ValueError(f"{rounds} rounds: at least one is needed to find a move")
        self.rounds, self.temperature, self.rollout = rounds, temperature, rollout
        self.rng = rng or random.Random()
        self.edges: dict[tuple[Position, Move], Arm] = defaultdict(Arm)  # an edge is an arm: pulls are visits, rewards are wins

    def choose_move(self, position: Position) -> Move:
        """Return the move with the most visits. Raises ValueError when the game is over."""
        moves = require_moves(position)
        for _ in range(self.rounds):
            self.play_round(position)
        return max(moves, key=lambda move: self.edges[position, move].pulls)

    def play_round(self, position: Position) -> None:
        """Walk down to the first new edge, play a rollout, and add the result to every edge of the walk."""
        walk: list[tuple[Arm, int]] = []  # each edge and the player who moved
        is_known = True
        while is_known and not position.is_over():
            player = position.next_player
            move = self.next_move(position)
            edge = self.edges[position, move]
            is_known = edge.pulls > 0
            walk.append((edge, player))
            position = position.apply_move(move)
        rewards = self.rollout(position, self.rng)
        for edge, player in walk:
            edge.pulls += 1
            edge.reward_sum += 0.0 if player == CHANCE else rewards[player]

    def next_move(self, position: Position) -> Move:
        """Return the bandit's choice among the moves, which are first tried in random order; at chance's turn, a random outcome."""
        if position.next_player == CHANCE:
            return chance_move(position, self.rng)
        moves = position.legal_moves()
        self.rng.shuffle(moves)
        return moves[choose_arm([self.edges[position, move] for move in moves], self.temperature)]
