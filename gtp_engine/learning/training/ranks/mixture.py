"""Training positions from several sources, boards of other sizes among them: each batch comes from one of them."""

from collections.abc import Sequence

import numpy as np

from gtp_engine.learning.training.ranks.sampler import Batch, Sampler
from gtp_engine.learning.training.records import Records


class Mixture:
    """Draws batches as a Sampler does, each from one of the `sources`: in proportion to `shares`, or alike when there are none.

    Batch number `step` of `seed` is always the same. With one source it is that of its Sampler.
    """

    def __init__(self, sources: Sequence[Records], shares: Sequence[float], batch_size: int, seed: int) -> None:
        self.samplers = [Sampler(records, batch_size, seed) for records in sources]
        self.shares = np.array(shares or [1.0] * len(sources), np.float64)
        self.shares /= self.shares.sum()
        self.seed = seed

    def batch(self, step: int) -> Batch:
        """Batch number `step`; the same one every time. Threads may call it at once."""
        chosen = int(np.random.default_rng((self.seed, step)).choice(len(self.samplers), p=self.shares))
        return self.samplers[chosen].batch(step)

    @property
    def games(self) -> int:
        """Games in all sources."""
        return sum(len(sampler.records) for sampler in self.samplers)
