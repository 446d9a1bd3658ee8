"""Network files from strangers: whatever is in them, one sentence, in bounded time and memory."""

import gzip
import os
import resource
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from kata_blocks import Bottleneck, FixedAttention, Residual
from kata_twin import Twin

from gtp_engine.engine.network import loading
from gtp_engine.engine.network.errors import NetworkError, NetworkFileError
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.katago import packing, reader
from gtp_engine.engine.network.katago.reader import read_header, read_model
from gtp_engine.engine.network.loading import NetworkLoader
from gtp_engine.engine.search.params import NETWORK, SearchParams

BOTH = pytest.mark.parametrize("read", [read_header, read_model])


@BOTH
def test_a_named_pipe_is_not_waited_for(read: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "pipe.bin.gz"
    os.mkfifo(path)
    with pytest.raises(NetworkFileError, match=r"pipe\.bin\.gz: it is not an ordinary file; expected a network of KataGo"):
        read(path)


@BOTH
def test_a_device_that_never_ends_is_not_read(read: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "zero.bin.gz"
    path.symlink_to("/dev/zero")
    with pytest.raises(NetworkFileError, match="it is not an ordinary file"):
        read(path)


def test_a_small_file_of_much_nothing_is_unpacked_only_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "USUAL_SIZE", 100_000)
    content = Twin(11, (Residual,)).content()
    path = tmp_path / "bomb.bin.gz"
    path.write_bytes(gzip.compress(content + bytes(200_000_000), 1))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(NetworkFileError, match=r"expected a network of at most [\d,]+ bytes, unpacked"):
        read_model(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
    assert read_header(path).name == "tiny-twin"


def nested(depth: int) -> Twin:
    """A network whose blocks lie so deep in each other."""
    kind: Callable[..., object] = Residual
    for _ in range(depth):
        kind = as_block(partial(Bottleneck, kinds=(kind,)))
    return Twin(11, (kind,))


def as_block(kind: Callable[..., object]) -> Callable[..., object]:
    kind.kind = Bottleneck.kind  # type: ignore[attr-defined]  # the name in the file
    return kind


def test_blocks_lie_in_each_other_only_so_deep(tmp_path: Path) -> None:
    read_model(nested(reader.DEEPEST).save(tmp_path / "deep"))
    with pytest.raises(NetworkFileError, match="its blocks lie more than 4 deep in each other"):
        read_model(nested(reader.DEEPEST + 1).save(tmp_path / "deeper"))


@pytest.mark.parametrize("base", ["5e-324", "0.5", "1e300"])
def test_an_absurd_rotary_base_is_told(base: str, tmp_path: Path) -> None:
    content = Twin(17, (FixedAttention,), "SILU", "board").content()
    assert content.count(b"theta 50.0") == 1
    path = tmp_path / "net.bin.gz"
    path.write_bytes(gzip.compress(content.replace(b"theta 50.0", b"theta " + base.encode())))
    with pytest.raises(NetworkFileError, match="expected a rotary base from 1 to 1e\\+09, found "):
        read_model(path)


def test_what_nobody_has_thought_of_is_one_sentence_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Twin(11, (Residual,)).save(tmp_path / "net")
    params = replace(SearchParams(), network=str(path), evaluator=NETWORK)
    format_that_fails = replace(format_of(path), load=lambda path, params: [][1])
    monkeypatch.setattr(loading, "format_of", lambda path: format_that_fails)
    with pytest.raises(NetworkError, match=r"net\.bin\.gz: this network cannot be used: IndexError, list index out of range"):
        NetworkLoader().evaluator(NETWORK, params, 9)


def test_a_network_that_fails_on_the_board_is_told_before_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Twin(11, (Residual,)).save(tmp_path / "net")
    params = replace(SearchParams(), network=str(path), evaluator=NETWORK, backend="onnxruntime", precision="f32")
    loader = NetworkLoader()
    batch = type(loader.network(params, 9).backend.new_batch(9))
    monkeypatch.setattr(batch, "run", lambda self: 1 / 0)
    with pytest.raises(NetworkError, match=r"net\.bin\.gz: it cannot be computed on 9x9: division by zero"):
        loader.evaluator(NETWORK, params, 9)
