"""The games of one generation, played by a job runner and stored as they end."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.files import write_file
from gtp_engine.base.jobs.job import JobDescription
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.jobs.run import Watch, run_missing
from gtp_engine.base.jobs.store import JobStore
from gtp_engine.engine.network.symmetry import SYMMETRIES
from gtp_engine.engine.search.symmetry import turned_point
from gtp_engine.go.places import point_of
from gtp_engine.go.points import vertices
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.selfplay.files import write_games
from gtp_engine.learning.selfplay.job import PLAY_SELF, SelfplaySpec
from gtp_engine.learning.selfplay.params import SelfplayParams
from gtp_engine.learning.selfplay.play import GIVEN_UP, TOO_LONG
from gtp_engine.learning.training.records import RESIGNED, Records

STORE, GAMES, FIGURES = "games.jobs", "games.npz", "games.json"
DIGITS = 16  # of a network's digest, in a store's header
FIRST_MOVES = 2  # of the most frequent openings in reports
MOST_OPENINGS = 8


@dataclass(frozen=True)
class GenerationPlan:
    """The games of a generation."""

    number: int
    network: Path  # that plays
    params: SelfplayParams
    games: int
    seed: int
    records: tuple[Records, ...] = ()  # games to take openings from, on the same board


def play_generation(plan: GenerationPlan, folder: Path, place: JobPlace, watch: Watch) -> dict[str, Any]:
    """Play the missing games in `folder` and write GAMES; returns figures_of the games.

    The same call continues after an interruption or a kill: at most the games in progress are played again. With more games it extends a
    finished generation. Raises SelfplayError (a game couldn't be played), StoreError (other settings, in use, can't be written),
    PlaceError, OSError; KeyboardInterrupt after Ctrl-C.
    """
    figures = finished_figures(folder, plan.games)
    if figures is not None:
        return figures
    settings = {"command": "selfplay", "generation": plan.number, "seed": plan.seed, **plan.params.settings()}
    store = JobStore(
        folder / STORE, settings | {"network": digest(plan.network), "records": [len(records.moves) for records in plan.records]}
    )
    began = time.monotonic()
    try:
        missing = plan.games - len(store.finished)
        if missing > 0:
            with JobPlace(min(place.jobs, missing), place.ray).runner(1) as runner:
                for result in run_missing(jobs(plan), plan.games, runner, store, watch):
                    if result.error:
                        raise SelfplayError(f"game {result.key} could not be played: {result.error}")
        hours = (time.monotonic() - began) / 3600
        results = sorted(store.results(), key=lambda result: int(result.key))
    finally:
        store.close()
    games = [result.value for result in results]
    figures = figures_of(games, plan.params.size) | {"games_per_hour": round(missing / hours) if missing > 0 else None}
    figures["processor_hours"] = round(sum(result.seconds for result in results) / 3600, 4)
    write_games(folder / GAMES, plan.params.size, games)
    write_file(folder / FIGURES, json.dumps(figures).encode())
    return figures


def board_name(params: SelfplayParams) -> str:
    """The board's name: `13x13`."""
    return f"{params.size}x{params.size}"


def board_folder(folder: Path, plans: Sequence[GenerationPlan], plan: GenerationPlan) -> Path:
    """The folder of the games on one board: for the first board the generation's `folder`, for others a folder in it."""
    return folder if plan.params.size == plans[0].params.size else folder / board_name(plan.params)


def finished_figures(folder: Path, games: int) -> dict[str, Any] | None:
    """The figures of a finished generation with at least so many games; None if there is none."""
    if not (folder / FIGURES).exists() or not (folder / GAMES).exists():
        return None
    figures: dict[str, Any] = json.loads((folder / FIGURES).read_text())
    return figures if figures["games"] >= games else None


def jobs(plan: GenerationPlan) -> Iterator[JobDescription]:
    """A job for each game."""
    for number in range(plan.games):
        opening = drawn_opening(plan, np.random.default_rng((plan.seed, plan.number, number, 1)))
        spec = SelfplaySpec(str(plan.network), plan.params, plan.number, number, opening)
        yield JobDescription(str(number), PLAY_SELF, spec, plan.seed)


def drawn_opening(plan: GenerationPlan, random: np.random.Generator) -> tuple[int, ...]:
    """The first moves of a random record, or none."""
    if not plan.records or random.random() >= plan.params.records_share:
        return ()
    records = plan.records[int(random.integers(len(plan.records)))]
    game = int(random.integers(len(records)))
    length = min(int(records.lengths[game]), int(plan.params.record_moves * plan.params.points))
    start = int(records.starts[game])
    return tuple(int(move) for move in records.moves[start : start + int(random.integers(length + 1))])


def digest(path: Path) -> str:
    """A digest of a file's content. Raises SelfplayError if it can't be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:DIGITS]
    except OSError as error:
        raise SelfplayError(f"{path} cannot be read: {error.strerror}") from error


def opening_name(moves: Sequence[int], size: int) -> str:
    """The first moves, as `E5 D3`; the same for all openings that are equal by symmetry."""
    first = [point_of(move, size) for move in moves[:FIRST_MOVES]]
    turned = [[turned_point(point, size, symmetry) for point in first] for symmetry in range(SYMMETRIES)]
    return vertices(max(turned))


def figures_of(games: Sequence[dict[str, Any]], size: int) -> dict[str, Any]:
    """The figures of the games, for JSON."""
    ended = [game for game in games if game["end"] != TOO_LONG]
    judged = [game for game in ended if game["loser"] and game["margin"] != RESIGNED]  # played to the end, though one side was lost
    openings = Counter(opening_name(game["moves"], size) for game in ended if game["opening"] == 0)
    return {
        "size": size,
        "games": len(games),
        "positions": sum(len(game["moves"]) for game in ended),
        "searched": sum(len(game["searched"]) for game in ended),
        "mean_length": round(float(np.mean([len(game["moves"]) for game in ended])), 1) if ended else 0.0,
        "black": sum(game["winner"] > 0 for game in ended),
        "white": sum(game["winner"] < 0 for game in ended),
        "drawn": sum(game["winner"] == 0 for game in ended),
        "ends": dict(Counter(game["end"] for game in games).most_common()),
        "given_up": sum(game["end"] == GIVEN_UP for game in games),
        "resignations_judged": len(judged),
        "false_resignations": sum(game["winner"] == game["loser"] for game in judged),
        "from_empty": sum(openings.values()),
        "openings": dict(openings.most_common(MOST_OPENINGS)),
        "evaluations": sum(game["evaluations"] for game in games),
    }
