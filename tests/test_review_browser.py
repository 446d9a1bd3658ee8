"""The page in a real Chromium, driven through ChromeDriver: steps, clicks, touches, and an empty console."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import DESKTOP, PHONE, box_of, click_at, console_of, start_chromium, text_of
from review_samples import SHORT_GAME, drawn_review, review_of

from gtp_engine.go.points import BLACK
from gtp_engine.tools.review.batch import REVIEWED, ReviewOutcome, write_review
from gtp_engine.tools.review.by_rank import PlayedRank
from gtp_engine.tools.review.html_page import html_page
from gtp_engine.tools.review.index import ReviewIndex
from gtp_engine.tools.review.records import GameSource

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.client

NAME = "</script><img src=x onerror=alert(1)>"
GAME = SHORT_GAME.replace("Anna", NAME)
KO_GAME = "(;SZ[5]KM[0]AB[ba][ab][bc][cb]AW[ca][db][cc];B[ee];W[bb])"
CAPTURING_GAME = "(;SZ[5]KM[0];B[ab];W[aa];B[ba];W[cc];B[cd])"

Open = Callable[..., "Chrome"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with game.html, a reviewed game with strange names, the same with two mistakes, and others."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "game.html").write_text(html_page(review_of(GAME)), encoding="utf-8")
    (folder / "mistakes.html").write_text(html_page(drawn_review(GAME, {3: ("D4",), 6: ("E5",)})), encoding="utf-8")
    (folder / "ko.html").write_text(html_page(review_of(KO_GAME)), encoding="utf-8")
    (folder / "capture.html").write_text(html_page(review_of(CAPTURING_GAME)), encoding="utf-8")
    ranked = drawn_review(GAME, {})
    ranked.ranks = {BLACK: PlayedRank("12k", "15k", "9k", 0.9, 30)}
    (folder / "ranked.html").write_text(html_page(ranked), encoding="utf-8")
    write_list(folder)
    return folder


def write_list(folder: Path) -> None:
    """index.html with two games and their pages: `x` with a mistake of 9 points at move 4, `a` with none."""
    index = ReviewIndex(folder)
    for name in ("x", "a"):
        review = drawn_review(GAME.replace("Bert", f"Bert{name}"), {4: ("E5",)} if name == "x" else {})
        review.record.source = GameSource(Path(f"{name}.sgf"), 1, 1, GAME)
        document = write_review(review, review.record, folder / name, "digest")
        index.add(ReviewOutcome(f"{name}.sgf", REVIEWED, "", folder / name, document))
    index.write()


@pytest.fixture
def browse(pages: Path) -> Iterator[Open]:
    """`browse("game.html", PHONE, touch=True)` -> the browser with this page. Every browser is closed in the end, with an empty console."""
    browsers: list[Chrome] = []

    def open_page(name: str, window: tuple[int, int] = DESKTOP, touch: bool = False, scheme: str = "light") -> "Chrome":
        browser = start_chromium(window, touch, scheme)
        browsers.append(browser)
        browser.get((pages / name).as_uri())
        return browser

    yield open_page
    try:
        for browser in browsers:
            assert console_of(browser) == []
    finally:
        for browser in browsers:
            browser.quit()


def where(browser: "Chrome") -> str:
    return text_of(browser, "#where")


def stones(browser: "Chrome", color: str) -> int:
    return len(browser.find_elements("css selector", f"#board .stone.{color}"))


def press(browser: "Chrome", *names: str) -> None:
    """Press keys by their names in Selenium."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    for name in names:
        ActionChains(browser).send_keys(getattr(Keys, name, name)).perform()


def touch(browser: "Chrome", *places: tuple[float, float]) -> None:
    """A finger goes through these places of the window."""
    points = [[{"x": x, "y": y}] for x, y in places]
    kinds = ["touchStart", *["touchMove"] * (len(points) - 1)]
    for kind, point in [*zip(kinds, points, strict=True), ("touchEnd", [])]:
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": point})


# ---------------------------------------------------------------- with keys and mouse


