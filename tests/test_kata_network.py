"""KataGo's file format: every version and kind of block against a slow twin, and files that are something else."""

import gzip
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from conftest import draw_game
from kata_blocks import Attention, Bottleneck, FeedForward, FixedAttention, PoolingResidual, Residual, StillAttention
from kata_layers import GLOBALS, METADATA, PLANES
from kata_twin import Twin

from gtp_engine.engine.network.errors import NetworkError, NetworkFileError
from gtp_engine.engine.network.folder import MODELS
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.network.katago.backend import KataBackend
from gtp_engine.engine.network.katago.calibration import drawn_move, observe, shown
from gtp_engine.engine.network.katago.conversion import convert
from gtp_engine.engine.network.katago.eight_bits import EightBits
from gtp_engine.engine.network.katago.graph import build_watched
from gtp_engine.engine.network.katago.model import Conv
from gtp_engine.engine.network.katago.onnx_file import OnnxGraph
from gtp_engine.engine.network.katago.reader import read_header, read_model
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.katago.writer import write_model
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, is_on_board

CONVOLUTIONS = (Residual, PoolingResidual, Bottleneck)
TRANSFORMER = (Attention, FeedForward, FixedAttention, Residual, StillAttention, FeedForward)
KINDS = [
    *[pytest.param(version, CONVOLUTIONS, "MISH", "norm", id=f"version {version}") for version in range(8, 18)],
    pytest.param(17, TRANSFORMER, "SILU", "board", id="transformer, norm over the board"),
    pytest.param(17, (Attention, FeedForward), "RELU", "points", id="transformer, norm by point"),
    pytest.param(15, (FixedAttention,), "IDENTITY", "norm", id="attention only"),
]
DRAWN = """
    . . X . .
    . X O . .
    . X O O .
    . . X . .
    . . . . .
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Converted networks go into a folder of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(conversion, "cache_folder", lambda: folder)
    return folder


def assert_agree(twin: Twin, path: Path, size: int) -> None:
    """The package computes from the file what the twin computes."""
    random = np.random.default_rng(size)
    planes = (random.random((PLANES, size, size)) < 0.3).astype(np.float32)
    planes[0] = 1.0
    numbers, metadata = random.random(GLOBALS).astype(np.float32), random.random(METADATA).astype(np.float32)
    backend = KataBackend("twin", convert(path).content, ("onnxruntime", "f32", 1), metadata if twin.has_metadata else None)
    batch = backend.new_batch(size, 2)
    batch.planes[1], batch.globals[1] = planes, numbers
    batch.run()
    expected = twin.run(planes, numbers, metadata)
    for name in ("policy", "value", "score", "ownership"):
        np.testing.assert_allclose(getattr(batch, name)[1], getattr(expected, name), atol=2e-5, rtol=1e-4, err_msg=name)


@pytest.mark.parametrize(("version", "kinds", "activation", "tip"), KINDS)
def test_every_version_and_block_computes_what_its_twin_does(
    tmp_path: Path, version: int, kinds: tuple[Any, ...], activation: str, tip: str
) -> None:
    twin = Twin(version, kinds, activation, tip)
    assert_agree(twin, twin.save(tmp_path / "twin"), 5)


def test_boards_of_other_sizes_and_files_of_text(tmp_path: Path) -> None:
    twin = Twin(11, CONVOLUTIONS)
    path = twin.save(tmp_path / "text", is_binary=False)
    for size in (2, 7):
        assert_agree(twin, path, size)


def test_a_human_network_is_told_of_the_players(tmp_path: Path) -> None:
    twin = Twin(15, (Residual,), has_metadata=True)
    path = twin.save(tmp_path / "human")
    assert read_header(path).has_metadata
    assert_agree(twin, path, 4)


def test_what_stands_in_the_header(tmp_path: Path) -> None:
    header = read_header(Twin(14, (Residual,)).save(tmp_path / "twin"))
    assert (header.name, header.version, header.has_metadata) == ("tiny-twin", 14, False)
    assert (header.scales.score_mean, header.scales.lead, header.scales.score_error) == (21.0, 23.0, 30.0)


@pytest.mark.parametrize(("version", "age"), [(7, "older"), (18, "newer"), (3, "older")])
def test_other_versions_are_told(tmp_path: Path, version: int, age: str) -> None:
    path = Twin(8, (Residual,)).save(tmp_path / "twin", version=version)
    with pytest.raises(NetworkFileError, match=f"version {version}, {age} than the versions 8 to 17"):
        read_model(path)


def packed(path: Path, content: bytes) -> Path:
    """A file that is well packed."""
    path.write_bytes(gzip.compress(content))
    return path


def damages() -> dict[str, tuple[bytes, str]]:
    """Contents that are no network, and what is said of each."""
    good = Twin(11, (Residual,)).content()
    infinite = bytearray(good)
    start = good.index(b"@BIN@") + 5
    infinite[start : start + 4] = np.float32(np.inf).tobytes()
    return {
        "too short": (good[:-9], "ends too soon"),
        "too long": (good + b"more", "more in it than a network"),
        "no block": (good.replace(b"ordinary_block", b"wonderful_block"), "unknown block 'wonderful_block'"),
        "no activation": (good.replace(b"ACTIVATION_MISH", b"ACTIVATION_MESH"), "unknown activation 'ACTIVATION_MESH'"),
        "infinite": (bytes(infinite), "infinite"),
        "other planes": (good.replace(b"11 22 19", b"11 23 19", 1), "found 23 and 19"),
        "channels": (good.replace(b"conv 3 3 22 6 1 1", b"conv 3 3 22 7 1 1", 1), "expected a layer of 6 channels, found 7"),
        "a word": (b"name eleven", "expected a number, found 'eleven'"),
        "nothing": (b"", "ends too soon"),
        "huge": (good.replace(b"conv 3 3 22 6 1 1", b"conv 99 99 22 6 1 1", 1), "ends too soon"),
    }


@pytest.mark.parametrize("kind", damages())
def test_damaged_files_are_told_in_one_sentence(tmp_path: Path, kind: str) -> None:
    content, says = damages()[kind]
    path = packed(tmp_path / "damaged.bin.gz", content)
    with pytest.raises(NetworkFileError) as caught:
        read_model(path)
    text = str(caught.value)
    assert says in text and text.startswith(str(path)) and "\n" not in text


def test_every_place_where_a_file_may_be_cut_off(tmp_path: Path) -> None:
    content = Twin(15, (Residual, PoolingResidual)).content().rstrip()
    for length in range(0, len(content), 97):
        with pytest.raises(NetworkFileError):
            read_model(packed(tmp_path / "cut.bin.gz", content[:length]))


def test_files_that_are_not_packed_whole(tmp_path: Path) -> None:
    whole = Twin(8, (Residual,)).save(tmp_path / "whole").read_bytes()
    for name, content in {"cut": whole[: len(whole) // 2], "plain": b"name 8 22 19", "empty": b""}.items():
        path = tmp_path / f"{name}.bin.gz"
        path.write_bytes(content)
        with pytest.raises(NetworkFileError, match=f"{name}.bin.gz"):
            convert(path)
    with pytest.raises(NetworkFileError, match="No such file"):
        convert(tmp_path / "missing.bin.gz")


def test_a_converted_network_is_kept_and_few_are(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "KEPT", 2)
    paths = [Twin(8, (Residual,), seed=seed).save(tmp_path / str(seed)) for seed in range(3)]
    first = convert(paths[0])
    monkeypatch.setattr(conversion, "read_model", None)  # not needed a second time
    assert convert(paths[0]) == first
    monkeypatch.undo()
    monkeypatch.setattr(conversion, "cache_folder", lambda: own_cache)
    monkeypatch.setattr(conversion, "KEPT", 2)
    for path in paths[1:]:
        convert(path)
    assert len(list(own_cache.iterdir())) == 2


@pytest.mark.parametrize("damage", [lambda data: data[:-100], lambda data: b"", lambda data: data[:50] + b"?" + data[51:]])
def test_a_damaged_copy_is_made_anew(tmp_path: Path, own_cache: Path, damage: Callable[[bytes], bytes]) -> None:
    path = Twin(8, (Residual,)).save(tmp_path / "twin")
    first = convert(path)
    (copy,) = own_cache.iterdir()
    whole = copy.read_bytes()
    copy.write_bytes(damage(whole))
    assert convert(path) == first
    assert copy.read_bytes() == whole


def test_without_a_cache_folder_it_goes_on(tmp_path: Path, own_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_cache.write_text("a file where the folder should be")
    path = Twin(8, (Residual,)).save(tmp_path / "twin")
    assert convert(path).content == convert(path).content
    assert "cannot keep the converted network" in capsys.readouterr().err


@pytest.mark.parametrize("size", [5, 9])
def test_the_engine_plays_with_such_a_network(tmp_path: Path, size: int) -> None:
    path = Twin(12, (Residual, PoolingResidual)).save(tmp_path / "twin")
    assert format_of(path).name == "KataGo"
    params = SearchParams(network=str(path), playouts=20, threads=1, seed=1, memory=16, resign=False)
    engine = Engine(params, size=size)
    move = engine.genmove(BLACK)
    assert move == PASS or is_on_board(move, size)  # its weights are random: it may like any move
    look = engine.network_look()
    assert sum(look.policy.values()) == pytest.approx(1.0) and len(look.ownership) == size * size


def test_a_damaged_network_is_told_and_playouts_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = packed(tmp_path / "damaged.bin.gz", b"name 8 22 19 trunk")
    engine = Engine(SearchParams(network=str(path), playouts=5, threads=1, memory=16), size=9)
    engine.genmove(BLACK)
    assert (
        "damaged.bin.gz: not a network of KataGo that can be read: the file ends too soon; playing with playouts" in capsys.readouterr().err
    )


def test_a_network_that_cannot_be_computed_is_told_and_playouts_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is good, but there is no CUDA."""
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CPUExecutionProvider"])
    path = Twin(8, (Residual,)).save(tmp_path / "twin")
    engine = Engine(SearchParams(network=str(path), backend="cuda", playouts=5, threads=1, memory=16), size=9)
    engine.genmove(BLACK)
    assert capsys.readouterr().err == (
        f"gtp_engine: {path}: this onnxruntime has no CUDA; try `pip install onnxruntime-gpu`, or --backend onnxruntime;"
        " playing with playouts instead\n"
    )


