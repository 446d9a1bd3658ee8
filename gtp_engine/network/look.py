"""One question to a network about a game: its policy and value, for people to look at."""

from dataclasses import dataclass

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, row_and_column
from gtp_engine.network.formats import OpenNetwork
from gtp_engine.search.arrays import new_arrays, recent_moves, set_root
from gtp_engine.search.params import SMALLEST_MEMORY, SearchParams


@dataclass(frozen=True)
class Look:
    """What a network says of a position, from the side of the player to move."""

    policy: dict[int, float]  # the probability of each legal move, a point or PASS; together 1
    win_rate: float  # 0..1
    lead: float  # points, komi included


def look(game: Game, komi: float, network: OpenNetwork) -> Look:
    """Ask the network about the game's position, as it stands on the board. `komi`: points that White gets."""
    params = SearchParams(memory=SMALLEST_MEMORY, symmetry=False, playout_share=0.0)
    arrays = new_arrays(params, 1)
    set_root(arrays, game, game.to_play, params, komi, {})
    arrays.workspaces["position"] = game.positions[0]
    arrays.workspaces["recent_moves"] = recent_moves(game)
    question = network.backend.new_question(game.size)
    network.features.see(arrays, 0, question, 0)
    question.ask()
    network.features.read(arrays, 0, question, 0)
    answer = arrays.workspaces[0]["answer"]
    logits = answer["policy"].astype(np.float64)
    legal = {point: place_of(point, game.size) for point in [*game.legal_points(game.to_play), PASS]}
    highest = max(logits[place] for place in legal.values())
    weights = {point: float(np.exp(logits[place] - highest)) for point, place in legal.items()}
    total = sum(weights.values())
    policy = {point: weight / total for point, weight in weights.items()}
    return Look(policy, float(answer["win"]), float(answer["lead"]))


def place_of(point: int, size: int) -> int:
    """The place of a move in a policy: row 0 at the top, the pass last. In Python what puct.policy_index is in kernels."""
    if point == PASS:
        return size * size
    row, column = row_and_column(point)
    return (size - row) * size + column - 1
