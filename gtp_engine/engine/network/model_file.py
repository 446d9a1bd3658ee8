"""What a network's file says about itself: ONNX metadata, text by text, read and checked.

The file's graph: input `planes` [B, PLANES, S, S] float32, and in some files `ranks` [B, RANK_INPUTS] float32, see rank_input.py; outputs
`policy` [B, S*S+1] logits, row 0 at the top and the pass last, `value` [B] logit that the side to move wins, `score` [B] points by which
it is expected to lead, komi counted in; and in some files `owners` [B, S*S], for each point from 1, surely the side to move's at the end,
to -1, the opponent's. Its metadata are the fields of Description by name.
"""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path

from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES

INPUT, RANKS_INPUT, OUTPUTS, OWNERS_OUTPUT = "planes", "ranks", ("policy", "value", "score"), "owners"


class NetworkFileError(Exception):
    """str() is one sentence: the path, what was expected and what was found."""


@dataclass(frozen=True)
class Description:
    """How a network was made and how good it was then."""

    features_version: int  # of the planes that it learned to see
    planes: int
    blocks: int
    channels: int
    steps: int  # of the last training run
    positions: int  # learned from, in all runs
    data: str  # where they come from
    top1: float  # share of held-out moves predicted, 0..1; 0 when it wasn't measured
    nll: float  # negative log-likelihood of held-out moves, nats; 0 when it wasn't measured
    ranks: int = 0  # 1: it has the input `ranks`

    def as_metadata(self) -> dict[str, str]:
        """The form in the file."""
        return {name: str(value) for name, value in asdict(self).items()}


def describe(path: Path, metadata: Mapping[str, str]) -> Description:
    """The description in a file's metadata. Raises NetworkFileError when it isn't there, or is of other features than ours."""
    values: dict[str, int | float | str] = {}
    kinds = {"int": int, "float": float, "str": str}
    for item in fields(Description):
        text = metadata.get(item.name, None if item.default is MISSING else str(item.default))
        if text is None:
            raise NetworkFileError(f"{path}: expected a network of gtp-engine, found one whose metadata have no {item.name}")
        try:
            values[item.name] = kinds[str(getattr(item.type, "__name__", item.type))](text)
        except ValueError as error:
            raise NetworkFileError(f"{path}: expected a number as {item.name} in the metadata, found {text[:20]!r}") from error
    description = Description(**values)  # type: ignore[arg-type]  # each value has its field's type
    actual = description.features_version, description.planes
    if actual != (FEATURES_VERSION, PLANES):
        expected = f"features version {FEATURES_VERSION} with {PLANES} planes"
        raise NetworkFileError(f"{path}: expected {expected}, found version {actual[0]} with {actual[1]}")
    return description
