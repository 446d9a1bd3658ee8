"""Fits the move model to game records: chooses shapes to weigh, then takes gradient steps on the likelihood of the moves played."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.move_model.model import (
    FREE,
    LOOKS,
    MODEL,
    MOST_FEATURES,
    SLOTS,
    WEIGHTS,
    check_of,
    find_features,
    first_slot,
    prepare_looks,
    weight_of,
)
from gtp_engine.engine.move_model.shapes import SIZES, clear_hashes, grown_key, liberty_key, read_squares, square_of
from gtp_engine.go.chain_needs import CHAIN_NEEDS, find_chain_needs
from gtp_engine.go.eyes import is_playable
from gtp_engine.go.points import PASS
from gtp_engine.go.position import POSITION, clear_position, legality, play_move
from gtp_engine.learning.training.record_kernels import point_of

MOST_MOVES = 362  # candidates in a position
FULLEST = 0.7  # share of the table's slots in use, so that probing stays short
SMALL_GRADIENT = 1e-4  # smaller gradients aren't worth the memory traffic


TASK = np.dtype(
    [
        ("first", np.int64),  # games first .. last - 1 are read
        ("last", np.int64),
        ("size", np.int64),  # lines of their boards
        ("every", np.int64),  # one in so many positions is used
        ("rate", np.float64),  # of learning; 0: only evaluate
    ],
    align=True,
)

CHOICES = np.dtype(
    [
        ("count", np.int64),  # of moves of the current position
        ("point", np.int64, (MOST_MOVES,)),
        ("feature_count", np.int32, (MOST_MOVES,)),
        ("features", np.int32, (MOST_MOVES, MOST_FEATURES)),  # indices of weights, the first feature_count of each move are valid
        ("probability", np.float64, (MOST_MOVES,)),
    ],
    align=True,
)

STUDY = np.dtype([("position", POSITION), ("scratch", POSITION), ("needs", CHAIN_NEEDS), ("looks", LOOKS)], align=True)


@dataclass(frozen=True)
class Fit:
    """How to fit a model."""

    shape_games: int = 30_000  # games from which common shapes are chosen
    least_count: int = 8  # how often a shape must have been played to get a weight
    rate: float = 0.08  # step of Adagrad at the start; it falls linearly to a tenth
    every: int = 3  # one in so many positions is used, because consecutive ones are nearly the same


@inner
def write_keys(looks, square, keys):
    """keys [SIZES + 1]: the shapes around this square, smallest first, then the one with liberties."""
    clear_hashes(looks.hashes)
    for size in range(SIZES):
        keys[size] = grown_key(looks.squares, square, size, looks.hashes)
    keys[SIZES] = liberty_key(looks.liberty_squares, square, looks.hashes)


@entry
def collect_keys(moves, starts, lengths, tasks, workspaces, keys):
    """Fill `keys` [M, SIZES + 1] with those of the shapes around the moves played in the games of tasks[0]; returns the number of rows."""
    task, position, looks = tasks[0], workspaces[0].position, workspaces[0].looks
    size = task.size
    row = 0
    for game in range(task.first, task.last):
        clear_position(position, size)
        for i in range(lengths[game]):
            point = point_of(np.int64(moves[starts[game] + i]), size)
            if legality(position, point, position.to_play, False) != 0:
                break
            if point != PASS:
                read_squares(position, looks.squares, looks.liberty_squares)
                write_keys(looks, square_of(point), keys[row])
                row += 1
            play_move(position, point, position.to_play)
    return row


@entry
def insert_keys(models, keys):
    """Give each key a slot with weight 0."""
    model = models[0]
    for key in keys:
        slot = first_slot(key)
        while model.shapes[slot].key != FREE and model.shapes[slot].key != check_of(key):
            slot = (slot + 1) & (SLOTS - 1)
        model.shapes[slot].key = check_of(key)


def common_shapes(keys: np.ndarray, least_count: int) -> np.ndarray:
    """The keys that occur at least `least_count` times, most frequent first, as many as fit into the table."""
    unique_keys, counts = np.unique(keys, return_counts=True)
    order = np.argsort(-counts, kind="stable")[: int(FULLEST * SLOTS)]
    return np.asarray(unique_keys[order[counts[order] >= least_count]])


@inner
def list_moves(model, workspace, choices):
    """Every candidate of the workspace's position, with its features."""
    position, looks = workspace.position, workspace.looks
    find_chain_needs(position, workspace.needs, workspace.scratch, False)
    prepare_looks(position, looks, workspace.needs)
    choices.count = 0
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        if is_playable(position, point, position.to_play):
            find_features(model, position, looks, point)
            choices.point[choices.count] = point
            choices.feature_count[choices.count] = looks.count
            for k in range(looks.count):
                choices.features[choices.count, k] = looks.features[k]
            choices.count += 1


