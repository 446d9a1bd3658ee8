"""The verdict on a position: what is dead, what stands in seki, the count, and whether anything is left to play for.

genmove's passing, final_score and final_status_list all ask here, so that they agree.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from gtp_engine.go.count import Count, count, empty_regions, find_seki, liberties_of, living_colors
from gtp_engine.go.game import Game
from gtp_engine.go.life import Chain, Life, chains_of, judge_eye_spaces, safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE, opponent
from gtp_engine.go.rules import Scoring
from gtp_engine.player.fights import ChainQuestion, ask, questions
from gtp_engine.playout.policy import playout_policy
from gtp_engine.playout.status import dead_stones, estimate_ownership
from gtp_engine.search.params import SearchParams
from gtp_engine.solver.question import Budget

SURE = 0.7  # an ownership as sure as this is settled; a living group without two finished eyes gets about 0.8 from playouts
FIGHT_NODES = 10_000  # positions after which no other fight is read; each part of the last one gets what is left, see fights.ask
SEKI_NODES = 100_000  # the same for sekis on which all depends that seems settled: playouts are easily wrong there, and a game is lost then
MOST_EMPTY = 8  # points of a region in which stones may be asked about as a seki's: with more, the game goes on there
MANY_LIBERTIES = 5  # a chain that has so many and is sure of its points isn't in a seki
SIGN = {BLACK: 1.0, WHITE: -1.0}
STATUSES = ("alive", "dead", "seki", "black_territory", "white_territory", "dame")  # what `status_points` tells


@dataclass(frozen=True)
class Verdict:
    """How a position is judged as if the game ended now."""

    dead: set[int]  # stones that come off; none under rules that take every stone as alive
    seki: set[int]  # stones that live without two eyes
    hopeless: set[int]  # stones that playouts find dead, whatever the rules make of it
    count: Count  # without komi
    ownership: np.ndarray = field(repr=False)  # [P] -1..1, 1 for Black
    is_settled: bool = False  # is there nothing left that could change the count?


def judge(game: Game) -> Verdict:
    """Judge the position by playouts with the standard heavy policy; the same stones always get the same verdict."""
    ownership = estimate_ownership(game, playout_policy(SearchParams()))
    is_open = add_proofs(game, ownership)
    fights = add_fights(game, ownership, questions(game), FIGHT_NODES)
    verdict = verdict_by(game, ownership, is_open or fights.is_open)
    doubtful = verdict.seki | fights.beside
    if not doubtful or is_open or fights.is_open or not is_settled(game, verdict, fights.in_doubt):
        return verdict
    again = (question for question in questions(game) if not question.target.isdisjoint(doubtful))
    return verdict_by(game, ownership, add_fights(game, ownership, again, SEKI_NODES).is_open)


def verdict_by(game: Game, ownership: np.ndarray, is_open: bool) -> Verdict:
    """The verdict that follows from the owners; is_open: some fight waits for a move."""
    hopeless = dead_stones(game, ownership)
    hopeless -= saved_by_superko(game, hopeless)  # the game is not settled for that: `ownership` stays
    dead = set() if game.rules.all_alive else hopeless
    seki = find_seki(game, hopeless)
    verdict = Verdict(dead, seki, hopeless, count(game, dead, seki), ownership)
    return verdict if is_open else replace(verdict, is_settled=is_settled(game, verdict))


def add_proofs(game: Game, ownership: np.ndarray) -> bool:
    """Where life or death can be proved, let the proof override what playouts made of it; True when some group is proved unsettled."""
    is_open = False
    safe = {color: safe_area(game, color) for color in (BLACK, WHITE)}
    for color, area in safe.items():
        ownership[list(area)] = SIGN[color]
    for finding in judge_eye_spaces(game, living_stones(game, ownership, safe[BLACK] | safe[WHITE])):
        color, space = finding.enclosure.color, list(finding.enclosure.points)
        if all(chain <= safe[color] for chain in finding.enclosure.walls):
            ownership[space] = SIGN[color]  # the walls need no life from this space, and so small a one has no room for two eyes inside
            continue
        walls = [point for chain in finding.enclosure.walls if not chain <= safe[color] for point in chain]
        if finding.life is Life.UNSETTLED:
            is_open = True
            continue
        owner = color if finding.life is Life.ALIVE else opponent(color)
        ownership[walls] = SIGN[owner]
        if finding.life is Life.DEAD or finding.invaders_are_dead:
            ownership[space] = SIGN[owner]
        else:
            ownership[[point for point in space if game.color_at(point) != EMPTY]] = -SIGN[owner]  # a seki: both stay
    return is_open


@dataclass
class Fights:
    """What came of reading the closed fights of a position."""

    is_open: bool = False  # does some fight wait for a move?
    # Of chains that aren't taken, but may get no two eyes: their regions, and the attacker's stones there, which may stay, too.
    in_doubt: set[int] = field(default_factory=set)
    beside: set[int] = field(default_factory=set)


def add_fights(game: Game, ownership: np.ndarray, fights: Iterator[ChainQuestion], nodes: int) -> Fights:
    """As add_proofs, for closed fights that the solver decides within a few positions; `nodes`: after so many none is read any more."""
    found, left = Fights(), nodes
    for question in fights:
        if left <= 0:
            break
        fight = ask(game, question, Budget(left))
        left -= fight.nodes
        found.is_open |= fight.is_unsettled
        if fight.taken.winner is None:
            continue
        ownership[list(question.target)] = SIGN[fight.taken.winner]
        attackers = question.attackers(game)
        if fight.taken.winner != question.owner or fight.gets_two_eyes or not attackers:
            continue
        if fight.is_seki and question.may_be_seki and lives_around(game, ownership, question):
            ownership[attackers] = -SIGN[question.owner]
        elif question.region.empty_count() <= MOST_EMPTY:
            found.in_doubt.update(question.region.points)
            found.beside.update(attackers)
    return found


def lives_around(game: Game, ownership: np.ndarray, question: ChainQuestion) -> bool:
    """Do the stones around the region, which the solver took to live, seem to?"""
    return all(SIGN[game.color_at(point)] * ownership[point] >= SURE for point in question.region.assumed.intersection(question.ring))


def living_stones(game: Game, ownership: np.ndarray, safe: set[int]) -> set[int]:
    """The stones that can be relied on to surround others: safe ones, and those sure of their points with liberties to spare."""
    living = set(safe)
    for color in (BLACK, WHITE):
        for chain in chains_of(game, color):
            if len(liberties_of(game, chain)) >= MANY_LIBERTIES and all(SIGN[color] * ownership[point] >= SURE for point in chain):
                living |= chain
    return living


def is_settled(game: Game, verdict: Verdict, but: Collection[int] = ()) -> bool:
    """Is every point's owner sure, and, where area counts, no neutral point left but those of a seki? The points `but` don't matter."""
    hopeless, board, seki = verdict.hopeless, verdict.count, verdict.seki
    if game.rules.all_alive and hopeless:
        return False  # the dead stones must be captured first
    lost = [chain for color in (BLACK, WHITE) for chain in chains_of(game, color) if chain <= hopeless and chain.isdisjoint(but)]
    if any(can_be_saved(game, chain, hopeless) for chain in lost):
        return False
    colors = living_colors(game, hopeless)
    regions = list(empty_regions(colors, game.size))
    known = seki.union(but, *(region.points for region in regions if region.border <= seki))
    if any(owner != EMPTY and SIGN[owner] * verdict.ownership[point] < SURE for point, owner in board.owners.items() if point not in known):
        return False
    if game.rules.scoring is Scoring.TERRITORY:
        return True
    neutral = [region for region in regions if region.owner(colors) == EMPTY and region.points.isdisjoint(but)]
    return all(not region.border.isdisjoint(seki) and not can_be_filled(game, region.points) for region in neutral)


def can_be_filled(game: Game, points: Collection[int]) -> bool:
    """May one side play on one of these neutral points without being in atari there? In a seki that is worth the point."""
    for color in (BLACK, WHITE):
        for point in points:
            if not game.why_illegal(color, point):
                after = game.copy()
                after.play(color, point)
                if len(liberties_of(after, after.chain_at(point))) > 1:
                    return True
    return False


def can_be_saved(game: Game, chain: Chain, hopeless: set[int]) -> bool:
    """Is this hopeless chain in atari, and would one move join it to stones that aren't hopeless, with liberties to spare?

    Then the next move decides, however sure playouts are of who makes it.
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
    found: set[int] = set()
    for color in (BLACK, WHITE):
        for chain in chains_of(game, color):
            if chain <= hopeless and can_be_saved(game, chain, hopeless):
                (liberty,) = liberties_of(game, chain)
                taker = opponent(color)
                if not game.why_illegal(taker, liberty) and game.repeats_position(taker, liberty):
                    found |= chain
    return found


def status_points(game: Game, verdict: Verdict, status: str) -> list[list[int]]:
    """The points with one of STATUSES: of stones chain by chain, of territory and dame all in one list, which is left out when empty."""
    if status in ("alive", "dead", "seki"):
        chains = {tuple(game.chain_at(point)) for color in (BLACK, WHITE) for point in game.stones(color)}
        found = {chain: "dead" if chain[0] in verdict.dead else "seki" if chain[0] in verdict.seki else "alive" for chain in chains}
        return sorted(list(chain) for chain in chains if found[chain] == status)
    owner = {"black_territory": BLACK, "white_territory": WHITE, "dame": EMPTY}[status]
    board = [point for point, who in verdict.count.owners.items() if who == owner]
    points = [point for point in board if game.color_at(point) == EMPTY or point in verdict.dead]
    return [points] if points else []


def leads(board_score: float, color: int, komi: float) -> bool:
    """Does `color` win with this count and all of White's points beside the board?"""
    return board_score > komi if color == BLACK else board_score < komi
