"""What a generation learns: the games of the last generations beside game records, from the network before on, then in 8 bits."""

import contextlib
import json
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from gtp_engine.base.files import write_arrays, write_file
from gtp_engine.learning.selfplay.files import Arrays, merged
from gtp_engine.learning.training.export import load_network
from gtp_engine.learning.training.imitation import LOG, NETWORK, Imitation, Source
from gtp_engine.learning.training.network_learner import F32
from gtp_engine.learning.training.quantize import quantize
from gtp_engine.learning.training.records import read_record_file
from gtp_engine.learning.training.trainer import Schedule, Settings, Trainer

WINDOW, LEARNED = "window.npz", "learned.json"
WINDOW_GROWTH = 0.75  # the window grows as the number of generations to this power: old games were played by weaker networks
HELD_OUT = 0.03  # of the games of the window, the newest ones, to measure with
MOST_HELD_OUT = 500  # games
SAMPLES, QUANTIZE_POSITIONS = 512, 2048


@dataclass(frozen=True)
class LearningPlan:
    """How each generation learns."""

    positions: int = 200_000
    rate: float = 0.3  # of learning, as a share of the usual one: the network knows much already
    batch: int = 64
    shares: tuple[float, ...] = ()  # of the positions: self-play, then each record source; none: self-play as much as all others
    threads: int = 1
    device: str = "cpu"
    precision: str = F32
    seed: int = 1

    def all_shares(self, others: int) -> tuple[float, ...]:
        """With so many record sources."""
        return self.shares or ((float(max(others, 1)), *([1.0] * others)))


class Shows(Protocol):
    """Shows people how a training goes: a context manager."""

    def show(self) -> None:
        """After each step."""
        ...

    def tell(self, text: str) -> None:
        """A sentence."""
        ...


Display = Callable[[Trainer], AbstractContextManager[Shows]]


def window_of(generation: int) -> int:
    """How many generations up to this one are learned from."""
    return max(1, math.ceil(math.pow(generation, WINDOW_GROWTH)))


def learn(
    games: Sequence[Sequence[Arrays]],
    others: Sequence[Source],
    start: Path,
    folder: Path,
    plan: LearningPlan,
    display: Display,
    target: Path,
) -> dict[str, Any]:
    """Train in `folder` from `start` on, and write the network in 8 bits to `target`; figures of it, as JSON has them.

    `games`: for each board arrays of record files of self-play, the newest last; `others`: game records to learn from as well. Goes on
    after it was interrupted.
    Raises TrainingError, SelfplayError, OSError; KeyboardInterrupt after Ctrl-C.
    """
    if (folder / LEARNED).exists() and target.exists():
        figures: dict[str, Any] = json.loads((folder / LEARNED).read_text())
        return figures
    folder.mkdir(parents=True, exist_ok=True)
    own_sources = [window_source(each, folder, number) for number, each in enumerate(games)]
    run = imitation(own_sources, others, start, folder, plan)
    with display(run.trainer) as shown:
        run.tell = shown.tell
        run.start_from(start)
        run.run(shown.show)
        own = own_sources[0].learned  # ranks are unknown there, as in play; what 8 bits lose can be measured on what was learned
        smaller = quantize(folder / NETWORK, target, own, SAMPLES, own, QUANTIZE_POSITIONS, plan.threads)
        lost = smaller.after.nll - smaller.before.nll
        shown.tell(f"in 8 bits: nll {smaller.before.nll:.3f} before, {smaller.after.nll:.3f} now")
    figures = {"learned": last_line(folder / LOG), "lost_in_8_bits": round(lost, 4)}
    write_file(folder / LEARNED, json.dumps(figures).encode())
    with contextlib.suppress(OSError):
        for path in folder.glob("window*.npz"):
            path.unlink()  # the games are in their generations' files
    return figures


def imitation(own: Sequence[Source], others: Sequence[Source], start: Path, folder: Path, plan: LearningPlan) -> Imitation:
    """The training, not yet begun. `own`: games of self-play on each board."""
    network, _ = load_network(start)
    schedule = Schedule(0.0, plan.positions, highest=plan.rate)
    sources = [*own, *others]
    share, *other_shares = plan.all_shares(len(others))
    shares = (*(share * part for part in board_shares(own)), *other_shares)
    settings = Settings(network.size, schedule, plan.batch, plan.seed, plan.threads, plan.device, plan.precision, shares)
    names = ", ".join(source.name for source in sources)
    return Imitation(folder, sources, settings, f"{sum(len(source.learned) for source in sources):,} games of {names}", lambda _text: None)


def board_shares(own: Sequence[Source]) -> list[float]:
    """Of the positions of self-play those of each board, in all 1: every position that was searched in full is as likely as any other."""
    counts = [len(source.learned.searches or ()) for source in own]
    return [max(count, 1) / sum(max(each, 1) for each in counts) for count in counts]


def window_source(games: Sequence[Arrays], folder: Path, number: int) -> Source:
    """The games of board `number`, which are put together in a file in `folder`; the last ones are held out."""
    path = folder / (WINDOW if number == 0 else f"window-{number}.npz")
    write_arrays(path, merged(games))
    records = read_record_file(path)
    held_out = min(MOST_HELD_OUT, max(int(HELD_OUT * len(records)), 1), len(records) // 2)
    first = len(records) - held_out
    name = "self-play" if number == 0 else f"self-play {records.size}x{records.size}"
    return Source(name, records.games(0, first), records.games(first, len(records)))


def last_line(log: Path) -> dict[str, Any]:
    """The last figures of a training."""
    line: dict[str, Any] = json.loads(log.read_text().splitlines()[-1])
    return line
