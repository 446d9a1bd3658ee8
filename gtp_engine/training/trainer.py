"""The training loop: batches in, a better network out, with checkpoints to go on from."""

import contextlib
import functools
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypedDict

import torch

from gtp_engine.files import write_whole
from gtp_engine.training import TrainingError
from gtp_engine.training.loss import losses, to_device
from gtp_engine.training.mixture import Mixture
from gtp_engine.training.model import Network, Size
from gtp_engine.training.optimizer import Optimizer
from gtp_engine.training.records import Records
from gtp_engine.training.sampler import Batch

CHECKPOINT_VERSION = 1
DAMAGED = "it is damaged, or something else"
AVERAGE_MEMORY = 0.05  # of the steps so far: how far back the average of the weights reaches
LONGEST_AVERAGE = 500.0  # steps
SMOOTHING = 0.02  # weight of the last batch in the figures shown
AHEAD = 2  # batches drawn while the network learns
F32, BF16 = "f32", "bf16"
NATIVE_BF16 = {"avx512_bf16", "amx_bf16"}  # elsewhere bf16 is emulated: not worth timing
LEAST_GAIN = 1.2  # of bf16: less isn't worth its coarser numbers
TIMED_STEPS = 3


@dataclass(frozen=True)
class Schedule:
    """How long, and how fast the network learns when."""

    seconds: float = 0.0  # of training; 0: as many positions as `positions` says
    positions: int = 0
    warm_up: float = 0.02  # share of the whole, from 0 up to the highest rate
    hold: float = 0.35  # share until which the highest rate is held; then a cosine goes down to `last`
    last: float = 0.01  # rate at the end, relative to the highest
    highest: float = 1.0  # rate, relative to the optimizer's own: a lower one disturbs less of what a network already knows

    def progress(self, seconds: float, positions: int) -> float:
        """0 at the start, 1 or more at the end."""
        return seconds / self.seconds if self.seconds else positions / self.positions

    def rate(self, progress: float) -> float:
        """The learning rate relative to the optimizer's."""
        if progress < self.warm_up:
            return self.highest * max(progress / self.warm_up, 0.01)
        down = min(max(progress - self.hold, 0.0) / (1.0 - self.hold), 1.0)
        return self.highest * (self.last + (1.0 - self.last) * 0.5 * (1.0 + math.cos(math.pi * down)))


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a run does."""

    size: Size
    schedule: Schedule
    batch_size: int = 128
    seed: int = 1
    threads: int = 1
    device: str = "cpu"
    precision: str = F32  # of the trunk's convolutions; weights, heads and losses are always f32
    shares: tuple[float, ...] = ()  # of the batches, by source; none: all alike


@dataclass
class TrainingProgress:
    """How far a run is, and how well it does."""

    step: int = 0
    positions: int = 0
    seconds: float = 0.0
    policy_loss: float = math.nan  # smoothed
    value_loss: float = math.nan
    earlier: int = 0  # positions that the network it began with had learned from

    def note(self, count: int, seconds: float, policy_loss: float, value_loss: float) -> None:
        """One more step of `count` positions in `seconds`."""
        self.step += 1
        self.positions += count
        self.seconds += seconds
        first = math.isnan(self.policy_loss)
        self.policy_loss = policy_loss if first else self.policy_loss + SMOOTHING * (policy_loss - self.policy_loss)
        self.value_loss = value_loss if first else self.value_loss + SMOOTHING * (value_loss - self.value_loss)


class Checkpoint(TypedDict):
    """What a checkpoint holds."""

    version: int
    size: dict[str, Any]
    batch_size: int
    seed: int
    network: dict[str, torch.Tensor]
    average: dict[str, torch.Tensor]
    optimizer: list[dict[str, object]]
    progress: dict[str, float]


class Trainer:
    """A run: network, average of its weights, optimizer, and where in the data it is."""

    def __init__(self, sources: Sequence[Records], settings: Settings) -> None:
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.device = torch.device(settings.device)
        self.sampler = Mixture(sources, settings.shares, settings.batch_size, settings.seed)
        self.network = Network(settings.size).to(self.device, memory_format=torch.channels_last)
        self.average = Network(settings.size).to(self.device)
        self.average.load_state_dict(self.network.state_dict())
        self.average.eval()
        self.optimizer = Optimizer(self.network)
        self.progress = TrainingProgress()

    def take_weights(self, network: Network, earlier: int) -> None:
        """Begin with this network's weights, learned from `earlier` positions; it must have the size of the run."""
        self.network.load_state_dict(network.state_dict())
        self.average.load_state_dict(network.state_dict())
        self.progress.earlier = earlier

    def done(self) -> float:
        """0 at the start, 1 or more when the run is over."""
        return self.settings.schedule.progress(self.progress.seconds, self.progress.positions)

    def run(self, after_step: Callable[[], bool]) -> None:
        """Train to the end, or until `after_step`, called after every step, answers False."""
        with ThreadPoolExecutor(1) as pool:
            ahead: list[Future[Batch]] = []
            wanted = self.progress.step
            while self.done() < 1.0:
                start = time.perf_counter()
                while len(ahead) < AHEAD:
                    ahead.append(pool.submit(self.sampler.batch, wanted))
                    wanted += 1
                policy_loss, value_loss = self.learn(ahead.pop(0).result())
                self.progress.note(self.settings.batch_size, time.perf_counter() - start, policy_loss, value_loss)
                if not after_step():
                    break

    def learn(self, batch: Batch) -> tuple[float, float]:
        """One step; gives back the losses of policy and value."""
        answers = to_device(batch, self.device)
        self.network.train()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.precision == BF16):
            features = self.network.trunk(answers.planes, answers.ranks)
        result = losses(self.network.answer(features.float(), answers.planes), answers)
        result.total.backward()
        self.optimizer.step(self.settings.schedule.rate(self.done()))
        self.average_weights()
        return float(result.policy), float(result.value)

    @torch.no_grad()
    def average_weights(self) -> None:
        """Move the average a little towards the network as it is."""
        share = 1.0 / min(1.0 + AVERAGE_MEMORY * self.progress.step, LONGEST_AVERAGE)
        for average, value in zip(self.average.state_dict().values(), self.network.state_dict().values(), strict=True):
            if average.is_floating_point():
                average.lerp_(value, share)
            else:
                average.copy_(value)

    def save(self, path: Path) -> None:
        """Write everything that `load` needs; OSError leaves the last checkpoint as it was."""
        state: Checkpoint = {
            "version": CHECKPOINT_VERSION,
            "size": asdict(self.settings.size),
            "batch_size": self.settings.batch_size,
            "seed": self.settings.seed,
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda unfinished: torch.save(state, unfinished))

    def load(self, path: Path) -> None:
        """Go on where the checkpoint was written. TrainingError when it is none, or of a run with other sizes, batches or seed."""
        state = read_checkpoint(path, self.device)
        with contents_of(path):
            self._take(path, state)

    def _take(self, path: Path, state: Checkpoint) -> None:
        """Go on with a checkpoint's contents. Raises TrainingError when they are of another run, and anything when they are damaged."""
        theirs = Size(**state["size"]), state["batch_size"], state["seed"]
        ours = self.settings.size, self.settings.batch_size, self.settings.seed
        for name, their, our in zip(("size", "batch size", "seed"), theirs, ours, strict=True):
            if their != our:
                raise TrainingError(f"{path} is of a run with {name} {their}, this one has {our}; choose another folder to begin anew")
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = progress_of(state)


