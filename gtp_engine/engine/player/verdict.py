"""The verdict on a position: what is dead, what stands in seki, the count, and whether anything is left to play for.

genmove's passing, final_score and final_status_list all ask here, so that they agree.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from gtp_engine.engine.player.double_threats import has_double_threat
from gtp_engine.engine.player.statuses import SIGN, SURE, Statuses
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.playout.status import DEAD_BELOW, STATUS_PLAYOUTS, estimate_ownership
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.solver.region import stones_beside
from gtp_engine.go.count import Count, can_stand, closed_regions, count, empty_regions, find_seki, liberties_of, living_colors, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.life import Chain, chains_of
from gtp_engine.go.points import BLACK, EMPTY, WHITE, opponent
from gtp_engine.go.rules import Ko, Scoring

FIRST_NODES = 5_000  # positions that the solver may look at for each part of a question, of which there are up to five
LONGER = ((4, 15_000), (16, 30_000))  # where chains stay in doubt: so many times the playouts, and these nodes instead
MOST_POINTS = 16 * STATUS_PLAYOUTS * 81  # of all playouts together, for each player to move first: on 19x19 they take longer
MOST_NODES = 60_000  # for all questions of a verdict
MOST_DOUBTFUL = 0.4  # share of the stones that may be in doubt for it to be worth reading longer
MOST_SURE = 2  # points of a neutral region that may surely be somebody's: with more, a border is not closed yet
KEPT = 8  # of the last verdicts
STATUSES = ("alive", "dead", "seki", "black_territory", "white_territory", "dame")  # what `status_points` tells


@dataclass(frozen=True)
class Verdict:
    """The judgement of a position as if the game ended now."""

    dead: set[int]  # stones that come off; none under rules that take every stone as alive
    seki: set[int]  # stones that live without two eyes
    hopeless: set[int]  # stones that are dead in playouts, even if the rules count them as alive
    count: Count  # without komi
    ownership: np.ndarray = field(repr=False)  # [P] -1..1, 1 for Black
    is_decided: bool = False  # is nothing left to do except capturing dead stones, if the rules require that?
    is_settled: bool = False  # is there nothing left that could change the count?


class Verdicts:
    """The verdicts on positions, by the witnesses that there are; the last ones are kept."""

    def __init__(self, network_owners: Callable[[Game], np.ndarray | None] = lambda game: None) -> None:
        """`network_owners`: a network's ownership, [P] -1..1, 1 for Black; None if there is no network."""
        self._network_owners = network_owners
        self._verdicts: dict[bytes, Verdict] = {}

    def forget(self) -> None:
        """Forget all verdicts, because another network may be used from now on."""
        self._verdicts.clear()

    def verdict(self, game: Game) -> Verdict:
        """The verdict on the position, kept for the last KEPT positions."""
        key = key_of(game)
        if key not in self._verdicts:
            if len(self._verdicts) >= KEPT:
                self._verdicts.pop(next(iter(self._verdicts)))
            self._verdicts[key] = judge(game, self._network_owners(game))
        return self._verdicts[key]


def key_of(game: Game) -> bytes:
    """All that a verdict depends on."""
    position = game.positions[0]
    superko = () if game.rules.ko is Ko.SIMPLE else tuple(game.situations())
    text = (game.size, game.rules, game.ko_point(), game.to_play, position["captures"].tolist(), hash(superko))
    return repr((*text, bytes(position["color"]))).encode()


