"""A suite: positions with all their children, evaluated by a strong teacher, to measure how well a network distinguishes the children.

A search chooses among the children of a position. A network may agree with its teacher on positions and still choose badly if its errors
differ from child to child. A suite is a file of JSON lines: `moves`, `win` and `lead` of the side to move, `policy`, logits of all places,
the pass last, and `children`, [move, win, lead] for the side that moved there; `size`, `komi` and `rules` if they aren't 9, 7, chinese.
Games with positions in a suite are never used for training: they are held out, see Labels.held_out.
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
from gtp_engine.learning.training.katago.positions import NetworkAnswer, NetworkJudge, RecordPosition
from gtp_engine.learning.training.katago.source import HELD_OUT_OF
from gtp_engine.learning.training.records import Records

USUAL_SIZE, USUAL_KOMI = 9, 7.0
FIRST_PLY, LAST_SHARE = 4, 0.6  # positions of a game after so many moves, and before this share of its moves
LEAST_WIN = 0.1  # a position where one side has less is decided: all children are nearly equal
LIKELIEST = 10  # children by the teacher's policy, for errors and correlation
MOST_VAIN = 1000  # positions in a row that aren't even or aren't legal
SMALLEST = 1e-9  # probability


@dataclass(frozen=True)
class SuitePosition:
    """A position, with the teacher's outputs for it and its children; all for the side to move there."""

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


def as_line(position: RecordPosition, answer: NetworkAnswer, places: Sequence[int], children: Sequence[NetworkAnswer]) -> str:
    """A line of a suite for a position, from the teacher's outputs for it and its children."""
    values = {
        "size": position.size,
        "komi": position.komi,
        "rules": position.rules.name,
        "moves": position.moves.tolist(),
        "win": round(answer.win, 4),
        "lead": round(answer.lead, 2),
        "policy": np.log(np.maximum(answer.policy, SMALLEST)).round(3).tolist(),
        "children": [[place, round(1.0 - answer.win, 4), round(-answer.lead, 2)] for place, answer in zip(places, children, strict=True)],
    }
    return json.dumps(values)


def make_suite(records: Sequence[Records], judge: NetworkJudge, count: int, seed: int, step: Callable[[int], None]) -> Iterator[str]:
    """`count` lines: even positions of held-out games, equally many from each source. `step` is called with the number of lines so far.

    Raises TrainingError if no more are found.
    """
    random, vain, made = np.random.default_rng(seed), 0, 0
    while made < count:
        if vain > MOST_VAIN:
            raise TrainingError("hardly any position of the held-out games is even: take other records")
        source = records[made % len(records)]
        position = draw_position(source, random)
        try:
            (answer,) = judge([position])
        except TrainingError:
            vain += 1
            continue
        if not LEAST_WIN < answer.win < 1.0 - LEAST_WIN:
            vain += 1
            continue
        places = [int(place) for place in np.flatnonzero(answer.policy[:-1] > 0.0)]
        yield as_line(position, answer, places, judge([child_of(position, place) for place in places]))
        made, vain = made + 1, 0
        step(made)


def draw_position(records: Records, random: np.random.Generator) -> RecordPosition:
    """A random position of the beginning or middle of a held-out game. Raises TrainingError if the records have too few games."""
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
    """How well a network distinguishes children, judged by the teacher; means over the positions."""

    positions: int
    loss_by_value: float  # win rate lost by the move to the child with the network's highest value
    loss_by_policy: float  # the same by the move with its highest probability
    rmse: float  # of the win rates of the teacher's likeliest children, without their common error
    correlation: float  # of the same win rates
    deviation: float  # of a position's win rate over the eight symmetries of the board

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
    answers = judge([turned_position(position.position, symmetry) for symmetry in range(SYMMETRIES)])
    wins = np.array([1.0 - child.win for child in judge(position.children)])
    best = position.wins.max()
    likeliest = np.argsort(-position.policy, kind="stable")[:LIKELIEST]
    own, taught = (values[likeliest] - values[likeliest].mean() for values in (wins, position.wins))
    lengths = np.sqrt((own**2).sum() * (taught**2).sum())
    return (
        float(best - position.wins[np.argmax(wins)]),
        float(best - position.wins[np.argmax(answers[0].policy[position.places])]),
        float(((own - taught) ** 2).mean()),
        float((own * taught).sum() / max(lengths, SMALLEST)),
        float(np.std([answer.win for answer in answers])),
    )


def turned_position(position: RecordPosition, symmetry: int) -> RecordPosition:
    """The same position on the turned board, see turned_places."""
    size = position.size
    new_place = np.append(np.argsort(turned_places(size, symmetry)), size * size)
    return replace(position, moves=new_place[position.moves.astype(np.int64)].astype(np.uint16))
