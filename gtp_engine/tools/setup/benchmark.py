"""The engine's speed on this machine: playouts, simulations, start, memory, and a signature that shows whether the search has changed."""

import hashlib
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from gtp_engine.engine.network.choice import known_speeds, reason
from gtp_engine.engine.network.loading import NetworkLoader, network_path, shipped_network
from gtp_engine.engine.playout.playout import PLAYOUT_SCRATCH, TALLY, run_playouts
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.search.params import MIXED, NETWORK, PLAYOUTS, SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, NEITHER
from gtp_engine.engine.solver.question import Budget, Question
from gtp_engine.engine.solver.region import find_region
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, point_at
from gtp_engine.go.position import new_positions
from gtp_engine.tools.setup.cold_start import cold_start, start_seconds

SIZES = (9, 13, 19)
KOMI = 7.5
MEASURES_PER_SIZE = 6  # light and heavy playouts, light and heavy simulations, heavy ones and the network with all threads
UCT = SearchParams(policy="light", priors=False, rave_visits=0.0, exploration=0.7, score_weight=0.0, threads=1, seed=1)  # as in textbooks
SIGNATURE_SIMULATIONS = 2000
NETWORK_SIGNATURE_SIMULATIONS = 50
SIGNATURE_MOVES = 20  # of a seeded random game lead to each signature position
PLAYOUT_CHUNK = 200
SOLVER_NODES = 200_000  # of one search of the solver, at most


@dataclass
class BenchReport:
    """The results of `gtp-engine bench`; the fields are the keys of its JSON."""

    light_playouts_per_s: dict[str, float] = field(default_factory=dict)  # by board size, one thread, no tree
    heavy_playouts_per_s: dict[str, float] = field(default_factory=dict)  # the same
    simulations_per_s: dict[str, float] = field(default_factory=dict)  # by board size, one thread, UCT with light playouts
    heavy_simulations_per_s: dict[str, float] = field(default_factory=dict)  # by board size, one thread, as the engine plays
    heavy_simulations_per_s_all_threads: dict[str, float] = field(default_factory=dict)  # by board size, as the engine plays
    network_evaluations_per_s: dict[str, float] = field(default_factory=dict)  # by board size, all threads, in a search; {}: no network
    network_simulations_per_s: dict[str, float] = field(default_factory=dict)  # of the same search: some leaves need no evaluation
    network: str = ""  # the files of the networks; "": none
    network_choice: str = ""  # the backend and precision that `auto` means for the largest board's network, and why
    threads: int = 1  # the number of "all" threads
    solver_nodes_per_s: float = 0.0  # of life and death, each node one position, one thread
    signature: str = ""  # of the root visits on fixed positions, playouts, one thread
    network_signature: str = ""  # the same of `mixed` with the network measured: the same on one kind of processor only; "": no network
    cold_compile_s: float | None = None  # process start to the first move with an empty cache; None: not measured
    entries: int | None = None  # functions called from Python that were compiled by then
    yardstick_s: float | None = None  # seconds to compile fixed functions, for comparison with cold_compile_s
    warm_start_s: float = 0.0  # process start to the first move of 100 visits, kernels cached
    peak_memory_mb: float = 0.0  # of this process

    def as_dict(self) -> dict[str, object]:
        """The results as JSON."""
        return asdict(self)


def measure(seconds: float, threads: int, say: Callable[[str], None], network: Path | None = None, cold: bool = False) -> BenchReport:
    """Measure everything; the speeds share `seconds`, without start-up times. `say` is called with what is being measured.

    cold -- also measure a first start, which compiles every kernel
    `network`: the file to measure, by default the included ones. Raises NetworkError at once if it can't be used.
    """
    named = str(network or "")
    params = SearchParams(threads=threads, seed=1, evaluator=NETWORK, network=named)
    loader = NetworkLoader()
    report = BenchReport(threads=threads)
    if named or shipped_network(SIZES[-1]):
        loader.network(params, SIZES[-1])
        report.network = ", ".join(dict.fromkeys(str(network_path(params, size)) for size in SIZES))
        say("backends and precisions of the network")
        path = network_path(params, SIZES[-1])
        report.network_choice = reason(path, known_speeds(path, params))
    if cold:
        report.cold_compile_s, report.entries, report.yardstick_s = cold_start(say)
    say("start with the kernels cached")
    report.warm_start_s = min(start_seconds({}) for _ in range(3))  # the first one compiles them if necessary
    seconds_each = seconds / (len(SIZES) * MEASURES_PER_SIZE)
    for size in SIZES:
        say(f"{size}x{size}")
        name = str(size)
        report.light_playouts_per_s[name] = playouts_per_second(size, "light", seconds_each)
        report.heavy_playouts_per_s[name] = playouts_per_second(size, "heavy", seconds_each)
        report.simulations_per_s[name] = simulations_per_second(size, UCT, seconds_each)
        report.heavy_simulations_per_s[name] = simulations_per_second(size, SearchParams(threads=1, seed=1), seconds_each)
        report.heavy_simulations_per_s_all_threads[name] = simulations_per_second(size, SearchParams(threads=threads, seed=1), seconds_each)
        if report.network:
            speeds = network_speeds(size, params, loader, seconds_each)
            report.network_evaluations_per_s[name], report.network_simulations_per_s[name] = speeds
    say("solver")
    report.solver_nodes_per_s = solver_nodes_per_second(seconds_each)
    say("signature")
    report.signature = signature()
    if report.network:
        report.network_signature = network_signature(loader, named)
    report.peak_memory_mb = peak_memory_mb()
    return report