@inner
def set_probabilities(model, choices):
    """The softmax over the moves listed."""
    largest = -1e30
    for i in range(choices.count):
        strength = 0.0
        for k in range(choices.feature_count[i]):
            strength += weight_of(model, choices.features[i, k])
        choices.probability[i] = strength
        largest = max(largest, strength)
    total = 0.0
    for i in range(choices.count):
        choices.probability[i] = np.exp(choices.probability[i] - largest)
        total += choices.probability[i]
    for i in range(choices.count):
        choices.probability[i] /= total


@inner
def step(model, squares, choices, played, rate):
    """One step of Adagrad (Duchi, Hazan and Singer 2011) towards the move played; `squares` [WEIGHTS] sums the squared gradients."""
    for i in range(choices.count):
        gradient = choices.probability[i] - (1.0 if choices.point[i] == played else 0.0)
        if abs(gradient) < SMALL_GRADIENT:
            continue
        for k in range(choices.feature_count[i]):
            feature = choices.features[i, k]
            squares[feature] += gradient * gradient
            change = -rate * gradient / np.sqrt(squares[feature])
            if feature < SLOTS:
                model.shapes[feature].weight += change
            else:
                model.weights[feature - SLOTS] += change


@inner
def add_guess(choices, played, report):
    """Add a position to report [4]: positions, moves ranked first, moves among the first five, sum of -log of the probability."""
    chosen = -1
    for i in range(choices.count):
        if choices.point[i] == played:
            chosen = i
    if chosen < 0:
        return
    better = 0
    for i in range(choices.count):
        better += choices.probability[i] > choices.probability[chosen]
    report[0] += 1
    report[1] += better == 0
    report[2] += better < 5
    report[3] -= np.log(max(choices.probability[chosen], 1e-12))


@entry
def run_games(models, squares, moves, starts, lengths, tasks, workspaces, report):
    """Evaluate the moves of the games of tasks[0], adding to report [4]; with a rate also learn from them.

    `workspaces`: ([1] STUDY, [1] CHOICES), overwritten.
    """
    model, task, workspace, choices = models[0], tasks[0], workspaces[0][0], workspaces[1][0]
    position = workspace.position
    for game in range(task.first, task.last):
        clear_position(position, task.size)
        for i in range(lengths[game]):
            played = point_of(np.int64(moves[starts[game] + i]), task.size)
            if legality(position, played, position.to_play, False) != 0:
                break
            if played != PASS and (i + game) % task.every == 0:
                list_moves(model, workspace, choices)
                set_probabilities(model, choices)
                add_guess(choices, played, report)
                if task.rate > 0.0:
                    step(model, squares, choices, played, task.rate)
            play_move(position, played, position.to_play)


def as_sentence(sums: np.ndarray) -> str:
    """The sums of run_games for people."""
    positions = max(sums[0], 1.0)
    return f"{sums[1] / positions:.1%} guessed first, {sums[2] / positions:.1%} among five, {sums[3] / positions:.3f} nats a move"


class Learner:
    """Fits one model to games on boards of `size` lines: `moves` (row * size + column), one game after the other, and their lengths."""

    def __init__(self, moves: np.ndarray, lengths: np.ndarray, size: int, fit: Fit) -> None:
        self.moves, self.size, self.fit = moves, size, fit
        self.lengths = lengths.astype(np.int64)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.models = np.zeros(1, MODEL)
        self.squares = np.full(WEIGHTS, 1.0, np.float32)
        self.workspaces = np.zeros(1, STUDY)

    def choose_shapes(self, most_games: int) -> int:
        """Fill the table with the common shapes of the first `most_games` games, or Fit.shape_games if fewer; returns their number."""
        games = min(self.fit.shape_games, most_games)
        keys = np.empty((int(self.lengths[:games].sum()), SIZES + 1), np.uint64)
        rows = collect_keys(self.moves, self.starts, self.lengths, self._task(0, games, 1, 0.0), self.workspaces, keys)
        shapes = common_shapes(keys[:rows], self.fit.least_count)
        insert_keys(self.models, shapes)
        return len(shapes)

    def learn(self, games: int, report: Callable[[int, np.ndarray], None], chunk: int = 500) -> None:
        """Learn from the first `games` games. `report` gets the games done and the sums of the last chunk before learning from it."""
        for first in range(0, games, chunk):
            rate = self.fit.rate * (1.0 - 0.9 * first / games)
            report(min(first + chunk, games), self.run(first, min(first + chunk, games), self.fit.every, rate))

    def run(self, first: int, last: int, every: int, rate: float) -> np.ndarray:
        """run_games on these games: [4] sums."""
        sums = np.zeros(4)
        task = self._task(first, last, every, rate)
        run_games(self.models, self.squares, self.moves, self.starts, self.lengths, task, (self.workspaces, np.zeros(1, CHOICES)), sums)
        return sums

    def _task(self, first: int, last: int, every: int, rate: float) -> np.ndarray:
        """[1] TASK."""
        return np.array([(first, last, self.size, every, rate)], TASK)
