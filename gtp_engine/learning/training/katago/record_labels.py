"""Labels from game records: the move played, or the visits of a search; the winner; for counted games also the lead and the owners."""

from dataclasses import dataclass

import numpy as np

from gtp_engine.go.rank_names import STRONGEST_LEARNED, UNKNOWN_RANK, WEAKEST_LEARNED
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.positions import RecordLeaf, RecordPosition
from gtp_engine.learning.training.katago.source import HELD_OUT_OF, Label, evenly
from gtp_engine.learning.training.record_checks import RULES
from gtp_engine.learning.training.records import OWNER_UNKNOWN, RESIGNED, Records

SEARCH_SHARE = 0.5  # weight of the search's own win rate in the target of a searched position; the rest is the game's result
KOMI_MOVED = 0.5  # share of the positions of counted games with a changed komi, so that the network learns its effect
KOMI_SPREAD = 15  # the largest change of komi in points
END_SHARE = 0.5  # share of the empty boards of counted games that are replaced by the position after the last move, where a pass is right
MOST_VAIN = 5000  # failed draws for a batch; in real records a few of a thousand games have an illegal move


@dataclass(frozen=True)
class Drawn:
    """A position of the records."""

    game: int
    number: int  # of the moves before it
    search: int | None  # the index of its search


