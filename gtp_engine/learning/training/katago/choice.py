"""Which positions a teacher is asked about: of games, with moves added and komi moved, and their children.

A search asks above all about children of positions in play, good and bad ones. So a share of the positions brings its children along.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gtp_engine.go.rules import CHINESE, RULE_SETS
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.positions import NetworkSays, RecordLeaf, RecordPosition
from gtp_engine.learning.training.records import Records

ADDED = (0.5, 0.25, 0.15, 0.1)  # shares of the positions with so many moves added
LOCAL_SHARE = 0.5  # of the moves added that are near the last one
NEAR = 3  # lines
KOMI_MOVED = 0.4  # share of the positions with another komi
KOMI_SPREAD = 15  # points by which it is moved at most
FAIR_SHARE = 0.5  # of the children that are judged with the komi that makes their parent even
OTHER_RULES = 0.2  # share of the positions under other rules than the Chinese ones
LIKELY_SHARE, LOCAL_CHILDREN = 0.5, 0.25  # of the children: the teacher's likeliest moves, moves near the last one; the rest are any moves
MOST_VAIN = 1000  # games with an illegal move in a row


@dataclass(frozen=True)
class ChoiceParams:
    """How positions are chosen."""

    children: int = 8  # at most, of a position that brings them along
    family_share: float = 0.3  # of the positions that do


@dataclass(frozen=True)
class ChosenPosition:
    """A position, and where it comes from."""

    position: RecordPosition
    source: int
    game: int
    number: int


class PositionChooser:
    """Draws positions from `records`, in proportion to `shares`. For one thread."""

    def __init__(self, records: Sequence[Records], shares: Sequence[float], params: ChoiceParams) -> None:
        self._records, self.params = records, params
        self._starts = [source.starts for source in records]
        self._shares = np.array(shares or [1.0] * len(records), np.float64)
        self._shares /= self._shares.sum()
        self._leaf = RecordLeaf()

    def draw(self, random: np.random.Generator) -> ChosenPosition:
        """A random position of a random game, changed at random. Raises TrainingError when hardly a game can be played."""
        for _ in range(MOST_VAIN):
            source = int(random.choice(len(self._records), p=self._shares))
            records = self._records[source]
            game = int(random.integers(len(records)))
            number = int(random.integers(int(records.lengths[game]) + 1))
            start = int(self._starts[source][game])
            moves = np.asarray(records.moves[start : start + number], np.uint16)
            position = RecordPosition(records.size, moves, self._komi(random, float(records.komi[game])), CHINESE)
            try:
                changed = self._with_moves(random, position)
            except TrainingError:
                continue
            if random.random() < OTHER_RULES:
                changed = replace(changed, rules=list(RULE_SETS.values())[int(random.integers(len(RULE_SETS)))])
            return ChosenPosition(changed, source, game, number)
        raise TrainingError("hardly any position of the records can be reached by legal moves: they are damaged")

    def has_family(self, random: np.random.Generator) -> bool:
        """Is this position to bring its children along?"""
        return self.params.children > 0 and random.random() < self.params.family_share

    def children_of(self, random: np.random.Generator, parent: RecordPosition, said: NetworkSays) -> list[RecordPosition]:
        """Some children of a position of which the teacher has `said` this: likely moves, near ones, any; half of the families are even."""
        legal = np.flatnonzero(said.policy > 0.0)
        count = min(self.params.children, len(legal))
        ranked = legal[np.argsort(-said.policy[legal], kind="stable")]
        chosen = list(ranked[: int(np.ceil(count * LIKELY_SHARE))])
        rest = random.permutation(ranked[len(chosen) :])
        near = [place for place in rest if is_near(parent, int(place))]
        chosen += near[: round(count * LOCAL_CHILDREN)]
        chosen += [place for place in rest if place not in chosen][: count - len(chosen)]
        komi = parent.komi
        if random.random() < FAIR_SHARE:
            sign = 1.0 if len(parent.moves) % 2 == 0 else -1.0
            komi += round(2.0 * sign * said.lead) / 2.0
        return [replace(parent, moves=np.append(parent.moves, np.uint16(place)).astype(np.uint16), komi=komi) for place in chosen]

    def _komi(self, random: np.random.Generator, komi: float) -> float:
        """The game's, or another one."""
        if random.random() >= KOMI_MOVED:
            return komi
        return komi + int(random.integers(-KOMI_SPREAD, KOMI_SPREAD + 1)) / (1 if random.random() < 0.5 else 2)

    def _with_moves(self, random: np.random.Generator, position: RecordPosition) -> RecordPosition:
        """The position with some moves added. Raises TrainingError when one of its own is illegal."""
        self._leaf.put(position)
        for _ in range(int(random.choice(len(ADDED), p=ADDED))):
            places = np.flatnonzero(self._leaf.legal()[:-1])
            if random.random() < LOCAL_SHARE:
                near = [place for place in places if is_near(position, int(place))]
                places = np.array(near) if near else places
            if not len(places):
                break
            position = replace(position, moves=np.append(position.moves, random.choice(places)).astype(np.uint16))
            self._leaf.put(position)
        return position


def is_near(position: RecordPosition, place: int) -> bool:
    """Is this place within NEAR lines of the last move? Never after a pass, nor before the first move."""
    size = position.size
    if not len(position.moves) or place == size * size or position.moves[-1] == size * size:
        return False
    last = int(position.moves[-1])
    return max(abs(last // size - place // size), abs(last % size - place % size)) <= NEAR
