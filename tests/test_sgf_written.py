"""What we write as SGF, read back by our reader and by sgfmill's."""

import datetime
import random
import runpy
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf as sgfmill_sgf
from sgfmill import sgf_moves

from gtp_engine import __version__
from gtp_engine.go.game import Game
from gtp_engine.go.handicap import fixed_handicap_points, free_handicap_points
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, from_vertex, opponent, row_and_column
from gtp_engine.go.rules import CHINESE, JAPANESE, RULE_SETS
from gtp_engine.sgf import dump, library, parse


def test_what_dump_writes() -> None:
    game = Game(9, JAPANESE)
    game.place_handicap(fixed_handicap_points(9, 2))
    game.play(WHITE, from_vertex("E5", 9))
    game.play(BLACK, PASS)
    text = dump(game, 0.5, JAPANESE, {BLACK: "A]\\n\nn"}, "W+2.5", datetime.date(2026, 1, 31))
    for part in ("FF[4]", "CA[UTF-8]", "GM[1]", "SZ[9]", "KM[0.5]", "RU[japanese]", "HA[2]", "AB[cg][gc]", "PL[W]", "RE[W+2.5]"):
        assert part in text
    assert "PB[A\\]\\\\n n]" in text
    assert "DT[2026-01-31]" in text
    assert f"AP[gtp_engine:{__version__}]" in text
    assert "PW" not in text
    assert ";W[ee];B[]" in text.replace("\n", "")
    assert "\n\n" not in text


def test_dump_refuses_a_komi_that_is_no_number() -> None:
    for komi in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r".*"):
            dump(Game(9), komi, CHINESE)


def random_game(seed: int, size: int, length: int, handicap: int) -> Game:
    chance = random.Random(seed)
    game = Game(size, chance.choice(list(RULE_SETS.values())))
    if handicap:
        game.place_handicap(free_handicap_points(size, min(handicap, size * size - 1)))
    elif chance.random() < 0.2:
        stones = {point: chance.choice((BLACK, WHITE)) for point in list(board_points(size))[::3]}
        game.set_up([(color, point) for point, color in stones.items()] if size > 4 else [], chance.choice((BLACK, WHITE)))
    for _ in range(length):
        color = game.to_play if chance.random() < 0.9 else opponent(game.to_play)
        points = [*game.stones(EMPTY), PASS]
        chance.shuffle(points)
        game.play(color, next(point for point in points if point == PASS or game.is_legal(color, point)))
    return game


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(2, 19),
    st.integers(0, 40),
    st.sampled_from([0, 0, 2, 3, 9]),
    st.sampled_from([0, 0.5, 7.5, -3.5, 3.75, 4]),
    st.text(),
)
def test_what_is_written_is_read_back(seed: int, size: int, length: int, handicap: int, komi: float, name: str) -> None:
    game = random_game(seed, size, length, handicap)
    record = parse(dump(game, komi, game.rules, {WHITE: name, BLACK: "黒"}, "B+R").encode())
    again = record.game
    assert again.moves == game.moves
    assert sorted(again.setup_stones) == sorted(game.setup_stones)
    assert (again.size, again.handicap, again.rules, again.to_play) == (size, game.handicap, game.rules, game.to_play)
    assert [again.color_at(point) for point in board_points(size)] == [game.color_at(point) for point in board_points(size)]
    assert [again.captures(color) for color in (BLACK, WHITE)] == [game.captures(color) for color in (BLACK, WHITE)]
    assert (record.komi, record.result, record.warnings) == (komi, "B+R", [])
    assert record.players[BLACK] == "黒"


ROUND_TRIPS = 1_000  # random games


def test_a_thousand_games_are_read_back_by_sgfmill() -> None:
    """Moves, komi, handicap and result of what we write are the same for the library that others read with."""
    chance = random.Random(11)
    for seed in range(ROUND_TRIPS):
        game = random_game(seed, chance.randint(2, 19), chance.randint(0, 60), chance.choice([0, 0, 0, 2, 4, 9]))
        komi, result = chance.choice([0.0, 0.5, 6.5, 7.5, -3.5, 3.75]), chance.choice(["B+R", "W+0.5", "B+12", "0", "W+T"])
        theirs = sgfmill_sgf.Sgf_game.from_string(dump(game, komi, game.rules, result=result))
        moves = [node.get_move() for node in theirs.get_main_sequence()[1:]]
        assert [(color, place and (place[0] + 1, place[1] + 1)) for color, place in moves] == [
            ("b" if color == BLACK else "w", None if point == PASS else row_and_column(point)) for color, point in game.moves
        ]
        root = theirs.get_root()
        assert (theirs.get_size(), theirs.get_komi(), root.get("RE")) == (game.size, komi, result)
        assert (theirs.get_handicap() or 0) == game.handicap
        black, white, _ = root.get_setup_stones()
        assert len(black) + len(white) == len(game.setup_stones)


@pytest.mark.parametrize("size", [2, 9, 19])
def test_sgfmill_reads_the_same_position_from_our_text(size: int) -> None:
    game = random_game(5, size, 60, 2)
    theirs, plays = sgf_moves.get_setup_and_moves(sgfmill_sgf.Sgf_game.from_string(dump(game, 7.5, game.rules)))
    for color, place in plays:
        if place is not None:
            theirs.play(*place, color)
    names = {None: EMPTY, "b": BLACK, "w": WHITE}
    for point in board_points(size):
        row, column = row_and_column(point)
        assert names[theirs.get(row - 1, column - 1)] == game.color_at(point)


def test_sgfmill_is_imported_in_silence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also the first time, when Python compiles it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "sgfmill"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        runpy.run_path(library.__file__)
    assert caught == []
