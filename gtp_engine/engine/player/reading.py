"""Reading before a search: what the solver proves of the unsettled fights goes into the search as facts."""

import sys
import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gtp_engine.engine.player.fights import ChainQuestion, Fight, ask, questions
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.playout.proved_fights import MOST_FIGHTS, PROVED_FIGHTS
from gtp_engine.engine.playout.status import estimate_ownership
from gtp_engine.engine.search.facts import FIGHT, READING, add_facts, look_up_first, new_facts
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.solver.question import Budget
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE

MOST_NODES = 20_000  # for each part of a question, see most_nodes
NODES_PER_POINT = 1_000  # and for each point at stake, where that is more: a race of four liberties around a living group takes 60,000
NODES_PER_SECOND = 500_000  # about as many as one core looks at: with less time left a part gets fewer
LEAST_SECONDS = 0.05  # with less, finding what to ask would take the time that there is
LEAST_NODES = 2_000  # with fewer left nothing is asked any more
DOUBT_PLAYOUTS = 24  # for each player to move first: what evaluators think of a chain
DOUBTED = 0.5  # ownership by playouts under which an owner counts as doubtful: a proved one as not seen, an assumed one as not believed
POINTS_PER_STONE, POINTS_BESIDE = 2, 12  # of a region whose outcome is the target's, at most; made problems have such regions
MOST_REMEMBERED = 2_000  # questions that gave nothing
NEVER = sys.maxsize  # more positions than any reading has left


@dataclass(frozen=True)
class ReadingLimits:
    """The limits of one reading."""

    nodes: int  # positions; the last question may take more, for each part of it gets all that is left
    seconds: float | None = None  # None: no limit, so that the same position always gets the same reading


@dataclass(frozen=True)
class Trust:
    """How far a proof is believed, which assumes that the stones around its region live."""

    colors: tuple[int, ...]  # that may be believed to win
    in_seki: bool  # may the attacker be believed to hold the target to a seki?


@dataclass(frozen=True)
class Proved:
    """The proof about one chain, if the stones around it live."""

    identity: bytes  # of the question
    record: np.ndarray  # [1] FIGHT
    facts: np.ndarray  # FACT
    about: ChainQuestion
    trust: Trust

    @property
    def name(self) -> bytes:
        """Says which proof it is, and how far it is believed."""
        return self.identity + bytes([*self.trust.colors, self.trust.in_seki])


@dataclass(frozen=True)
class Reading:
    """The facts for a search; the same object means the same facts."""

    identities: tuple[bytes, ...]  # Proved.name
    record: np.ndarray  # [1] READING
    facts: np.ndarray  # the table


class Reader:
    """Reads the positions of one game, and remembers what it proved as long as the stones around it stand."""

    def __init__(self) -> None:
        self._proved: list[Proved] = []
        # By question that gave nothing a search must be told: how many positions must be left to ask it again. Twice as many as before, for
        # to try with hardly more would cost each reading the questions that come after; NEVER if that gives the same. Whether an answer is
        # news depends on playouts, too, and so on stones that aren't in the question's identity: when those change, it isn't asked again.
        self._left_to_ask_again: dict[bytes, int] = {}
        self._reading = make_reading([])

    def read(self, game: Game, limits: ReadingLimits) -> Reading:
        """The proofs about the position's unsettled chains, the largest first. The same object as before if nothing new was proved."""
        if limits.seconds is not None and limits.seconds < LEAST_SECONDS:
            return self._reading
        if limits.nodes < LEAST_NODES and not self._proved:
            return self._reading  # nothing can be asked, and there is nothing to judge again
        deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
        doubts = Doubts(game)
        self._proved = [doubts.judge_again(proved) for proved in self._proved if is_known(proved, game)]
        if len(self._left_to_ask_again) > MOST_REMEMBERED:
            self._left_to_ask_again.clear()
        left = limits.nodes
        for question in questions(game, [proved.about.target for proved in self._proved]):
            if deadline is not None:
                left = min(left, int((deadline - time.monotonic()) * NODES_PER_SECOND))
            if left < LEAST_NODES:
                break
            if left < self._left_to_ask_again.get(question.identity, 0):
                continue
            most = most_nodes(question.stake)
            budget = Budget(min(left, most), None if deadline is None else deadline - time.monotonic())
            fight = ask(game, question, budget)
            if doubts.is_worth_telling(fight):
                self._proved.append(proved_by(fight, doubts.trust(question)))
            else:
                self._left_to_ask_again[question.identity] = NEVER if is_final(fight, budget, most) else 2 * left
            left -= fight.nodes
        self._proved.sort(key=lambda proved: (-proved.about.stake, proved.identity))
        top = self._proved[:MOST_FIGHTS]
        if not {fight.name for fight in top} <= set(self._reading.identities):  # what has been decided may stay in the table
            self._reading = make_reading(top)
        return self._reading


def most_nodes(stake: int) -> int:
    """Positions that the solver may look at for each of up to four parts of a question, see fights.ask. `stake`: in points."""
    return max(MOST_NODES, NODES_PER_POINT * stake)