def judge(game: Game, network_owners: np.ndarray | None = None) -> Verdict:
    """Judge the position by playouts with the standard heavy policy and by proofs; the same stones always get the same verdict.

    network_owners -- [P] -1..1, 1 for Black: a network's ownership, used beside the playouts
    """
    statuses = Statuses(game, witness(game, STATUS_PLAYOUTS, network_owners), MOST_NODES)
    statuses.find(FIRST_NODES)
    for times, nodes in LONGER:
        if not is_worth_reading(game, statuses):
            break
        statuses.witness = witness(game, min(times * STATUS_PLAYOUTS, MOST_POINTS // game.size**2), network_owners)
        statuses.find(nodes)
    ownership, is_open = statuses.owners(), statuses.is_open()
    hopeless = {point for chain in lost_chains(game, ownership) for point in chain}
    for chain in disputed(game, hopeless, ownership):
        hopeless, is_open = hopeless - chain, True
    hopeless -= saved_by_superko(game, hopeless)  # the game is not settled for that: `ownership` stays
    dead = set() if game.rules.all_alive else hopeless
    seki = find_seki(game, hopeless)
    verdict = Verdict(dead, seki, hopeless, count(game, dead, seki), ownership)
    is_decided = not is_open and leaves_nothing(game, verdict) and not has_double_threat(game, statuses, FIRST_NODES)
    return replace(verdict, is_decided=is_decided, is_settled=is_decided and dead == hopeless)


def witness(game: Game, playouts: int, network_owners: np.ndarray | None) -> np.ndarray:
    """[P] -1..1: what playouts say, and a network where there is one. Where they disagree, neither is believed much."""
    owners = estimate_ownership(game, playout_policy(SearchParams()), playouts)
    return owners if network_owners is None else (owners + network_owners) / 2


def is_worth_reading(game: Game, statuses: Statuses) -> bool:
    """Are a few chains in doubt? With many, or on an empty board, the game goes on anyway."""
    stones = sum(map(len, statuses.doubtful()))
    empty = int(game.positions[0]["empty_count"])
    return 0 < stones <= MOST_DOUBTFUL * (game.size * game.size - empty)


def lost_chains(game: Game, ownership: np.ndarray) -> list[Chain]:
    """The chains whose points go to the opponent."""
    chains = [chain for color in (BLACK, WHITE) for chain in chains_of(game, color)]
    return [chain for chain in chains if life_of(game, chain, ownership) < DEAD_BELOW]


def life_of(game: Game, chain: Chain, ownership: np.ndarray) -> float:
    """-1..1: how surely the chain lives."""
    return SIGN[game.color_at(min(chain))] * float(ownership[list(chain)].mean())


def disputed(game: Game, hopeless: set[int], ownership: np.ndarray) -> Iterator[Chain]:
    """Of two chains that touch and both seem dead, which is impossible, the one that is less surely so."""
    lost = sorted(lost_chains(game, ownership), key=lambda chain: (life_of(game, chain, ownership), min(chain)))
    dead: set[int] = set()
    for chain in lost:
        color = game.color_at(min(chain))
        if any(point in dead and game.color_at(point) != color for point in stones_beside(game, chain)):
            yield chain
        else:
            dead |= chain


def leaves_nothing(game: Game, verdict: Verdict) -> bool:
    """With the dead stones off: is every point's owner sure, and, where area counts, no neutral point left but those of a seki?"""
    hopeless, seki = verdict.hopeless, verdict.seki
    board = count(game, hopeless, seki) if game.rules.all_alive else verdict.count
    lost = [chain for color in (BLACK, WHITE) for chain in chains_of(game, color) if chain <= hopeless]
    if any(can_be_saved(game, chain, hopeless) for chain in lost):
        return False
    colors = living_colors(game, hopeless)
    regions = list(empty_regions(colors, game.size))
    kept = seki.union(*(region.points for region in regions if region.border <= seki))
    if any(owner != EMPTY and SIGN[owner] * verdict.ownership[point] < SURE for point, owner in board.owners.items() if point not in kept):
        return False
    neutral = [region for region in regions if region.owner(colors) == EMPTY]
    if any(sum(abs(verdict.ownership[point]) >= SURE for point in region.points) > MOST_SURE for region in neutral):
        return False
    if any(len(liberties_of(game, chain)) == 1 for chain in living_chains(game, verdict)):
        return False
    if game.rules.scoring is Scoring.TERRITORY:
        return not any(has_room(game, region.points) for region in neutral) and not any(
            region.border.isdisjoint(seki) and closed_regions(game, colors, region, color) for region in neutral for color in (BLACK, WHITE)
        )
    return all(not region.border.isdisjoint(seki) and not can_be_filled(game, region.points) for region in neutral)


def has_room(game: Game, points: Collection[int]) -> bool:
    """True if one of these empty points is surrounded by others of them, so that somebody may still make territory there."""
    return any(all(other in points for other in neighbors(point, game.size)) for point in points)


def living_chains(game: Game, verdict: Verdict) -> list[Chain]:
    """The chains that are neither hopeless nor in seki."""
    chains = [chain for color in (BLACK, WHITE) for chain in chains_of(game, color)]
    return [chain for chain in chains if chain.isdisjoint(verdict.hopeless | verdict.seki)]


def can_be_filled(game: Game, points: Collection[int]) -> bool:
    """May one side play on one of these neutral points without being in atari there? In a seki that is worth the point."""
    return any(can_stand(game, color, point) for color in (BLACK, WHITE) for point in points)


def open_points(game: Game, color: int, verdict: Verdict) -> set[int]:
    """The points where a move of `color` costs nothing, even under territory rules, because the stone is safe there.

    These are neutral points, those whose owner isn't sure, and those where it takes a living chain. A move that brings a position back
    isn't one of them: two kos could be taken for ever.
    """
    colors = living_colors(game, verdict.hopeless)
    points: set[int] = set()
    for region in empty_regions(colors, game.size):
        if region.owner(colors) == EMPTY:
            points |= region.points
        elif region.border.isdisjoint(verdict.seki):
            points.update(point for point in region.points if abs(verdict.ownership[point]) < SURE)
    for chain in living_chains(game, verdict):
        if game.color_at(min(chain)) != color and len(last := liberties_of(game, chain)) == 1:
            points |= last
    return {p for p in points if game.color_at(p) == EMPTY and can_stand(game, color, p) and not game.brings_back(color, p)}


def can_be_saved(game: Game, chain: Chain, hopeless: set[int]) -> bool:
    """Is this hopeless chain in atari, and would one move join it to stones that aren't hopeless, with liberties to spare?

    Then the next move decides, even if playouts are sure about the result.
    """
    liberties = liberties_of(game, chain)
    color = game.color_at(next(iter(chain)))
    if len(liberties) != 1 or game.why_illegal(color, *liberties):
        return False
    after = game.copy()
    after.play(color, *liberties)
    joined = set(after.chain_at(*liberties))
    return len(liberties_of(after, joined)) > 1 and not joined <= hopeless | liberties


def saved_by_superko(game: Game, hopeless: set[int]) -> set[int]:
    """The hopeless stones that can't be taken now, because that would repeat a position, and that one move of their owner would save.

    Playouts don't know the positions of before. Whoever plays elsewhere first, to take them afterwards, gives the owner that move.
    """
    saved: set[int] = set()
    for color in (BLACK, WHITE):
        for chain in chains_of(game, color):
            if chain <= hopeless and can_be_saved(game, chain, hopeless):
                (liberty,) = liberties_of(game, chain)
                taker = opponent(color)
                if not game.why_illegal(taker, liberty) and game.repeats_position(taker, liberty):
                    saved |= chain
    return saved


def status_points(game: Game, verdict: Verdict, status: str) -> list[list[int]]:
    """The points with one of STATUSES: of stones chain by chain, of territory and dame all in one list, which is left out when empty."""
    if status in ("alive", "dead", "seki"):
        chains = {tuple(game.chain_at(point)) for color in (BLACK, WHITE) for point in game.stones(color)}
        statuses = {chain: "dead" if chain[0] in verdict.dead else "seki" if chain[0] in verdict.seki else "alive" for chain in chains}
        return sorted(list(chain) for chain in chains if statuses[chain] == status)
    owner = {"black_territory": BLACK, "white_territory": WHITE, "dame": EMPTY}[status]
    board = [point for point, who in verdict.count.owners.items() if who == owner]
    points = [point for point in board if game.color_at(point) == EMPTY or point in verdict.dead]
    return [points] if points else []


def leads(board_score: float, color: int, komi: float) -> bool:
    """Does `color` win with this count and all of White's points beside the board?"""
    return board_score > komi if color == BLACK else board_score < komi
