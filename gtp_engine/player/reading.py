"""Reading before a search: what the solver proves of the unsettled fights goes into the search as facts."""

import time
from dataclasses import dataclass

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK
from gtp_engine.player.fights import Asked, ask, questions
from gtp_engine.playout.ends import ENDS, MOST_FIGHTS
from gtp_engine.playout.policy import playout_policy
from gtp_engine.playout.status import estimate_ownership
from gtp_engine.search.facts import QUESTION, READING, add_facts, look_up_first, new_facts
from gtp_engine.search.params import SearchParams
from gtp_engine.solver.bits import ATTACKER, TWO_EYES
from gtp_engine.solver.question import Budget

MOST_NODES = 20_000  # positions that one question may look at
NODES_PER_SECOND = 250_000  # that a slow processor looks at: so a question keeps to its time
LEAST_SECONDS = 0.05  # with less, finding what to ask would take the time that there is
LEAST_NODES = 2_000  # with fewer left nothing is asked any more
DOUBT_PLAYOUTS = 24  # for each player to move first: what evaluators think of a chain
DOUBTED = 0.5  # ownership by playouts under which a proved owner counts as not seen
POINTS_PER_STONE, POINTS_BESIDE = 2, 12  # of a region whose outcome is the target's, at most; made problems have such regions
MOST_REMEMBERED = 2_000  # questions that are not asked again


@dataclass(frozen=True)
class ReadingLimits:
    """What one reading may spend."""

    nodes: int  # positions
    seconds: float | None = None  # None: no limit, so that the same position always gets the same reading


@dataclass(frozen=True)
class Proved:
    """What is proved of one chain."""

    identity: bytes  # of the question
    question: np.ndarray  # [1] QUESTION
    facts: np.ndarray  # FACT
    stake: int  # points that change hands, about
    points: frozenset[int]  # of the region
    target: frozenset[int]


@dataclass(frozen=True)
class Reading:
    """What a search is given; the same identities mean the same facts."""

    identities: tuple[bytes, ...]
    record: np.ndarray  # [1] READING
    facts: np.ndarray  # the table


class Reader:
    """Reads the positions of one game, and remembers what it proved as long as the stones around it stand."""

    def __init__(self) -> None:
        self._proved: list[Proved] = []
        self._settled: set[bytes] = set()  # questions that gave nothing a search must be told
        self._reading = make_reading([])

    def read(self, game: Game, limits: ReadingLimits) -> Reading:
        """What is proved of the position's unsettled chains, the weightiest first. The same object as before when nothing new was found."""
        if limits.seconds is not None and limits.seconds < LEAST_SECONDS:
            return self._reading
        deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
        self._proved = [each for each in self._proved if is_known(each, game)]
        if len(self._settled) > MOST_REMEMBERED:
            self._settled.clear()
        left, ownership = limits.nodes, None
        for question in questions(game, [each.target for each in self._proved]):
            if deadline is not None:
                left = min(left, int((deadline - time.monotonic()) * NODES_PER_SECOND))
            if left < LEAST_NODES:
                break
            if question.identity in self._settled:
                continue
            answers = ask(game, question, Budget(min(left, MOST_NODES)))
            left -= sum(asked.nodes for asked in answers)
            if not answers[-1].is_unsettled and answers[-1].winner is not None and ownership is None:
                ownership = estimate_ownership(game, playout_policy(SearchParams()), DOUBT_PLAYOUTS)
            told = [proved_by(asked) for asked in answers if matters(asked, ownership)]
            self._proved += told
            if not told:
                self._settled.add(question.identity)
        self._proved.sort(key=lambda each: (-each.stake, each.identity))
        top = self._proved[:MOST_FIGHTS]
        if not {each.identity for each in top} <= set(self._reading.identities):  # what has been decided may stay in the table
            self._reading = make_reading(top)
        return self._reading


def matters(asked: Asked, ownership: np.ndarray | None) -> bool:
    """Must a search be told: does the outcome depend on who plays first, or do playouts see another one?"""
    if asked.is_unsettled or asked.winner is None or ownership is None:
        return asked.is_unsettled
    if asked.goal == TWO_EYES:
        return asked.winner == asked.colors[ATTACKER]  # a seki: playouts end it, one way or the other
    sign = 1.0 if asked.winner == BLACK else -1.0
    return sign * float(ownership[list(asked.question.target)].mean()) < DOUBTED


# ---------------------------------------------------------------- for the search


def proved_by(asked: Asked) -> Proved:
    """What came of a question, as a search wants it."""
    about, target = asked.question, sorted(asked.question.target)
    question = np.zeros(1, QUESTION)
    record = question[0]
    for name, points in (("points", about.region.points), ("targets", target), ("ring", about.ring)):
        record[name][: len(points)] = points
    record["count"], record["target_count"], record["ring_count"] = len(about.region.points), len(target), len(about.ring)
    record["ring_colors"][: len(about.ring)] = [asked.game.color_at(point) for point in about.ring]
    record["target"], record["owner"], record["weighs"] = target[0], asked.game.color_at(target[0]), 1
    record["is_of_eyes"] = asked.goal == TWO_EYES
    record["base"], record["turn"] = asked.base, asked.turn
    return Proved(asked.identity, question, np.concatenate(asked.facts), about.stake, frozenset(about.region.points), about.target)


def make_reading(proved: list[Proved]) -> Reading:
    """The records of these questions."""
    record = np.zeros(1, READING)
    record[0]["count"] = len(proved)
    facts = new_facts(sum(len(each.facts) for each in proved))
    for k, each in enumerate(proved):
        record[0]["question"][k] = each.question[0]
        record[0]["question"][k]["leads"] = is_about_all(each) and not any(other.points & each.points for other in proved[:k])
        add_facts(facts, each.facts)
    return Reading(tuple(each.identity for each in proved), record, facts)


def is_about_all(proved: Proved) -> bool:
    """Does all of the region go with the target? Not where a few stones stand in a large one, in which other chains live or die, too."""
    return len(proved.points) <= POINTS_PER_STONE * len(proved.target) + POINTS_BESIDE


def is_known(proved: Proved, game: Game) -> bool:
    """Is something known of the fight in this position still?"""
    reading, ends = make_reading([proved]), np.zeros(1, ENDS)
    look_up_first(reading.record, reading.facts, game.positions, ends)
    return bool(ends[0]["count"])
