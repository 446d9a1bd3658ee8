"""The list of reviewed games: what it holds, in which order, where its links lead, and that strangers' texts stay texts."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from review_samples import SHORT_GAME, drawn_review

from gtp_engine.cli.main import main
from gtp_engine.tools.review.batch import FAILED, KEPT, REVIEWED, ReviewOutcome, write_review
from gtp_engine.tools.review.index import ReviewIndex, rows_in
from gtp_engine.tools.review.index_page import MOST_POINTS, index_page, row_of
from gtp_engine.tools.review.output import INDEX, folder_names
from gtp_engine.tools.review.records import GameSource

pytestmark = pytest.mark.usefixtures("jobs_here")

FAST = ["--playouts", "20", "--threads", "1", "--seed", "1", "--memory", "16"]
STRANGE = '<b>Anna & "Bert"</b><!--ROWS-->/*SCRIPT*/'
BROKEN = "(;SZ[5]AB[cc];B[cc];W[cc])"


class Page(HTMLParser):
    """The texts of the cells, row by row, the links, and the names of all elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.links: list[str] = []
        self.elements: list[str] = []
        self.is_in_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.is_in_cell = True
        elif tag == "a":
            self.links.append(dict(attrs)["href"] or "")

    def handle_endtag(self, tag: str) -> None:
        self.is_in_cell = self.is_in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.is_in_cell:
            self.rows[-1][-1] += data


def put_review(output: Path, name: str, losses: dict[int, float], text: str = SHORT_GAME) -> ReviewOutcome:
    """Write a review in which these moves, by their numbers, are the mistakes and lose so many points."""
    review = drawn_review(text, dict.fromkeys(losses, ("E5",)))
    review.record.source = GameSource(Path(f"{name}.sgf"), 1, 1, text)
    review.moves = [replace(move, loss=losses.get(move.number, 0.0)) for move in review.moves]
    folder = output / name
    return ReviewOutcome(f"{name}.sgf", REVIEWED, "", folder, write_review(review, review.record, folder, "digest"))


def page_of(output: Path) -> Page:
    """The list in a folder."""
    return Page((output / INDEX).read_text(encoding="utf-8"))


def titles(page: Page) -> list[str]:
    """The files of the games, from top to bottom."""
    return [row[0] for row in page.rows[1:] if len(row) > 2]


# ---------------------------------------------------------------- what it holds


def test_the_largest_mistake_comes_first(tmp_path: Path) -> None:
    index = ReviewIndex(tmp_path)
    for name, losses in (("small", {3: 4.0, 5: 4.5}), ("none", {}), ("large", {2: 30.0, 4: 2.0}), ("also-none", {})):
        index.add(put_review(tmp_path, name, losses))
    assert index.write() == tmp_path / INDEX
    page = page_of(tmp_path)
    assert titles(page) == ["large.sgf", "small.sgf", "also-none.sgf", "none.sgf"]
    file, _, players, result, choices, lost, worst, _ = page.rows[1]
    assert (file, result) == ("large.sgf", "B+R") and "Anna" in players and "Bert" in players
    assert (choices, lost) == ("0%0%", "0.032.0")
    assert worst == "move 2, white C4mistake 30.0 points"
    assert page.rows[3][6] == "none"


def test_every_link_leads_to_a_file_and_a_move_of_it(tmp_path: Path) -> None:
    losses = {"50% of #1?": {2: 5.0, 4: 9.0}, "two": {5: 3.0}, "three": {}}
    index = ReviewIndex(tmp_path)
    for name, each in losses.items():
        index.add(put_review(tmp_path, name, each))
    index.write()
    links = page_of(tmp_path).links
    assert len(links) == 5
    moves = {}
    for link in links:
        path, _, anchor = link.partition("#")
        page = tmp_path / unquote(path)
        assert page.is_file()
        if anchor:
            match = re.fullmatch(r"move=(\d+)", anchor)  # the page's own form: showFromAddress
            assert match is not None
            moves[page.stem] = int(match[1])
    assert moves == {"50% of #1?": 4, "two": 5}


def test_the_texts_of_a_record_stay_texts(tmp_path: Path) -> None:
    index = ReviewIndex(tmp_path, [ReviewOutcome("<i>.sgf", FAILED, "a < b & c")])
    text = SHORT_GAME.replace("Anna", STRANGE).replace("RE[B+R]", "RE[<u>]DT[<s>2026]")
    index.add(put_review(tmp_path, "<hr>&amp;", {3: 4.0}, text))
    index.write()
    page = page_of(tmp_path)
    assert not {"b", "i", "u", "s", "hr"} & set(page.elements) and page.elements.count("script") == 1
    row = page.rows[1]
    assert row[0] == "<hr>&amp;.sgf" and STRANGE in row[2] and (row[1], row[3]) == ("<s>2026", "<u>")
    assert page.rows[-1] == ["<i>.sgf", "a < b & c"]


