"""The page without a browser: it is one file, it fetches nothing, and its data is the review's."""

import json
import random
import re
from importlib.resources import files

import numpy as np
from review_samples import SHORT_GAME, drawn_review, review_of

from gtp_engine.engine.search.result import Candidate
from gtp_engine.engine.search.result_fields import OWNERSHIP_DIGITS, ownership_text
from gtp_engine.go.points import BLACK, EMPTY, POINTS, STRIDE, WHITE, to_vertex
from gtp_engine.tools.review.html_page import SCRIPTS, board_changes, html_page, page_data
from gtp_engine.tools.review.model import Evaluation

LETTERS = "abcdefghijklmnopqrs"
MOST_BYTES = 1_000_000  # for a game of 300 moves
CAPTURE = "(;SZ[5]KM[0];B[ab];W[aa];B[ba];W[cc];B[aa])"


def data_in(page: str) -> dict[str, object]:
    """The JSON in a page."""
    match = re.search(r'<script type="application/json" id="review">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    data: dict[str, object] = json.loads(match[1])
    return data


def test_the_page_is_whole_and_fetches_nothing() -> None:
    page = html_page(drawn_review(SHORT_GAME, {2: ("A1",)}))
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert not re.search(r"/\*(STYLE|SCRIPT|DATA)\*/", page)
    assert "default-src 'none'" in page
    without_namespace = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|<link|<img|@import|url\((?!#)|url\(`", without_namespace)


def test_every_script_and_style_is_in_the_page() -> None:
    page = html_page(drawn_review(SHORT_GAME, {}))
    names = {path.name for path in (files("gtp_engine.tools.review") / "page").iterdir()}
    index = {"index.html", "index.css", "index.js"}  # test_review_index.py
    assert names == {"page.html", "page.css", *SCRIPTS} | index
    for name in names - index - {"page.html"}:
        text = (files("gtp_engine.tools.review") / "page" / name).read_text(encoding="utf-8")
        assert re.sub(r"^import .*\n", "", text, flags=re.MULTILINE) in page  # it is one module with what it imports


def test_the_texts_of_a_record_cannot_leave_their_place() -> None:
    """A name that would end the script, and one with every kind of bracket."""
    name = "</script><script>alert(1)</script>&\u2028<!--"
    page = html_page(drawn_review(SHORT_GAME.replace("Anna", name), {}))
    assert page.count("<script") == 2
    assert name.replace("\u2028", " ").split("&")[0] in json.dumps(data_in(page)["players"])


def test_boards_follow_from_their_changes() -> None:
    """A white stone is taken on A5; the changes say so."""
    review = drawn_review(CAPTURE.replace(";W[cc];B[aa]", ";W[ee]"), {})
    assert len(review.boards) == 5
    size, colors = 5, [EMPTY] * 25
    for index, board in enumerate(review.boards):
        changes = board_changes(review.boards[index - 1] if index else {}, board, size)
        for place, color in zip(changes[::2], changes[1::2], strict=True):
            colors[place] = color
        expected = {(size - point // STRIDE) * size + point % STRIDE - 1: color for point, color in board.items()}
        assert {place: color for place, color in enumerate(colors) if color != EMPTY} == expected
    assert board_changes(review.boards[2], review.boards[3], size) == [0, EMPTY, 1, BLACK]


def test_ownership_is_written_by_rows_from_the_top() -> None:
    ownership = np.zeros(POINTS)
    ownership[5 * STRIDE + 1], ownership[1 * STRIDE + 5] = 1.0, -1.0  # A5, E1
    text = ownership_text(ownership, 5)
    assert (text[0], text[-1], set(text[1:-1])) == (OWNERSHIP_DIGITS[62], OWNERSHIP_DIGITS[0], {OWNERSHIP_DIGITS[31]})


def test_candidates_hold_the_move_that_was_played_with_what_became_of_it() -> None:
    review = review_of(SHORT_GAME)
    data = page_data(review)
    for move, position in zip(review.moves, data["positions"], strict=False):  # type: ignore[call-overload]  # the last has no move
        played = [each for each in position["candidates"] if each["vertex"] == to_vertex(move.point)]
        assert [each["winRate"] for each in played] == [round(move.win_rate_after, 4)]


def test_a_long_game_stays_small() -> None:
    """300 moves on 19x19 with as much to say about each position as a search has."""
    rng = random.Random(1)
    points = [column + row for column in LETTERS for row in LETTERS]
    text = "".join(f";B[{points[number]}];W[{points[-1 - number]}]" for number in range(150))
    variation = tuple(["Q16"] * 12)
    review = drawn_review(f"(;SZ[19]KM[7.5]RU[Tromp-Taylor]{text})", dict.fromkeys(range(1, 301), variation))
    candidates = [Candidate(rng.randrange(21, 400), 12345, rng.random(), -rng.random(), [rng.randrange(21, 400)] * 12) for _ in range(8)]
    ownership = np.random.default_rng(1).uniform(-1, 1, POINTS)
    review.evaluations = [Evaluation(WHITE, 0.512345, -123.45678, ownership, candidates) for _ in review.evaluations]
    assert len(html_page(review).encode()) < MOST_BYTES