def is_final(fight: Fight, budget: Budget, most: int) -> bool:
    """True if the question would get the same answer with more positions. `most`: the limit of positions for each part of it."""
    return not fight.was_cut_short or (budget.nodes == most and not budget.is_over())


class Doubts:
    """The playouts' opinion of the stones of a position: whether a proof is news to them, and whether its assumptions can be believed."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def _ownership(self) -> np.ndarray:
        return estimate_ownership(self._game, playout_policy(SearchParams()), DOUBT_PLAYOUTS)

    def _share(self, color: int, points: Collection[int]) -> np.ndarray:
        """[n] -1..1: how surely each of the points is this color's."""
        return (1.0 if color == BLACK else -1.0) * self._ownership[list(points)]

    def is_worth_telling(self, fight: Fight) -> bool:
        """Does the result depend on who plays first, or do playouts disagree with it?"""
        if fight.is_unsettled:
            return True
        trust = self.trust(fight.taken.question)
        if fight.is_seki and trust.in_seki:
            return True  # playouts end it, one way or the other
        winner = fight.taken.winner
        return winner in trust.colors and float(self._share(winner, fight.taken.question.target).mean()) < DOUBTED

    def trust(self, about: ChainQuestion) -> Trust:
        """The colors whose stones around the region, which the solver assumes to live, are proved to live or live in playouts.

        An attacker without any stones there isn't believed to take the target: its own stones may be taken afterwards.
        """
        attacker = about.region.attacker
        colors = [color for color in (BLACK, WHITE) if self._lives_around(about, color)]
        has_attackers_around = any(self._game.color_at(point) == attacker for point in about.surrounding)
        believed = tuple(color for color in colors if color == about.owner or has_attackers_around)
        return Trust(believed, about.may_be_seki and len(colors) == 2)

    def _lives_around(self, about: ChainQuestion, color: int) -> bool:
        """Are all of this color's stones around the region proved to live, or do they so in playouts?"""
        doubtful = about.region.assumed.intersection(point for point in about.surrounding if self._game.color_at(point) == color)
        return not doubtful or float(self._share(color, doubtful).min()) > DOUBTED

    def judge_again(self, proved: Proved) -> Proved:
        """The same proof, believed as the stones around it stand now."""
        trust = self.trust(proved.about)
        if trust == proved.trust:
            return proved
        record = proved.record.copy()
        note_trust(record[0], trust)
        return replace(proved, record=record, trust=trust)


# ---------------------------------------------------------------- for the search


def proved_by(fight: Fight, trust: Trust) -> Proved:
    """The answer to a question, in the form that a search needs."""
    taken, eyes = fight.taken, fight.eyes
    about, target = taken.question, sorted(taken.question.target)
    records = np.zeros(1, FIGHT)
    record = records[0]
    lists = (
        ("points", "count", about.region.points),
        ("targets", "target_count", target),
        ("surrounding", "surrounding_count", about.surrounding),
        ("assumed_alive", "assumed_count", about.assumed_alive(taken.game)),
    )
    for name, count, points in lists:
        record[name][: len(points)], record[count] = points, len(points)
    record["surrounding_colors"][: len(about.surrounding)] = [taken.game.color_at(point) for point in about.surrounding]
    record["target"], record["owner"] = target[0], about.owner
    record["base"], record["turn"] = taken.base, taken.turn
    note_trust(record, trust)
    if eyes is None:
        return Proved(taken.identity, records, np.concatenate(taken.facts), about, trust)
    record["eyes_base"] = eyes.base
    return Proved(eyes.identity, records, np.concatenate(taken.facts + eyes.facts), about, trust)


def note_trust(record: np.void, trust: Trust) -> None:
    """Enter how far a FIGHT's facts are believed."""
    record["trusted"] = [color in trust.colors for color in range(4)]
    record["may_be_seki"] = trust.in_seki


def make_reading(proved: list[Proved]) -> Reading:
    """The records of these fights."""
    record = np.zeros(1, READING)
    record[0]["count"] = len(proved)
    facts = new_facts(sum(len(fight.facts) for fight in proved))
    for k, fight in enumerate(proved):
        record[0]["fight"][k] = fight.record[0]
        points = set(fight.about.region.points)
        record[0]["fight"][k]["is_largest"] = is_about_all(fight.about) and not any(
            points & set(other.about.region.points) for other in proved[:k]
        )
        add_facts(facts, fight.facts)
    return Reading(tuple(fight.name for fight in proved), record, facts)


def is_about_all(about: ChainQuestion) -> bool:
    """True if the whole region goes with the target. False for a few stones in a large region, in which other chains also live or die."""
    return len(about.region.points) <= POINTS_PER_STONE * len(about.target) + POINTS_BESIDE


def is_known(proved: Proved, game: Game) -> bool:
    """Is something known of the fight in this position still?"""
    reading, proved_fights = make_reading([proved]), np.zeros(1, PROVED_FIGHTS)
    look_up_first(reading.record, reading.facts, game.positions, proved_fights)
    return bool(proved_fights[0]["count"])
