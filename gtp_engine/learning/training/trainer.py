"""The training loop: batches in, a better network out, with checkpoints to go on from."""

import contextlib
import functools
import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NotRequired

import torch

from gtp_engine.base.files import write_whole
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.loss import Answers, to_device
from gtp_engine.learning.training.mixture import Mixture
from gtp_engine.learning.training.model import Network, Size
from gtp_engine.learning.training.network_learner import BF16, F32, NetworkLearner, NetworkLearnerState
from gtp_engine.learning.training.records import Records
from gtp_engine.learning.training.teacher import taught

CHECKPOINT_VERSION = 1
DAMAGED = "it is damaged, or something else"
SMOOTHING = 0.02  # weight of the last batch in the figures shown
AHEAD = 1  # batches drawn while the network learns, beside one for each processor that draws
NATIVE_BF16 = {"avx512_bf16", "amx_bf16"}  # elsewhere bf16 is emulated: not worth timing
LEAST_GAIN = 1.2  # of bf16: less isn't worth its coarser numbers
TIMED_STEPS = 3
CPU = "cpu"


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
    teacher: Size | None = None  # of a larger network that learns beside it and teaches it; none: it learns from the records alone

    @property
    def drawers(self) -> int:
        """How many threads draw positions: one beside a network that learns on processors, nearly all beside one on a GPU."""
        return 1 if self.device == CPU else max(self.threads - 1, 1)


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


class Checkpoint(NetworkLearnerState):
    """What a checkpoint holds."""

    version: int
    size: dict[str, Any]
    batch_size: int
    seed: int
    progress: dict[str, float]
    teacher: NotRequired[NetworkLearnerState]
    teacher_size: NotRequired[dict[str, Any]]


class Trainer:
    """A run: the networks that learn, and where in the data it is."""

    def __init__(self, sources: Sequence[Records], settings: Settings) -> None:
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.device = torch.device(settings.device)
        self.sampler = Mixture(sources, settings.shares, settings.batch_size, settings.seed)
        self.learner = NetworkLearner(settings.size, self.device, settings.precision)
        self.teacher = NetworkLearner(settings.teacher, self.device, settings.precision) if settings.teacher else None
        self.progress = TrainingProgress()

    @property
    def network(self) -> Network:
        """The network that learns, as it is after the last step."""
        return self.learner.network

    @property
    def average(self) -> Network:
        """The network to play with: the average over the last steps."""
        return self.learner.average

    def take_weights(self, network: Network, earlier: int) -> None:
        """Begin with this network's weights, learned from `earlier` positions; it must have the size of the run."""
        self.learner.take_weights(network)
        self.progress.earlier = earlier

    def done(self) -> float:
        """0 at the start, 1 or more when the run is over."""
        return self.settings.schedule.progress(self.progress.seconds, self.progress.positions)

    def run(self, after_step: Callable[[], bool]) -> None:
        """Train to the end, or until `after_step`, called after every step, answers False."""
        drawers = self.settings.drawers
        ahead: deque[Future[Answers]] = deque()
        wanted = self.progress.step
        with ThreadPoolExecutor(drawers) as pool:
            try:
                while self.done() < 1.0:
                    start = time.perf_counter()
                    while len(ahead) < drawers + AHEAD:
                        ahead.append(pool.submit(self.draw, wanted))
                        wanted += 1
                    policy_loss, value_loss = self.learn(ahead.popleft().result())
                    self.progress.note(self.settings.batch_size, time.perf_counter() - start, policy_loss, value_loss)
                    if not after_step():
                        break
            finally:
                for unused in ahead:
                    unused.cancel()

    def draw(self, step: int) -> Answers:
        """Batch number `step` on the device. Threads may call it at once."""
        return to_device(self.sampler.batch(step), self.device)

    def learn(self, answers: Answers) -> tuple[float, float]:
        """One step; gives back the losses of policy and value, measured against what was to be learned."""
        rate, step = self.settings.schedule.rate(self.done()), self.progress.step
        if self.teacher:
            said, _ = self.teacher.learn(answers, rate, step)
            answers = taught(answers, said)
        _, result = self.learner.learn(answers, rate, step)
        return float(result.policy), float(result.value)

    def save(self, path: Path) -> None:
        """Write everything that `load` needs; OSError leaves the last checkpoint as it was."""
        learner = self.learner.state()
        state: Checkpoint = {
            "version": CHECKPOINT_VERSION,
            "size": asdict(self.settings.size),
            "batch_size": self.settings.batch_size,
            "seed": self.settings.seed,
            "progress": asdict(self.progress),
            "network": learner["network"],
            "average": learner["average"],
            "optimizer": learner["optimizer"],
        }
        if self.teacher:
            state["teacher"], state["teacher_size"] = self.teacher.state(), asdict(self.teacher.size)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda unfinished: torch.save(state, unfinished))

    def load(self, path: Path) -> None:
        """Go on where the checkpoint was written. TrainingError when it is none, or of a run with other sizes, batches or seed."""
        state = read_checkpoint(path, self.device)
        with contents_of(path):
            self._take(path, state)

    def _take(self, path: Path, state: Checkpoint) -> None:
        """Go on with a checkpoint's contents. Raises TrainingError when they are of another run, and anything when they are damaged."""
        teacher_size = state.get("teacher_size")
        theirs = Size(**state["size"]), state["batch_size"], state["seed"], Size(**teacher_size) if teacher_size else "none"
        ours = self.settings.size, self.settings.batch_size, self.settings.seed, self.settings.teacher or "none"
        for name, their, our in zip(("size", "batch size", "seed", "teacher"), theirs, ours, strict=True):
            if their != our:
                raise TrainingError(f"{path} is of a run with {name} {their}, this one has {our}; choose another folder to begin anew")
        self.learner.take_state(state)
        if self.teacher:
            self.teacher.take_state(state["teacher"])
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
    chosen = name or ("cuda" if torch.cuda.is_available() else CPU)
    try:
        torch.empty(1, device=chosen)
    except (RuntimeError, AssertionError) as error:
        raise TrainingError(f"--device {chosen} is not there; expected cpu, or cuda with a GPU and a torch built for it") from error
    return chosen


def best_precision(device: str) -> str:
    """bf16 where the GPU, or the processor, multiplies in it clearly faster than in f32."""
    if device == CPU:
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
