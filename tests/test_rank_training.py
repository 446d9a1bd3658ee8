"""`train imitation --ranks` and `train ranks`: a network learns how people of each rank play, and is measured. Needs the extra `train`."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from kata_blocks import Attention, FeedForward, Residual
from kata_twin import Twin
from test_kata_labels import plan
from test_kata_network import same_numbers
from test_training_records import make_records

from gtp_engine.base.files import write_arrays
from gtp_engine.cli.main import main
from gtp_engine.engine.network.human_profile import rank_profile
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.network.katago.model import Model
from gtp_engine.engine.network.katago.reader import read_header, read_model
from gtp_engine.engine.network.loading import load_network
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.ranks.chooser import HumanChooser
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, PASS, is_on_board
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.label_job import LabelWorker, unpacked
from gtp_engine.learning.training.katago.positions import KataInputs, NetworkJudge, RecordPosition
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.records import Records

if TYPE_CHECKING:
    from gtp_engine.learning.training.katago.run import KataRun

pytestmark = pytest.mark.train
WEAK, STRONG = 12, 30  # 18k, 1d
GAMES = 20  # of each
WEAK_MOVES, STRONG_MOVES = [0, 6], [12, 6]  # the weak begin in a corner, the strong in the middle


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Converted networks go into a folder of the test's own."""
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")


def ranked_records() -> Records:
    """Short games on 5x5: weak players', then strong ones'."""
    records = make_records([WEAK_MOVES] * GAMES + [STRONG_MOVES] * GAMES)
    return replace(records, ranks=np.array([[WEAK, WEAK]] * GAMES + [[STRONG, STRONG]] * GAMES, np.int8))


def write_records(path: Path, records: Records) -> Path:
    """A compact record file, with ranks where they are told."""
    names = ("moves", "lengths", "winner", "margin", "komi")
    arrays = {name: getattr(records, name) for name in names} | {"size": np.array(records.size)}
    if records.ranks is not None:
        arrays |= {"black_rank": records.ranks[:, 0], "white_rank": records.ranks[:, 1]}
    np.savez(path, **arrays)
    return path


def start() -> Model:
    """A small network that is told of ranks and knows nothing."""
    from gtp_engine.learning.training.katago.layers import for_ranks
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape

    return for_ranks(new_model(read_shape("1x32t"), "new", 1), 1)


def new_run(folder: Path, positions: int) -> "KataRun":
    """A run that learns from ranked_records."""
    from gtp_engine.learning.training.katago.run import KataRun
    from gtp_engine.learning.training.run import RunSettings
    from gtp_engine.learning.training.schedule import Schedule

    folder.mkdir(exist_ok=True)
    source = RecordLabels("games", ranked_records(), by_rank=True)
    return KataRun(folder, start(), [source], RunSettings(Schedule(positions=positions), 16), lambda _text: None)


# ---------------------------------------------------------------- the first network


@pytest.mark.parametrize("kinds", [(Residual,), (Attention, FeedForward)], ids=["residual", "transformer"])
def test_it_begins_by_saying_what_the_plain_network_says(tmp_path: Path, kinds: tuple[type, ...]) -> None:
    """Whoever plays; and what it says of players can learn."""
    import torch

    from gtp_engine.learning.training.katago.layers import for_ranks
    from gtp_engine.learning.training.katago.twin import KataTwin

    plain = read_model(Twin(17, kinds).save(tmp_path / "twin"))
    told = for_ranks(plain, 1)
    assert told.header.has_metadata and not plain.header.has_metadata
    position = RecordPosition(5, np.array([12, 7], np.uint16), 6.5, CHINESE)
    arrays = KataInputs().batch([replace(position, rank=rank) for rank in (UNKNOWN_RANK, WEAK, STRONG)])
    inputs, twin = [torch.from_numpy(array) for array in arrays], KataTwin(told)
    with torch.no_grad():
        for one, other in zip(KataTwin(plain)(*inputs), twin(*inputs), strict=True):
            assert torch.equal(one, other)
    twin(*inputs).policy[:, 0, 3].sum().backward()
    assert float(twin.trunk.metadata.last.grad.abs().max()) > 0.0


