"""Odd files: hand-made ones in odd_sgf/, more that hypothesis makes from sound ones. Each is read, or refused with place and reason."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_engine.go.points import to_color_name, to_vertex
from gtp_engine.sgf import SgfError, load, parse

FOLDER = Path(__file__).resolve().parent / "odd_sgf"
FILES = sorted(FOLDER.glob("*.sgf"))
EXPECTED: dict[str, str] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
MADE = 200  # files by hypothesis
PLACE = re.compile(r"line \d+|node \d+|move \d+|nodes|the file|the record|the board|main line|variations are nested|record of Go|set-up")


def what_is_read(path: Path) -> str:
    """The record in one line, or the refusal."""
    try:
        record = load(path)
    except SgfError as error:
        return f"refused: {error}"
    game = record.game
    moves = " ".join(f"{to_color_name(color)[0]} {to_vertex(point)}" for color, point in game.moves[:8])
    stones = len(game.setup_stones)
    warnings = "".join(f"; {warning}" for warning in record.warnings)
    return f"{game.size}x{game.size}, komi {record.komi:g}, handicap {game.handicap}, {stones} set up, moves: {moves}{warnings}"


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 90 and len(FILES) + MADE >= 200
    assert sorted(EXPECTED) == [path.stem for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_hand_made_file(path: Path) -> None:
    """What is read was looked at, line by line; after a change, print `what_is_read` of each and look again."""
    text = what_is_read(path)
    assert text == EXPECTED[path.stem]
    if text.startswith("refused"):
        assert PLACE.search(text)


SOUND = [path.read_bytes() for path in FILES if not EXPECTED.get(path.stem, "").startswith("refused") and path.stat().st_size < 300]
PIECES = st.sampled_from(
    [b"(", b")", b";", b"[", b"]", b"\\", b"B[zz]", b"AB[aa:cc]", b"SZ[3]", b"\n", b"\xff", b"\x83]", b"W[ee]", b"AE[ee]", b"x", b""]
)


@settings(derandomize=True, max_examples=MADE, deadline=None)
@given(st.sampled_from(SOUND), st.lists(st.tuples(st.integers(0, 300), st.integers(0, 4), PIECES), min_size=1, max_size=3))
def test_a_file_that_was_damaged(data: bytes, damage: list[tuple[int, int, bytes]]) -> None:
    """Pieces cut out and others put in their place, the same ones at every run."""
    for place, length, piece in damage:
        data = data[:place] + piece + data[place + length :]
    refusal = ""
    try:
        parse(data)
    except SgfError as error:
        refusal = str(error)
    assert not refusal or PLACE.search(refusal), refusal


# ---------------------------------------------------------------- what the user is told


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("empty", "the file is empty: save the game again"),
        ("text", "there is no game record in the file: a record begins with (;"),
        ("cut_off", "the record is cut off in line 1: its last parenthesis is missing; get the file again, or put a ) at its end"),
        ("unescaped_bracket", "in line 3, node 2 of the record, there is an unescaped ]: put a \\ before it"),
        ("occupied", "move 2 (white E5) is illegal: occupied point; correct it, or read the record up to move 2 only"),
        ("outside", "move 2 (white 'jj') is not a point of the 9x9 board"),
        ("rectangle_outside", "AB[aa:zz] after move 0 is not a point of the 9x9 board"),
        ("setup_outside", "AW[kk] after move 1 is not a point of the 9x9 board"),
        ("size_rectangle", "the board has 9 by 13 lines, and we play on square boards only"),
        ("chess", "this is not a record of Go (GM[3])"),
    ],
)
def test_what_a_refusal_says(name: str, sentence: str) -> None:
    with pytest.raises(SgfError) as refusal:
        load(FOLDER / f"{name}.sgf")
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("two_games", "the file holds more than one game: only the first is read; to read another, give it a file of its own"),
        ("variations", "the record has variations: only its main line is read"),
        ("unknown_charset", "unknown charset x-unknown: it is guessed; if a name looks wrong, save the record in UTF-8"),
        ("latin", "read as Latin-1, which is a guess: the file names no charset that fits; if a name looks wrong, save it in UTF-8"),
        ("komi_missing", "the record has no komi: 7.5 is used, with Chinese rules"),
        ("handicap_without_stones", "the record sets up no stones for its handicap of 4: the usual points are assumed"),
    ],
)
def test_what_a_warning_says(name: str, warning: str) -> None:
    assert load(FOLDER / f"{name}.sgf").warnings == [warning]
