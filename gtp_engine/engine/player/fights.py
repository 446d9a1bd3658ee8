"""Fights: which chains of a position are worth a question to the solver, and what it proves of them.

Only fights that are closed in can be read: where every liberty of a chain lies in a small empty area. What is proved must hold whoever
finds more ko threats; else it is a hint at a move, and nothing more.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.search.facts import FACT, MOST_SURROUNDING
from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.engine.solver.question import Answer, Budget, Question
from gtp_engine.engine.solver.region import OPEN_SPACE, Region, RegionError, build_region, find_playable, safe_stones
from gtp_engine.go.count import empty_regions, liberties_of, living_colors, neighbor_table
from gtp_engine.go.game import Game
from gtp_engine.go.life import Chain, chains_of, safe_area
from gtp_engine.go.points import BLACK, WHITE, opponent

LARGEST_SPACE = 20  # points: a chain with a liberty in a larger empty area isn't closed in
SMALLEST_STAKE = 6  # points: smaller fights are left to the search


@dataclass(frozen=True)
class ChainQuestion:
    """Whether a chain can be taken."""

    identity: bytes
    target: Chain
    region: Region
    surrounding: tuple[int, ...]  # the points beside the region
    stake: int

    @property
    def owner(self) -> int:
        """The color of the target."""
        return opponent(self.region.attacker)

    @property
    def may_be_seki(self) -> bool:
        """True if the chain is in seki when it is neither taken nor gets two eyes. False if the attacker has more stones in the region.

        Then the chain may be what takes the stones around it: it fills their only eye, again and again, and needs no eyes of its own.
        """
        return len(self.target) >= self.region.stones[ATTACKER].bit_count()

    def attackers(self, game: Game) -> list[int]:
        """The attacker's stones in the region."""
        return [point for point in self.region.points if game.color_at(point) == self.region.attacker]

    def assumed_alive(self, game: Game) -> list[int]:
        """A stone of each chain beside the region that is assumed to live, in the position in which the question was asked."""
        chains = {min(game.chain_at(point)): point for point in self.surrounding if point in self.region.assumed}
        return sorted(chains.values())


def questions(game: Game, known_chains: Collection[Chain] = ()) -> Iterator[ChainQuestion]:
    """The questions that are worth asking, the largest chains first, without those that are part of one of `known_chains`."""
    chains = closed_chains(game)
    if not chains:
        return
    safe = safe_stones(game)
    inside = safe_area(game, BLACK) | safe_area(game, WHITE)
    for chain in chains:
        if 3 * len(chain) < SMALLEST_STAKE or chain <= inside or any(chain <= other for other in known_chains):
            continue
        question = question_about(game, chain, safe)
        if question is not None and question.stake >= SMALLEST_STAKE:
            yield question


def closed_chains(game: Game) -> list[Chain]:
    """The chains whose liberties all lie in small empty areas, the largest first."""
    empty_areas = [area.points for area in empty_regions(living_colors(game, ()), game.size)]
    small = {point: area for area in empty_areas if len(area) <= LARGEST_SPACE for point in area}
    if not small:
        return []
    chains = [chain for color in (BLACK, WHITE) for chain in chains_of(game, color) if liberties_of(game, chain) <= small.keys()]
    return sorted(chains, key=lambda chain: (-len(chain), min(chain)))


def question_about(
    game: Game, chain: Chain, safe: set[int], doubted: Collection[int] = (), space: int = OPEN_SPACE
) -> ChainQuestion | None:
    """The question about this chain; None when its region is too large. `doubted`, `space`: see find_playable."""
    stones = set(chain)
    try:
        region = build_region(game, stones, opponent(game.color_at(min(chain))), find_playable(game, stones, safe, doubted, space), safe)
    except RegionError:
        return None
    inside = set(region.points)
    beside = neighbor_table(game.size)
    surrounding = tuple(sorted({other for point in inside for other in beside[point]} - inside))
    if len(surrounding) > MOST_SURROUNDING or not stones <= inside:
        return None
    text = [game.size, min(chain), game.ko_point() if game.ko_point() in inside else 0]
    text += [value for point in (*region.points, *surrounding) for value in (point, game.color_at(point))]
    return ChainQuestion(hashlib.blake2b(repr(text).encode(), digest_size=16).digest(), chain, region, surrounding, stake_of(chain, region))


def stake_of(chain: Chain, region: Region) -> int:
    """About how many points change hands with the chain: its stones count twice, and it hardly has more eyes than stones."""
    return 2 * len(chain) + min(region.empty_count(), len(chain))


# ---------------------------------------------------------------- asking