def playouts_per_second(size: int, policy: str, seconds: float) -> float:
    """Playouts a second from the empty board, one thread, without a tree."""
    positions, policies = new_positions(2, size), playout_policy(SearchParams(policy=policy))
    tallies, scratches = np.zeros(1, TALLY), np.zeros(1, PLAYOUT_SCRATCH)
    run_playouts(positions, policies, tallies, scratches, PLAYOUT_CHUNK)  # compiled or loaded before the clock starts
    before, started = int(tallies[0]["playouts"]), time.perf_counter()
    while time.perf_counter() - started < seconds:
        run_playouts(positions, policies, tallies, scratches, PLAYOUT_CHUNK)
    return round((int(tallies[0]["playouts"]) - before) / (time.perf_counter() - started), 1)


def simulations_per_second(size: int, params: SearchParams, seconds: float) -> float:
    """Simulations (tree and playout) a second from the empty board."""
    search = Search(params)
    search.prepare(Game(size), BLACK, KOMI)
    search.run(Limits(simulations=1))
    result = search.run(Limits(seconds=seconds, early_stop=False))
    return round(result.new_simulations / result.seconds, 1)


def network_speeds(size: int, params: SearchParams, loader: NetworkLoader, seconds: float) -> tuple[float, float]:
    """Evaluations and simulations a second of a search with the network, from a position of a seeded random game."""
    evaluator = loader.evaluator(NETWORK, params, size)
    search, game = Search(params, evaluator), random_game(size, SIGNATURE_MOVES)
    search.prepare(game, game.to_play, KOMI)
    search.run(Limits(simulations=1))
    before = evaluator.asked()
    result = search.run(Limits(seconds=seconds, early_stop=False))
    return round((evaluator.asked() - before) / result.seconds, 1), round(result.new_simulations / result.seconds, 1)


def solver_nodes_per_second(seconds: float) -> float:
    """Positions a second that the solver searches, repeatedly, in a corner with an eye space of 16 points."""
    game = Game(SIZES[0])
    walls = {
        color: [point_at(row, column) for row in range(1, far + 1) for column in range(1, far + 1) if far in (row, column)]
        for color, far in ((BLACK, 5), (WHITE, 6))
    }
    game.set_up([(color, point) for color, points in walls.items() for point in points], WHITE)
    region = find_region(game, walls[BLACK])
    nodes, started = 0, 0.0
    while not started or time.perf_counter() - started < seconds:
        question = Question(game, region, (CAPTURE, NEITHER), Budget(nodes=SOLVER_NODES))
        question.ask(question.start(ATTACKER))
        if started:
            nodes += question.node_count
        else:  # compiled or loaded before the clock starts
            started = time.perf_counter()
    return round(nodes / (time.perf_counter() - started), 1)


def signature() -> str:
    """12 hex digits of the root visits after a fixed number of simulations on fixed positions: it changes with the search."""
    params = SearchParams(threads=1, seed=1, memory=64, evaluator=PLAYOUTS)
    return digest_of_visits([(size, Search(params)) for size in SIZES], SIGNATURE_SIMULATIONS)


def network_signature(loader: NetworkLoader, network: str) -> str:
    """Like `signature`, for a search with a network and playouts, the default. Also depends on the processor's rounding."""
    params = SearchParams(threads=1, seed=1, memory=64, evaluator=MIXED, network=network)
    searches = [(size, Search(params, loader.evaluator(MIXED, params, size))) for size in SIZES]
    return digest_of_visits(searches, NETWORK_SIGNATURE_SIMULATIONS)


def digest_of_visits(searches: list[tuple[int, Search]], simulations: int) -> str:
    """12 hex digits of the root visits of each search, in a random game on a board of its size."""
    digest = hashlib.sha256()
    for size, search in searches:
        game = random_game(size, SIGNATURE_MOVES)
        search.prepare(game, game.to_play, KOMI)
        for candidate in search.run(Limits(simulations=simulations)).candidates:
            digest.update(f"{size} {candidate.point} {candidate.visits};".encode())
    return digest.hexdigest()[:12]


def random_game(size: int, moves: int) -> Game:
    """A game of `moves` seeded random legal moves."""
    game, random = Game(size), np.random.default_rng(size)
    for _ in range(moves):
        game.play(game.to_play, int(random.choice(game.legal_points(game.to_play))))
    return game


def peak_memory_mb() -> float:
    """The peak resident memory of this process; 0 if the system doesn't report it."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)
