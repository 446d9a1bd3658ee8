"""A suite of positions with all their children, as a strong teacher sees them: how well does another network tell the children apart?

A search chooses among children of one position. A network may agree with its teacher on positions and still choose badly, when its errors
differ from child to child. A suite is a file of JSON lines: `moves`, `win` and `lead` of the side to move, `policy`, logits of all places,
the pass last, and `children`, [move, win, lead] of the side that moved there; `size`, `komi` and `rules` where they are not 9, 7, chinese.
Games whose positions are in a suite are never learned from: they are held out, see Labels.held_out.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.network.symmetry import SYMMETRIES
from gtp_engine.go.points import MAX_SIZE
from gtp_engine.go.rules import CHINESE, RULE_SETS
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.batches import turned_places
from gtp_engine.learning.training.katago.positions import NetworkJudge, NetworkSays, RecordPosition
from gtp_engine.learning.training.katago.source import HELD_OUT_OF
from gtp_engine.learning.training.records import Records

USUAL_SIZE, USUAL_KOMI = 9, 7.0
FIRST_PLY, LAST_SHARE = 4, 0.6  # of a game: positions after so many moves, and before this share of its moves
LEAST_WIN = 0.1  # positions where one side has less are decided: every child is much the same there
LIKELIEST = 10  # children, by the teacher's policy, whose errors and correlation are measured
MOST_VAIN = 1000  # positions in a row that are not even, or not legal
SMALLEST = 1e-9  # probability


@dataclass(frozen=True)
class SuitePosition:
    """A position, and what the teacher says of it and of its children; all for the side to move there."""

    position: RecordPosition
    win: float
    lead: float
    policy: np.ndarray  # [K] logits of the children
    places: np.ndarray  # [K] the moves that lead to them
    wins: np.ndarray  # [K]
    leads: np.ndarray  # [K]

    @property
    def children(self) -> list[RecordPosition]:
        """The positions after each move."""
        return [child_of(self.position, int(place)) for place in self.places]


def child_of(position: RecordPosition, place: int) -> RecordPosition:
    """The position after a move."""
    return replace(position, moves=np.append(position.moves, np.uint16(place)).astype(np.uint16))


# ---------------------------------------------------------------- the file


def read_suite(path: Path) -> list[SuitePosition]:
    """The positions of a suite. Raises TrainingError when it is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TrainingError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from error
    suite = []
    for number, line in enumerate(lines, 1):
        try:
            suite.append(read_line(json.loads(line)))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise TrainingError(f"{path}, line {number}: expected a position with its children as JSON; see docs/network.md") from error
    if not suite:
        raise TrainingError(f"{path} has no positions")
    return suite


def read_line(values: dict[str, Any]) -> SuitePosition:
    """One position. Raises what reading from the wrong values raises."""
    size = int(values.get("size", USUAL_SIZE))
    moves = np.array(values["moves"], np.int64)
    places, wins, leads = (np.array(column) for column in zip(*values["children"], strict=True))
    if not 2 <= size <= MAX_SIZE or any(array.size and not 0 <= array.min() <= array.max() <= size * size for array in (moves, places)):
        raise ValueError("a move outside of the board")
    rules = RULE_SETS[values.get("rules", CHINESE.name)]
    position = RecordPosition(size, moves.astype(np.uint16), float(values.get("komi", USUAL_KOMI)), rules)
    policy = np.array(values["policy"], np.float64)[places.astype(np.int64)]
    return SuitePosition(
        position, float(values["win"]), float(values["lead"]), policy, places.astype(np.int64), wins.astype(float), leads.astype(float)
    )


def as_line(position: RecordPosition, said: NetworkSays, places: Sequence[int], children: Sequence[NetworkSays]) -> str:
    """A position as a line of a suite, from what the teacher has said of it and of its children."""
    values = {
        "size": position.size,
        "komi": position.komi,
        "rules": position.rules.name,
        "moves": position.moves.tolist(),
        "win": round(said.win, 4),
        "lead": round(said.lead, 2),
        "policy": np.log(np.maximum(said.policy, SMALLEST)).round(3).tolist(),
        "children": [[place, round(1.0 - answer.win, 4), round(-answer.lead, 2)] for place, answer in zip(places, children, strict=True)],
    }
    return json.dumps(values)


