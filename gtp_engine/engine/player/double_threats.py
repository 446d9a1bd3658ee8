"""Double threats: a move that each of two proofs has an answer to, but no answer serves both.

Each chain is proved by itself, as if its owner could always answer there. Where the regions of two proofs overlap, one move may attack both
chains, or help both of two dead ones.
"""

from collections.abc import Iterator
from itertools import combinations

from gtp_engine.engine.player.statuses import Claim, Statuses
from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, CAPTURE_ANY, DEFENDER, NEITHER
from gtp_engine.engine.solver.question import Answer, Budget, Question
from gtp_engine.engine.solver.region import RegionError, build_region
from gtp_engine.go.count import liberties_of
from gtp_engine.go.game import Game
from gtp_engine.go.points import EMPTY, opponent


def has_double_threat(game: Game, statuses: Statuses, nodes: int) -> bool:
    """Do two of the claims that count hold each, but not both together? Of that, only what the solver proves within its budget.

    nodes -- positions that the solver may look at for each pair; `statuses.nodes_left` for all
    """
    return any(is_broken(game, pair, statuses, nodes) for pair in overlapping(game, statuses.claims))


def overlapping(game: Game, claims: list[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """The pairs of chains of one color that both live or are both taken, and whose regions overlap; the smallest regions first."""
    pairs = [
        (one, other)
        for one, other in combinations(claims, 2)
        if EMPTY != one.owner == other.owner
        and game.color_at(min(one.chain)) == game.color_at(min(other.chain))
        and not one.region.isdisjoint(other.region)
    ]
    yield from sorted(pairs, key=lambda pair: len(pair[0].region | pair[1].region))


def is_broken(game: Game, pair: tuple[Claim, Claim], statuses: Statuses, nodes: int) -> bool:
    """Can the side to play save one of two lost chains, or take one of two living chains?"""
    stones, points = pair[0].chain | pair[1].chain, pair[0].region | pair[1].region
    color, budget = game.color_at(min(stones)), Budget(min(nodes, statuses.nodes_left))
    playable = {point for point in points if game.color_at(point) == EMPTY}
    if budget.nodes <= 0 or not all(liberties_of(game, claim.chain) <= playable for claim in pair):
        return False
    try:
        region = build_region(game, set(stones), opponent(color), playable, statuses.safe_stones)
    except RegionError:
        return False
    lives = pair[0].owner == color
    question = Question(game, region, (CAPTURE_ANY if lives else CAPTURE, NEITHER), budget)
    answer = question.ask(question.start(ATTACKER if lives else DEFENDER))
    statuses.nodes_left -= question.node_count
    return answer is (Answer.YES if lives else Answer.NO)
