"""The training of a generation: it continues from the previous network, with the games of the last generations and other sources."""

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
HELD_OUT = 0.03  # share of the window's games, the newest ones, for measurements
MOST_HELD_OUT = 500  # games
OWN = "self-play"  # its name in the log


@dataclass(frozen=True)
class LearningPlan:
    """The plan of each generation's training."""

    positions: int = 200_000
    rate: float = 0.3  # of learning, as a share of the usual one, because the network is already trained
    batch: int = 64
    shares: tuple[float, ...] = ()  # of the positions: self-play, then each other source; empty: half self-play, half all others
    threads: int = 1
    device: str = "cpu"
    precision: str = F32
    seed: int = 1

    def all_shares(self, others: int) -> tuple[float, ...]:
        """The shares with so many other sources."""
        return self.shares or ((float(max(others, 1)), *([1.0] * others)))


def window_of(generation: int) -> int:
    """The number of generations, up to this one, whose games are used."""
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
    """Train in `folder` from `start` on, and write the network in int8 to `target`; returns its figures for JSON.

    `games`: for each board, arrays of record files of self-play, the newest last; `others`: other sources. Continues after an interruption.
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
            path.unlink()  # the generations' files have the games
    return figures


def settings_of(own: Sequence[RecordLabels], others: int, plan: LearningPlan) -> RunSettings:
    """The settings of a generation's training. `own`: games of self-play on each board."""
    share, *other_shares = plan.all_shares(others)
    shares = (*(share * part for part in board_shares(own)), *other_shares)
    schedule = Schedule(0.0, plan.positions, highest=plan.rate)
    return RunSettings(schedule, plan.batch, plan.seed, plan.threads, plan.device, plan.precision, shares)


def board_shares(own: Sequence[RecordLabels]) -> list[float]:
    """The share of each board in the positions of self-play, with sum 1: all positions with full searches are equally likely."""
    counts = [max(len(source), 1) for source in own]
    return [count / sum(counts) for count in counts]


def window_source(games: Sequence[Arrays], folder: Path, number: int) -> RecordLabels:
    """The games of board `number`, combined in a file in `folder`; the last ones are held out."""
    path = folder / (WINDOW if number == 0 else f"window-{number}.npz")
    write_arrays(path, merged(games))
    records = read_record_file(path)
    held_out = min(MOST_HELD_OUT, max(int(HELD_OUT * len(records)), 1), len(records) // 2)
    return RecordLabels(OWN, records, np.arange(len(records)) >= len(records) - held_out)


def last_line(log: Path) -> dict[str, Any]:
    """The last figures of a training."""
    line: dict[str, Any] = json.loads(log.read_text().splitlines()[-1])
    return line
