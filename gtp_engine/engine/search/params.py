"""SearchParams: all parameters of the search, each with its unit, its default and the reason for it.

Plain Python: the command line, the configuration file and the GTP `param` commands are made from these fields before numba is imported.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gtp_engine.base.parameters import Parameters, parameter, share
from gtp_engine.engine.playout.params import PlayoutParams

SMALLEST_MEMORY = 16  # MB: enough for the tree of a few thousand simulations on 19x19

PLAYOUTS, NETWORK, MIXED = "playouts", "network", "mixed"
BEST = "auto"  # the evaluator that wins at equal time on the board in use
AUTO = "auto"  # of `backend` and `precision`: the fastest on this machine
CHOICES = (BEST, PLAYOUTS, NETWORK, MIXED)

# (boards up to this many lines, evaluator): the first entry that fits. A network plays where it won matches at equal time:
# docs/strength.md has the matches.
BEST_BY_SIZE = ((5, PLAYOUTS), (19, NETWORK))

# `needs` of a parameter: when it has an effect. Without a network moves are chosen by UCT and AMAF, with one by PUCT; see walk.py.
WITHOUT_NETWORK, WITH_NETWORK, WITH_MIXED = "without a network", "with a network", "with `mixed`"
COUNTS_WITH = {WITHOUT_NETWORK: (PLAYOUTS,), WITH_NETWORK: (NETWORK, MIXED), WITH_MIXED: (MIXED,)}
# With a network these also have an effect, but only whether they are 0: see prior.lift_tactics.
OF_TACTICS = ("prior_capture", "prior_escape", "prior_ladder", "prior_nakade")

with_network, without_network = partial(parameter, needs=WITH_NETWORK), partial(parameter, needs=WITHOUT_NETWORK)


def prior_visits(default: float, why: str) -> Any:
    """A parameter: visits, won or lost, that new moves of some kind start with."""
    return without_network(default, "visits", why, 0.0, 1e6)


@dataclass(frozen=True)
class TreeParams:
    """The tree's parameters that compiled code reads: the record TREE_PARAMS, in workspace.py, has a field for each."""

    exploration: float = without_network(0.0, "", "c of UCT, in c * sqrt(ln N / n); 0, because AMAF explores enough", 0.0, 100.0)
    rave_visits: float = without_network(
        3000.0, "visits", "number of visits at which AMAF counts about as much as plain results; 0: no AMAF", 0.0, 1e9
    )
    expand_visits: int = without_network(2, "visits", "visits after which a leaf gets children; more save memory", 1, 1_000_000)
    score_weight: float = without_network(
        0.05, "", "weight of the margin in a result, so that the engine fills the last neutral points and gives no points away", 0.0, 0.5
    )
    lead_weight: float = with_network(
        0.15, "win rate", "what a lead far above the expected one adds to a move's value, so that the engine gives no points away", 0.0, 0.5
    )
    priors: bool = without_network(True, "", "new moves start with some won or lost visits, by their shape")
    prior_even: float = prior_visits(
        8.0, "visits that every new move starts with, half of them won, so that one lucky playout doesn't decide"
    )
    prior_capture: float = prior_visits(24.0, "won visits for capturing a chain in atari")
    prior_escape: float = prior_visits(16.0, "won visits for saving an own chain in atari")
    prior_ladder: float = prior_visits(12.0, "won visits for catching a chain in a ladder")
    prior_nakade: float = prior_visits(16.0, "won visits for the vital point of an eye space that was just made")
    prior_pattern: float = prior_visits(8.0, "won visits for a 3x3 pattern that fits")
    prior_self_atari: float = prior_visits(16.0, "lost visits for putting own stones into atari")
    prior_near: float = prior_visits(12.0, "won visits for points next to the last move; fewer with distance")
    prior_edge: float = prior_visits(8.0, "lost visits on the first two lines, won ones on the third, far from stones")
    model_bonus: float = without_network(
        0.5, "", "how much the learned move model guides the search: c in c * probability * sqrt(N) / (1 + n)", 0.0, 100.0
    )
    puct_exploration: float = with_network(0.5, "", "c in c * prior * sqrt(N) / (1 + n), for values from 0 to 1; by games", 0.0, 100.0)
    puct_growth: float = with_network(
        0.45, "", "c grows with N visits, by this times ln(1 + N / 500): a long search doubts its first choice", 0.0, 10.0
    )
    puct_spread: float = share(0.85, "how much c follows the spread of the results so far; 1: in proportion", WITH_NETWORK)
    untried_reduction: float = with_network(
        0.1, "win rate", "the most by which an untried move is rated worse than the tried ones", 0.0, 1.0
    )
    root_untried_reduction: float = with_network(0.05, "win rate", "the same at the root", 0.0, 1.0)
    own_opinion: float = share(
        1.0,
        "if few moves were tried, how much the value of the others depends on the network's value of the position instead of the tried"
        " moves",
        WITH_NETWORK,
    )
    forced_playouts: float = with_network(
        0.0, "", "k in sqrt(k * prior * N), the minimum number of visits of a tried move at the root, in self-play; 0: none", 0.0, 100.0
    )
    pass_prior: float = with_network(
        0.3, "", "maximum prior of a pass; with more, the search overlooked killing moves at the end", 0.001, 1.0
    )
    tactics_prior: float = share(
        0.01,
        "minimum prior of a move that captures, saves or catches a chain, or kills an eye space; `prior_capture=0` and so on switch it off",
        WITH_NETWORK,
    )
    # by games on 9x9 and 19x19 (docs/lab/matches.md): with more the network counts too little, with less the playouts
    playout_share: float = share(0.3, "share of the playouts in a result; the rest is the network's", WITH_MIXED)
    proved_share: float = share(
        0.25,
        "minimum prior at the root of a move proved to decide a fight; less for small fights and kos, a fifth below the root",
        WITH_NETWORK,
    )
    proved_pass: float = share(
        0.05, "minimum prior at the root of a pass when a fight is won without a move; a fifth below the root", WITH_NETWORK
    )
    prior_proved: float = prior_visits(60.0, "won visits for a move that is proved to decide a fight")
    symmetry: bool = with_network(True, "", "the network sees each position turned and mirrored at random")


