"""The page of `gtp-engine play --browser` by hand: what tests click, touch, type, choose and read there."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import PHONE, box_of, click_at, console_of, start_chromium, text_of
from conftest import build_small_engine
from served import served

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.go.points import BLACK
from gtp_engine.interfaces.browser.board import BrowserBoard
from gtp_engine.interfaces.browser.server import BoardServer

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MARGIN = 1.15  # of the board's picture, in lines: base/pages/board.js


def warm_engine() -> Engine:
    """An engine for all games of a module, which has compiled what it needs: a page shows nothing until then."""
    engine = build_small_engine()
    engine.warm_up()
    return engine


@contextmanager
def game_on_9x9(engine: Engine, folder: Path) -> "Iterator[BoardServer]":
    """The server of a game on 9x9; the person has Black, and a notebook in the folder."""
    engine.state.set_board_size(9)
    engine.set_chooser(MoveChooser())
    board = BrowserBoard(engine, {BLACK}, None, pytest.fail, folder / "practice.json")
    with served(board) as server:
        yield server
    board.play.opponent.forget()
    board.desk.thread.submit(lambda: None).result(120)  # the next test has the engine for itself


@contextmanager
def page_of(server: BoardServer, browsers: "dict[str, Chrome]", kind: str) -> "Iterator[Chrome]":
    """Its page on the browser for the "desk" or the "phone", one of `browsers` or a new one. In the end its console must be empty."""
    if kind not in browsers:
        browsers[kind] = start_chromium(PHONE, touch=True) if kind == "phone" else start_chromium()
    browser = browsers[kind]
    browser.get(server.url)
    wait(browser, lambda: "to play" in text_of(browser, "#turn"))
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")  # nothing on it moves any more
    console_of(browser)  # what the page before has written when its server ended
    yield browser
    assert console_of(browser) == []
    browser.get("about:blank")


def wait(browser: "Chrome", is_so: Callable[[], bool]) -> None:
    """Until it is so, at most two minutes: the machine may be busy."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 120, 0.02).until(lambda _: is_so())


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


def is_after(browser: "Chrome", moves: int) -> Callable[[], bool]:
    """Is the position after so many moves shown?"""
    return lambda: text_of(browser, "#facts").startswith(f"Move {moves}.")


def wide(browser: "Chrome") -> int:
    """How many pixels the page is wider than the window."""
    return int(browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def begin(browser: "Chrome", **choices: str) -> None:
    """Another game, by its dialog."""
    press(browser, "#new")
    for name, value in choices.items():
        choose(browser, f"#{name.replace('_', '-')}", value)
    press(browser, "#begin")


def turn_wheel(browser: "Chrome", selector: str, pixels: int) -> None:
    """The mouse's wheel over the middle of an element, down where `pixels` is positive: a notch is 100 to 120."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    origin = ScrollOrigin.from_element(browser.find_element("css selector", selector))
    ActionChains(browser).scroll_from_origin(origin, 0, pixels).perform()


def touch(browser: "Chrome", *places: tuple[float, float]) -> None:
    """A finger put down, moved and lifted. It rests before it is lifted: after a fling, Chromium takes the next tap for its end."""

    def send(kind: str, *points: tuple[float, float]) -> None:
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", places[0])
    for place in places[1:]:
        send("touchMove", place)
    if len(places) > 1:
        time.sleep(0.2)
        send("touchMove", places[-1])
    send("touchEnd")


def still_box_of(browser: "Chrome", selector: str) -> dict[str, float]:
    """Where an element lies, once the page has stopped moving it: what the engine tells may still make room for itself."""
    boxes: list[dict[str, float]] = []

    def is_still() -> bool:
        time.sleep(0.1)
        boxes.append(box_of(browser, selector))
        return len(boxes) > 1 and boxes[-1] == boxes[-2]

    wait(browser, is_still)
    return boxes[-1]


def tap(browser: "Chrome", selector: str, across: float = 0.5, down: float = 0.5) -> None:
    """A finger taps a part of an element's width and height, which is brought into view."""
    browser.execute_script("document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", selector)
    box = still_box_of(browser, selector)
    touch(browser, (box["left"] + across * box["width"], box["top"] + down * box["height"]))


def tap_point(browser: "Chrome", column: int, row: int, size: int = 9) -> None:
    """A finger taps a point, counted from 0 at the top left."""
    length = size - 1 + 2 * MARGIN
    tap(browser, "#board", (column + MARGIN) / length, (row + MARGIN) / length)


def keys(browser: "Chrome", *pressed: str) -> None:
    """Keys, wherever the focus is."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*pressed).perform()


def tab_to(browser: "Chrome", selector: str) -> None:
    """The Tab key until an element has the focus."""
    for _ in range(100):
        if browser.execute_script("return document.activeElement.matches(arguments[0])", selector):
            return
        keys(browser, "\ue004")
    raise AssertionError(f"the Tab key does not lead to {selector}")
