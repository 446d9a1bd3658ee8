"""The page of `gtp-engine play --browser` by hand: what tests click, touch, choose and read there."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from chromium import click_at, text_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MARGIN = 1.15  # of the board's picture, in lines: base/pages/board.js


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


def touch(browser: "Chrome", *places: tuple[float, float]) -> None:
    """A finger put down, moved and lifted."""
    for kind, points in [("touchStart", places[:1]), *[("touchMove", (place,)) for place in places[1:]], ("touchEnd", ())]:
        spots = [{"x": x, "y": y} for x, y in points]
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})
