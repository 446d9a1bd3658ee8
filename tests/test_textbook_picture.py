"""Pictures of searches: the recorded tree is what the search saw, and the SVG shows it."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from gtp_engine.cli.main import main
from gtp_engine.cli.options import picture as picture_options
from gtp_engine.textbook import depth_limited
from gtp_engine.textbook.alphabeta import unknown
from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.explicit_tree import ExplicitTree, alternating
from gtp_engine.textbook.game import FIRST, Position
from gtp_engine.textbook.picture import draw
from gtp_engine.textbook.positions import NOTATIONS, read_position
from gtp_engine.textbook.recordings import SEARCHES, Request, record_alphabeta, record_minimax
from gtp_engine.textbook.search_tree import AT_LEAST, AT_MOST, MOST_BRANCHES, Branch
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

SVG = "{http://www.w3.org/2000/svg}"
SUITABLE = {"minimax": "hexapawn", "alphabeta": "tictactoe", "expectiminimax": "dice", "maxn": "coins", "mcts": "go"}


def lines_open(position: Position) -> float:
    assert isinstance(position, TicTacToe)
    return open_lines(position)


def branches(root: Branch) -> Iterator[Branch]:
    yield root
    for child in root.children:
        yield from branches(child)


def labels(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def random_tree(dice: Random, depth: int) -> ExplicitTree:
    def nested(depth: int) -> object:
        return dice.randint(-5, 5) if depth == 0 else [nested(depth - 1) for _ in range(dice.randint(1, 3))]

    return alternating(nested(depth))  # type: ignore[arg-type]  # nested as it says


# ---------------------------------------------------------------- the recorded tree


def test_the_tree_of_minimax_has_every_position_and_its_value() -> None:
    position = read_position("tree", "[[4, -2, 5], [-3, 3, 1], [0, 3, -1]]")
    tree = record_minimax(position, 2, unknown)
    assert tree.count() == 13 and tree.value == -1
    assert [child.value for child in tree.children] == [-2, -3, -1]
    assert [child.move for child in tree.children if child.is_best] == ["3"]


def test_the_tree_of_alphabeta_has_the_branches_cut_off() -> None:
    tree = record_alphabeta(read_position("tree", NOTATIONS["tree"].start), 2, unknown)
    b = tree.children[1]
    assert (b.move, b.value, b.relation) == ("B", -3, AT_MOST)
    assert [(child.move, child.value) for child in b.children] == [("D", -3), ("E", None), ("F", None)]


def test_bounds_of_alphabeta_hold() -> None:
    """Whatever a picture says about a position, exact or not, minimax agrees; on random trees."""
    dice, seen = Random(1), set()
    for _ in range(300):
        tree = random_tree(dice, 4)
        for branch in branches(record_alphabeta(tree, 4, unknown)):
            if branch.value is None:
                continue
            sign = 1 if branch.position.next_player == FIRST else -1
            true = sign * depth_limited.negamax(branch.position, 4, unknown, Counter())
            seen.add(branch.relation)
            assert {AT_LEAST: true >= branch.value, AT_MOST: true <= branch.value}.get(branch.relation, true == branch.value)
    assert seen == {AT_LEAST, AT_MOST, ""}


def test_tree_search_shows_visits_and_win_rates() -> None:
    tree = SEARCHES["mcts"](Request(TicTacToe.from_text("XO./.X./O.."), 2, lines_open, rounds=300, seed=1))
    assert tree.visits == 300 and tree.children[0].move == "c1" and tree.children[0].is_best
    assert tree.children[0].value == 1.0
    visits = [child.visits or 0 for child in tree.children]
    assert visits == sorted(visits, reverse=True) and sum(visits) <= 300


# ---------------------------------------------------------------- the picture


def test_every_branch_has_a_shape_and_a_label() -> None:
    tree = record_alphabeta(TicTacToe(), 2, lines_open)
    svg = draw(tree, "alpha & beta", "<of> it")
    root = ElementTree.fromstring(svg)
    shapes = [element for element in root.iter() if element.get("class") == "shape"]
    assert len(shapes) == tree.count()
    assert len(list(root.iter(f"{SVG}path"))) == tree.count() - 1
    assert labels(svg)[:2] == ["alpha & beta", "<of> it"]
    untried = [element for element in root.iter(f"{SVG}g") if element.get("class") == "untried"]
    assert len(untried) == sum(branch.value is None for branch in branches(tree)) > 0


def test_no_two_labels_of_a_column_overlap() -> None:
    root = ElementTree.fromstring(draw(record_minimax(TicTacToe(), 2, lines_open), "title"))
    places = [(float(text.get("x", "")), float(text.get("y", ""))) for text in root.iter(f"{SVG}text")][3:]
    assert len(places) == len(set(places)) == 82
    lowest = max(y for _, y in places)
    assert lowest < float(root.get("height", "0"))
    rows = sorted(y for x, y in places if x == max(x for x, _ in places))
    assert min(below - above for above, below in pairwise(rows)) >= 20


def test_a_tree_that_nobody_could_read_is_refused() -> None:
    tree = Branch(TicTacToe(), children=[Branch(TicTacToe()) for _ in range(MOST_BRANCHES)])
    with pytest.raises(ValueError, match="look less deep"):
        draw(tree, "title")


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(("search", "game"), SUITABLE.items())
def test_the_command_draws_every_search(search: str, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["picture", "--search", search, "--game", game, "--rounds", "50"]) == 0
    assert labels(capsys.readouterr().out)[0] == f"{search}, {game}"


def test_the_choices_are_those_there_are() -> None:
    assert set(picture_options.SEARCHES) == set(SEARCHES) == set(SUITABLE)
    assert set(picture_options.GAMES) == set(NOTATIONS)


def test_the_picture_in_the_documents_is_what_the_command_draws(repository: Path, tmp_path: Path) -> None:
    """After a change: `gtp-engine picture --game tree --output docs/alphabeta.svg`."""
    assert main(["picture", "--game", "tree", "--output", str(tmp_path / "tree.svg")]) == 0
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == (repository / "docs" / "alphabeta.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--position", "XXXX"], "not a tic-tac-toe board"),
        (["--position", "XXX/OO./..."], "the game is over"),
        (["--depth", "0"], "depth 0"),
        (["--depth", "9"], "too large for a picture"),
        (["--game", "tree", "--position", "[1, [2,"], "not a tree of numbers"),
        (["--game", "tree", "--position", '["a"]'], "not a tree of numbers"),
        (["--game", "tree", "--position", "[[], 1]"], "needs a branch"),
        (["--game", "dice", "--position", "0 x"], "positive whole numbers"),
        (["--game", "coins", "--search", "minimax"], "3 players"),
        (["--game", "dice", "--search", "alphabeta"], "chance moves here"),
        (["--search", "mcts", "--rounds", "0"], "0 rounds"),
        (["--output", "/no/such/folder/tree.svg"], "cannot write"),
        (["--search", "minmax"], "did you mean minimax"),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["picture", *arguments])
    captured = capsys.readouterr()
    assert stop.value.code == 2 and captured.out == ""
    assert complaint in captured.err and "Traceback" not in captured.err