class RecordLabels:
    """The positions of games, or only the searched ones if there are any, all equally likely."""

    def __init__(self, name: str, records: Records, held_out: np.ndarray | None = None, by_rank: bool = False) -> None:
        """`held_out` [G] booleans: the games for measurements only; by default every tenth.

        by_rank -- only positions where a person with a known rank from 20k to 3d is to move. A rank with four times as many moves is drawn
        twice as often.
        """
        self.name, self.records = name, records
        games = np.arange(len(records))
        self.held_out = games % HELD_OUT_OF == HELD_OUT_OF - 1 if held_out is None else held_out
        self._ranks, self._by_rank = records.ranks_of_persons(), by_rank  # [G, 2]
        self._rank_shares = rank_shares(self._ranks, records.lengths)
        self._ends = np.append(records.starts, len(records.moves))
        self._rules = [RULES[i] for i in records.rules] if records.rules is not None else [CHINESE] * len(records)

    def __len__(self) -> int:
        return len(self.records.moves) if self.records.searches is None else len(self.records.searches)

    def draw(self, random: np.random.Generator, count: int, leaf: RecordLeaf) -> list[Label]:
        """See LabelSource. Half of the positions of counted games without searches get a changed komi."""
        labels: list[Label] = []
        vain = 0
        while len(labels) < count:
            drawn = self._at(int(random.integers(len(self))))
            if self.held_out[drawn.game]:
                continue
            if self._is_counted(drawn.game) and drawn.search is None and drawn.number == 0 and random.random() < END_SHARE:
                drawn = Drawn(drawn.game, int(self.records.lengths[drawn.game]), None)
            if not self._has_rank(drawn):
                continue
            if self._by_rank and random.random() >= self._rank_shares[self._rank(drawn) - WEAKEST_LEARNED]:
                continue
            label = self._label(drawn, self._komi(random, drawn), leaf)
            if label is not None:
                labels.append(label)
                continue
            vain += 1
            if vain > MOST_VAIN:
                raise TrainingError(f"{self.name}: hardly any position of the records can be reached by legal moves: they are damaged")
        return labels

    def held_out_labels(self, most: int, leaf: RecordLeaf) -> dict[int, list[Label]]:
        """See LabelSource. Their komi isn't changed."""
        places = np.arange(len(self)) if self.records.searches is None else self.records.searches.positions
        games = np.searchsorted(self._ends, places, side="right") - 1
        chosen = [self._at(i) for i in evenly(np.flatnonzero(self.held_out[games]), most)]
        labels = [self._label(drawn, float(self.records.komi[drawn.game]), leaf) for drawn in chosen if self._has_rank(drawn)]
        drawn_labels = [label for label in labels if label is not None]
        return {self.records.size: drawn_labels} if drawn_labels else {}

    def _at(self, place: int) -> Drawn:
        """Position number `place` of all positions, or of all searched ones."""
        searches, search = self.records.searches, None
        if searches is not None:
            place, search = int(searches.positions[place]), place
        game = int(np.searchsorted(self._ends, place, side="right")) - 1
        return Drawn(game, place - int(self._ends[game]), search)

    def _rank(self, drawn: Drawn) -> int:
        """The rank of the player to move, for human networks; UNKNOWN_RANK unless it is a person from 20k to 3d."""
        rank = int(self._ranks[drawn.game, drawn.number % 2])
        return rank if WEAKEST_LEARNED <= rank <= STRONGEST_LEARNED else UNKNOWN_RANK

    def _has_rank(self, drawn: Drawn) -> bool:
        """True if the player's rank allows this position to be drawn."""
        return not self._by_rank or self._rank(drawn) != UNKNOWN_RANK

    def _is_counted(self, game: int) -> bool:
        """True if the game was counted, not resigned."""
        return bool(self.records.margin[game] != RESIGNED)

    def _komi(self, random: np.random.Generator, drawn: Drawn) -> float:
        """The game's komi, or a changed one."""
        komi = float(self.records.komi[drawn.game])
        if drawn.search is not None or not self._is_counted(drawn.game) or random.random() >= KOMI_MOVED:
            return komi
        return komi + int(random.integers(-KOMI_SPREAD, KOMI_SPREAD + 1))

    def _label(self, drawn: Drawn, komi: float, leaf: RecordLeaf) -> Label | None:
        """The label; None if a move before the position, or the move played there, is illegal."""
        start = int(self._ends[drawn.game])
        moves = np.asarray(self.records.moves[start : start + drawn.number], np.uint16)
        position = RecordPosition(self.records.size, moves, komi, self._rules[drawn.game], self._rank(drawn))
        policy = self._policy(drawn)
        try:
            leaf.put(position)
        except TrainingError:
            return None
        if (policy[~leaf.legal()] > 0.0).any():
            return None
        win, lead = self._result(drawn, komi)
        return Label(position, np.stack((policy, policy)), win, lead, self._ownership(drawn))

    def _policy(self, drawn: Drawn) -> np.ndarray:
        """float32 [S * S + 1]: the shares of a search's visits, or 1 for the move played; a pass after the last move."""
        records = self.records
        policy = np.zeros(records.size**2 + 1, np.float32)
        if records.searches is not None and drawn.search is not None:
            visits = slice(*records.searches.starts[drawn.search : drawn.search + 2])
            np.add.at(policy, records.searches.moves[visits], records.searches.visits[visits])
            return policy / policy.sum()
        is_last = drawn.number == records.lengths[drawn.game]
        policy[-1 if is_last else int(records.moves[int(self._ends[drawn.game]) + drawn.number])] = 1.0
        return policy

    def _result(self, drawn: Drawn, komi: float) -> tuple[float, float]:
        """Win and lead of the side to move."""
        records, sign = self.records, 1.0 if drawn.number % 2 == 0 else -1.0
        winner, lead = float(records.winner[drawn.game]), np.nan
        if self._is_counted(drawn.game):
            lead = winner * float(records.margin[drawn.game]) + float(records.komi[drawn.game]) - komi
            winner = float(np.sign(lead))
        win = 0.5 + 0.5 * sign * winner
        if records.searches is not None and drawn.search is not None:
            win += SEARCH_SHARE * (float(records.searches.chances[drawn.search]) - win)
        return win, sign * lead

    def _ownership(self, drawn: Drawn) -> np.ndarray:
        """The owner of each point at the end; nan if unknown."""
        owners = self.records.owners
        if owners is None or owners[drawn.game, 0] == OWNER_UNKNOWN:
            return np.full(self.records.size**2, np.nan, np.float32)
        return owners[drawn.game].astype(np.float32) * (1.0 if drawn.number % 2 == 0 else -1.0)


def rank_shares(ranks: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """[R]: the share of each learned rank's positions that is drawn, 1 for the rarest rank; `ranks` [G, 2], `lengths` [G] moves."""
    numbers = np.arange(WEAKEST_LEARNED, STRONGEST_LEARNED + 1)
    moves = np.array([(lengths[:, None] * (ranks == rank)).sum() / 2 for rank in numbers])
    return np.sqrt(moves[moves > 0].min(initial=np.inf) / np.maximum(moves, 1.0)).clip(max=1.0)