def test_a_human_network_stays_as_it_is(tmp_path: Path) -> None:
    from gtp_engine.learning.training.katago.layers import for_ranks

    human = read_model(Twin(15, (Residual,), has_metadata=True).save(tmp_path / "human"))
    assert for_ranks(human, 1) is human


def test_the_same_seed_makes_the_same_first_network(tmp_path: Path) -> None:
    from gtp_engine.learning.training.katago.layers import for_ranks

    plain = read_model(Twin(15, (Residual,)).save(tmp_path / "twin"))
    assert same_numbers(for_ranks(plain, 1), for_ranks(plain, 1)) and not same_numbers(for_ranks(plain, 1), for_ranks(plain, 2))


# ---------------------------------------------------------------- learning


def test_an_interrupted_run_ends_as_an_uninterrupted_one(tmp_path: Path) -> None:
    new_run(tmp_path / "whole", 96).run(lambda *_: None)
    interrupted = new_run(tmp_path / "parts", 96)

    def stop(*_: object) -> None:
        """As Ctrl-C after the third step."""
        if interrupted.progress.step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted.run(stop)
    again = new_run(tmp_path / "parts", 96)
    assert again.progress.step == 3
    again.run(lambda *_: None)
    whole, parts = (read_model(tmp_path / name / "network.bin.gz") for name in ("whole", "parts"))
    assert same_numbers(whole, parts)
    assert whole.trunk.metadata is not None and np.abs(whole.trunk.metadata.last).max() > 0.0


