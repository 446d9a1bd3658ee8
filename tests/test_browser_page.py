"""The board of `gtp-engine play --browser` in a real Chromium: clicks, keys, another game, and an empty console."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import PHONE, box_of, click_at, console_of, start_chromium, text_of
from conftest import build_small_engine
from served import served

from gtp_engine.browser.game import BrowserGame
from gtp_engine.browser.server import BoardServer
from gtp_engine.cli.show_page import show_page
from gtp_engine.go.points import BLACK
from gtp_engine.person.game import PersonGame
from gtp_engine.player.textbook_chooser import TextbookChooser

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.client

MARGIN = 1.15  # of the board's picture, in lines: pages/board.js


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BoardServer]:
    """A game on 9x9; the person has Black."""
    engine = build_small_engine()
    engine.state.set_board_size(9)
    with served(BrowserGame(PersonGame(engine, {BLACK}), None, pytest.fail)) as server:
        yield server


@pytest.fixture
def browser(server: BoardServer, request: pytest.FixtureRequest) -> Iterator["Chrome"]:
    """The page; a phone where the test asks for one. In the end its console must be empty."""
    is_phone = getattr(request, "param", "") == "phone"
    browser = start_chromium(PHONE, touch=True) if is_phone else start_chromium()
    try:
        browser.get(server.url)
        wait(browser, lambda: "to play" in text_of(browser, "#turn"))
        yield browser
        assert console_of(browser) == []
    finally:
        browser.quit()


def wait(browser: "Chrome", is_so: Callable[[], bool]) -> None:
    """Until it is so, at most 30 s."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 30, 0.02).until(lambda _: is_so())


def stones(browser: "Chrome", color: str) -> int:
    return len(browser.find_elements("css selector", f"#board > g:not(.ghost) .stone.{color}"))


def click_point(browser: "Chrome", column: int, row: int, size: int = 9) -> None:
    """A click on a point, counted from 0 at the top left."""
    length = size - 1 + 2 * MARGIN
    click_at(browser, "#board", (column + MARGIN) / length, (row + MARGIN) / length)


def press(browser: "Chrome", selector: str) -> None:
    browser.find_element("css selector", selector).click()


def choose(browser: "Chrome", selector: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("css selector", selector)).select_by_value(value)


def test_the_file_that_a_browser_is_given_leads_to_the_board(
    browser: "Chrome", server: BoardServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", "true %s")
    page = show_page(server.url, tmp_path)
    assert page is not None
    browser.get(page.as_uri())
    wait(browser, lambda: browser.current_url == server.url and "to play" in text_of(browser, "#turn"))


@pytest.mark.parametrize("browser", ["desk", "phone"], indirect=True)
def test_a_click_plays_and_the_engine_answers(browser: "Chrome", server: BoardServer) -> None:
    click_point(browser, 2, 6)
    wait(browser, lambda: text_of(browser, "#facts").startswith("Move 2."))
    assert (stones(browser, "black"), stones(browser, "white")) == (1, 1)
    assert server.game.state()["stones"][6 * 9 + 2] == BLACK
    press(browser, "#undo")
    wait(browser, lambda: text_of(browser, "#note") == "Taken back.")
    assert stones(browser, "black") == 0
    width = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width == 0 and box_of(browser, "#board")["width"] > 300


def test_a_move_by_its_name_and_what_is_wrong_with_another(browser: "Chrome") -> None:
    vertex = browser.find_element("css selector", "#vertex")
    vertex.send_keys("j10\n")
    wait(browser, lambda: "no point of the board" in text_of(browser, "#note"))
    vertex.send_keys("d4\n")
    wait(browser, lambda: text_of(browser, "#facts").startswith("Move 2."))


def test_another_game_against_a_rank_to_its_end(browser: "Chrome", server: BoardServer) -> None:
    choose(browser, "#rank", "12k")
    wait(browser, lambda: text_of(browser, "#note") == "The engine plays at rank 12k.")
    choose(browser, "#size", "13")
    choose(browser, "#color", "both")
    choose(browser, "#handicap", "4")
    press(browser, "#begin")
    wait(browser, lambda: stones(browser, "black") == 4)
    assert "13x13" in text_of(browser, "#about") and "komi 0.5, 4 handicap stones" in text_of(browser, "#about")
    assert text_of(browser, "#turn") == "White to play"
    for moves in (1, 2):
        press(browser, "#pass")
        wait(browser, lambda moves=moves: text_of(browser, "#facts").startswith(f"Move {moves}."))  # type: ignore[misc]
    assert text_of(browser, "#turn") == "The game is over: Black wins by 164.5"  # 169, less komi and a point for each stone
    assert len(browser.find_elements("css selector", "#board .owned-black")) == 165
    assert not browser.find_element("css selector", "#pass").is_enabled()


def test_the_engine_plays_itself_while_the_person_watches(browser: "Chrome") -> None:
    choose(browser, "#color", "none")
    press(browser, "#begin")
    wait(browser, lambda: stones(browser, "black") + stones(browser, "white") >= 4)


def test_whoever_watches_can_stop_and_go_on(browser: "Chrome", server: BoardServer) -> None:
    choose(browser, "#color", "none")
    press(browser, "#begin")
    wait(browser, lambda: text_of(browser, "#pause") == "Pause")
    press(browser, "#pause")
    wait(browser, lambda: browser.find_element("css selector", "#score").is_enabled())  # nothing is waited for any more
    press(browser, "#score")
    wait(browser, lambda: "komi included" in text_of(browser, "#note"))
    moves = len(server.game.engine.game.moves)
    press(browser, "#pause")
    wait(browser, lambda: stones(browser, "black") + stones(browser, "white") > moves)


def test_another_game_can_begin_while_the_engine_thinks(browser: "Chrome", server: BoardServer) -> None:
    """Its move would take ten minutes."""
    engine = server.game.engine
    engine.set_params(replace(engine.params, playouts=0, seconds=600.0))
    choose(browser, "#color", "none")
    press(browser, "#begin")
    wait(browser, lambda: text_of(browser, "#note").startswith("The engine thinks"))
    choose(browser, "#color", "black")
    choose(browser, "#size", "13")
    press(browser, "#begin")
    wait(browser, lambda: text_of(browser, "#about").startswith("13x13"))
    assert text_of(browser, "#facts").startswith("Move 0.") and not browser.find_element("css selector", "#pause").is_displayed()


def test_a_rank_that_is_refused_does_not_stay_chosen(browser: "Chrome", server: BoardServer) -> None:
    server.game.engine.set_chooser(TextbookChooser("random"))
    choose(browser, "#rank", "12k")
    wait(browser, lambda: text_of(browser, "#note") == "This player has no ranks.")
    choose(browser, "#size", "13")
    press(browser, "#begin")
    wait(browser, lambda: text_of(browser, "#about").startswith("13x13"))
    assert ["400 (Bad Request)" in line["message"] for line in console_of(browser)] == [True]  # of the rank, not of the game


def test_giving_up(browser: "Chrome") -> None:
    press(browser, "#resign")
    wait(browser, lambda: text_of(browser, "#turn") == "The game is over: White wins by resignation")


def test_a_program_that_has_ended_is_told(browser: "Chrome", server: BoardServer) -> None:
    server.shutdown()
    server.server_close()
    browser.execute_script("window.fetch = () => Promise.reject(new TypeError('gone'))")  # its connection may be alive still
    press(browser, "#score")
    wait(browser, lambda: "start gtp-engine play --browser again" in text_of(browser, "#note"))
