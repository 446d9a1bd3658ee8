"""The rank that moves look like in reviews: on 9x9 only, and nothing is loaded for it elsewhere."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from review_samples import SHORT_GAME, drawn_review, record_of

from gtp_engine.cli.main import main
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.network import loading
from gtp_engine.network.loading import NetworkLoader
from gtp_engine.network.rank_likelihood import estimate, log_likelihoods
from gtp_engine.rank_names import rank_text
from gtp_engine.review.html_page import page_data
from gtp_engine.review.rank_of_moves import FEWEST, PlayedRank, RankTeller
from gtp_engine.review.tables import json_document, outcome_text
from gtp_engine.search.params import SearchParams

MOVES = ["ee", "ge", "gd", "fd", "he", "fe", "hf", "gg", "ec", "fc", "hg", "gh", "fb", "gb", "eb", "hd", "cg", "gf"]
GAME = "(;SZ[9]KM[7]PB[Anna]" + "".join(f";{'BW'[i % 2]}[{move}]" for i, move in enumerate(MOVES)) + ")"
RANK = PlayedRank("12k", "15k", "9k", 0.9, 30)
ON_ANOTHER_SIZE = """
import sys
import gtp_engine.review.batch
from review_samples import record_of
from gtp_engine.review.rank_of_moves import RankTeller
assert RankTeller().ranks_of(record_of(sys.argv[1])) == {}
print("gtp_engine.network.rank_likelihood" in sys.modules)
"""


def test_the_rank_is_the_network_s_by_each_player_s_moves() -> None:
    record = record_of(GAME)
    network = NetworkLoader().ranks_network(SearchParams())
    found = RankTeller().ranks_of(record)
    assert set(found) == {BLACK, WHITE}
    for color in (BLACK, WHITE):
        expected = estimate(log_likelihoods(record.position(len(MOVES) + 1), 7.0, network, (color,)))
        assert found[color] == PlayedRank(
            rank_text(round(expected.rank)), rank_text(expected.low), rank_text(expected.high), 0.9, len(MOVES) // 2
        )


def test_too_few_moves_tell_nothing() -> None:
    record = record_of(GAME)
    assert RankTeller().ranks_of(replace(record, moves=record.moves[: FEWEST - 1])) == {}
    passing = GAME.replace(";W[gb]", ";W[]").replace(";W[hd]", ";W[]")
    assert set(RankTeller().ranks_of(record_of(passing))) == {BLACK}, "passes don't count"


def test_without_the_network_nothing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(loading, "RANKS", tmp_path / "missing.onnx")
    assert RankTeller().ranks_of(record_of(GAME)) == {}


@pytest.mark.parametrize("size", [13, 19])
def test_nothing_is_loaded_for_another_size(size: int, repository: Path) -> None:
    game = GAME.replace("SZ[9]", f"SZ[{size}]")
    paths = f"{repository}:{repository / 'tests'}"
    result = subprocess.run(
        [sys.executable, "-c", ON_ANOTHER_SIZE, game],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
        cwd=repository,
    )
    assert result.stdout == "False\n"


def test_a_game_that_cannot_be_read_does_not_stop_the_others_of_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("\n".join((GAME, "(;SZ[99])", GAME.replace("SZ[9]", "SZ[13]"), GAME)))
    assert main(["rank", str(path), "--player", "Anna"]) == 1
    output, errors = capsys.readouterr()
    assert [line.split(": ")[0] for line in output.splitlines()] == [f"{path}, game 1", f"{path}, game 4", "2 games of Anna together"]
    assert [line.split(": ")[1] for line in errors.splitlines()] == [f"{path}, game 2", f"{path}, game 3"]


def test_the_text_the_table_and_the_page_tell_it() -> None:
    review = drawn_review(SHORT_GAME, {})
    document = json.loads(json_document(review, "digest"))
    assert document["ranks"] == {} and "moves like" not in outcome_text(document) and page_data(review)["ranks"] == {}
    review.ranks = {WHITE: RANK}
    document = json.loads(json_document(review, "digest"))
    assert document["ranks"]["white"] == {"rank": "12k", "low": "15k", "high": "9k", "interval": 0.9, "moves": 30}
    lines = outcome_text(document).splitlines()
    assert lines[2].startswith("  Bert") and lines[3] == "    moves like those of 12k, 90% between 15k and 9k"
    assert page_data(review)["ranks"] == document["ranks"]
    del document["ranks"]  # as in reviews of version 0.2
    assert "moves like" not in outcome_text(document)
