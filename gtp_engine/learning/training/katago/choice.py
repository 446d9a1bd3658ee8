"""The choice of positions for a teacher: positions of games or suites, some with added moves or another komi, and their children.

A search evaluates mostly children of positions in games, good and bad ones. So a share of the positions is followed by its children, and
another by positions of a student's search, see position_search.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gtp_engine.go.game import IllegalMove
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.fights import cut_out
from gtp_engine.learning.training.katago.position_search import PositionSearch, drawn_siblings
from gtp_engine.learning.training.katago.position_sources import ANY, FIGHT, FINISHED, LATE, PositionSource
from gtp_engine.learning.training.katago.positions import NetworkAnswer, RecordLeaf, RecordPosition
from gtp_engine.learning.training.katago.suite import child_of

ADDED = (0.5, 0.25, 0.15, 0.1)  # shares of the positions with 0, 1, 2 and 3 added moves
LOCAL_SHARE = 0.5  # of the added moves that are near the last one
NEAR = 3  # lines
KOMI_MOVED = 0.4  # share of the positions with another komi
KOMI_SPREAD = 15  # the largest change of komi in points
FAIR_SHARE = 0.5  # of the families with the komi that makes the parent even
OTHER_RULES = 0.2  # share of the positions under rules other than Chinese
LIKELY_SHARE, LOCAL_CHILDREN = 0.5, 0.25  # of the children: the teacher's likeliest moves, moves near the last one; the rest are random
UNLIKELY = 0.01  # probability below which the teacher hardly considers a move
MOST_SEED = 2**31  # of a search
MOST_VAIN = 1000  # games in a row with an illegal move


@dataclass(frozen=True)
class ChoiceParams:
    """The parameters of the choice of positions."""

    children: int = 8  # at most, of a position with children; or positions of its tree
    family_share: float = 0.3  # of the positions with children
    tree_share: float = 0.0  # of the positions with positions of the student's tree
    late: float = 0.1  # share of the positions that are from the last quarter of a game
    finished: float = 0.05  # that are the end of a counted game, with its dead stones
    fights: float = 0.05  # that are fights cut out of games, see fights.py
    unlikely: float = 0.1  # that also bring a child by a move that the teacher hardly considers


@dataclass(frozen=True)
class ChosenPosition:
    """A position and its origin."""

    position: RecordPosition
    source: int
    game: int
    number: int


class PositionChooser:
    """Draws positions from `sources`, in proportion to `shares`. For one thread."""

    def __init__(self, sources: Sequence[PositionSource], shares: Sequence[float], params: ChoiceParams) -> None:
        self._sources, self.params = sources, params
        self._shares = np.array(shares or [1.0] * len(sources), np.float64)
        self._shares /= self._shares.sum()
        self._leaf = RecordLeaf()

    def draw(self, random: np.random.Generator) -> ChosenPosition:
        """A random position with random changes. Raises TrainingError if too many have illegal moves."""
        for _ in range(MOST_VAIN):
            source = int(random.choice(len(self._sources), p=self._shares))
            kind = self._kind(random)
            drawn = self._sources[source].draw(random, kind)
            try:
                changed = self._changed(random, drawn.position, kind)
            except (TrainingError, IllegalMove):
                continue
            if random.random() < OTHER_RULES:
                changed = replace(changed, rules=list(RULE_SETS.values())[int(random.integers(len(RULE_SETS)))])
            return ChosenPosition(changed, source, drawn.game, drawn.number)
        raise TrainingError("hardly any position can be reached by legal moves: the records or suites are damaged")

    @property
    def sources(self) -> list[str]:
        """The names of the sources."""
        return [source.name for source in self._sources]

    def families_of(
        self, random: np.random.Generator, parent: RecordPosition, answer: NetworkAnswer, student: PositionSearch | None
    ) -> list[list[RecordPosition]]:
        """By a random draw, lists of siblings: children of the position, or one by an unlikely move, or positions of a search; or none."""
        draw, params = random.random(), self.params
        if params.children == 0:
            return []
        if draw < params.family_share:
            return [self.children_of(random, parent, answer)]
        draw -= params.family_share
        if student is not None and draw < params.tree_share:
            return drawn_siblings(random, student.siblings(parent, drawn_seed(random)), params.children)
        return unlikely_child(random, parent, answer) if draw < params.tree_share + params.unlikely else []

    def children_of(self, random: np.random.Generator, parent: RecordPosition, answer: NetworkAnswer) -> list[RecordPosition]:
        """Some children of a position by the teacher's `answer`: likely moves, near ones, any; half of the families are even."""
        legal = continuing(parent, np.flatnonzero(answer.policy > 0.0))
        count = min(self.params.children, len(legal))
        ranked = legal[np.argsort(-answer.policy[legal], kind="stable")]
        chosen = list(ranked[: int(np.ceil(count * LIKELY_SHARE))])
        rest = random.permutation(ranked[len(chosen) :])
        near = [place for place in rest if is_near(parent, int(place))]
        chosen += near[: round(count * LOCAL_CHILDREN)]
        chosen += [place for place in rest if place not in chosen][: count - len(chosen)]
        komi = parent.komi
        if random.random() < FAIR_SHARE:
            sign = 1.0 if len(parent.moves) % 2 == 0 else -1.0
            komi += round(2.0 * sign * answer.lead) / 2.0
        return [child_of(replace(parent, komi=komi), int(place)) for place in chosen]

    def _kind(self, random: np.random.Generator) -> str:
        """The kind of the next position, by its share."""
        params = self.params
        ends = np.cumsum([params.late, params.finished, params.fights])
        return (LATE, FINISHED, FIGHT, ANY)[int(np.searchsorted(ends, random.random(), side="right"))]

    def _changed(self, random: np.random.Generator, position: RecordPosition, kind: str) -> RecordPosition:
        """The position with random changes. Raises TrainingError or IllegalMove if one of its own moves is illegal."""
        if kind == FIGHT:
            position = cut_out(random, position) or position
        position = replace(position, komi=self._komi(random, position.komi))
        self._leaf.put(position)
        return position if kind == FINISHED else self._with_moves(random, position)

    def _komi(self, random: np.random.Generator, komi: float) -> float:
        """The game's komi, or a changed one."""
        if random.random() >= KOMI_MOVED:
            return komi
        return komi + int(random.integers(-KOMI_SPREAD, KOMI_SPREAD + 1)) / (1 if random.random() < 0.5 else 2)

    def _with_moves(self, random: np.random.Generator, position: RecordPosition) -> RecordPosition:
        """The position, which is the leaf's, with some added moves."""
        for _ in range(int(random.choice(len(ADDED), p=ADDED))):
            places = np.flatnonzero(self._leaf.legal()[:-1])
            if random.random() < LOCAL_SHARE:
                near = [place for place in places if is_near(position, int(place))]
                places = np.array(near) if near else places
            if not len(places):
                break
            position = child_of(position, int(random.choice(places)))
            self._leaf.put(position)
        return position


def drawn_seed(random: np.random.Generator) -> int:
    """A seed of a search."""
    return int(random.integers(1, MOST_SEED))


def unlikely_child(random: np.random.Generator, parent: RecordPosition, answer: NetworkAnswer) -> list[list[RecordPosition]]:
    """The position after a random move of little probability, as a family; none if there is no such move."""
    places = continuing(parent, np.flatnonzero((answer.policy > 0.0) & (answer.policy < UNLIKELY)))
    return [[child_of(parent, int(random.choice(places)))]] if len(places) else []


def continuing(position: RecordPosition, places: np.ndarray) -> np.ndarray:
    """These moves without a second pass in a row, after which the game is over and no network is asked."""
    passed = position.size**2
    return places[places != passed] if len(position.moves) and position.moves[-1] == passed else places


def is_near(position: RecordPosition, place: int) -> bool:
    """True if this place is within NEAR lines of the last move; False after a pass and before the first move."""
    size = position.size
    if len(position.moves) <= position.placed or place == size * size or position.moves[-1] == size * size:
        return False
    last = int(position.moves[-1])
    return max(abs(last // size - place // size), abs(last % size - place % size)) <= NEAR
