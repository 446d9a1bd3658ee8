"""3x3 patterns: the text, its symmetries, and drawn boards."""

from collections.abc import Callable

import pytest
from kernels_policy import code_of, has_pattern

from gtp_engine.go.game import Game
from gtp_engine.go.patterns import PATTERN_TABLE, PATTERNS, codes_of, compile_patterns, read_patterns, swap_colors, symmetries
from gtp_engine.go.points import BLACK, WHITE, board_points

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

HANE = """
    hane
    X O .
    . . .
    ? . ?
"""


def turned(drawing: str) -> list[str]:
    """The drawing in its eight symmetries."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    pictures = []
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        pictures += ["\n".join(" ".join(row) for row in rows), "\n".join(" ".join(row[::-1]) for row in rows)]
    return pictures


def exchanged(drawing: str) -> str:
    """The drawing with the colors exchanged."""
    return drawing.translate(str.maketrans("XO", "OX"))


# ---------------------------------------------------------------- the text


def test_every_pattern_is_read() -> None:
    names = [name for name, _ in read_patterns(PATTERNS)]
    assert len(names) == len(set(names)) >= 10
    assert all(square[4] == "." and len(square) == 9 for _, square in read_patterns(PATTERNS))


def test_symbols_in_a_pattern_mean_what_the_text_says() -> None:
    ((name, square),) = read_patterns(HANE)
    assert name == "hane"
    assert square == ("X", "O", ".", ".", ".", ".", "?", ".", "?")
    assert len(set(codes_of(square))) == 3 * 3, "two points may be anything on the board"
    assert swap_colors(square) == ("O", "X", ".", ".", ".", ".", "?", ".", "?")
    assert len(symmetries(square)) == 8


@pytest.mark.parametrize("line", ["X O .\n    . X .\n    ? . ?", "X O .\n    . . z\n    ? . ?", "X O .\n    . . .\n    ? ."])
def test_a_picture_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a pattern: broken"):
        list(read_patterns(f"\n    broken\n    {line}\n"))


def test_the_table_has_all_symmetries_and_both_colors() -> None:
    """A pattern that is anybody's suits both players in each of its codes; one of one's own changes the player with the colors."""
    for name, square in read_patterns(PATTERNS):
        for turned_square in symmetries(square):
            own = [PATTERN_TABLE[code] & BLACK for code in codes_of(turned_square)]
            other = [PATTERN_TABLE[code] & WHITE for code in codes_of(swap_colors(turned_square))]
            assert all(own) and all(other), name


def test_a_pattern_of_ones_own_is_nobody_elses() -> None:
    table = compile_patterns(HANE.replace("hane", "hane, own"))
    ((_, square),) = read_patterns(HANE)
    assert {int(table[code]) for code in codes_of(square)} == {BLACK}
    assert {int(table[code]) for code in codes_of(swap_colors(square))} == {WHITE}


def test_most_surroundings_fit_no_pattern() -> None:
    """Else they would say nothing: among them the empty board, its edge, and points with one color around."""
    assert 0.01 < (PATTERN_TABLE > 0).mean() < 0.25
    assert PATTERN_TABLE[0] == 0


# ---------------------------------------------------------------- on the board

EXAMPLES = {
    "hane": """
        . . . . .
        . X O . .
        . . a . .
        . . . . .
        . . . . .
    """,
    "cut": """
        . . . . .
        . X O . .
        . O a . .
        . . . . .
        . . . . .
    """,
    "push through": """
        . . . . .
        . . X . .
        . O a O .
        . . . . .
        . . . . .
    """,
    "edge": """
        . . . . .
        . . . . .
        . . . . .
        . X O . .
        . . a . .
    """,
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_shape_is_found_however_it_lies(name: str, diagram: Diagram, marks: Marks) -> None:
    for picture in turned(EXAMPLES[name]):
        for drawing in (picture, exchanged(picture)):
            game, point = diagram(drawing), marks(drawing)["a"]
            for color in (BLACK, WHITE):
                assert has_pattern(game.positions, point, color), f"{color}\n{drawing}"


NOTHING = {
    "one stone": """
        . . . . .
        . X . . .
        . . a . .
        . . . . .
        . . . . .
    """,
    "a wall of one color": """
        . . . . .
        . X X X .
        . . a . .
        . . . . .
        . . . . .
    """,
    "far away": """
        X O . . .
        . . . . .
        . . . a .
        . . . . .
        . . . . .
    """,
    "an eye": """
        . . . . .
        . X X X .
        . X a X .
        . X X X .
        . . . . .
    """,
}


@pytest.mark.parametrize("name", NOTHING)
def test_where_nothing_happens_no_pattern_fits(name: str, diagram: Diagram, marks: Marks) -> None:
    for drawing in turned(NOTHING[name]):
        for color in (BLACK, WHITE):
            assert not has_pattern(diagram(drawing).positions, marks(drawing)["a"], color), f"{color}\n{drawing}"


def test_nothing_fits_on_an_empty_board() -> None:
    game = Game(5)
    assert not any(has_pattern(game.positions, point, color) for point in board_points(5) for color in (BLACK, WHITE))


def test_hane_of_ones_own_suits_one_player(diagram: Diagram, marks: Marks) -> None:
    """X beside two stones of the opponent: White has nothing to bend around."""
    drawing = """
        . . . . .
        . X O O .
        . . a . .
        . . . . .
        . . . . .
    """
    game, point = diagram(drawing), marks(drawing)["a"]
    assert has_pattern(game.positions, point, BLACK)
    assert not has_pattern(game.positions, point, WHITE)


def test_a_code_tells_all_neighbors(diagram: Diagram, marks: Marks) -> None:
    """Two bits a neighbor, rows from the top: changing one of them changes the code."""
    drawing = """
        . . . . .
        . X O . .
        . . a X .
        . . . O .
        . . . . .
    """
    row = [BLACK, WHITE, 0, 0, BLACK, 0, 0, WHITE]
    assert code_of(diagram(drawing).positions, marks(drawing)["a"]) == sum(color << 2 * i for i, color in enumerate(row))
