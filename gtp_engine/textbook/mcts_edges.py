"""Monte Carlo tree search without nodes: visits and wins are kept for each position and move, as reinforcement learning writes it.

The same four steps as in `mcts.py`, in a third of the code. N(s, a) counts how often move `a` was played in position `s`, W(s, a) what
it won; W / N is Q(s, a), the value of a move. A position that is reached in two ways has one set of numbers, so the tree is a graph
and learns from both. The price: nothing tells which numbers are no longer needed.

R. Sutton and A. Barto: Reinforcement Learning, 2nd edition 2018, section 8.11.
"""

import random
from collections import defaultdict

from gtp_engine.textbook.bandit import UCB1_TEMPERATURE, Arm, choose_arm
from gtp_engine.textbook.game import CHANCE, Move, Position, require_moves
from gtp_engine.textbook.rollouts import Rollout, chance_move, random_rollout


class EdgeSearch:
    """Chooses moves from visits and wins by position and move. `rounds` more are played for each move."""

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
        """The move with the most visits. Raises ValueError when the game is over."""
        moves = require_moves(position)
        for _ in range(self.rounds):
            self.play_round(position)
        return max(moves, key=lambda move: self.edges[position, move].pulls)

    def play_round(self, position: Position) -> None:
        """Walk down until an edge is walked for the first time, roll out, and note the result on every edge of the walk."""
        walk: list[tuple[Arm, int]] = []  # each edge and who moved
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
        """The bandit's choice among the moves, tried in random order first; by lot where chance moves."""
        if position.next_player == CHANCE:
            return chance_move(position, self.rng)
        moves = position.legal_moves()
        self.rng.shuffle(moves)
        return moves[choose_arm([self.edges[position, move] for move in moves], self.temperature)]
