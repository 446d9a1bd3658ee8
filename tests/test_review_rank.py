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
from gtp_engine.engine.network import loading
from gtp_engine.engine.network.loading import NetworkLoader
from gtp_engine.engine.network.rank_likelihood import estimate, log_likelihoods, move_chances
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex
from gtp_engine.go.rank_names import rank_text
from gtp_engine.tools.review.annotate import annotated_record, numbered
from gtp_engine.tools.review.by_rank import REACH_NOTE, PlayedRank, Reach
from gtp_engine.tools.review.development import GameTally, developments, own_colors, tallies_of, tally_from
from gtp_engine.tools.review.html_page import page_data
from gtp_engine.tools.review.rank_of_moves import FEWEST, RankTeller
from gtp_engine.tools.review.reach import within_reach
from gtp_engine.tools.review.settings import GOOD
from gtp_engine.tools.review.tables import json_document, outcome_text
from gtp_engine.tools.review.words import verdict_text

MOVES = ["ee", "ge", "gd", "fd", "he", "fe", "hf", "gg", "ec", "fc", "hg", "gh", "fb", "gb", "eb", "hd", "cg", "gf"]
GAME = "(;SZ[9]KM[7]PB[Anna]" + "".join(f";{'BW'[i % 2]}[{move}]" for i, move in enumerate(MOVES)) + ")"
RANK = PlayedRank("12k", "15k", "9k", 0.9, 30)
ON_ANOTHER_SIZE = """
import sys
import gtp_engine.tools.review.batch
from review_samples import record_of
from gtp_engine.tools.review.rank_of_moves import RankTeller
assert RankTeller().ranks_of(record_of(sys.argv[1])) == {}
print("gtp_engine.engine.network.rank_likelihood" in sys.modules)
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
    assert lines[2].startswith("  Bert") and lines[3] == "    the moves look like 12k, anything from 15k to 9k"
    assert page_data(review)["ranks"] == document["ranks"]
    del document["ranks"]  # as in reviews of version 0.2
    assert "moves like" not in outcome_text(document)


def test_who_finds_the_better_move_is_told_by_the_rank_of_the_record() -> None:
    review = drawn_review(GAME.replace("PB[Anna]", "PB[Anna]BR[12k]"), {3: ("C3",), 4: ("E4", "F5")})
    RankTeller().tell(review)
    black, white = (review.moves[number - 1].reach for number in (3, 4))
    network = NetworkLoader().ranks_network(SearchParams())
    game = review.record.position(3)
    chances = move_chances(game, 7.0, BLACK, network, from_vertex("C3", 9))
    assert black is not None and (black.rank, black.above) == ("12k", "7k")
    assert (black.share, black.share_above) == pytest.approx((chances[18 - 10], chances[23 - 10]))
    assert white is not None and white.rank == review.ranks[WHITE].rank  # as its moves look: the record names none
    assert all(move.reach is None for move in review.moves if not move.is_mistake)


@pytest.mark.parametrize(
    ("reach", "text"),
    [
        (Reach("12k", 0.2, "7k", 0.4), "About 20% of 12-kyu players would play E4, and about 40% of 7-kyu players."),
        (Reach("12k", 0.0, "7k", 0.02), "Fewer than 1% of 12-kyu players would play E4, and about 2% of 7-kyu players."),
        (Reach("12k", 0.0, "7k", 0.019), "Hardly any 12-kyu or 7-kyu player would play E4."),
        (Reach("8k", 0.024, "3k", 0.02), "About 2% of both 8-kyu and 3-kyu players would play E4."),
        (Reach("3d", 0.5, "3d", 0.5), "About 50% of 3-dan players would play E4."),
        (Reach("8k", 0.55, "3k", 0.51), "About 55% of both 8-kyu and 3-kyu players would play E4."),
    ],
)
def test_who_finds_a_move_in_words(reach: Reach, text: str) -> None:
    assert reach.text("E4") == text


def test_what_is_within_reach_comes_first_everywhere() -> None:
    review = drawn_review(GAME, {3: ("C3",), 4: ("E4", "F5")})
    reach = {3: Reach("12k", 0.02, "7k", 0.05), 4: Reach("12k", 0.2, "7k", 0.4)}
    review.moves = [replace(move, reach=reach.get(move.number)) for move in review.moves]
    assert [move.number for move in within_reach(review.moves)] == [4]  # hardly anybody finds the other one
    assert "About 20% of 12-kyu players would play E4, and about 40% of 7-kyu players." in verdict_text(review.moves[3])
    record = annotated_record(review)
    assert (
        "Study this move first; a slightly stronger player would often have found a better one: White's move 4 at F6." in record
        and REACH_NOTE in record
    )
    assert REACH_NOTE not in annotated_record(drawn_review(GAME, {3: ("C3",)}))
    document = json.loads(json_document(review, ""))
    assert document["within_reach"] == [4] and document["moves"][3]["found_by_stronger"] == 0.4
    assert "within reach: move 4, White F6: about 40% of 7-kyu players would play E4, 9.0 points lost" in outcome_text(document)


@pytest.mark.parametrize("better", ["C3", "J9"])
def test_only_the_best_move_is_the_engine_s_own(better: str) -> None:
    """A better move on a lower line, and on a higher one."""
    move = drawn_review(GAME, {3: (better,)}).moves[2]
    assert f"{better} was better" in verdict_text(move)
    assert move.best is not None
    assert verdict_text(replace(move, point=move.best.point)) == "The engine would play the same move."


@pytest.mark.parametrize(
    ("loss", "since", "best", "text"),
    [
        (0.2, 0, "C3", "A good move."),
        (3.0, 0, "C3", "C3 was better by about 3 points."),
        (
            0.0,
            1,
            "C3",
            "C3 was still the best move, as at move 1. Missing it is already counted.",
        ),
        (
            1.2,
            1,
            "C3",
            "C3 was still the best move, as at move 1. Missing it has cost about 8 points so far; G6 loses about 1 more.",
        ),
        (0.0, 1, "pass", "Nothing is left to gain: passing is best."),
    ],
)
def test_what_is_said_of_a_move_that_is_no_mistake(loss: float, since: int, best: str, text: str) -> None:
    move = drawn_review(GAME, {3: ("C3",)}).moves[2]
    assert move.best is not None
    better = replace(move.best, point=from_vertex(best, 9))
    assert verdict_text(replace(move, size=GOOD, loss=loss, since=since, best=better)) == text


@pytest.mark.parametrize(
    ("since", "lead_after", "text"),
    [
        (
            1,
            0.0,
            "C3 was still the best move, as at move 1. Missing it has cost about 5 points so far; G6 loses about 4 more.",
        ),
        (1, 4.5, "C3 was better by about 4 points."),
        (0, 0.0, "C3 was better by about 4 points."),
    ],
)
def test_a_cost_below_the_fall_of_the_lead_is_explained(since: int, lead_after: float, text: str) -> None:
    move = replace(drawn_review(GAME, {3: ("C3",)}).moves[2], loss=4.0, since=since, lead_after=lead_after, win_rate_after=0.6)
    assert verdict_text(move) == text


@pytest.mark.parametrize(
    ("drift", "text"),
    [
        (1.9, "A good move."),
        (2.6, "A good move. The score changes by about 3 points in Black's favor only because the engine misjudged the previous position."),
        (
            -9.2,
            "A good move. The score changes by about 9 points in White's favor only because the engine misjudged the previous position.",
        ),
    ],
)
def test_a_lead_that_changes_without_a_loss_is_explained(drift: float, text: str) -> None:
    move = drawn_review(GAME, {3: ("C3",)}).moves[2]
    assert verdict_text(replace(move, size=GOOD, loss=0.0, drift=drift)) == text


def test_a_pass_is_listed_as_one() -> None:
    moves = drawn_review(GAME, {3: ("C3",)}).moves
    assert numbered([moves[2], replace(moves[3], point=PASS)]) == "Black's move 3 at G6, White's pass at move 4"


def test_a_mistake_that_turns_the_game_is_said_to() -> None:
    move = replace(drawn_review(GAME, {3: ("C3",)}).moves[2], win_rate_before=0.6)
    for after, is_said in ((0.4, True), (0.41, False)):
        assert ("G6 turned the game against Black." in verdict_text(replace(move, win_rate_after=after))) == is_said


def test_chances_that_change_without_a_loss_are_explained() -> None:
    move = replace(drawn_review(GAME, {3: ("C3",)}).moves[2], size=GOOD, loss=0.0, win_rate_before=0.6)
    told = "A good move. The chances change only because the engine misjudged the previous position."
    for after, since, text in ((0.35, 0, told), (0.8, 0, told), (0.5, 0, "A good move.")):
        assert verdict_text(replace(move, win_rate_after=after, since=since)) == text
    assert "misjudged" not in verdict_text(replace(move, win_rate_after=0.35, since=1))


def test_what_stronger_players_gain_most_by_comes_first() -> None:
    """Points lost times the share of those who find the better move."""
    first, second, third = drawn_review(GAME, {3: ("C3",), 4: ("E4", "F5")}).moves[:3]
    moves = [
        replace(move, loss=loss, reach=Reach("12k", 0.1, "7k", share))
        for move, loss, share in ((first, 4.0, 0.5), (second, 3.0, 0.9), (third, 10.0, 0.15))
    ]
    assert within_reach(moves) == [moves[1], moves[0], moves[2]]


def tallies(losses: list[float], player: str = "anna") -> list[GameTally]:
    """A game for each: 20 moves of Anna as Black, one of which lost so much."""
    found: dict[str, GameTally] = {}
    for n, loss in enumerate(losses, 1):
        rows = [
            {"color": "black", "vertex": f"A{n}", "phase": phase, "loss": loss * (i == 4), "kind": "life" if i == 4 and loss else ""}
            for i, phase in enumerate(["opening"] * 5 + ["endgame"] * 15)
        ]
        players = {"black": "Anna", "white": "Bert"}
        document = {"size": 9, "date": f"2026-01-{n:02}", "players": players, "moves": rows}
        found |= tallies_of(document, own_colors(document, player))
    return [tally_from(json.loads(json.dumps(each.as_dict()))) for each in found.values()]


def test_a_change_is_real_only_when_it_is_more_than_chance() -> None:
    better = {each.title: each for each in developments(tallies([9.0, 11.0, 10.0, 12.0, 1.0, 2.0, 1.0, 3.0]))}
    assert set(better) == {"all moves", "opening", "endgame", "life and death"}
    assert better["opening"].is_real and better["opening"].change == pytest.approx((7 - 42) / 20)
    assert better["opening"].text().startswith("opening: 1.23 points a move (") and "1.75 less than before" in better["opening"].text()
    assert not better["endgame"].is_real and better["all moves"].low < better["all moves"].loss < better["all moves"].high
    same = developments(tallies([9.0, 1.0, 10.0, 2.0, 9.0, 1.0, 10.0, 2.0], "black"))
    assert not any(each.is_real for each in same) and "no change that is more than chance" in same[0].text()
    assert developments(tallies([1.0] * 5)) == [] and tallies([1.0] * 8, "Carla") == []
