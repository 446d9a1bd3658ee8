"""Which chains live at the end: estimates by playouts and the network, corrected by proofs whose assumptions hold.

The solver proves what becomes of a chain if the stones around its region live. Whether they do is judged by the same verdict: by proofs of
their own, or else by the witnesses. A proof whose assumptions the verdict doesn't share counts for nothing. So no status rests on one that
isn't true.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.player.fights import ChainQuestion, closed_chains, question_about
from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.engine.solver.question import Answer, Budget
from gtp_engine.engine.solver.region import safe_stones, stones_beside
from gtp_engine.engine.solver.status import Outcome, Report, Solver
from gtp_engine.go.count import EmptyRegion, empty_regions, liberties_of, living_colors
from gtp_engine.go.game import Game
from gtp_engine.go.life import Chain, chains_of, safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE
from gtp_engine.go.rules import Scoring

SIGN = {BLACK: 1.0, WHITE: -1.0}
SURE = 0.7  # an ownership as sure as this is settled; a living group without two finished eyes gets about 0.8 from playouts
LIVES = 0.3  # an ownership from which stones are taken to live where nothing is proved
DOUBTED = 0.5  # an ownership nearer to 0 than this is in doubt
PLAIN = 0.9  # single stones as sure as this are not asked about, but for those beside chains without two eyes
SPACE = 6  # empty points of its own that keep a chain which seems to live out of the fights beside it
SMALL = 6  # points: in so small a space the surrounded side has no room for two eyes
ROUNDS = 8  # of settling what rests on what
NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Claim:
    """The proof about a chain, if other stones live."""

    chain: Chain
    owner: int  # the owner of its points at the end; EMPTY: depends on who plays first, or on a ko
    relies: frozenset[int]  # stones that must live
    region: frozenset[int]  # where stones may come to stand in the proof
    takers: frozenset[int] = NOTHING  # of a chain that is taken: the stones beside it, of which some must live
    rivals: frozenset[int] = NOTHING  # of a chain that isn't taken and gets no two eyes for sure: the other side's stones in the fight
    is_open: bool = False  # does it depend on who plays first whether the chain lives, or by two eyes?

    @property
    def space(self) -> frozenset[int]:
        """Of a chain that is taken: where its owner can't live."""
        return self.region if self.takers else NOTHING