@dataclass(frozen=True)
class SearchParams(PlayoutParams, TreeParams, Parameters):
    """How to search and when to resign. Raises ValueError, naming the field, for a value outside its bounds."""

    playouts: int = parameter(
        0, "visits", "largest number of visits (steps of the search) for each move; 0: as many as the time allows", 0, 1_000_000_000
    )
    seconds: float = parameter(2.0, "s", "time for each move when the client sent no clock and `--visits` is 0", 0.001, 86_400)
    evaluator: str = parameter(
        BEST, "", "what evaluates positions: playouts, a network, or both (mixed); auto: the best for the board", choices=CHOICES
    )
    network: str = parameter(
        "", "file", "the network's file, or its name in your folder of networks (`gtp-engine networks`); none: the included one"
    )
    backend: str = with_network(
        "onnxruntime",
        "",
        "what computes the network; openvino must be installed, cuda needs onnxruntime-gpu; auto: the fastest on this machine",
        choices=("onnxruntime", "openvino", "cuda", AUTO),
    )
    precision: str = with_network(
        "f32",
        "",
        "the network's precision; f16 and bf16 need openvino, int8 one of KataGo's networks; auto: the fastest, if clearly faster than"
        " f32, timed on first use and applied from the next start; moves may differ between machines",
        choices=("f32", "f16", "bf16", "int8", AUTO),
    )
    cached_positions: int = with_network(
        20_000, "positions", "how many evaluations by the network are kept; on 19x19 each takes 1.5 kB", 0, 10_000_000
    )
    root_noise: float = share(0.0, "share of random noise (Dirichlet) in the priors at the root, in self-play", WITH_NETWORK)
    noise_total: float = with_network(
        10.8, "", "sum of that noise's parameters, divided among the moves: 10.8 is 0.03 for each point of 19x19", 0.001, 1e6
    )
    root_temperature: float = with_network(
        1.0, "", "the priors at the root are raised to the power 1 / this; more than 1 tries more moves", 0.01, 100.0
    )
    temperature: float = parameter(
        0.0, "", "in self-play: draw a move with probability visits ** (1 / temperature); 0: play the best one", 0.0, 10.0
    )
    temperature_moves: int = parameter(
        30, "moves", "in self-play: `temperature` applies to this many moves from the start of the game", 0, 10_000
    )
    threads: int = parameter(
        0, "threads", "how many threads search the tree; 0: one for each processor; with 1, a seed repeats a search exactly", 0, 256
    )
    memory: int = parameter(
        448,
        "MB",
        "largest size of the tree; when it is full, branches with few visits are dropped; the rest of the program needs about 200",
        SMALLEST_MEMORY,
        1_000_000,
    )
    reading_share: float = parameter(
        0.15, "", "largest share of the time for proving the life and death of chains before a search; 0: no reading", 0.0, 0.9
    )
    reading_nodes: int = parameter(
        120_000, "positions", "largest number of positions in the proofs before a search; 120,000 take about 0.2 s", 0, 100_000_000
    )
    ponder: bool = parameter(False, "", "also search in the opponent's time")
    resign: bool = parameter(True, "", "resign lost games")
    resign_threshold: float = parameter(
        0.08, "win rate", "resign when the best move's win rate is below this for `resign_moves` moves in a row", 0.0, 0.5
    )
    resign_moves: int = parameter(
        3, "moves", "own moves in a row that must be below `resign_threshold`, so that one bad search is not enough", 1, 100
    )
    resign_after: float = parameter(
        0.2, "moves per point", "moves for each point before the first resignation: 0.2 are 16 moves on 9x9, 72 on 19x19", 0.0, 10.0
    )
    seed: int = parameter(0, "", "seed of the random numbers; 0: a new one for each process", 0, 2**63 - 1)


SMALL_BOARD = 11  # lines: the largest board for the network for small boards


def board_kind(setting: str, size: int) -> tuple[str, bool]:
    """What boards that share an evaluator have in common: which evaluator it is, and whether the board is small."""
    return evaluator_for(setting, size), size <= SMALL_BOARD


def evaluator_for(setting: str, size: int) -> str:
    """One of PLAYOUTS, NETWORK and MIXED for one of CHOICES on a board of `size` lines."""
    if setting == BEST:
        return next(evaluator for largest, evaluator in BEST_BY_SIZE if size <= largest)
    return setting


def evaluators_for(setting: str) -> set[str]:
    """Every evaluator that this setting can mean on some board."""
    return {evaluator for _, evaluator in BEST_BY_SIZE} if setting == BEST else {evaluator_for(setting, 0)}


def has_effect(name: str, evaluator: str, values: Sequence[float] = ()) -> bool:
    """True if a parameter of SearchParams has an effect with one of PLAYOUTS, NETWORK and MIXED; with `values`, if these have one."""
    needs = SearchParams.__dataclass_fields__[name].metadata["needs"]
    return not needs or evaluator in COUNTS_WITH[needs] or (name in OF_TACTICS and 0.0 in values)


def needs_network(evaluator: str) -> bool:
    """True if this evaluator uses a network."""
    return evaluator in (NETWORK, MIXED)
