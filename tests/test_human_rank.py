"""`--human-rank`: a human network of KataGo's is told who plays, and its moves are drawn."""

import math
from pathlib import Path

import numpy as np
import pytest
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.cli.main import main
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.human_profile import rank_profile
from gtp_engine.engine.network.katago.calibration import shown
from gtp_engine.engine.network.katago.model import METADATA
from gtp_engine.engine.network.katago.players import players_of
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.loading import RANKS
from gtp_engine.engine.network.look import Angle, look
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.ranks.chooser import HumanChooser
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, PASS, is_on_board
from gtp_engine.go.rank_names import read_rank

HUMAN = Twin(15, (Residual,), has_metadata=True)


@pytest.fixture
def human(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny human network."""
    monkeypatch.setattr("gtp_engine.engine.network.katago.conversion.cache_folder", lambda: tmp_path / "cache")
    return HUMAN.save(tmp_path / "human")


def engine_at(network: Path, rank: str = "5k", seed: int = 1) -> Engine:
    """An engine of that rank on 7x7."""
    params = SearchParams(seed=seed, memory=16, threads=1, network=str(network))
    return Engine(params, size=7, chooser=HumanChooser(rank_profile(read_rank(rank))))


@pytest.mark.parametrize(("rank", "places"), [("9d", 1), ("1d", 9), ("1k", 10), ("5k", 14), ("20k", 29)])
def test_a_rank_is_told_by_so_many_places(rank: str, places: int) -> None:
    told = players_of(rank_profile(read_rank(rank)), BLACK, 361)
    assert told.shape == (METADATA,)
    for start in (6, 40):
        assert told[start : start + 34].tolist() == [1.0] * places + [0.0] * (34 - places)


def test_the_rest_tells_of_a_game_between_persons() -> None:
    told = players_of(rank_profile(read_rank("5k")), BLACK, 81)
    assert told[:6].tolist() == [1, 1, 0, 0, 0, 0]
    assert told[74:82].tolist() == [0.5, 0, 0, 0, 0, 1, 0, 0]
    assert told[86] == pytest.approx(0.5 * math.log(81 / 361))
    assert told[87:151].reshape(32, 2).__pow__(2).sum(axis=1) == pytest.approx(np.ones(32), abs=1e-5)
    week = 2.0 * math.pi * 18322 / 7.0  # days from 1970 to the first of March 2020
    assert told[87:89] == pytest.approx([math.cos(week), math.sin(week)], abs=1e-4)
    assert np.flatnonzero(told[151:167]).tolist() == [2]


@pytest.mark.parametrize("rank", ["21k", "30k"])
def test_ranks_that_such_networks_do_not_know(rank: str) -> None:
    with pytest.raises(ValueError, match="20k to 9d"):
        rank_profile(read_rank(rank))


@pytest.mark.parametrize("rank", ["20k", "9d"])
def test_the_network_is_told_the_rank(human: Path, rank: str) -> None:
    """The chances are those of the slow forward pass with the same rank."""
    network, game = format_of(human).load(human, SearchParams(threads=1)), Game(7)
    found = look(game, 7.0, network, BLACK, Angle(players=rank_profile(read_rank(rank)))).policy
    inputs = shown(leaf_of(game, BLACK, 7.0), np.zeros(1, SCRATCH))
    logits = HUMAN.run(inputs["planes"][0], inputs["globals"][0], players_of(rank_profile(read_rank(rank)), BLACK, 49)).policy[
        0
    ]  # the plain policy
    weights = {point: math.exp(logits[place_of(point, 7)]) for point in [*game.legal_points(BLACK), PASS]}
    total = sum(weights.values())
    assert found == pytest.approx({point: weight / total for point, weight in weights.items()}, rel=1e-3)


def test_moves_are_drawn_and_a_seed_repeats_them(human: Path) -> None:
    def moves(seed: int) -> list[int]:
        engine = engine_at(human, seed=seed)
        return [engine.genmove(color) for color in (1, 2, 1, 2, 1, 2)]

    assert moves(1) == moves(1) != moves(2)


def test_another_network_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.engine.network.katago.conversion.cache_folder", lambda: tmp_path / "cache")
    plain = Twin(15, (Residual,)).save(tmp_path / "plain")
    with pytest.raises(EngineError, match="they need a human network"):
        engine_at(plain).genmove(BLACK)
    network = format_of(plain).load(plain, SearchParams(threads=1))
    with pytest.raises(NetworkError, match="they need a human network"):
        look(Game(7), 7.0, network, BLACK, Angle(players=rank_profile(read_rank("5k"))))


def test_the_included_network_of_ranks_is_a_human_network() -> None:
    move = engine_at(RANKS).genmove(BLACK)
    assert move == PASS or is_on_board(move, 7)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--human-rank", "5k"], "--human-rank needs one of KataGo's human networks: name one with --network"),
        (["--human-rank", "25k", "--network", "x.bin.gz"], "--human-rank: human networks know ranks from 20k to 9d"),
        (["--human-rank", "5k", "--rank", "5k", "--network", "x.bin.gz"], "--rank and --human-rank are two strengths"),
        (["--human-rank", "5k", "--level", "3", "--network", "x.bin.gz"], "--human-rank 5k and --level 3 are two strengths"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_the_human_network_is_among_the_models(human: Path) -> None:
    engine = engine_at(human)
    (model,) = engine.evaluators.models(engine.params)
    assert (model["name"], model["usesHumanSLProfile"]) == (human.name, True)
