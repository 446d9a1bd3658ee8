"""A KataGo network as its file describes it: layers and blocks with their weights, in our own order of axes."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

PLANES, GLOBALS = 22, 19  # inputs of features version 7, which all file versions read here use
METADATA = 192  # inputs of the metadata encoder, version 1
OLDEST, NEWEST = 8, 17  # supported file versions

Activation = Literal["identity", "relu", "mish", "silu"]


@dataclass(frozen=True)
class Conv:
    """A convolution without bias; the output is as large as the input."""

    weights: np.ndarray  # float32 [out, in, y, x]
    dilation: tuple[int, int] = (1, 1)  # y, x

    @property
    def inputs(self) -> int:
        """Channels that go in."""
        return int(self.weights.shape[1])

    @property
    def outputs(self) -> int:
        """Channels that come out."""
        return int(self.weights.shape[0])


@dataclass(frozen=True)
class Norm:
    """A norm with known mean and variance, and the activation after it: act(x * scale + bias), for each channel."""

    scale: np.ndarray  # float32 [C]
    bias: np.ndarray  # float32 [C]
    activation: Activation


@dataclass(frozen=True)
class RmsNorm:
    """x / sqrt(mean(x * x) + epsilon) * scale + bias, the mean over the channels, and over all points when `is_spatial`."""

    scale: np.ndarray  # float32 [C]
    bias: np.ndarray  # float32 [C]
    epsilon: float
    is_spatial: bool = False
    activation: Activation = "identity"


@dataclass(frozen=True)
class Residual:
    """x + last(middle(first(before(x)))); between `first` and `middle` a global pooling may add a bias."""

    before: Norm
    first: Conv
    middle: Norm
    last: Conv
    pooling: "Pooling | None" = None


@dataclass(frozen=True)
class Pooling:
    """A bias from the whole board: a convolution, its norm, the mean (twice) and the maximum of each channel, a matrix."""

    conv: Conv
    norm: Norm
    to_bias: np.ndarray  # float32 [3 * channels, out]


@dataclass(frozen=True)
class Bottleneck:
    """x + last(after(blocks(first(before(x))))): blocks of fewer channels inside."""

    before: Norm
    first: Conv
    blocks: "tuple[Block, ...]"
    after: Norm
    last: Conv


@dataclass(frozen=True)
class Attention:
    """x + out(softmax(q k / sqrt(d)) v), each point of the board a token; heads share keys and values in groups."""

    norm: RmsNorm
    query: np.ndarray  # float32 [C, heads * d]
    key: np.ndarray  # float32 [C, key_heads * d]
    value: np.ndarray  # float32 [C, key_heads * v]
    out: np.ndarray  # float32 [heads * v, C]
    heads: int
    key_heads: int
    frequencies: np.ndarray | None  # float32 [key_heads, d / 2, (x, y)]: how fast a pair of channels turns with the place; None: not at all


@dataclass(frozen=True)
class FeedForward:
    """x + last(silu(first(norm(x))) * gate(norm(x))), at each point by itself."""

    norm: RmsNorm
    first: np.ndarray  # float32 [C, F]
    gate: np.ndarray  # float32 [C, F]
    last: np.ndarray  # float32 [F, C]


Block = Residual | Bottleneck | Attention | FeedForward


@dataclass(frozen=True)
class Layer:
    """A matrix, a bias and an activation."""

    weights: np.ndarray  # float32 [in, out]
    bias: np.ndarray  # float32 [out]
    activation: Activation = "identity"


@dataclass(frozen=True)
class MetadataEncoder:
    """Encodes the players for human networks as a bias of the first convolution: two layers and a matrix."""

    first: Layer
    second: Layer
    last: np.ndarray  # float32 [in, C]


@dataclass(frozen=True)
class Trunk:
    """From the input to the last norm."""

    conv: Conv
    from_globals: np.ndarray  # float32 [GLOBALS, C]
    metadata: MetadataEncoder | None
    blocks: tuple[Block, ...]
    tip: Norm | RmsNorm


@dataclass(frozen=True)
class PolicyHead:
    """Logits of the moves, in one channel or more: 0 the policy, 1 the optimistic policy."""

    conv: Conv
    pooling: Pooling
    norm: Norm
    last: Conv
    to_pass: np.ndarray  # float32 [3 * pooled channels, hidden, or the policy's channels]
    pass_hidden: Norm | None  # of the hidden layer (scale 1); None: there is none
    pass_last: np.ndarray | None  # float32 [hidden, the policy's channels]


@dataclass(frozen=True)
class ValueHead:
    """The winner, the score and the owners of points."""

    conv: Conv
    norm: Norm
    hidden: Layer
    value: Layer  # 3: won, lost, no result
    score: Layer  # 4 up to version 8, else 6: mean, deviation, lead, time, short-term errors of value and score
    ownership: Conv


@dataclass(frozen=True)
class Scales:
    """The factors of the outputs, in the file's order; see katago/outputs.py."""

    short_term_score: float = 20.0  # of an output that isn't in the file
    score_mean: float = 20.0
    score_deviation: float = 20.0
    lead: float = 20.0
    variance_time: float = 40.0
    value_error: float = 0.25
    score_error: float = 30.0


@dataclass(frozen=True)
class Header:
    """The part of the file before the first layer."""

    name: str
    version: int
    scales: Scales = field(default_factory=Scales)
    has_metadata: bool = False  # True: a human network with a metadata encoder
    safe_with_suicide: bool = False  # True: planes 18 and 19 assume that suicide is allowed, whatever the rules


@dataclass(frozen=True)
class Model:
    """A whole network."""

    header: Header
    trunk: Trunk
    policy: PolicyHead
    value: ValueHead