def progress_of(state: Checkpoint) -> TrainingProgress:
    """How far the run of a checkpoint was."""
    values = state["progress"]
    step, positions, earlier = (int(values.get(name, 0)) for name in ("step", "positions", "earlier"))  # once there was no `earlier`
    return TrainingProgress(step, positions, values["seconds"], values["policy_loss"], values["value_loss"], earlier)


@contextlib.contextmanager
def contents_of(path: Path) -> Iterator[None]:
    """Turn whatever goes wrong with what a checkpoint holds into a TrainingError."""
    try:
        yield
    except TrainingError:
        raise
    except Exception as error:  # of torch, of our dataclasses: anything may stand there
        raise TrainingError(f"{path} is not a checkpoint of gtp-engine train: {DAMAGED}") from error


def read_checkpoint(path: Path, device: torch.device) -> Checkpoint:
    """A checkpoint's contents; TrainingError when the file is none."""
    try:
        state: Checkpoint = torch.load(path, map_location=device, weights_only=True)
        version = state["version"]
    except Exception as error:  # torch.load raises what it likes
        reason = os.strerror(2) if not path.exists() else DAMAGED
        raise TrainingError(f"{path} is not a checkpoint of gtp-engine train: {reason}") from error
    if version != CHECKPOINT_VERSION:
        raise TrainingError(f"{path} has checkpoint version {version}, expected {CHECKPOINT_VERSION}")
    return state


def best_device(name: str) -> str:
    """`name`, or when it is empty cuda where there is one and else cpu. Raises TrainingError for one that torch hasn't."""
    chosen = name or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=chosen)
    except (RuntimeError, AssertionError) as error:
        raise TrainingError(f"--device {chosen} is not there; expected cpu, or cuda with a GPU and a torch built for it") from error
    return chosen


def best_precision(device: str) -> str:
    """bf16 where the GPU, or the processor, multiplies in it clearly faster than in f32."""
    if device == "cpu":
        has_bf16 = any(there for name, there in processor_abilities().items() if name in NATIVE_BF16)
        return BF16 if has_bf16 and bf16_gain() > LEAST_GAIN else F32
    return BF16 if torch.cuda.is_bf16_supported() else F32


@functools.cache
def bf16_gain() -> float:
    """How many times as fast as in f32 this processor learns in bf16: timed once, in some tenths of a second.

    The instructions alone do not tell. Where the processor has them but no AMX, f32 may be faster: 129 positions a second of 6x64 on
    19x19, 78 in bf16, on one core.
    """
    layers = torch.nn.Sequential(*(torch.nn.Conv2d(64, 64, 3, padding=1, bias=False) for _ in range(2)))
    layers = layers.to(memory_format=torch.channels_last)
    planes = torch.zeros(16, 64, 19, 19).to(memory_format=torch.channels_last)

    def seconds(is_bf16: bool) -> float:
        """Of one step forward and backward."""
        start = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16, enabled=is_bf16):
            answer = layers(planes)
        answer.float().sum().backward()
        return time.perf_counter() - start

    seconds(True), seconds(False)  # the first steps prepare what the next ones use
    in_f32, in_bf16 = (min(seconds(is_bf16) for _ in range(TIMED_STEPS)) for is_bf16 in (False, True))
    return in_f32 / in_bf16


def processor_abilities() -> dict[str, bool]:
    """By name, what torch finds; nothing before its version 2.9, which did not say."""
    abilities = getattr(torch.cpu, "get_capabilities", dict)
    return dict(abilities())
