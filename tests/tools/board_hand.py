"""A board in the browser that a tool starts, and somebody at its page: by a mouse, or by a finger on a phone."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from board_page import choose, click_point, press, tap, tap_point, wait
from chromium import text_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@dataclass(frozen=True)
class StartedBoard:
    """A process of `gtp-engine play --browser`."""

    process: "subprocess.Popen[str]"
    home: Path
    lines: list[str]  # the first ones that it printed

    @property
    def url(self) -> str:
        """Of its page."""
        return self.lines[0].split()[-1]


@contextmanager
def started_board(*arguments: str, lines: int = 1) -> Iterator[StartedBoard]:
    """A board in a home of its own, which others may look into, as into many homes. `lines`: how many are read."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o755)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("XDG_") or key == "XDG_CACHE_HOME"}
        command = [sys.executable, "-P", "-m", "gtp_engine", "play", "--browser", *arguments]
        process = subprocess.Popen(command, env=environment | {"HOME": folder, "BROWSER": "true %s"}, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            yield StartedBoard(process, home, [process.stdout.readline() for _ in range(lines)])
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


class Hand:
    """A browser with a page, and what somebody does there: by a finger on a phone, else by a mouse."""

    def __init__(self, browser: "Chrome", is_phone: bool) -> None:
        self.browser, self.is_phone = browser, is_phone

    def press(self, selector: str) -> None:
        """A click or a tap on an element."""
        tap(self.browser, selector) if self.is_phone else press(self.browser, selector)

    def point(self, vertex: str, size: int = 9) -> None:
        """A click or a tap on a point."""
        place = "ABCDEFGHJKLMNOPQRST".index(vertex[0]), size - int(vertex[1:])
        (tap_point if self.is_phone else click_point)(self.browser, *place, size)

    def text(self, selector: str) -> str:
        """What an element shows."""
        return text_of(self.browser, selector)

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return len(self.browser.find_elements("css selector", selector))

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait."""
        wait(self.browser, is_so)

    def paste(self, text: str) -> None:
        """Paste a record, and confirm where that is asked."""
        self.give("paste", "clipboardData", "ClipboardEvent", text)

    def drop(self, text: str) -> None:
        """Drop a file."""
        self.give("drop", "dataTransfer", "DragEvent", text)

    def give(self, name: str, field: str, kind: str, text: str) -> None:
        """An event with a record in it."""
        self.browser.execute_script(
            f"""const data = new DataTransfer();
            if ('{name}' === 'drop') data.items.add(new File([arguments[0]], 'x.sgf')); else data.setData('text/plain', arguments[0]);
            document.body.dispatchEvent(new {kind}('{name}', {{ {field}: data, bubbles: true, cancelable: true }}))""",
            text,
        )
        time.sleep(0.3)
        if self.browser.execute_script("return document.querySelector('#confirm').open"):
            self.press("#confirm-yes")

    def open(self, text: str, moves: int) -> None:
        """Paste a record with so many moves, and wait for it."""
        self.paste(text)
        self.until(lambda: self.text("#where").endswith(f"/ {moves}") and self.text("#where").startswith("0"))

    def review(self, record: str, moves: int) -> set[float]:
        """Open a record and review it as a player of White; the values that the progress bar showed, -1 while it was hidden."""
        self.open(record, moves)
        self.press("#tab-review")
        choose(self.browser, "#own-color", "white")
        began, seen = time.monotonic(), set()
        self.press("#begin-review")
        while self.text("#begin-review") != "Review again":
            assert time.monotonic() < began + 300, "the review does not end"
            share = "const bar = document.querySelector('#progress'); return bar.hidden ? -1 : bar.value / bar.max"
            seen.add(self.browser.execute_script(share))
            time.sleep(0.1)
        return seen
