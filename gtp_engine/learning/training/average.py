"""The average of a network's weights over its last steps, which plays better than the weights after any one of them."""

import torch

AVERAGE_MEMORY = 0.05  # share of the steps so far over which the weights are averaged
LONGEST_AVERAGE = 500.0  # steps


@torch.no_grad()
def move_average(average: torch.nn.Module, network: torch.nn.Module, step: int) -> None:
    """Move the average of the weights a little towards the network after step number `step`, which starts at 0."""
    share = 1.0 / min(1.0 + AVERAGE_MEMORY * step, LONGEST_AVERAGE)
    for mean, value in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
        if mean.is_floating_point():
            mean.lerp_(value, share)
        else:
            mean.copy_(value)
