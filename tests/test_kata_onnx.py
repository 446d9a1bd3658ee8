"""KataGo's networks as ONNX files: made once, they play without the file they were made from, and what is wrong with one is told."""

import contextlib
from pathlib import Path

import numpy as np
import onnx
import pytest
from kata_blocks import Attention, FeedForward, Residual
from kata_twin import Twin
from networks import save_network

from gtp_engine.cli.main import main
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.human_profile import STRONGEST, WEAKEST
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.network.katago.calibration import observe
from gtp_engine.engine.network.katago.file_names import original_of
from gtp_engine.engine.network.katago.onnx_metadata import FORM
from gtp_engine.engine.network.katago.players import players_of_rank
from gtp_engine.engine.network.katago.reader import read_header
from gtp_engine.engine.network.katago.rounding import LARGEST_PAIR, round_weights
from gtp_engine.engine.network.loading import RANKS, load_network
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, PASS, is_on_board


@pytest.fixture
def twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small network of KataGo's form; a short game finds its ranges."""
    monkeypatch.setattr(conversion, "observe", lambda content, header: observe(content, header, games=((5, 10),)))
    return Twin(17, (Residual, Attention, FeedForward), "SILU", "points").save(tmp_path / "twin")


@pytest.mark.parametrize("precision", ["int8", "f32"])
def test_a_converted_network_plays_without_the_file_it_was_made_from(
    twin: Path, tmp_path: Path, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "twin.kata.onnx"
    assert main(["networks", str(twin), "--convert", str(output), "--precision", precision]) == 0
    header = read_header(twin)
    twin.unlink()
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "no such folder")
    form = format_of(output)
    assert not form.supports_int8
    form.load(output, SearchParams())
    summary = form.summarize(output)
    assert (summary.name, summary.version, summary.blocks, summary.channels) == (header.name, 17, 3, 6)
    assert conversion.read_converted(output)[0].header == header
    params = SearchParams(network=str(output), playouts=20, threads=1, seed=1, memory=16, resign=False)
    move = Engine(params, size=5).genmove(BLACK)
    assert move == PASS or is_on_board(move, 5)


