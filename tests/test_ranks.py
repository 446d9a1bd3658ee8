"""Ranks: as text, as a network's input, and in what it learns from."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_training_records import DIAGONAL, make_records

from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.engine.network.rank_input import rank_input
from gtp_engine.engine.network.session import open_backend
from gtp_engine.go.rank_names import UNKNOWN_RANK, rank_text, read_rank
from gtp_engine.learning.training.ranks.sampler import Sampler
from gtp_engine.learning.training.records import Records


def ranked_records(ranks: list[tuple[int, int]], programs: list[int]) -> Records:
    """As many games of the same moves, with these ranks of Black and White, and with programs by bit 0 and 1."""
    records = make_records([DIAGONAL] * len(ranks))
    return replace(records, ranks=np.array(ranks, np.int8), programs=np.array(programs, np.uint8))


def test_a_position_tells_the_rank_of_the_person_who_moves() -> None:
    batch = Sampler(ranked_records([(12, 25)], [2]), 64, seed=1, augment=False).batch(0)
    assert all(rank == (12 if number % 2 == 0 else UNKNOWN_RANK) for rank, number in zip(batch.ranks, batch.numbers, strict=True))


def test_one_rank_in_eight_is_kept_from_a_network_that_learns() -> None:
    batch = Sampler(ranked_records([(12, 25)], [0]), 4000, seed=1).batch(0)
    assert 0.10 < np.mean(batch.ranks == UNKNOWN_RANK) < 0.15


def test_games_of_common_ranks_are_drawn_less_often() -> None:
    """Sixteen games of a 12k and one of each of two others: a quarter as often each, four times as often together."""
    records = ranked_records([(18, 18)] * 16 + [(5, 6), (30, 29)], [0] * 18)
    ranks = Sampler(records, 6000, seed=1).batch(0).ranks
    known = ranks[ranks != UNKNOWN_RANK]
    assert np.mean(known == 18) == pytest.approx(4 / 6, abs=0.03)


def test_only_games_between_persons_are_left() -> None:
    records = ranked_records([(12, 25), (12, 25), (UNKNOWN_RANK, 3), (7, 8)], [0, 1, 0, 0])
    persons = records.of_persons()
    assert persons.ranks is not None and persons.ranks.tolist() == [[12, 25], [7, 8]] and len(persons.moves) == 10
    unranked = make_records([DIAGONAL])
    assert unranked.of_persons() is unranked


@pytest.mark.parametrize(("text", "rank"), [("30k", 0), ("12K", 18), ("1k", 29), ("1d", 30), ("9d", 38)])
def test_a_rank_is_read_and_written(text: str, rank: int) -> None:
    assert read_rank(text) == rank and rank_text(rank) == text.lower()


@pytest.mark.parametrize("text", ["", "31k", "0k", "10d", "12", "k", "-3k"])
def test_what_is_no_rank_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a rank from 30k to 1k or 1d to 9d"):
        read_rank(text)


def test_an_unknown_rank_is_told_as_zeros() -> None:
    assert rank_input(np.array([UNKNOWN_RANK, 20, 30])).tolist() == [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]


# ---------------------------------------------------------------- the network


@pytest.mark.train
def test_a_network_that_is_told_ranks_is_exported_and_played_with(tmp_path: Path) -> None:
    """The same position gets another policy for another rank, as in torch; an unknown rank is what a batch tells by itself."""
    import torch

    from gtp_engine.learning.training.ranks.export import export, load_network
    from gtp_engine.learning.training.ranks.model import Network, Size

    torch.manual_seed(5)
    network = Network(Size(3, 8))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    path = tmp_path / "net.onnx"
    export(network, Description(FEATURES_VERSION, PLANES, 3, 8, 0, 0, "nothing", 0.0, 0.0, 1), path)
    again, description = load_network(path)
    assert again.size == network.size and description.ranks == 1
    batch = open_backend(path).new_batch(5)
    batch.planes[:] = np.random.default_rng(1).random(batch.planes.shape, np.float32)
    answers = []
    for rank in (UNKNOWN_RANK, 12, 30):
        batch.ranks[:] = rank_input(np.array([rank]))
        batch.run()
        answers.append(batch.policy.copy())
        with torch.no_grad():
            expected = network(torch.from_numpy(batch.planes), torch.from_numpy(batch.ranks))[0].numpy()
        assert np.allclose(answers[-1], expected, atol=1e-4)
    assert not np.allclose(answers[0], answers[1]) and not np.allclose(answers[1], answers[2])
    assert not open_backend(path).new_batch(5).ranks.any()
