"""Problems made ahead, so that the next one is there at once."""

import random
from collections.abc import Callable
from threading import Condition, Thread

from gtp_engine.tools.problems.natural import BookProblem, problem_near

AHEAD = 2  # problems that wait
TOO_FAR = 200.0  # a problem that waits is not taken where the rating has gone so far from it


class Maker:
    """Makes problems in a thread of its own, which begins with the first wish. For any thread."""

    def __init__(self, seed: int | None = None) -> None:
        """`seed`: of the problems; None: others each time."""
        self._rng = random.Random(seed)
        self._changed = Condition()
        self._ready: list[BookProblem] = []
        self._rating: float | None = None  # for which the next ones are made
        self._deliver: Callable[[BookProblem], None] | None = None  # to whoever waits
        self._thread: Thread | None = None

    def want(self, rating: float, deliver: Callable[[BookProblem], None]) -> None:
        """Give `deliver` a problem for this rating: now, where one waits, else from the maker's thread as soon as it is made."""
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
        """How many wait."""
        return len(self._ready)

    def _run(self) -> None:
        """For ever."""
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
