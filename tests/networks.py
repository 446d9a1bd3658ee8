"""Small networks with random weights, in the form that the engine plays with: for tests, which need the form and not the strength."""

from pathlib import Path

from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.engine.network.katago.conversion import convert_now
from gtp_engine.engine.network.katago.file_names import BINARY, CONVERTED, is_converted


def save_network(path: Path, blocks: int = 1, seed: int = 1, knows_ranks: bool = False) -> None:
    """Write a residual network of 6 channels; with `knows_ranks` a human network.

    `path` ends in .bin.gz, or in .kata.onnx: such a file is computed as it is, and leaves nothing in the cache of converted networks.
    """
    name = path.name.removesuffix(CONVERTED).removesuffix(BINARY)
    twin = Twin(15 if knows_ranks else 8, (Residual,) * blocks, act="MISH" if knows_ranks else "RELU", has_metadata=knows_ranks, seed=seed)
    saved = twin.save(path.with_name(name))
    if is_converted(path):
        path.write_bytes(convert_now(saved, in_int8=False))
        saved.unlink()
