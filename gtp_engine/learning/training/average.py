"""The average of a network's weights over its last steps, which plays better than the weights after any one of them."""

import torch

AVERAGE_MEMORY = 0.05  # of the steps so far: how far back the average of the weights reaches
LONGEST_AVERAGE = 500.0  # steps


@torch.no_grad()
def move_average(average: torch.nn.Module, network: torch.nn.Module, step: int) -> None:
    """Move the average of the weights a little towards the network as it is after step number `step`, from 0 on."""
    share = 1.0 / min(1.0 + AVERAGE_MEMORY * step, LONGEST_AVERAGE)
    for mean, value in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
        if mean.is_floating_point():
            mean.lerp_(value, share)
        else:
            mean.copy_(value)
