"""One question to a network about a game: its policy and value, for people to look at."""

from dataclasses import dataclass

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, row_and_column
from gtp_engine.move_model.model import LOOKS
from gtp_engine.move_model.model_file import load_model
from gtp_engine.network.evaluator import recent_moves
from gtp_engine.network.features import SURVEY_PLAYOUTS, write_planes
from gtp_engine.network.session import Backend
from gtp_engine.playout.playout import TALLY
from gtp_engine.playout.survey import SURVEY, survey_first
from gtp_engine.search.arrays import policy_record
from gtp_engine.search.params import SearchParams


@dataclass(frozen=True)
class Look:
    """What a network says of a position, from the side of the player to move."""

    policy: dict[int, float]  # the probability of each legal move, a point or PASS; together 1
    win_rate: float  # 0..1
    lead: float  # points, komi included


def look(game: Game, komi: float, backend: Backend) -> Look:
    """Ask the network about the game's position, as it stands on the board. `komi`: points that White gets."""
    question = backend.new_question(game.size)
    recent = np.array(recent_moves(game), np.int64)
    positions = np.repeat(game.positions[:1], 3)
    surveys = np.zeros(1, SURVEY)
    survey_first(surveys, SURVEY_PLAYOUTS, komi, positions, policy_record(SearchParams()), np.zeros(1, TALLY))
    write_planes(positions, 0, positions, 1, recent, komi, load_model(), np.zeros(1, LOOKS), surveys, 0, question.planes[0])
    question.ask()
    logits = question.policy[0].astype(np.float64)
    legal = {point: place_of(point, game.size) for point in [*game.legal_points(game.to_play), PASS]}
    highest = max(logits[place] for place in legal.values())
    weights = {point: float(np.exp(logits[place] - highest)) for point, place in legal.items()}
    total = sum(weights.values())
    policy = {point: weight / total for point, weight in weights.items()}
    return Look(policy, float(1.0 / (1.0 + np.exp(-np.float64(question.value[0])))), float(question.score[0]))


def place_of(point: int, size: int) -> int:
    """The place of a move in a policy: row 0 at the top, the pass last. In Python what puct.policy_index is in kernels."""
    if point == PASS:
        return size * size
    row, column = row_and_column(point)
    return (size - row) * size + column - 1