def test_the_page_opens_at_the_first_move(browse: Open) -> None:
    browser = browse("game.html")
    assert where(browser) == "0 / 6"
    assert NAME in text_of(browser, "#players")
    assert "Move 1: Black C3" in text_of(browser, "#verdict")
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.find_elements("css selector", "img") == []


def test_the_page_tells_the_rank_where_it_is_known(browse: Open) -> None:
    shown = text_of(browse("ranked.html"), "#ranks")
    assert f"{NAME}'s moves look like 12k (90% sure: from 15k to 9k)." in shown and "Bert" not in shown
    assert not browse("game.html").find_element("css selector", "#ranks").is_displayed()


def test_keys_step_through_the_game(browse: Open) -> None:
    browser = browse("game.html")
    shown = []
    for key in ("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT", "END", "ARROW_RIGHT", "HOME", "PAGE_DOWN", "PAGE_UP"):
        press(browser, key)
        shown.append((where(browser).split()[0], stones(browser, "black"), stones(browser, "white")))
    assert shown == [("1", 1, 0), ("2", 1, 1), ("1", 1, 0), ("6", 3, 3), ("6", 3, 3), ("0", 0, 0), ("6", 3, 3), ("0", 0, 0)]


def test_taken_stones_leave_the_board(browse: Open) -> None:
    browser = browse("capture.html")
    press(browser, "ARROW_RIGHT", "ARROW_RIGHT")
    assert (stones(browser, "black"), stones(browser, "white")) == (1, 1)
    press(browser, "ARROW_RIGHT")
    assert (stones(browser, "black"), stones(browser, "white")) == (2, 0)


def test_buttons_step_too(browse: Open) -> None:
    browser = browse("game.html")
    for name, expected in (("forward", "1"), ("last", "6"), ("back", "5"), ("first", "0"), ("forward-ten", "6"), ("back-ten", "0")):
        browser.find_element("id", name).click()
        assert where(browser) == f"{expected} / 6"


def test_a_click_on_a_graph_jumps(browse: Open) -> None:
    browser = browse("game.html")
    click_at(browser, "#win-graph", 0.98)
    assert where(browser) == "6 / 6"
    click_at(browser, "#lead-graph", 0.54)
    assert where(browser) == "3 / 6"
    assert browser.find_element("id", "win-graph").get_attribute("aria-valuenow") == "3"


def test_a_candidate_shows_its_variation(browse: Open) -> None:
    browser = browse("game.html")
    browser.find_element("css selector", "#candidates tbody button").click()
    assert len(browser.find_elements("css selector", "#board .number")) >= 2
    browser.find_element("css selector", "#candidates tbody button").click()
    assert browser.find_elements("css selector", "#board .number") == []
    assert browser.find_elements("css selector", "#board .candidate")
    browser.find_element("css selector", "#board .candidate").click()
    assert len(browser.find_elements("css selector", "#board .number")) >= 2
    assert where(browser) == "0 / 6"


def test_a_click_on_the_board_steps(browse: Open) -> None:
    browser = browse("game.html")
    click_at(browser, "#board", 0.97, 0.03)
    assert where(browser) == "1 / 6"
    click_at(browser, "#board", 0.03, 0.03)
    assert where(browser) == "0 / 6"


def test_the_list_leads_to_each_mistake(browse: Open) -> None:
    """To the position before it."""
    browser = browse("mistakes.html")
    buttons = browser.find_elements("css selector", "#mistakes button")
    assert len(buttons) == 2
    for button in buttons:
        button.click()
        number = int(str(button.get_attribute("data-number")))
        assert where(browser) == f"{number - 1} / 6"
        assert button.get_attribute("aria-current") == "true"
        assert f"Move {number}:" in text_of(browser, "#verdict")
    browser.find_element("id", "first").click()
    press(browser, "n")
    assert f"{where(browser).split()[0]}" in {str(int(str(button.get_attribute("data-number"))) - 1) for button in buttons}