def test_a_human_network_is_told_of_ranks_in_eight_bits_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its ranges are found in a game of players of many ranks."""
    told: list[int] = []

    def noted(rank: int, points: int) -> np.ndarray:
        told.append(rank)
        return players_of_rank(rank, points)

    monkeypatch.setattr(conversion, "observe", lambda content, header: observe(content, header, games=((5, 30),)))
    monkeypatch.setattr("gtp_engine.engine.network.katago.calibration.players_of_rank", noted)
    human, output = tmp_path / "human.bin.gz", tmp_path / "human-int8.kata.onnx"
    save_network(human, knows_ranks=True)
    output.write_bytes(conversion.convert_now(human, in_int8=True))
    assert len(told) == 30 and len(set(told)) > 10 and min(told) >= WEAKEST and max(told) <= STRONGEST
    assert format_of(output).summarize(output).knows_players
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")
    exact, rounded = (policies_of(path) for path in (human, output))
    assert np.abs(exact[0] - exact[1]).max() > 0.001, "ranks matter"
    assert np.corrcoef(exact.ravel(), rounded.ravel())[0, 1] > 0.95


def policies_of(path: Path) -> np.ndarray:
    """[2, 26] logits of a human network for a random board, for the weakest and the strongest players."""
    batch = load_network(path, SearchParams(threads=1)).backend.new_batch(5, 2)
    batch.planes[:] = np.random.default_rng(1).random(batch.planes.shape[1:]) < 0.3
    batch.planes[:, 0] = 1.0
    batch.tell_ranks([WEAKEST, STRONGEST])
    batch.run()
    return np.array(batch.policy[:, 0])


def test_the_included_network_of_ranks_is_in_eight_bits_and_its_original_is_beside_it() -> None:
    original = original_of(RANKS)
    assert original is not None and read_header(original) == conversion.read_converted(RANKS)[0].header
    assert read_header(original).has_metadata
    assert {node.op_type for node in onnx.load(RANKS).graph.node} & {"QuantizeLinear", "MatMulIntegerToFloat"}
    exact, rounded = policies_of(original), policies_of(RANKS)
    assert np.corrcoef(exact.ravel(), rounded.ravel())[0, 1] > 0.95


def test_the_whole_form_is_smaller(twin: Path, tmp_path: Path) -> None:
    kinds = {}
    for precision in ("int8", "f32"):
        output = tmp_path / f"{precision}.kata.onnx"
        main(["networks", str(twin), "--convert", str(output), "--precision", precision])
        kinds[precision] = {node.op_type for node in onnx.load(output).graph.node}
    assert "MatMulIntegerToFloat" in kinds["int8"] and "MatMulIntegerToFloat" not in kinds["f32"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["a.bin.gz", "b.bin.gz", "--convert", "c.kata.onnx"], "--convert needs one KataGo network"),
        (["a.onnx", "--convert", "c.kata.onnx"], "--convert needs one KataGo network"),
        (["a.bin.gz", "--convert", "c.onnx"], "expected a name that ends in .kata.onnx, found c.onnx"),
        (["missing.bin.gz", "--convert", "no folder/c.kata.onnx"], "missing.bin.gz: No such file or directory"),
    ],
)
def test_what_cannot_be_converted_is_told(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.suppress(SystemExit):  # for command lines that make no sense
        assert main(["networks", *arguments]) == 1
    assert says in capsys.readouterr().err


def damaged_scale(model: onnx.ModelProto) -> None:
    (entry,) = [item for item in model.metadata_props if item.key == "lead"]
    entry.value = "nan"


def damaged_version(model: onnx.ModelProto) -> None:
    (entry,) = [item for item in model.metadata_props if item.key == "version"]
    entry.value = "99"


def no_name(model: onnx.ModelProto) -> None:
    (entry,) = [item for item in model.metadata_props if item.key == "name"]
    model.metadata_props.remove(entry)


@pytest.mark.parametrize("change", [damaged_scale, damaged_version, no_name])
def test_damaged_metadata_are_told(twin: Path, tmp_path: Path, change: object) -> None:
    output = tmp_path / "twin.kata.onnx"
    main(["networks", str(twin), "--convert", str(output), "--precision", "f32"])
    model = onnx.load(output)
    assert callable(change)
    change(model)
    onnx.save(model, output)
    with pytest.raises(NetworkError, match=f"^{output}: the metadata of this network are damaged$"):
        format_of(output).load(output, SearchParams())


def test_other_files_of_that_name_are_told(tmp_path: Path) -> None:
    path = tmp_path / "own.kata.onnx"
    save_network(path)
    model = onnx.load(path)
    model.metadata_props.remove(next(item for item in model.metadata_props if item.key == FORM))
    onnx.save(model, path)
    with pytest.raises(NetworkError, match="found another kind of ONNX file"):
        format_of(path).load(path, SearchParams())
    path.write_bytes(b"nothing")
    with pytest.raises(NetworkError, match="expected a network in ONNX form"):
        format_of(path).summarize(path)
    path.unlink()
    with pytest.raises(NetworkError, match="No such file or directory"):
        format_of(path).load(path, SearchParams())


def test_rounded_weights_make_up_for_each_others_errors() -> None:
    """Against each weight rounded by itself, with channels that are alike; and no pair is too large for 16 bits."""
    random = np.random.default_rng(1)
    weights = random.standard_normal((33, 20))
    tokens = random.standard_normal((500, 4)) @ random.standard_normal((4, 33)) + 0.1 * random.standard_normal((500, 33))
    whole, scales = round_weights(weights, tokens.T @ tokens / len(tokens))
    exact = tokens @ weights
    error = np.abs(tokens @ (whole * scales) - exact).mean()
    plain = np.abs(tokens @ (np.round(weights / scales) * scales) - exact).mean()
    assert error < 0.5 * plain
    pairs = whole[:32].astype(int).reshape(16, 2, 20)
    assert max(np.maximum(pairs, 0).sum(axis=1).max(), np.maximum(-pairs, 0).sum(axis=1).max()) <= LARGEST_PAIR
