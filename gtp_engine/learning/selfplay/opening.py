"""The beginning of games of self-play: no moves, moves of records, or moves drawn from the network's policy; komi and rules."""

from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.search.result import SearchResult
from gtp_engine.go.points import PASS
from gtp_engine.go.rules import CHINESE, Rules
from gtp_engine.learning.selfplay.params import SelfplayParams
from gtp_engine.learning.training.record_checks import RULES

HALF = 0.5  # points: the step of komi
MOST_HANDICAP = 3  # moves that White passes at the start
OTHER_RULES = RULES[1:]  # area rules with dead stones removed at the end, as in the verdict that ends games


@dataclass(frozen=True)
class OpeningPlan:
    """The random choices for a game before its first move."""

    komi: float
    is_evened: bool  # True: after the opening the komi is set so that the network finds the position even
    policy_moves: int  # moves drawn from the network's policy
    passes: int  # in place of White's first moves
    is_played_out: bool  # True: nobody resigns
    rules: Rules = CHINESE


def draw_plan(params: SelfplayParams, has_moves: bool, random: np.random.Generator) -> OpeningPlan:
    """A random plan; `has_moves`: the game begins with moves of a record, so without others."""
    komi = params.komi + HALF * int(random.integers(-1, 2))
    if random.random() < params.komi_share:
        komi = params.komi + float(random.normal(0.0, params.komi_spread))
    is_by_policy = random.random() < params.policy_share
    moves = 1 + int(random.exponential(params.policy_moves * params.points)) if is_by_policy and not has_moves else 0
    passes = int(random.integers(1, MOST_HANDICAP + 1)) if random.random() < params.handicap_share and not has_moves else 0
    is_evened = random.random() < params.evened_share and (has_moves or moves > 0 or passes > 0)
    is_played_out = random.random() < params.played_out
    return OpeningPlan(rounded(komi), is_evened, moves, passes, is_played_out, draw_rules(params, random))


def draw_rules(params: SelfplayParams, random: np.random.Generator) -> Rules:
    """The rules of a game. With a share of 0 nothing is drawn, so that runs of older versions continue with the same games."""
    if params.rules_share > 0.0 and random.random() < params.rules_share:
        return OTHER_RULES[int(random.integers(len(OTHER_RULES)))]
    return CHINESE


def rounded(komi: float) -> float:
    """The komi rounded to a multiple of HALF."""
    return float(np.round(komi / HALF) * HALF)


def draw_by_policy(result: SearchResult, temperature: float, random: np.random.Generator) -> int:
    """A random move by the priors at the root, a pass only if there is no other move."""
    priors = [(candidate.point, candidate.prior) for candidate in result.candidates] + result.unvisited
    moves = [(point, prior) for point, prior in priors if point != PASS] or [(PASS, 1.0)]
    weights = np.array([prior for _, prior in moves]) ** (1.0 / temperature)
    if not weights.sum() > 0.0:
        weights[:] = 1.0
    return moves[int(random.choice(len(moves), p=weights / weights.sum()))][0]