def test_territory_and_candidates_can_be_switched_off(browse: Open) -> None:
    browser = browse("game.html")
    press(browser, "END")
    for name, selector in (("show-ownership", "#board rect[class^=owned]"), ("show-candidates", "#board .candidate")):
        assert browser.find_elements("css selector", selector)
        browser.find_element("id", name).click()
        assert browser.find_elements("css selector", selector) == []


def test_a_link_names_a_position(browse: Open) -> None:
    browser = browse("game.html")
    press(browser, "ARROW_RIGHT", "ARROW_RIGHT")
    assert browser.current_url.endswith("#2")
    browser.execute_script("location.hash = '#4'")
    assert where(browser) == "4 / 6"


def test_a_link_names_a_move(browse: Open) -> None:
    browser = browse("game.html")
    browser.execute_script("location.hash = '#move=4'")
    assert where(browser) == "3 / 6"
    assert "Move 4:" in text_of(browser, "#verdict")


def click_point(browser: "Chrome", column: int, row_from_top: int) -> None:
    """On the 5x5 board; both count from 0."""
    click_at(browser, "#board", (column + 1.15) / 6.3, (row_from_top + 1.15) / 6.3)


def test_moves_can_be_tried(browse: Open) -> None:
    """Black takes on A5, where White then may not play; taking back and stepping bring the game back."""
    browser = browse("capture.html")
    press(browser, "ARROW_RIGHT", "ARROW_RIGHT")
    browser.find_element("id", "try-moves").click()
    click_point(browser, 1, 0)
    assert (stones(browser, "black"), stones(browser, "white")) == (2, 0)
    click_point(browser, 0, 0)
    assert (stones(browser, "black"), stones(browser, "white")) == (2, 0)
    assert text_of(browser, "#point-note") == "A5 is not allowed"
    click_point(browser, 2, 2)
    assert (stones(browser, "black"), stones(browser, "white")) == (2, 1)
    for left in ((2, 0), (1, 1)):
        browser.find_element("id", "undo-try").click()
        assert (stones(browser, "black"), stones(browser, "white")) == left
    click_point(browser, 4, 4)
    press(browser, "ARROW_LEFT")
    assert (where(browser), stones(browser, "black"), stones(browser, "white")) == ("1 / 5", 1, 0)
    assert not browser.find_element("id", "try-moves").is_selected()


def test_a_variation_ends_the_moves_that_are_tried(browse: Open) -> None:
    """Else the board would show the variation, and clicks would play on another one."""
    browser = browse("game.html")
    browser.find_element("id", "try-moves").click()
    click_point(browser, 4, 4)
    assert (stones(browser, "black"), stones(browser, "white")) == (1, 0)
    browser.find_element("css selector", "#candidates tbody button").click()
    numbers = len(browser.find_elements("css selector", "#board .number"))
    assert numbers >= 2 and not browser.find_element("id", "try-moves").is_selected()
    assert not browser.find_element("id", "undo-try").is_displayed()
    click_point(browser, 4, 4)  # takes the variation off, and plays nothing
    assert browser.find_elements("css selector", "#board .number") == []
    assert (stones(browser, "black"), stones(browser, "white"), where(browser)) == (0, 0, "0 / 6")


@pytest.mark.parametrize("switch", ["show-ownership", "show-candidates", "try-moves"])
def test_a_switch_takes_the_variation_off_and_its_row_is_plain_again(switch: str, browse: Open) -> None:
    browser = browse("game.html")
    browser.find_element("css selector", "#candidates tbody button").click()
    assert len(browser.find_elements("css selector", "#candidates tr.shown")) == 1
    browser.find_element("id", switch).click()
    assert browser.find_elements("css selector", "#board .number, #candidates tr.shown") == []
    browser.find_element("css selector", "#candidates tbody button").click()  # shows it, and takes nothing off
    assert len(browser.find_elements("css selector", "#board .number")) >= 2