class Statuses:
    """The status of each chain of a position.

    witness -- [P] -1..1, how surely each point ends as Black's (1) or White's (-1), where nothing is proved; it may be exchanged
    claims -- those that count, once `find` was called
    safe_stones -- those that nobody can take
    nodes_left -- positions that the solver may still look at
    """

    def __init__(self, game: Game, witness: np.ndarray, nodes: int) -> None:
        """`nodes`: positions that the solver may look at for all questions together."""
        self.game, self.witness = game, witness
        self.claims: list[Claim] = []
        self._claim_at: dict[int, Claim] = {}
        self._chains = {point: chain for color in (BLACK, WHITE) for chain in chains_of(game, color) for point in chain}
        self._safe = {color: safe_area(game, color) for color in (BLACK, WHITE)}
        self.safe_stones = safe_stones(game)
        self._closed = closed_chains(game)
        self.nodes_left = nodes
        self._asked: dict[tuple[bytes, frozenset[int]], tuple[int, Claim | None]] = {}  # with the nodes that it was asked with

    def find(self, nodes: int) -> None:
        """Find the claims that count. `nodes`: positions that the solver may look at for each part of a question."""
        for _ in range(2):  # once more, for what is found decides which chains take part in a fight
            before = self.claims
            self._count(self.consistent(list(self._ask_all(nodes))))
            if self.claims == before:
                return

    def life(self, point: int) -> float:
        """-1..1: how surely the stone on the point lives, by the claims that count, else by the witness."""
        color, claim = self.game.color_at(point), self._claim_at.get(point)
        if point in self._safe[color]:
            return 1.0
        if claim is not None:
            return SIGN[color] * SIGN[claim.owner]
        return SIGN[color] * float(self.witness[list(self._chains[point])].mean())

    def doubtful(self) -> list[Chain]:
        """The chains of which neither a claim nor the witness is sure."""
        return [chain for chain in set(self._chains.values()) if abs(self.life(min(chain))) < DOUBTED]

    def is_open(self) -> bool:
        """Is it proved that a move is worth something? Nothing is gained against rivals that are all lost anyway."""
        return any(
            claim.is_open and not (claim.rivals and all(self.life(point) == -1.0 for point in claim.rivals)) for claim in self.claims
        )

    def owners(self) -> np.ndarray:
        """[P] -1..1: the witness, with what is proved in its place."""
        owners = self.witness.copy()
        for color, area in self._safe.items():
            owners[list(area)] = SIGN[color]
        for point, claim in self._claim_at.items():
            owners[point] = SIGN[claim.owner]
        for point, chain in self._chains.items():
            if point == min(chain) and self._is_within_dead(chain):
                owners[list(chain)] = SIGN[self.game.color_at(point)]
        dead = [point for point in self._chains if self.life(point) < 0]
        colors = living_colors(self.game, dead)
        for region in empty_regions(colors, self.game.size):
            color = region.owner(colors)
            if color != EMPTY:
                owners[list(self._proved_space(region))] = SIGN[color]
        return owners

    def _is_within_dead(self, chain: Chain) -> bool:
        """Is the chain, of which nothing is proved, inside others that are proved dead? Then its points stay its owner's."""
        color = self.game.color_at(min(chain))
        around = liberties_of(self.game, chain) | chain
        beside = [self._claim_at.get(point) for point in stones_beside(self.game, chain) - chain]
        if chain <= self._claim_at.keys() or not all(claim is not None and claim.owner == color for claim in beside):
            return False
        return any(claim.owner == color and around <= claim.space for claim in self.claims)

    def _proved_space(self, region: EmptyRegion) -> Collection[int]:
        """The points of a region where the other side can't live: all of a small one within living walls, the space of dead chains."""
        dead = [point for point in region.points if self.game.color_at(point) != EMPTY]
        if len(region.points) <= SMALL and all(self.life(point) == 1.0 for point in region.border):
            return region.points if all(self.life(point) <= -SURE for point in dead) else ()
        claims = [self._claim_at.get(point) for point in dead]
        if not dead or None in claims:
            return ()
        return region.points.intersection(point for claim in claims if claim is not None for point in claim.space)

    # ---------------------------------------------------------------- which claims count

    def _count(self, claims: list[Claim]) -> None:
        """Let these claims count."""
        self.claims = claims
        self._claim_at = {point: claim for claim in claims if claim.owner != EMPTY for point in claim.chain}
        for claim in claims:
            color = self.game.color_at(min(claim.chain))
            for chain in self._sharing_liberties(claim.chain, color) if claim.owner == color else ():
                self._claim_at.update((point, claim) for point in chain if point not in self._claim_at)

    def _sharing_liberties(self, living: Chain, color: int) -> Iterator[Chain]:
        """The chains that can't be captured before a living chain, because capturing them fills all of its liberties."""
        needed = liberties_of(self.game, living)
        yield from (
            chain
            for point, chain in self._chains.items()
            if point == min(chain) and self.game.color_at(point) == color and liberties_of(self.game, chain) >= needed
        )

    def consistent(self, claims: list[Claim]) -> list[Claim]:
        """Those of the claims that rest on nothing that isn't true, by the others of them and the witness."""
        self._count([])
        holding = [claim for claim in claims if self._holds(claim)]
        for number in range(ROUNDS):
            self._count(holding)
            again = [claim for claim in claims if self._holds(claim)]
            if again == holding:
                break
            holding = again if number < ROUNDS // 2 else [claim for claim in again if claim in holding]  # what deny each other don't count
        return holding

    def _holds(self, claim: Claim) -> bool:
        """Is what the claim takes for granted true?"""
        is_taken = not claim.takers or any(self.life(point) >= LIVES for point in claim.takers)
        return is_taken and all(self.life(point) >= LIVES for point in claim.relies)

    # ---------------------------------------------------------------- asking

    def _ask_all(self, nodes: int) -> Iterator[Claim]:
        """The claims about all chains that are worth a question."""
        doubted = {point for point in self._chains if self.life(point) < LIVES}
        safe = self._safe[BLACK] | self._safe[WHITE]
        rivals: set[int] = set()
        for chain in self._closed:  # the largest first
            is_plain = len(chain) == 1 and chain.isdisjoint(rivals) and abs(float(self.witness[list(chain)].mean())) >= PLAIN
            if is_plain or chain <= safe:
                continue
            question = question_about(self.game, chain, self.safe_stones, doubted, SPACE)
            question = question or question_about(self.game, chain, self.safe_stones)
            claim = self._ask(question, nodes) if question is not None else None
            if claim is not None:
                rivals |= claim.rivals
                yield claim

    def _ask(self, question: ChainQuestion, nodes: int) -> Claim | None:
        """The claim that comes of a question, remembered unless there are more nodes now."""
        key = question.identity, question.region.assumed
        asked_with, claim = self._asked.get(key, (0, None))
        nodes = min(nodes, self.nodes_left)
        if claim is None and nodes > asked_with:
            solver = Solver(self.game, question.region, Budget(nodes))
            claim = claim_of(self.game, question, solver)
            self._asked[key] = nodes, claim
            self.nodes_left -= solver.node_count()
        return claim


def claim_of(game: Game, question: ChainQuestion, solver: Solver) -> Claim | None:
    """The solver's proof about a chain within its budget; None if nothing is proved."""
    target, owner, attacker, region = question.target, question.owner, question.region.attacker, frozenset(question.region.points)
    assumed = {color: frozenset(point for point in question.region.assumed if game.color_at(point) == color) for color in (BLACK, WHITE)}
    reports = [solver.outcome(side, asks_life=False) for side in (ATTACKER, DEFENDER)]
    if any(report.outcome is Outcome.UNKNOWN for report in reports):
        return None
    ends = [is_taken(report, game.rules.scoring) for report in reports]
    if ends == [True, True]:
        takers = frozenset(point for point in stones_beside(game, target) if game.color_at(point) == attacker)
        return Claim(target, attacker, assumed[attacker], region, takers)
    if ends == [False, False]:
        eyes = [solver.ask((TWO_EYES, NEITHER), side) for side in (ATTACKER, DEFENDER)]
        rivals = frozenset(() if eyes[0] is Answer.YES else question.attackers(game))
        return Claim(target, owner, assumed[owner], region, rivals=rivals, is_open=eyes == [Answer.NO, Answer.YES])
    return Claim(target, EMPTY, question.region.assumed, region, rivals=frozenset(question.attackers(game)), is_open=True)


def is_taken(report: Report, scoring: Scoring) -> bool | None:
    """Is the chain taken? None: that depends on a ko. Under territory rules a ko for life is fought without threats."""
    if report.outcome is Outcome.KO:
        return report.first_threat == DEFENDER if scoring is Scoring.TERRITORY else None
    return report.outcome is Outcome.DEAD
