"""A real Chromium for tests of pages, driven through ChromeDriver."""

import tempfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# Without the background flags, Chromium looks for its own servers, which tests have no business with.
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update"
    " --disable-sync --hide-scrollbars"
)
DESKTOP, PHONE = (1280, 900), (390, 844)


def start_chromium(window: tuple[int, int] = DESKTOP, touch: bool = False, scheme: str = "light") -> "Chrome":
    """A browser without a page, which the caller closes."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in [*FLAGS.split(), f"--user-data-dir={tempfile.mkdtemp()}", f"--window-size={window[0]},{window[1]}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if touch:
        metrics = {"width": window[0], "height": window[1], "pixelRatio": 2, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    browser = Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    return browser


def console_of(browser: "Chrome") -> list[Any]:
    """What the page wrote to its console."""
    lines: list[Any] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return lines


def box_of(browser: "Chrome", selector: str) -> dict[str, Any]:
    """left, top, width and height in the window."""
    box: dict[str, Any] = browser.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)
    return box


def click_at(browser: "Chrome", selector: str, across: float, down: float = 0.5, only_moves: bool = False) -> None:
    """A mouse click at a part of an element's width and height; or the mouse only goes there."""
    from selenium.webdriver.common.action_chains import ActionChains

    target = browser.find_element("css selector", selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
    box = box_of(browser, selector)
    right, low = round((across - 0.5) * box["width"]), round((down - 0.5) * box["height"])
    actions = ActionChains(browser).move_to_element_with_offset(target, right, low)
    (actions if only_moves else actions.click()).perform()


def text_of(browser: "Chrome", selector: str) -> str:
    """What an element shows."""
    return str(browser.find_element("css selector", selector).text)