def make_suite(records: Sequence[Records], judge: NetworkJudge, count: int, seed: int, step: Callable[[int], None]) -> Iterator[str]:
    """`count` lines: even positions of held-out games, the same number of every source. `step` is told how many are made.

    Raises TrainingError when no more are found.
    """
    random, vain, made = np.random.default_rng(seed), 0, 0
    while made < count:
        if vain > MOST_VAIN:
            raise TrainingError("hardly any position of the held-out games is even: take other records")
        source = records[made % len(records)]
        position = draw_position(source, random)
        try:
            (said,) = judge([position])
        except TrainingError:
            vain += 1
            continue
        if not LEAST_WIN < said.win < 1.0 - LEAST_WIN:
            vain += 1
            continue
        places = [int(place) for place in np.flatnonzero(said.policy[:-1] > 0.0)]
        yield as_line(position, said, places, judge([child_of(position, place) for place in places]))
        made, vain = made + 1, 0
        step(made)


def draw_position(records: Records, random: np.random.Generator) -> RecordPosition:
    """A position of the beginning or the middle of a held-out game. Raises TrainingError when the records have too few games."""
    held_out = len(records) // HELD_OUT_OF
    if not held_out:
        raise TrainingError(f"a suite is made of every tenth game: expected at least {HELD_OUT_OF} games, found {len(records)}")
    game = int(random.integers(held_out)) * HELD_OUT_OF + HELD_OUT_OF - 1
    last = max(int(LAST_SHARE * int(records.lengths[game])), FIRST_PLY + 1)
    start, number = int(records.starts[game]), min(int(random.integers(FIRST_PLY, last)), int(records.lengths[game]))
    moves = np.asarray(records.moves[start : start + number], np.uint16)
    return RecordPosition(records.size, moves, float(records.komi[game]), CHINESE)


# ---------------------------------------------------------------- the figures


@dataclass(frozen=True)
class SuiteFigures:
    """How a network tells children apart, in the teacher's eyes; means over the positions."""

    positions: int
    loss_by_value: float  # win rate lost by moving to the child that the network values most
    loss_by_policy: float  # by playing what it likes most
    rmse: float  # of the wins of the teacher's likeliest children, what all have in common taken out
    correlation: float  # of the same
    deviation: float  # of the win of a position over the eight symmetries of the board

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return {name: round(value, 4) for name, value in self.__dict__.items()}


def suite_figures(suite: Sequence[SuitePosition], judge: NetworkJudge) -> SuiteFigures:
    """The figures of a network. Raises TrainingError for a position with illegal moves."""
    figures = np.array([position_figures(position, judge) for position in suite])
    by_value, by_policy, square, correlation, deviation = figures.mean(0).tolist()
    return SuiteFigures(len(suite), by_value, by_policy, square**0.5, correlation, deviation)


def position_figures(position: SuitePosition, judge: NetworkJudge) -> tuple[float, float, float, float, float]:
    """Losses, squared error, correlation and deviation of one position."""
    said = judge([turned_position(position.position, symmetry) for symmetry in range(SYMMETRIES)])
    wins = np.array([1.0 - child.win for child in judge(position.children)])
    best = position.wins.max()
    likeliest = np.argsort(-position.policy, kind="stable")[:LIKELIEST]
    own, taught = (values[likeliest] - values[likeliest].mean() for values in (wins, position.wins))
    lengths = np.sqrt((own**2).sum() * (taught**2).sum())
    return (
        float(best - position.wins[np.argmax(wins)]),
        float(best - position.wins[np.argmax(said[0].policy[position.places])]),
        float(((own - taught) ** 2).mean()),
        float((own * taught).sum() / max(lengths, SMALLEST)),
        float(np.std([answer.win for answer in said])),
    )


def turned_position(position: RecordPosition, symmetry: int) -> RecordPosition:
    """The same position on the turned board, see turned_places."""
    size = position.size
    new_place = np.append(np.argsort(turned_places(size, symmetry)), size * size)
    return replace(position, moves=new_place[position.moves.astype(np.int64)].astype(np.uint16))
