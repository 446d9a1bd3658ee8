"""What a generation learns: the games of the last generations beside other sources, from the network before on, then in 8 bits."""

import contextlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.files import write_arrays, write_file
from gtp_engine.base.progress import ProgressLine
from gtp_engine.engine.network.katago.conversion import convert_now
from gtp_engine.learning.selfplay.files import Arrays, merged
from gtp_engine.learning.training.devices import F32
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.katago.run import NETWORK, KataRun, trainable
from gtp_engine.learning.training.katago.source import LabelSource
from gtp_engine.learning.training.records import read_record_file
from gtp_engine.learning.training.run import LOG, RunSettings
from gtp_engine.learning.training.schedule import Schedule

WINDOW, LEARNED = "window.npz", "learned.json"
WINDOW_GROWTH = 0.75  # the window grows as the number of generations to this power: old games were played by weaker networks
HELD_OUT = 0.03  # of the games of the window, the newest ones, to measure with
MOST_HELD_OUT = 500  # games
OWN = "self-play"  # as the log calls it


@dataclass(frozen=True)
class LearningPlan:
    """How each generation learns."""

    positions: int = 200_000
    rate: float = 0.3  # of learning, as a share of the usual one: the network knows much already
    batch: int = 64
    shares: tuple[float, ...] = ()  # of the positions: self-play, then each other source; none: self-play as much as all others
    threads: int = 1
    device: str = "cpu"
    precision: str = F32
    seed: int = 1

    def all_shares(self, others: int) -> tuple[float, ...]:
        """With so many other sources."""
        return self.shares or ((float(max(others, 1)), *([1.0] * others)))


def window_of(generation: int) -> int:
    """How many generations up to this one are learned from."""
    return max(1, math.ceil(math.pow(generation, WINDOW_GROWTH)))


def learn(
    games: Sequence[Sequence[Arrays]],
    others: Sequence[LabelSource],
    start: Path,
    folder: Path,
    plan: LearningPlan,
    progress: ProgressLine,
    target: Path,
) -> dict[str, Any]:
    """Train in `folder` from `start` on, and write the network in 8 bits to `target`; figures of it, as JSON has them.

    `games`: for each board arrays of record files of self-play, the newest last; `others`: what is learned from as well. Goes on after it
    was interrupted.
    Raises TrainingError, SelfplayError, OSError; KeyboardInterrupt after Ctrl-C.
    """
    if (folder / LEARNED).exists() and target.exists():
        figures: dict[str, Any] = json.loads((folder / LEARNED).read_text())
        return figures
    folder.mkdir(parents=True, exist_ok=True)
    own = [window_source(generation, folder, number) for number, generation in enumerate(games)]
    run = KataRun(folder, trainable(start), [*own, *others], settings_of(own, len(others), plan), progress.note)
    run.run(progress.show)
    write_file(target, convert_now(folder / NETWORK, in_int8=True))
    figures = {"learned": last_line(folder / LOG)}
    write_file(folder / LEARNED, json.dumps(figures).encode())
    with contextlib.suppress(OSError):
        for path in folder.glob("window*.npz"):
            path.unlink()  # the games are in their generations' files
    return figures


def settings_of(own: Sequence[RecordLabels], others: int, plan: LearningPlan) -> RunSettings:
    """How a generation learns. `own`: games of self-play on each board."""
    share, *other_shares = plan.all_shares(others)
    shares = (*(share * part for part in board_shares(own)), *other_shares)
    schedule = Schedule(0.0, plan.positions, highest=plan.rate)
    return RunSettings(schedule, plan.batch, plan.seed, plan.threads, plan.device, plan.precision, shares)


def board_shares(own: Sequence[RecordLabels]) -> list[float]:
    """Of the positions of self-play those of each board, in all 1: every position that was searched in full is as likely as any other."""
    counts = [max(len(source), 1) for source in own]
    return [count / sum(counts) for count in counts]


def window_source(games: Sequence[Arrays], folder: Path, number: int) -> RecordLabels:
    """The games of board `number`, which are put together in a file in `folder`; the last ones are held out."""
    path = folder / (WINDOW if number == 0 else f"window-{number}.npz")
    write_arrays(path, merged(games))
    records = read_record_file(path)
    held_out = min(MOST_HELD_OUT, max(int(HELD_OUT * len(records)), 1), len(records) // 2)
    return RecordLabels(OWN, records, np.arange(len(records)) >= len(records) - held_out)


def last_line(log: Path) -> dict[str, Any]:
    """The last figures of a training."""
    line: dict[str, Any] = json.loads(log.read_text().splitlines()[-1])
    return line
