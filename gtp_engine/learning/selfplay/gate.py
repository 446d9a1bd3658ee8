"""The gate: a match of the new network against the current one, with a sequential test. The new one must win it to be accepted."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.base.progress import ProgressLine
from gtp_engine.learning.selfplay.params import SelfplayParams
from gtp_engine.tools.match.elo import elo_interval, elo_of
from gtp_engine.tools.match.runner import run_tournament
from gtp_engine.tools.match.sprt import ACCEPT_H1
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tournament import Player, Sprt, Tournament

NEW, OLD = "new", "old"
OPENINGS = "random:2"  # moves; the same for both games of a pair
SEED_STEP, MOST_SEED = 7919, 2**31 - 1  # each gate has different openings


@dataclass(frozen=True)
class GatePlan:
    """The test of a new network."""

    visits: int = 100  # for each move: as in a quick game on 9x9
    games: int = 400  # at most; without a decision the network isn't accepted
    elo0: float = 0.0  # the test decides between a network that is so much stronger
    elo1: float = 50.0  # and one that is so much stronger


@dataclass(frozen=True)
class Candidates:
    """The networks of a gate."""

    new: Path
    old: Path
    generation: int


def play_gate(
    candidates: Candidates, plan: GatePlan, params: SelfplayParams, seed: int, folder: Path, place: JobPlace, progress: ProgressLine
) -> dict[str, Any]:
    """Play the missing games of the match in `folder`; returns result_of. Raises TournamentError, StoreError, PlaceError."""
    tournament = Tournament(
        players=tuple(Player(name, own_command(path, plan, params)) for name, path in ((NEW, candidates.new), (OLD, candidates.old))),
        games=plan.games,
        size=params.size,
        komi=params.komi + 0.5,
        openings=OPENINGS,
        seed=(seed + SEED_STEP * candidates.generation) % MOST_SEED,
        jobs=place.jobs,
        keep_engines=2 * place.jobs,
        sprt=Sprt(plan.elo0, plan.elo1),
    )
    return result_of(run_tournament(tournament, folder, progress, place.ray))


def own_command(network: Path, plan: GatePlan, params: SelfplayParams) -> tuple[str, ...]:
    """The command of our engine with this network. It reads no fights, which would take time from the compared networks."""
    settings = {
        "network": network,
        "evaluator": params.evaluator,
        "playouts": plan.visits,
        "threads": 1,
        "memory": 64,
        "reading_share": 0,
    }
    return (*OWN_COMMAND, "gtp", *(word for name, value in settings.items() for word in ("--set", f"{name}={value}")))


def result_of(standings: Standings) -> dict[str, Any]:
    """The new network's result, for JSON."""
    tally, state = standings.tally(NEW, OLD), standings.sprt
    assert tally is not None and state is not None
    low, high = elo_interval(tally)
    smoothed = (tally.wins + tally.draws / 2 + 0.5) / (tally.games + 1)  # finite for every score
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(tally.score, 4),
        "elo": round(elo_of(smoothed), 1),
        "elo_low": finite(low),
        "elo_high": finite(high),
        "llr": round(state.llr, 3),
        "decision": state.decision,
        "taken": state.decision == ACCEPT_H1,
    }


def finite(elo: float) -> float | None:
    """The Elo difference, None if it is infinite, which JSON doesn't have."""
    return round(elo, 1) if abs(elo) < 1e6 else None