def test_ranks_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It learns where weak players begin, and where strong ones do; then it plays and is measured."""
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "games.npz", ranked_records())
    words = ["train", "imitation", "games.npz", "--ranks", "--folder", "run", "--threads", "1", "--device", "cpu", "--cache", "unpacked"]
    assert main([*words, "--batch", "16", "--new", "1x32t", "--positions", "64"]) == 0
    assert main([*words, "--batch", "16", "--positions", "4800"]) == 0
    assert "goes on after 64 positions" in capsys.readouterr().err
    path = tmp_path / "run" / "network.bin.gz"
    assert read_header(path).has_metadata
    first, last = [json.loads(line)["held_out"]["5x5"] for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert last["nats"] < 0.7 * first["nats"]
    begins = [RecordPosition(5, np.zeros(0, np.uint16), 6.5, CHINESE, rank) for rank in (WEAK, STRONG)]
    weak, strong = (said.policy for said in NetworkJudge(load_network(path, SearchParams(threads=1)), 2)(begins))
    assert weak[[0, 4, 20, 24]].sum() > 0.6 > 0.3 > weak[12] and strong[12] > 0.6
    params = SearchParams(seed=1, memory=16, threads=1, playouts=4, network=str(path), resign=False)
    for chooser in (None, HumanChooser(rank_profile(STRONG))):
        move = Engine(params, size=5, chooser=chooser).genmove(BLACK)
        assert move == PASS or is_on_board(move, 5)
    assert main(["train", "evaluate", "games.npz", "--network", str(path), "--threads", "1", "--cache", "unpacked"]) == 0
    with pytest.raises(SystemExit, match="2"):
        main(["train", "ranks", "games.npz", "--network", str(path), "--told", "3", "--threads", "1", "--cache", "unpacked"])
    out, error = capsys.readouterr()
    assert "of the last 3 games none has 8 moves of a person from 20k to 3d: no rank can be told" in error
    evaluated, *ranks = map(json.loads, out.splitlines())
    assert evaluated["held_out"]["5x5"]["nats"] == pytest.approx(last["nats"], abs=0.02), "each position by its player's rank"
    assert [(each["rank"], each["positions"]) for each in ranks] == [("18k", 40), ("1d", 40)]
    assert ranks[0]["nll"] < ranks[0]["nll_stronger"] and ranks[1]["nll"] < ranks[1]["nll_weaker"]


def write_labels_at(path: Path) -> None:
    """What a network says of a few positions."""
    write_arrays(path, unpacked(LabelWorker(None)(plan(path.parent, 32).spec, 1)))


def test_what_ranks_cannot_be_learned_from_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_labels_at(tmp_path / "labels.npz")
    write_records(tmp_path / "unranked.npz", make_records([WEAK_MOVES] * 3))
    write_records(tmp_path / "masters.npz", replace(make_records([WEAK_MOVES]), ranks=np.array([[36, 38]], np.int8)))
    write_records(tmp_path / "games.npz", ranked_records())
    Twin(8, (Residual,)).save(tmp_path / "old")
    new = ["--new", "1x32t"]
    for words, says in (
        (["labels.npz", *new], "labels.npz has labels of a network; a human network learns from records of people"),
        (["unranked.npz", *new], "unranked.npz has no game in which a person from 20k to 3d moves, of whom --ranks learns"),
        (["masters.npz", *new], "masters.npz has no game in which a person from 20k to 3d moves"),
        (["games.npz", "--from", "old.bin.gz"], "tiny-twin is of file version 8; a network that is told of ranks needs 15 or newer"),
        (["games.npz", "--new", "1x8"], "1x8 is of file version 8; a network that is told of ranks needs 15 or newer, as --new 7x96t"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(["train", "imitation", *words, "--ranks", "--folder", "run", "--threads", "1", "--cache", "unpacked"])
        error = capsys.readouterr().err
        assert says in error and "Traceback" not in error
        assert not (tmp_path / "run").exists()


# ---------------------------------------------------------------- measuring the included network


def test_the_included_network_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Games of twenty moves of one player each, of which a rank can be told."""
    dice = np.random.default_rng(2)
    games = [[int(place) for place in dice.permutation(81)[:20]] for _ in range(2)]
    records = replace(make_records(games, size=9), ranks=np.array([[WEAK, STRONG], [WEAK, UNKNOWN_RANK]], np.int8))
    path = write_records(tmp_path / "games.npz", records)
    assert main(["train", "ranks", str(path), "--threads", "1", "--cache", str(tmp_path / "unpacked"), "--told", "1"]) == 0
    weak, strong, told = map(json.loads, capsys.readouterr().out.splitlines())
    assert (weak["rank"], weak["positions"], strong["rank"], strong["positions"]) == ("18k", 10, "1d", 10)
    assert 0.0 < weak["nll"] < 20.0 and 0.0 <= strong["top1"] <= 1.0
    assert told["players"] == 2 and 0.0 <= told["error"] <= 22.0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["unranked.npz"], "unranked.npz has no ranks"),
        (["games.npz", "--network", "plain.bin.gz"], "does not know ranks; they need a human network"),
        (["games.npz", "--network", "missing.bin.gz"], "missing.bin.gz: No such file or directory"),
        (["masters.npz"], "the records have no move of a person from 20k to 3d"),
    ],
)
def test_what_cannot_be_measured_is_told(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "unranked.npz", make_records([WEAK_MOVES]))
    write_records(tmp_path / "masters.npz", replace(make_records([WEAK_MOVES]), ranks=np.array([[36, 38]], np.int8)))
    write_records(tmp_path / "games.npz", ranked_records())
    Twin(15, (Residual,)).save(tmp_path / "plain")
    with pytest.raises(SystemExit, match="2"):
        main(["train", "ranks", *words, "--threads", "1", "--cache", "unpacked"])
    assert says in capsys.readouterr().err


def test_damaged_games_are_not_learned_from_for_ever() -> None:
    from gtp_engine.learning.training.katago.batches import LabelMixture

    records = replace(make_records([[3] * 2000]), ranks=np.array([[WEAK, STRONG]], np.int8))
    with pytest.raises(TrainingError, match="games: hardly any position"):
        LabelMixture([RecordLabels("games", records, by_rank=True)], (), 8, 1).batch(0)
