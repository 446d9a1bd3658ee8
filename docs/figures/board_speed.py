"""How fast the board in the browser is: the first stone, steps through a game of 250 moves on 19x19, the first numbers of an analysis
there, and how often they change.

.venv/bin/python docs/figures/board_speed.py

Needs chromium with chromedriver, and selenium, which the extra `test` installs. The engine must have been started once, so that its code is
compiled. Takes a minute.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from board_pictures import start_browser, wait

from gtp_engine.go.game import Game
from gtp_engine.go.rules import CHINESE
from gtp_engine.sgf import dump

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MOVES = 250
STEPS = """const [wanted, done] = arguments, times = [];
function step() {
  if (times.length === wanted) { done(times); return; }
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  requestAnimationFrame((frame) => { times.push(performance.now() - frame); setTimeout(step, 0); });
}
step();"""

COUNT = """const [seconds, done] = arguments;
const summary = document.getElementById("summary");
let changes = 0, shown = summary.textContent;
const observer = new MutationObserver(() => {
  changes += summary.textContent !== shown;
  shown = summary.textContent;
});
observer.observe(summary, { childList: true, characterData: true, subtree: true });
setTimeout(() => { observer.disconnect(); done(changes / seconds); }, 1000 * seconds);"""
PASTE = """const data = new DataTransfer();
data.setData("text/plain", arguments[0]);
document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));"""
WATCHED = 5.0  # seconds in which updates are counted


def main() -> None:
    """Measure, and print a line for each figure."""
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    browser = start_browser()
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "long.sgf"
        record.write_text(long_record(), encoding="utf-8")
        started = time.monotonic()
        with board_of(folder) as url:
            print(f"from the command to its address: {time.monotonic() - started:.1f} s")
            measure_stone(browser, url, started)
        with board_of(folder, str(record)) as url:
            measure(browser, url)
    browser.quit()


@contextmanager
def board_of(folder: str, *arguments: str) -> Iterator[str]:
    """The address of a board that is started, and ended in the end."""
    command = [sys.executable, "-m", "gtp_engine", "play", "--browser", *arguments]
    environment = {**os.environ, "XDG_STATE_HOME": folder, "BROWSER": "true %s"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.kill()
        process.wait()


def measure_stone(browser: "Chrome", url: str, started: float) -> None:
    """The first stone, in the middle of the board."""
    browser.get(url)
    wait(lambda: "to play" in browser.find_element("id", "turn").text)
    browser.find_element("id", "board").click()
    wait(lambda: bool(browser.find_elements("css selector", "#board > g:not(.ghost) .stone.black")))
    print(f"from the command to the first stone: {time.monotonic() - started:.1f} s")


def measure(browser: "Chrome", url: str) -> None:
    """Steps and analysis."""
    browser.get(url)
    wait(lambda: browser.find_element("id", "where").text == f"0 / {MOVES}")
    times = sorted(browser.execute_async_script(STEPS, MOVES))
    print(
        f"a step, from its frame's beginning until it is drawn: {times[MOVES // 2]:.1f} ms, nine of ten in {times[MOVES * 9 // 10]:.1f} ms"
    )
    wait(lambda: browser.find_element("id", "note").text == "")  # the engine is ready
    for name in ("first", "analyze"):
        browser.find_element("id", name).click()
    started = time.monotonic()
    wait(lambda: browser.find_element("id", "summary").text != "")
    print(f"the first numbers of an analysis: {time.monotonic() - started:.2f} s")
    print(f"updates a second while the other positions are searched, too: {browser.execute_async_script(COUNT, WATCHED):.1f}")
    browser.find_element("id", "analyze").click()
    measure_alone(browser)


def measure_alone(browser: "Chrome") -> None:
    """Updates of an analysis of one position without a game around it."""
    browser.execute_script(PASTE, "(;SZ[19])")
    wait(lambda: browser.find_element("id", "where").text == "0 / 0")
    browser.find_element("id", "analyze").click()
    wait(lambda: browser.find_element("id", "summary").text != "")
    print(f"updates a second of one position: {browser.execute_async_script(COUNT, WATCHED):.1f}")


def long_record() -> str:
    """A game at random."""
    game, chance = Game(19, CHINESE), random.Random(1)
    while len(game.moves) < MOVES:
        game.play(game.to_play, chance.choice(game.legal_points(game.to_play)))
    return dump(game, 7.5, CHINESE)


if __name__ == "__main__":
    main()