def test_other_precisions_ask_for_openvino(tmp_path: Path) -> None:
    path = Twin(8, (Residual,)).save(tmp_path / "twin")
    with pytest.raises(NetworkError, match="needs --backend openvino"):
        format_of(path).load(path, SearchParams(precision="bf16"))


@pytest.mark.parametrize(
    ("version", "kinds", "form"),
    [(11, CONVOLUTIONS, ()), (11, (Residual,) * 4, ()), (17, TRANSFORMER, ("SILU", "board")), (17, (FeedForward,) * 2, ("RELU", "points"))],
    ids=["every block", "residual", "transformer", "feed-forward only"],
)
def test_int8_says_nearly_the_same(
    tmp_path: Path,
    version: int,
    kinds: tuple[Any, ...],
    form: tuple[Any, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(conversion, "observe", lambda content, header: observe(content, header, games=((5, 40),)))
    path = Twin(version, kinds, *form).save(tmp_path / "twin")
    game = draw_game(DRAWN, BLACK)
    inputs = shown(leaf_of(game, BLACK, 7.0), np.zeros(1, SCRATCH))
    answers = []
    for in_int8 in (False, True):
        batch = KataBackend("twin", convert(path, in_int8).content, ("onnxruntime", "int8" if in_int8 else "f32", 1)).new_batch(5)
        batch.planes[:], batch.globals[:] = inputs["planes"], inputs["globals"]
        batch.run()
        answers.append(batch)
    assert capsys.readouterr().err.count("twin.bin.gz plays a few moves") == 1
    exact, whole = answers
    for name in ("policy", "value", "score", "ownership"):
        one, other = getattr(exact, name), getattr(whole, name)
        assert not np.array_equal(one, other)
        assert np.abs(one - other).max() < 0.1 * max(np.abs(one).max(), 1.0), name


@pytest.mark.parametrize(("name", "size"), [("b7c96-small", 9), ("b7c96-large", 13)])
def test_the_included_networks_in_int8_play_nearly_the_same(name: str, size: int) -> None:
    """In 60 positions of a game of the network in float32; tests/tools/int8_agreement.py measures hundreds."""
    backends = [
        KataBackend(name, content, ("onnxruntime", precision, 1))
        for content, precision in (
            (convert(MODELS / f"{name}.bin.gz").content, "f32"),
            (conversion.read_converted(MODELS / f"{name}-int8.kata.onnx")[1], "int8"),
        )
    ]
    exact, rounded = (backend.new_batch(size) for backend in backends)
    game, random, scratch = Game(size), np.random.default_rng(3), np.zeros(1, SCRATCH)
    same, wins = [], []
    while len(game.moves) < 60 and game.passes() < 2:
        inputs = shown(leaf_of(game, game.to_play, 7.0), scratch)
        for batch in (exact, rounded):
            batch.planes[:], batch.globals[:] = inputs["planes"], inputs["globals"]
            batch.run()
        same.append(exact.policy[0, 0].argmax() == rounded.policy[0, 0].argmax())
        won, other_won = (1.0 / (1.0 + np.exp(batch.value[0, 1] - batch.value[0, 0])) for batch in (exact, rounded))
        wins.append(abs(won - other_won))
        game.play(game.to_play, drawn_move(game, exact.policy[0, 0], random))
    assert np.mean(same) > 0.85 and np.mean(wins) < 0.006


def test_a_channel_without_weights_keeps_its_bias_in_whole_numbers() -> None:
    """In steps as small as such weights ask for, the bias wouldn't fit into 32 bits."""
    weights, bias = np.zeros((2, 1, 3, 3), np.float32), np.array([0.75, -0.5], np.float32)
    weights[1, 0, 1, 1] = 1.0
    graph = OnnxGraph("one convolution")
    value = graph.input("planes", ["N", 1, "H", "W"])
    ranges = np.array([[0.0, 1.0, -1.0, 1.0]], np.float32)
    graph.output("out", EightBits(ranges).add(graph, value, Conv(weights), bias), ["N", 2, "H", "W"])
    session = onnxruntime.InferenceSession(graph.file({}), providers=["CPUExecutionProvider"])
    board = np.array([[[[0.0, 1.0], [0.5, 0.25]]]], np.float32)
    (found,) = session.run(["out"], {"planes": board})
    np.testing.assert_allclose(found[0], [np.full((2, 2), 0.75), board[0, 0] - 0.5], atol=0.02)


def test_subnormal_weights_are_zero() -> None:
    """Dead channels of trained networks have such weights, and Intel's processors compute a hundred times as slowly with them."""
    graph = OnnxGraph("weights")
    graph.output("y", graph.op("Mul", graph.input("x", ("N", 3)), graph.constant(np.array([1e-39, -1e-45, 1e-37]))), ("N", 3))
    session = onnxruntime.InferenceSession(graph.file({}))
    (products,) = session.run(None, {"x": np.full((1, 3), 1e30, np.float32)})
    assert products.tolist() == [[0.0, 0.0, pytest.approx(1e-7)]]


def test_ranges_hold_what_goes_through_the_convolutions(tmp_path: Path) -> None:
    path = Twin(11, (Residual, Bottleneck)).save(tmp_path / "twin")
    content = build_watched(read_model(path)).file({})
    one, other = (observe(content, read_header(path), games=((5, 10),)).ranges for _ in range(2))
    assert one.shape[1] == 4 and len(one) > 4
    assert (one[:, 0] <= one[:, 1]).all() and (one[:, 2] < one[:, 3]).all()
    np.testing.assert_array_equal(one, other)


def test_whole_numbers_are_onnxruntimes_and_katagos(tmp_path: Path) -> None:
    path = Twin(8, (Residual,)).save(tmp_path / "twin")
    with pytest.raises(NetworkError, match="int8 needs --backend onnxruntime"):
        KataBackend("twin", convert(path).content, ("openvino", "int8", 1))


def same_numbers(one: Any, other: Any) -> bool:
    """Are two descriptions the same, array by array?"""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same_numbers, one, other))
    if is_dataclass(one):
        return type(one) is type(other) and all(same_numbers(getattr(one, item.name), getattr(other, item.name)) for item in fields(one))
    return bool(one == other)


