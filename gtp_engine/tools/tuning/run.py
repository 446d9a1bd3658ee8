"""A tuning run: batches of game pairs as jobs, with the center moved after each, then a match of the best values against the start.

The values of a pair depend only on the outcomes of earlier batches, so the result doesn't depend on the number of jobs, and a stopped run
continues from its store.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.jobs.job import JobDescription, JobRunner
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.jobs.store import JobStore
from gtp_engine.tools.match.elo import Tally
from gtp_engine.tools.match.opening import open_book
from gtp_engine.tools.match.pair_job import PLAY_PAIR, PairSpec
from gtp_engine.tools.match.results import header
from gtp_engine.tools.match.tournament import Tournament, TournamentError
from gtp_engine.tools.tuning.fit import Optimum, best_point
from gtp_engine.tools.tuning.ranges import ParameterRange
from gtp_engine.tools.tuning.spsa import Gains, Shares, next_center, point_pair

STORE = "pairs.jobs"
FIRST_OF_CONFIRMATION = 1_000_000  # number of its first pair, so that its openings differ from those of the tuning
PLAYERS = ("plus", "minus")  # names of the two players
SET = "gtp_engine-param {} {}"

Settings = dict[str, str]  # the tuned parameters of a player, as text for the engine
TuningWatch = Callable[[int, int, Settings], None]  # called with the games done, including earlier runs, their total, and the center


@dataclass(frozen=True)
class PlayedPair:
    """Both games of a pair."""

    plus: Settings
    minus: Settings
    value: dict[str, Any]  # see PairPlayer; `plus` is the first player

    @property
    def scores(self) -> list[float | None]:
        """The score of each game for the plus side; None without a score."""
        return [game["score"] for game in self.value["games"]]

    @property
    def score(self) -> float | None:
        """The score of both games together, 0 to 1; None if one has none, because both colors must count equally."""
        valid = [score for score in self.scores if score is not None]
        return sum(valid) / 2 if len(valid) == 2 else None


@dataclass(frozen=True)
class TuningPlan:
    """The parameters to tune, and the number of games."""

    ranges: tuple[ParameterRange, ...]
    tournament: Tournament  # of two players; its `games` are those of the tuning
    confirmation: int  # games of the best values against the start
    batch: int = 8  # pairs with the same center
    gains: Gains = field(default_factory=Gains)
    function: str = PLAY_PAIR  # the function of a job, called with a PairSpec and the seed

    @property
    def start(self) -> Shares:
        """The first center."""
        return np.array([parameter.share_of(parameter.start) for parameter in self.ranges])

    @property
    def pairs(self) -> int:
        """The number of pairs of games of the tuning."""
        return (self.tournament.games + 1) // 2

    def settings(self, shares: Shares) -> Settings:
        """The values at a point, as text for the engine."""
        return {parameter.name: parameter.text_at(share) for parameter, share in zip(self.ranges, shares, strict=True)}

    def shares(self, settings: Settings) -> Shares:
        """The inverse: the point of these rounded values."""
        return np.array([parameter.share_of(float(settings[parameter.name])) for parameter in self.ranges])


@dataclass(frozen=True)
class TuningResult:
    """The result of a tuning run."""

    plan: TuningPlan
    optimum: Optimum
    center: Settings  # after the last batch
    tally: Tally  # of the best values against the start
    games: int  # of the tuning
    without_score: int  # games of tuning and confirmation that were lost by a fault or have no known winner

    @property
    def best(self) -> Settings:
        """The best values."""
        return self.plan.settings(self.optimum.best)


def run_tuning(plan: TuningPlan, output: Path, place: JobPlace, watch: TuningWatch) -> TuningResult:
    """Play the missing games in the folder `output`; returns the result.

    More games or another confirmation extend a finished run. Raises TournamentError (bad settings, an engine that can't be
    started), StoreError (the store belongs to another run, is in use, or can't be written), PlaceError; KeyboardInterrupt after Ctrl-C.
    """
    plan.tournament.check()
    book = open_book(plan.tournament)
    spans = [[parameter.name, parameter.low, parameter.high, parameter.start] for parameter in plan.ranges]
    settings = {"command": "tune", "parameters": spans, "batch": plan.batch, **header(plan.tournament, book.from_files)}
    store = JobStore(output / STORE, settings)
    try:
        with replace(place, jobs=min(place.jobs, max(plan.batch, plan.confirmation // 2))).runner(0) as runner:
            return Tuning(plan, store, runner, watch).run()
    finally:
        store.close()


class Tuning:
    """One run."""

    def __init__(self, plan: TuningPlan, store: JobStore, runner: JobRunner, watch: TuningWatch) -> None:
        self.plan = plan
        self.store = store
        self.runner = runner
        self.watch = watch
        self.book = open_book(plan.tournament)
        self.known: dict[str, dict[str, Any]] = {result.key: result.value for result in store.results()}
        self.counted = 0  # pairs, including earlier runs, before the current batch
        self.center = plan.start

    def run(self) -> TuningResult:
        """See run_tuning."""
        plan = self.plan
        tuned = [pair for first in range(0, plan.pairs, plan.batch) for pair in self._batch(first)]
        results = [(plan.shares(pair.plus), plan.shares(pair.minus), pair.score) for pair in tuned if pair.score is not None]
        optimum = best_point(results, plan.start, plan.tournament.seed)
        confirmed = self._confirm(plan.settings(optimum.best), plan.settings(plan.start))
        without = sum(score is None for pair in (*tuned, *confirmed) for score in pair.scores)
        scores = [score for pair in confirmed for score in pair.scores]
        tally = Tally(scores.count(1.0), scores.count(0.5), scores.count(0.0))
        return TuningResult(plan, optimum, plan.settings(self.center), tally, 2 * len(tuned), without)

    def _batch(self, first: int) -> list[PlayedPair]:
        """Play the batch that begins with pair `first`, and move the center."""
        plan, seed, number = self.plan, self.plan.tournament.seed, first // self.plan.batch
        width = plan.gains.width_in(number)
        numbers = range(first, min(first + plan.batch, plan.pairs))
        points = [point_pair(self.center, width, seed, pair) for pair in numbers]
        sides = [(plan.settings(point.plus), plan.settings(point.minus)) for point in points]
        results = self._played({str(pair): (pair, *settings) for pair, settings in zip(numbers, sides, strict=True)})
        if len(results) == plan.batch:  # a shorter last batch may be completed later by more games
            self.center = next_center(self.center, points, [pair.score for pair in results], width, plan.gains.step_in(number))
        return results

    def _confirm(self, best: Settings, start: Settings) -> list[PlayedPair]:
        """Play the best values against the start; nothing if they are equal."""
        if best == start:
            return []
        name = hashlib.sha256(repr((best, start)).encode()).hexdigest()[:12]  # other values need another match
        numbers = range(FIRST_OF_CONFIRMATION, FIRST_OF_CONFIRMATION + self.plan.confirmation // 2)
        return self._played({f"confirm {name} {number - FIRST_OF_CONFIRMATION}": (number, best, start) for number in numbers})

    def _played(self, pairs: Mapping[str, tuple[int, Settings, Settings]]) -> list[PlayedPair]:
        """The results of the pairs (number, plus, minus) by key, in this order; missing ones are played first."""
        plan = self.plan
        jobs = [self._job(key, *pair) for key, pair in pairs.items() if key not in self.known]
        self.counted += len(pairs) - len(jobs)
        for result in self.runner.results(jobs):
            if result.error:
                raise TournamentError(f"a pair of games could not be played: {result.error}")
            self.store.append(result)
            self.known[result.key] = result.value
            self.counted += 1
            self.watch(2 * self.counted, 2 * (plan.pairs + plan.confirmation // 2), plan.settings(self.center))
        return [PlayedPair(plus, minus, self.known[key]) for key, (_, plus, minus) in pairs.items()]

    def _job(self, key: str, number: int, plus: Settings, minus: Settings) -> JobDescription:
        """The job of a pair."""
        setups = commands(plus), commands(minus)
        spec = PairSpec(self.plan.tournament, number, self.book.opening(number), setups)
        return JobDescription(key, self.plan.function, spec, self.plan.tournament.seed)


def commands(settings: Settings) -> tuple[str, ...]:
    """The commands that set these values in an engine."""
    return tuple(SET.format(name, text) for name, text in settings.items())