class Asked:
    """A question with what came of it: whether the chain is taken (goal CAPTURE), or whether it gets two eyes (TWO_EYES)."""

    def __init__(self, game: Game, question: ChainQuestion, budget: Budget, goal: int = CAPTURE) -> None:
        self.game, self.question, self.budget, self.goal = game, question, budget, goal
        self.prover, self.other = (ATTACKER, DEFENDER) if goal == CAPTURE else (DEFENDER, ATTACKER)
        self.colors = {side: question.region.color(side) for side in (ATTACKER, DEFENDER)}
        self.identity = question.identity if goal == CAPTURE else bytes(byte ^ 255 for byte in question.identity)
        self.nodes = 0
        self.facts: list[np.ndarray] = []
        self.base, self.turn = 0, 0
        plain = self.new_question(NEITHER)
        answers = {side: plain.ask(plain.start(side)) for side in (ATTACKER, DEFENDER)}
        self.was_cut_short = Answer.UNKNOWN in answers.values()  # with a larger budget, more might be known
        is_open = answers[ATTACKER] is not answers[DEFENDER]
        if is_open:
            ask_first_moves(plain)
        self.take_facts(plain, (0, 1), not plain.has_kos)
        self.has_kos = plain.has_kos
        if plain.has_kos:
            answers = self.ask_with_threats(answers)
        self.is_unsettled = answers[self.prover] is Answer.YES and answers[self.other] is not Answer.YES
        self.winner: int | None = None  # the color that succeeds no matter who plays first
        if answers[self.other] is Answer.YES:
            self.winner = self.colors[self.prover]
        elif answers[self.prover] is Answer.NO:
            self.winner = self.colors[self.other]

    def new_question(self, ko_winner: int) -> Question:
        """The question under this rule for kos."""
        return Question(self.game, self.question.region, (self.goal, ko_winner), self.budget)

    def ask_with_threats(self, answers: dict[int, Answer]) -> dict[int, Answer]:
        """The answers that don't depend on ko threats, UNKNOWN for the others. Keeps the facts of the same kind.

        Where whoever plays first gets what it wants without threats, and one of the two answers doesn't hold with them, both stay as they
        are: the chain is unsettled, whether or not a ko decides it.
        """
        sure = dict.fromkeys(answers, Answer.UNKNOWN)
        for loser, expected in ((self.other, Answer.YES), (self.prover, Answer.NO)):
            sides = [side for side, answer in answers.items() if answer is expected]
            if not sides:
                continue
            question = self.new_question(loser)  # who wins every ko now
            for side in sides:
                answer = question.ask(question.start(side))
                self.was_cut_short |= answer is Answer.UNKNOWN
                if answer is expected:
                    sure[side] = expected
            if len(sides) == 1:  # the position is open
                ask_first_moves(question)
            self.take_facts(question, (1,) if expected is Answer.YES else (0,), True)
        is_ko = Answer.UNKNOWN in sure.values() and answers[self.prover] is Answer.YES and answers[self.other] is Answer.NO
        return answers if is_ko else sure

    def take_facts(self, question: Question, answers: tuple[int, ...], is_sure: bool) -> None:
        """Add the question's facts with one of these answers."""
        self.nodes += question.node_count
        question_facts = question.facts()
        salt = int.from_bytes(self.identity[:8], "big")
        self.base, self.turn = question_facts.base ^ salt, question_facts.turn
        rows = question_facts.facts[np.isin(question_facts.facts["answer"], answers)]
        facts = np.zeros(len(rows), FACT)
        facts["key"] = rows["name"] ^ np.uint64(salt)
        facts["winner"] = np.where(rows["answer"] == 1, self.colors[self.prover], self.colors[self.other])
        facts["is_sure"], facts["move"] = is_sure, rows["move"]
        self.facts.append(facts)


def ask_first_moves(question: Question) -> None:
    """Find out, as far as the budget goes, what comes of every first move of either side: a search must know the wrong ones, too."""
    for side in (ATTACKER, DEFENDER):
        start = question.start(side)
        question.expand(start)
        for _, node in question.children(start):
            if question.ask(node) is Answer.UNKNOWN:
                return


@dataclass(frozen=True)
class Fight:
    """The result of a question about a chain."""

    taken: Asked  # whether it is taken
    eyes: Asked | None  # whether it gets two eyes; None: not asked
    nodes: int  # positions that were looked at
    was_cut_short: bool  # with a larger budget, more might be known

    @property
    def is_unsettled(self) -> bool:
        """Does it depend on who plays first whether the chain lives, or how?"""
        return self.taken.is_unsettled or (self.eyes is not None and self.eyes.is_unsettled)

    @property
    def is_seki(self) -> bool:
        """True if the chain is neither taken nor gets two eyes, with either side to play first."""
        return self.eyes is not None and self.eyes.winner == self.eyes.colors[ATTACKER]


def ask(game: Game, question: ChainQuestion, budget: Budget) -> Fight:
    """Ask whether the chain is taken and, if it is not and the answer needs no ko, whether it gets two eyes or a seki.

    Each part may look at the budget's nodes, and there are up to four: whether it is taken, whether it gets two eyes, and, where that one
    met a ko, both rules for it; or three, where the first one met a ko.
    """
    taken = Asked(game, question, budget)
    if taken.winner != question.owner or taken.has_kos:
        return Fight(taken, None, taken.nodes, taken.was_cut_short)
    eyes = Asked(game, question, budget, TWO_EYES)
    return Fight(taken, eyes, taken.nodes + eyes.nodes, taken.was_cut_short or eyes.was_cut_short)
