"""Playing, looking back, analyzing, reviewing and practising on a phone of 390 pixels, by touch alone and by the keyboard alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from board_page import game_on_9x9, is_after, keys, page_of, stones, tab_to, tap, tap_point, touch, wait, warm_engine, wide
from chromium import PHONE, box_of, text_of

from gtp_engine.engine.player.engine import Engine
from gtp_engine.interfaces.browser.server import BoardServer
from gtp_engine.tools.review.settings import ReviewSettings

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.client
RECORD = "(;SZ[9];B[ee];W[aa];B[ge];W[ai];B[ce];W[ia])"
PROBLEM = "(;SZ[9]PL[B]AB[ac][bc][cc][dc][ec][eb][ea]AW[ab][bb][cb][db][da]TR[ab])"
LEFT, UP, RIGHT, DOWN, HOME, END, ENTER = "\ue012", "\ue013", "\ue014", "\ue015", "\ue011", "\ue010", "\ue007"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return warm_engine()


@pytest.fixture
def server(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BoardServer]:
    """A game on 9x9, whose reviews are quick."""
    monkeypatch.setattr("gtp_engine.interfaces.browser.reviewing.usual_settings", lambda params: ReviewSettings(playouts=40, first=8))
    with game_on_9x9(engine, tmp_path) as server:
        yield server


@pytest.fixture
def phone(server: BoardServer) -> Iterator["Chrome"]:
    """The page on a phone."""
    started: dict[str, Chrome] = {}
    with page_of(server, started, "phone") as browser:
        assert browser.execute_script("return innerWidth") == PHONE[0]
        yield browser
        assert wide(browser) == 0
    for browser in started.values():
        browser.quit()


def give(browser: "Chrome", selector: str, folder: Path, text: str) -> None:
    """What somebody chooses in the browser's own dialog, which a button of the page has opened."""
    (folder / "given.sgf").write_text(text)
    browser.find_element("css selector", selector).send_keys(str(folder / "given.sgf"))


def swipe(browser: "Chrome", right: int) -> None:
    """A finger across the board."""
    board = box_of(browser, "#board")
    middle, start = board["top"] + board["height"] / 2, board["left"] + board["width"] / 2 - right / 2
    touch(browser, (start, middle), (start + right, middle))


def test_the_five_things_by_touch_alone(phone: "Chrome", server: BoardServer, tmp_path: Path) -> None:
    tap_point(phone, 2, 6)  # play
    wait(phone, is_after(phone, 2))
    assert stones(phone, "black") == 1
    swipe(phone, 120)  # look back
    wait(phone, is_after(phone, 1))
    swipe(phone, -120)
    wait(phone, is_after(phone, 2))
    server.board.open(RECORD.encode())
    wait(phone, lambda: text_of(phone, "#where") == "0 / 6")
    tap(phone, "#analyze")  # analyze
    wait(phone, lambda: bool(phone.find_elements("css selector", "#board .candidate.best")))
    tap(phone, "[data-tool=avoid]")
    left_out = text_of(phone, "#candidate-rows button")
    tap_point(phone, "ABCDEFGHJ".index(left_out[0]), 9 - int(left_out[1]))
    wait(phone, lambda: text_of(phone, "#limits") == f"without {left_out}")  # a tool is used at the first tap
    tap(phone, "#all-moves")
    tap(phone, "[data-tool=move]")
    tap(phone, "#analyze")
    wait(phone, lambda: server.board.analysis.wish is None)
    best = text_of(phone, "#candidate-rows button")
    tap_point(phone, "ABCDEFGHJ".index(best[0]), 9 - int(best[1]))
    wait(phone, lambda: bool(phone.find_elements("css selector", "#board .number")))  # a tap on a candidate shows its moves
    tap(phone, "#tab-review")  # review
    tap(phone, "#begin-review")
    wait(phone, lambda: text_of(phone, "#begin-review") == "Review again")
    tap(phone, "#next-mistake")
    wait(phone, lambda: text_of(phone, "#verdict").startswith("Move 2: White A9"))
    tap(phone, "#verdict button")
    wait(phone, is_after(phone, 1))
    tap(phone, "#forward")
    wait(phone, lambda: text_of(phone, "#announcer").startswith("Move 2, White ") and "A9" not in text_of(phone, "#announcer"))
    server.board.open_problems(PROBLEM.encode())
    tap(phone, "#tab-practice")  # practise
    wait(phone, lambda: text_of(phone, "#exercise-title") == "Black to play: kill the marked stones.")
    tap_point(phone, 1, 0)
    wait(phone, lambda: text_of(phone, "#exercise-text") == "Solved.")


def test_the_five_things_by_the_keyboard_alone(phone: "Chrome", server: BoardServer, tmp_path: Path) -> None:
    tab_to(phone, "#board-frame")
    wait(phone, lambda: text_of(phone, "#announcer") == "E5, empty")
    keys(phone, LEFT, DOWN, ENTER)  # play
    wait(phone, is_after(phone, 2))
    tab_to(phone, "#forward, #back")
    keys(phone, LEFT)  # look back
    wait(phone, is_after(phone, 1))
    keys(phone, "o")
    wait(phone, lambda: not phone.execute_script("return document.querySelector('dialog[open]') !== null"))
    give(phone, "#file", tmp_path, RECORD)
    wait(phone, lambda: phone.execute_script("return document.querySelector('#confirm').open"))
    tab_to(phone, "#confirm-yes")
    keys(phone, ENTER)
    wait(phone, lambda: text_of(phone, "#where") == "0 / 6")
    keys(phone, END)
    wait(phone, is_after(phone, 6))
    keys(phone, "a")  # analyze
    wait(phone, lambda: bool(phone.find_elements("css selector", "#board .candidate.best")))
    tab_to(phone, "#candidate-rows button")
    wait(phone, lambda: bool(phone.find_elements("css selector", "#board .number")))
    keys(phone, "a")
    wait(phone, lambda: server.board.analysis.wish is None)
    tab_to(phone, "[role=tab][aria-selected=true]")
    keys(phone, RIGHT)  # review
    tab_to(phone, "#begin-review")
    keys(phone, ENTER)
    wait(phone, lambda: text_of(phone, "#begin-review") == "Review again")
    keys(phone, HOME, "m")
    wait(phone, lambda: text_of(phone, "#verdict").startswith("Move 2: White A9"))
    tab_to(phone, "#verdict button")
    keys(phone, ENTER)
    wait(phone, is_after(phone, 1))
    keys(phone, RIGHT)
    wait(phone, lambda: text_of(phone, "#announcer").startswith("Move 2, White ") and "A9" not in text_of(phone, "#announcer"))
    server.board.open_problems(PROBLEM.encode())
    tab_to(phone, "[role=tab][aria-selected=true]")
    keys(phone, RIGHT)  # practise
    wait(phone, lambda: text_of(phone, "#exercise-title") == "Black to play: kill the marked stones.")
    tab_to(phone, "#board-frame")
    keys(phone, *[UP] * 8, *[LEFT] * 8, RIGHT, ENTER)
    wait(phone, lambda: text_of(phone, "#exercise-text") == "Solved.")
