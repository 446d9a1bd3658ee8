"""The device and the precision of training."""

import functools
import time

import torch

from gtp_engine.learning.training import TrainingError

F32, BF16 = "f32", "bf16"  # of the trunk: weights, heads and losses are always f32
CPU = "cpu"
NATIVE_BF16 = {"avx512_bf16", "amx_bf16"}  # elsewhere bf16 is emulated: not worth timing
LEAST_GAIN = 1.2  # in speed by bf16: less isn't worth the lower precision
TIMED_STEPS = 3


def best_device(name: str) -> str:
    """`name`, or if it is empty, cuda if available, otherwise cpu. Raises TrainingError for a device that torch doesn't have."""
    chosen = name or ("cuda" if torch.cuda.is_available() else CPU)
    try:
        torch.empty(1, device=chosen)
    except (RuntimeError, AssertionError) as error:
        raise TrainingError(f"--device {chosen} is not there; expected cpu, or cuda with a GPU and a torch built for it") from error
    return chosen


def best_precision(device: str) -> str:
    """bf16 if the GPU or the processor computes clearly faster in it than in f32; otherwise f32."""
    if device == CPU:
        has_bf16 = any(has_ability for name, has_ability in processor_abilities().items() if name in NATIVE_BF16)
        return BF16 if has_bf16 and bf16_gain() > LEAST_GAIN else F32
    return BF16 if torch.cuda.is_bf16_supported() else F32


@functools.cache
def bf16_gain() -> float:
    """The speed of training in bf16 on this processor, relative to f32. It is timed once, in some tenths of a second.

    The instructions alone don't decide: on a processor that has them but no AMX, f32 may be faster: 129 positions a second of 6x64 on
    19x19, 78 in bf16, on one core.
    """
    layers = torch.nn.Sequential(*(torch.nn.Conv2d(64, 64, 3, padding=1, bias=False) for _ in range(2)))
    layers = layers.to(memory_format=torch.channels_last)
    planes = torch.zeros(16, 64, 19, 19).to(memory_format=torch.channels_last)

    def seconds(is_bf16: bool) -> float:
        """The time of one step forward and backward."""
        start = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16, enabled=is_bf16):
            answer = layers(planes)
        answer.float().sum().backward()
        return time.perf_counter() - start

    seconds(True), seconds(False)  # the first steps include one-time preparations
    in_f32, in_bf16 = (min(seconds(is_bf16) for _ in range(TIMED_STEPS)) for is_bf16 in (False, True))
    return in_f32 / in_bf16


def processor_abilities() -> dict[str, bool]:
    """The processor's abilities by name, from torch; empty before its version 2.9."""
    abilities = getattr(torch.cpu, "get_capabilities", dict)
    return dict(abilities())
