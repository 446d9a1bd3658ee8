"""The tree of a game and its records: variations, set-up stones, comments, marks, and what was found, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine import sgf
from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, from_vertex, to_vertex
from gtp_engine.go.rules import CHINESE, JAPANESE
from gtp_engine.interfaces.browser.findings import Findings, as_value, from_value
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree
from gtp_engine.interfaces.browser.tree_records import read_tree, write_tree

SIZE = 5
FOUND = Findings(
    0.61, -2.5, 100, [{"vertex": "C3", "visits": 60, "winRate": 0.6, "lead": 1.0, "prior": 0.2, "variation": "C3 pass"}], "A" * 25
)


def tree_of(text: str) -> GameTree:
    """Read under Chinese rules."""
    return read_tree(text.encode(), CHINESE, 7.5)[0]


def outline(tree: GameTree, node: GameNode | None = None) -> str:
    """The moves with variations in brackets."""
    node = node or tree.root
    name = to_vertex(node.move[1]) if node.move else "setup" if node.stones else "."
    if len(node.children) > 1:
        return f"{name} [{' | '.join(outline(tree, child) for child in node.children)}]"
    return " ".join([name, *(outline(tree, child) for child in node.children)])


def board_of(node: GameNode) -> str:
    """Rows from the top."""
    marks = "".join(".XO"[color] for color in node.colors)
    return "/".join(marks[i : i + SIZE] for i in range(0, SIZE * SIZE, SIZE))


def test_the_same_move_is_one_node() -> None:
    tree = GameTree(Game(SIZE), 7.5, CHINESE)
    first = tree.add_move(tree.root, BLACK, from_vertex("c3", SIZE))
    assert tree.add_move(tree.root, BLACK, from_vertex("c3", SIZE)) is first
    other = tree.add_move(tree.root, BLACK, PASS)
    tree.promote(other)
    assert tree.root.children == [other, first]
    with pytest.raises(IllegalMove):
        tree.add_move(first, WHITE, from_vertex("c3", SIZE))
    assert tree.remove(first) == [1] and outline(tree) == ". pass"


def test_a_capture_is_seen_in_colors_and_captures() -> None:
    tree = tree_of("(;SZ[5]AW[aa]AB[ba];B[ab])")
    last = tree.line(tree.root)[-1]
    assert board_of(last) == ".X.../X..../...../...../....." and last.captures == (1, 0)
    assert tree.as_dict()["nodes"][1]["changes"] == [0, EMPTY, 5, BLACK]


def test_variations_comments_and_marks_go_there_and_back() -> None:
    text = (
        "(;SZ[5]KM[6.5]RU[Japanese]PB[A]PW[B\\]]HA[2]AB[bb][dd]C[root];W[cc](;B[ab]C[a\\]\nb];W[ac])"
        "(;B[ad]TR[aa][bb]LB[cd:x\\:y];W[](;B[ae])(;B[be])))"
    )
    tree = tree_of(text)
    assert outline(tree) == ". C3 [A4 A3 | A2 pass [A1 | B1]]"
    assert (tree.komi, tree.rules, tree.start.handicap, tree.root.comment) == (6.5, JAPANESE, 2, "root")
    again = tree_of(write_tree(tree))
    assert again.as_dict() == tree.as_dict()
    marked = again.root.children[0].children[1]
    assert {to_vertex(point): mark for point, mark in marked.marks.items()} == {"A5": "triangle", "B4": "triangle", "C2": "x:y"}
    assert again.root.children[0].children[0].comment == "a]\nb"
    assert sgf.parse(write_tree(tree).encode()).game.moves[-1] == (WHITE, from_vertex("a3", SIZE))  # any reader sees the main line


def test_set_up_stones_on_the_way() -> None:
    tree = tree_of("(;SZ[5];B[aa];AW[ba:bb]AE[aa]PL[B];B[cc])")
    assert outline(tree) == ". A5 setup C3"
    last = tree.line(tree.root)[-1]
    assert board_of(last) == ".O.../.O.../..X../...../....."
    assert tree_of(write_tree(tree)).as_dict() == tree.as_dict()
    with pytest.raises(ValueError, match="no liberties"):
        tree.add_set_up(last, {from_vertex(name, SIZE): WHITE for name in ("b3", "c4", "c2", "d3")}, BLACK)


def test_what_can_not_be_played_is_told_and_the_rest_is_there() -> None:
    tree, warnings = read_tree(b"(;SZ[5];B[aa](;W[aa];B[bb])(;W[cc]))", CHINESE, 7.5)
    assert outline(tree) == ". A5 C3"
    assert warnings[-1] == "A move after move 1 can't be played, and what follows it is left out: occupied point."


def test_what_was_found_goes_there_and_back() -> None:
    tree = tree_of("(;SZ[5];B[cc])")
    tree.root.findings = FOUND
    text = write_tree(tree)
    assert "V[-2.5]" in text and "SBKV[61.0]" in text  # as other programs read them
    assert tree_of(text).root.findings == FOUND


@pytest.mark.parametrize(
    "value",
    ["", "{}", "[]", "1", "null", "[" * 9_000, as_value(FOUND).replace("C3", "<b>"), as_value(FOUND).replace("0.61", "1.61")]
    + [as_value(FOUND).replace("-2.5", number) for number in ("NaN", "1e999", '"1"', "true", "[]")]
    + [as_value(FOUND).replace("A" * 25, ownership) for ownership in ("A" * 24, "<" * 25)],
)
def test_what_a_stranger_says_was_found_is_not_believed(value: str) -> None:
    assert from_value(value, SIZE) is None


@given(st.text(alphabet="();BWCABEPLTR[]abce\\: \n", max_size=60))
def test_any_text_is_a_record_or_refused(text: str) -> None:
    try:
        tree, _ = read_tree(f"(;SZ[5]{text})".encode(), CHINESE, 7.5)
    except sgf.SgfError:
        return
    assert tree_of(write_tree(tree)).as_dict() == tree.as_dict()
