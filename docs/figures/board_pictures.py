"""The pictures of docs/board.md, taken by a headless Chromium of a board that this starts: docs/board-play.png and five more.

.venv/bin/python docs/figures/board_pictures.py [--output docs]

Needs chromium with chromedriver, and selenium, which the extra `test` installs. Takes some minutes.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

WINDOW, PHONE = (1280, 900), (390, 844)
RECORD = Path(__file__).parent.parent / "game.sgf"
MOVE = 24  # of the record, at which the pictures are taken
PATIENCE = 300.0  # seconds: the first start compiles
VISITS = 300  # that the analysis has when its picture is taken


def main() -> None:
    """Start a board, take the pictures, end it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("docs"))
    output = parser.parse_args().output
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "gtp_engine", "play", "--browser", str(RECORD)]
        environment = {**os.environ, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder, "BROWSER": "true %s"}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            browser = start_browser()
            address = process.stdout.readline().split()[-1]
            browser.get(address)
            take_pictures(browser, output)
            browser.quit()
            phone = start_browser(PHONE)
            phone.get(address)
            take_phone_picture(phone, output)
            phone.quit()
        finally:
            process.kill()
            process.wait()


def start_browser(window: tuple[int, int] = WINDOW) -> "Chrome":
    """A Chromium without a window; a narrow one is a phone's, in the dark."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = program("chromium")
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={window[0]},{window[1]}"):
        options.add_argument(flag)
    if window == PHONE:
        options.add_experimental_option(
            "mobileEmulation", {"deviceMetrics": {"width": PHONE[0], "height": PHONE[1], "pixelRatio": 2, "touch": True}}
        )
    browser = Chrome(options=options, service=Service(program("chromedriver")))  # named: else selenium asks the network for one
    scheme = "dark" if window == PHONE else "light"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    return browser


def program(name: str) -> str:
    """Where it is."""
    path = shutil.which(name)
    if path is None:
        raise SystemExit(f"{name} is not installed")
    return path


def take_pictures(browser: "Chrome", output: Path) -> None:
    """A game with its territory, then its analysis."""

    def text_of(name: str) -> str:
        return str(browser.find_element("id", name).text)

    wait(lambda: "to play" in text_of("turn"))
    browser.find_element("id", "tab-play").click()
    for _ in range(MOVE):
        browser.find_element("id", "forward").click()
    browser.find_element("id", "territory").click()
    wait(lambda: "komi included" in text_of("note"))
    browser.save_screenshot(str(output / "board-play.png"))
    browser.find_element("id", "territory").click()
    browser.find_element("id", "tab-study").click()
    browser.find_element("id", "analyze").click()
    wait(lambda: (found := text_of("summary")).endswith("visits") and int(found.split()[-2]) >= VISITS)
    browser.save_screenshot(str(output / "board-analysis.png"))
    browser.find_element("id", "new").click()
    browser.save_screenshot(str(output / "board-new-game.png"))
    browser.find_element("css selector", "#new-dialog [value=no]").click()
    browser.find_element("id", "tab-review").click()
    browser.find_element("id", "begin-review").click()
    wait(lambda: text_of("begin-review") == "Review again")
    browser.find_element("id", "next-mistake").click()
    wait(lambda: text_of("verdict").startswith("Move "))
    browser.save_screenshot(str(output / "board-review.png"))
    browser.find_element("id", "tab-practice").click()
    wait(lambda: text_of("exercise-title").endswith("."))
    browser.save_screenshot(str(output / "board-practice.png"))


def take_phone_picture(browser: "Chrome", output: Path) -> None:
    """The position of the game with what the engine thinks of it."""
    wait(lambda: "to play" in str(browser.find_element("id", "turn").text))
    browser.find_element("id", "tab-play").click()
    browser.find_element("id", "hint").click()
    wait(lambda: "is good" in str(browser.find_element("id", "note").text))
    browser.save_screenshot(str(output / "board-phone.png"))


def wait(is_so: Callable[[], bool]) -> None:
    """Until it is so, at most PATIENCE seconds."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit("the board doesn't get ready")
        time.sleep(0.02)


if __name__ == "__main__":
    main()
