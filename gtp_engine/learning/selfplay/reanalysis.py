"""Reanalysis: positions of old generations are searched again with the newest network, so that old games stay useful.

A part of the games of the window's older generations is chosen. All their positions with full searches are searched again. Positions whose
search is overturned, where the new search prefers another move, are used twice as often.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.jobs.job import JobDescription
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.jobs.run import Watch, run_missing
from gtp_engine.base.jobs.store import JobStore
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.selfplay.files import RULES_NAMES, Arrays, search_arrays, with_games
from gtp_engine.learning.selfplay.generation import GenerationPlan, digest
from gtp_engine.learning.selfplay.job import PLAY_SELF, ReanalysisSpec

STORE = "reanalysis.jobs"
DRAW = 2  # distinguishes the random numbers that choose games from others with the same seed

Searches = list[list[Any]]  # FullSearch.as_values of each position of a game


@dataclass(frozen=True)
class Reanalyzed:
    """The old games after reanalysis."""

    parts: list[Arrays]  # arrays of record files: the games not chosen, those chosen, and again the overturned positions
    positions: int  # searched again
    overturned: int  # of them


def reanalyze(old: Mapping[int, Arrays], share: float, plan: GenerationPlan, folder: Path, place: JobPlace, watch: Watch) -> Reanalyzed:
    """Search a share of the games of `old`, arrays by generation, again with the plan's network. Continues in `folder` after a kill.

    Raises SelfplayError, StoreError, PlaceError; KeyboardInterrupt after Ctrl-C.
    """
    chosen = {number: drawn_games(arrays, share, (plan.seed, plan.number, number, DRAW)) for number, arrays in old.items()}
    total = sum(int(games.sum()) for games in chosen.values())
    settings = {"command": "reanalysis", "generation": plan.number, "seed": plan.seed, "share": share, "old": sorted(old)}
    store = JobStore(folder / STORE, settings | {"network": digest(plan.network), **plan.params.settings()})
    try:
        if len(store.finished) < total:
            with JobPlace(min(place.jobs, total - len(store.finished)), place.ray).runner(1) as runner:
                for result in run_missing(jobs(old, chosen, plan), total, runner, store, watch):
                    if result.error:
                        raise SelfplayError(f"game {result.key} could not be searched again: {result.error}")
        searches_by_key = {result.key: result.value for result in store.results()}
    finally:
        store.close()
    return put_together(old, chosen, searches_by_key)


def drawn_games(arrays: Arrays, share: float, seed: tuple[int, ...]) -> np.ndarray:
    """[G] booleans: the games to search again."""
    drawn: np.ndarray = np.random.default_rng(seed).random(len(arrays["lengths"])) < share
    return drawn


def jobs(old: Mapping[int, Arrays], chosen: Mapping[int, np.ndarray], plan: GenerationPlan) -> Iterator[JobDescription]:
    """A job for each game chosen."""
    for number, arrays in old.items():
        starts = np.cumsum(arrays["lengths"], dtype=np.int64) - arrays["lengths"]
        for game in np.flatnonzero(chosen[number]):
            first, last = int(starts[game]), int(starts[game]) + int(arrays["lengths"][game])
            searched = arrays["searched"][slice(*np.searchsorted(arrays["searched"], (first, last)))]
            plies, moves = frozenset(int(place) - first for place in searched), tuple(map(int, arrays["moves"][first:last]))
            komi, rules = float(arrays["komi"][game]), RULES_NAMES[arrays["rules"][game]]
            spec = ReanalysisSpec(str(plan.network), plan.params, plan.number, (number, int(game)), komi, rules, moves, plies)
            yield JobDescription(key_of(number, int(game)), PLAY_SELF, spec, plan.seed)


def key_of(generation: int, game: int) -> str:
    """A job's name."""
    return f"{generation} {game}"


def put_together(old: Mapping[int, Arrays], chosen: Mapping[int, np.ndarray], searches_by_key: Mapping[str, Searches]) -> Reanalyzed:
    """The games with the new searches in place of the old ones."""
    parts: list[Arrays] = []
    positions = overturned = 0
    for number, arrays in old.items():
        if (~chosen[number]).any():
            parts.append(with_games(arrays, ~chosen[number]))
        if not chosen[number].any():
            continue
        before = with_games(arrays, chosen[number])
        searches = [searches_by_key[key_of(number, int(game))] for game in np.flatnonzero(chosen[number])]
        after = with_searches(before, searches)
        changed = best_moves(before) != best_moves(after)
        positions, overturned = positions + len(changed), overturned + int(changed.sum())
        parts.append(after)
        if changed.any():
            games = np.unique(np.searchsorted(np.cumsum(before["lengths"]), before["searched"][changed], side="right"))
            parts.append(with_games(after, np.isin(np.arange(len(before["lengths"])), games), changed))
    return Reanalyzed(parts, positions, overturned)


def with_searches(arrays: Arrays, searches: list[Searches]) -> Arrays:
    """The same games, with these searches at the same positions."""
    return arrays | search_arrays([search for game in searches for search in game])


def best_moves(arrays: Arrays) -> np.ndarray:
    """[N]: the most visited move of each search."""
    starts = arrays["visit_starts"]
    spans = [(int(first), int(last)) for first, last in pairwise(starts)]
    return np.array([arrays["visit_moves"][first + int(arrays["visit_counts"][first:last].argmax())] for first, last in spans])
