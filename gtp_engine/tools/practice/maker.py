"""Problems made ahead, so that the next one is there at once."""

import random
from collections.abc import Callable
from threading import Condition, Thread

from gtp_engine.tools.problems.natural import BookProblem, problem_near

AHEAD = 2  # problems that are kept ready
TOO_FAR = 200.0  # a ready problem isn't used if the rating has moved so far from it


class Maker:
    """Makes problems in its own thread, which starts with the first request. For any thread."""

    def __init__(self, seed: int | None = None) -> None:
        """`seed`: of the problems; None: different ones each time."""
        self._rng = random.Random(seed)
        self._changed = Condition()
        self._ready: list[BookProblem] = []
        self._rating: float | None = None  # of the next problems
        self._deliver: Callable[[BookProblem], None] | None = None  # the waiting callback
        self._thread: Thread | None = None

    def want(self, rating: float, deliver: Callable[[BookProblem], None]) -> None:
        """Call `deliver` with a problem for this rating: now if one is ready, otherwise from the maker's thread as soon as it is made."""
        with self._changed:
            self._ready = [problem for problem in self._ready if abs(problem.rating - rating) <= TOO_FAR]
            problem = self._ready.pop(0) if self._ready else None
            self._rating = rating
            self._deliver = deliver if problem is None else None
            if self._thread is None:
                self._thread = Thread(target=self._run, name="problems", daemon=True)
                self._thread.start()
            self._changed.notify()
        if problem is not None:
            deliver(problem)

    @property
    def ready(self) -> int:
        """The number of ready problems."""
        return len(self._ready)

    def _run(self) -> None:
        """Make problems forever."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._rating is not None and (self._deliver is not None or len(self._ready) < AHEAD))
                rating = self._rating
            assert rating is not None
            problem = problem_near(rating, self._rng)
            with self._changed:
                deliver, self._deliver = self._deliver, None
                if deliver is None:
                    self._ready.append(problem)
            if deliver is not None:
                deliver(problem)
