"""Ctrl-C while the engine thinks: the first one ends the thinking, the second one the game."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def first_ctrl_c(act: Callable[[], None]) -> Iterator[None]:
    """Within the block the first Ctrl-C calls `act`, which must not wait; the next raises KeyboardInterrupt. Only in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    count = 0

    def handle(number: int, frame: FrameType | None) -> None:
        """Called for each Ctrl-C."""
        nonlocal count
        count += 1
        if count > 1:
            raise KeyboardInterrupt
        act()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