def test_players_without_names_and_a_game_without_moves_are_listed(tmp_path: Path) -> None:
    index = ReviewIndex(tmp_path)
    index.add(put_review(tmp_path, "empty", {}, "(;SZ[5]KM[0.5]PB[]PW[])"))
    index.add(put_review(tmp_path, "other", {1: 3.0}))
    index.write()
    row = page_of(tmp_path).rows[2]
    assert (row[0], row[1], row[3]) == ("empty.sgf", "", "") and "Black" in row[2] and "White" in row[2]
    assert row[5:7] == ["0.00.0", "none"]


def test_the_page_fetches_nothing(tmp_path: Path) -> None:
    outcome = put_review(tmp_path, "one", {1: 3.0})
    row = row_of("one", outcome.document)
    assert row is not None
    page = index_page([row, row], [])
    assert "default-src 'none'" in page and not re.search(r"https?://|<link|<img|@import|url\(", page)
    assert not re.search(r"/\*(STYLE|SCRIPT)\*/|<!--", page)


def test_a_picture_is_a_line_with_the_largest_mistake(tmp_path: Path) -> None:
    document = put_review(tmp_path, "one", {3: 8.0}).document
    rates = [0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]
    row = row_of("one", document | {"black_win_rates": rates})
    assert row is not None
    page = index_page([row], [])
    assert re.findall(r'points="(.*?)"', page) == ["0,18.0 27,18.0 53,18.0 80,27.0 107,27.0 133,27.0 160,27.0"]
    assert '<circle class="dot mistake" cx="80" cy="27.0"' in page
    long_game = index_page([replace(row, win_rates=rates * 100)], [])
    points = re.findall(r'points="(.*?)"', long_game)[0].split(" ")
    assert len(points) <= MOST_POINTS + 2 and points[-1].startswith("160,")


@pytest.mark.parametrize("change", [{"moves": None}, {"players": {}}, {"warnings": 3}, {"black_win_rates": ["x"]}, {"summary": []}])
def test_what_is_no_review_is_passed_over(change: dict[str, object], tmp_path: Path) -> None:
    outcome = put_review(tmp_path, "one", {})
    assert row_of("one", outcome.document) is not None
    assert row_of("one", outcome.document | change) is None
    (tmp_path / "one" / "one.json").write_text(json.dumps(outcome.document | change), encoding="utf-8")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "two.html").touch()
    assert list(rows_in(tmp_path)) == []


def test_a_single_game_and_an_empty_folder_have_no_list(tmp_path: Path) -> None:
    index = ReviewIndex(tmp_path)
    assert index.write() is None
    index.add(put_review(tmp_path, "one", {}))
    assert index.write() is None and not (tmp_path / INDEX).exists()


def test_no_game_takes_the_name_of_the_list() -> None:
    assert folder_names([GameSource(Path("index.html.sgf"), 1, 1, "")]) == ["index.html-2"]


# ---------------------------------------------------------------- the command


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with a.sgf, b.sgf and broken.sgf."""
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.sgf").write_text(SHORT_GAME.replace("Anna", name).replace("RE", "DT[2026-05-01]RE"), encoding="utf-8")
    (folder / "broken.sgf").write_text(BROKEN, encoding="utf-8")
    return folder


def test_one_job_and_two_give_the_same_list(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for jobs in ("1", "2"):
        assert main(["review", str(games), "--output", str(tmp_path / jobs), "--jobs", jobs, *FAST]) == 1
        assert f"all games: {tmp_path / jobs / INDEX}" in capsys.readouterr().out
    assert (tmp_path / "1" / INDEX).read_bytes() == (tmp_path / "2" / INDEX).read_bytes()
    page = page_of(tmp_path / "1")
    assert sorted(titles(page)) == [str(games / "a.sgf"), str(games / "b.sgf")]
    assert {row[1] for row in page.rows[1:3]} == {"2026-05-01"}
    assert page.rows[-1][0] == str(games / "broken.sgf") and page.rows[-1][1].startswith("move 1 (black C3) is illegal")


def test_games_of_earlier_runs_are_listed(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["--output", str(out), *FAST]
    assert main(["review", str(games / "a.sgf"), *words]) == 0
    assert not (out / INDEX).exists(), "one game needs no list"
    assert main(["review", str(games / "b.sgf"), *words]) == 0
    first = (out / INDEX).read_bytes()
    assert sorted(titles(page_of(out))) == [str(games / "a.sgf"), str(games / "b.sgf")]
    assert main(["review", str(games / "a.sgf"), str(games / "b.sgf"), *words]) == 0, KEPT
    assert (out / INDEX).read_bytes() == first