def test_a_tried_ko_cannot_be_taken_back_at_once(browse: Open) -> None:
    browser = browse("ko.html")
    press(browser, "END")
    browser.find_element("id", "try-moves").click()
    before = (stones(browser, "black"), stones(browser, "white"))
    click_point(browser, 2, 1)
    assert text_of(browser, "#point-note") == "C4 is not allowed"
    assert (stones(browser, "black"), stones(browser, "white")) == before


def test_a_point_tells_its_owner(browse: Open) -> None:
    browser = browse("game.html")
    click_at(browser, "#board", 0.5, only_moves=True)
    assert text_of(browser, "#point-note").startswith("C3: ")


# ---------------------------------------------------------------- on a phone, in the dark


def test_a_phone_shows_everything_without_scrolling_sideways(browse: Open) -> None:
    browser = browse("game.html", PHONE, touch=True)
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    board = box_of(browser, "#board")
    assert board["width"] > 0.9 * PHONE[0] and board["left"] >= 0
    for name in ("first", "back", "forward", "last"):
        button = box_of(browser, f"#{name}")
        assert button["width"] >= 40 and button["height"] >= 40


def test_a_finger_steps(browse: Open) -> None:
    """Swiping to the left and tapping on the right go forward, and the other way round."""
    browser = browse("game.html", PHONE, touch=True)
    board = box_of(browser, "#board")
    left, right, middle = board["left"] + 20, board["right"] - 20, board["top"] + 10
    touch(browser, (right, middle), (right - 90, middle), (left, middle))
    assert where(browser) == "1 / 6"
    touch(browser, (left, middle), (left + 90, middle), (right, middle))
    assert where(browser) == "0 / 6"
    touch(browser, (right, middle))
    assert where(browser) == "1 / 6"


def test_dark_and_light_follow_the_reader(browse: Open) -> None:
    colors = []
    for scheme in ("light", "dark"):
        browser = browse("game.html", scheme=scheme)
        colors.append(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert colors[0] != colors[1]


def test_everything_has_a_name_for_those_who_listen(browse: Open) -> None:
    browser = browse("game.html")
    press(browser, "ARROW_RIGHT")
    assert browser.find_element("id", "board").get_attribute("aria-label") == "5 by 5 board after 1 move, 1 stones, last move black C3"
    unnamed = (
        "return [...document.querySelectorAll('button')].filter((b) => !(b.getAttribute('aria-label') || b.textContent).trim()).length"
    )
    assert browser.execute_script(unnamed) == 0


# ---------------------------------------------------------------- the list of games


def files_shown(browser: "Chrome") -> list[str]:
    """The games of the list from top to bottom."""
    return [str(each.text) for each in browser.find_elements("css selector", "#games tbody td:first-child a")]


def click_heading(browser: "Chrome", title: str) -> None:
    """A click on the heading of a column."""
    browser.find_element("xpath", f"//th/button[text()='{title}']").click()


def test_the_list_sorts_by_a_click(browse: Open) -> None:
    browser = browse("index.html")
    assert files_shown(browser) == ["x.sgf", "a.sgf"]
    assert NAME in text_of(browser, "#games tbody") and browser.find_elements("css selector", "img") == []
    shown = []
    for title in ("File", "File", "Largest mistake", "Largest mistake", "Players"):
        click_heading(browser, title)
        shown.append("".join(name[0] for name in files_shown(browser)))
    assert shown == ["ax", "xa", "xa", "ax", "ax"]
    assert [each.text for each in browser.find_elements("css selector", "th[aria-sort]")] == ["Players"]


def test_the_list_leads_to_the_move(browse: Open) -> None:
    browser = browse("index.html", PHONE)
    browser.find_element("css selector", "#games tbody tr:first-child td:nth-child(7) a").click()
    assert where(browser) == "3 / 6"
    assert "Move 4: White D3" in text_of(browser, "#verdict") and "mistake" in text_of(browser, "#verdict")
    browser.back()
    browser.find_element("css selector", "#games tbody tr:last-child a").click()
    assert where(browser) == "0 / 6" and "Berta" in text_of(browser, "#players")