@pytest.mark.parametrize(("version", "kinds", "activation", "tip"), KINDS)
def test_what_is_written_is_read_back(tmp_path: Path, version: int, kinds: tuple[Any, ...], activation: str, tip: str) -> None:
    model = read_model(Twin(version, kinds, activation, tip).save(tmp_path / "twin"))
    write_model(tmp_path / "written.bin.gz", model)
    assert same_numbers(model, read_model(tmp_path / "written.bin.gz"))


def test_a_human_network_is_written_with_what_it_is_told(tmp_path: Path) -> None:
    model = read_model(Twin(15, (Residual,), has_metadata=True).save(tmp_path / "human"))
    write_model(tmp_path / "written.bin.gz", model)
    assert same_numbers(model, read_model(tmp_path / "written.bin.gz"))


@pytest.mark.parametrize(("version", "says"), [(8, "relu"), (14, "mean square"), (17, "passes")])
def test_what_a_version_cannot_hold_is_told(tmp_path: Path, version: int, says: str) -> None:
    """A transformer as an old file, and an old network as a new one."""
    newest = Twin(17, (FeedForward,), "SILU", "norm") if version == 8 else Twin(17, (FeedForward,), "RELU", "board")
    twin = Twin(8, (Residual,)) if version == 17 else newest
    model = read_model(twin.save(tmp_path / "twin"))
    with pytest.raises(ValueError, match=says):
        write_model(tmp_path / "written.bin.gz", replace(model, header=replace(model.header, version=version)))
    assert not (tmp_path / "written.bin.gz").exists()
