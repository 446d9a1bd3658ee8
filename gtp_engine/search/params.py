"""SearchParams: everything about the search that can be tuned, each with its unit, default and the reason for it.

Plain Python: the command line, the configuration file and the GTP `param` commands are made from these fields before numba is imported.
"""

from dataclasses import dataclass, fields

from gtp_engine.parameters import check_value, parameter
from gtp_engine.playout.params import PlayoutParams

SMALLEST_MEMORY = 16  # MB: room for the tree of a few thousand simulations on 19x19

PLAYOUTS, NETWORK, MIXED = "playouts", "network", "mixed"
BEST = "auto"  # the one that wins at equal time on the board in use
ALIASES = {"rollouts": PLAYOUTS}
CHOICES = (BEST, PLAYOUTS, *ALIASES, NETWORK, MIXED)

# (boards up to this many lines, evaluator): the first line that fits. Playouts stand until a match shows that a network beats them:
# docs/strength.md has the matches.
BEST_BY_SIZE = ((8, PLAYOUTS), (19, MIXED))


@dataclass(frozen=True)
class TreeParams:
    """What compiled code reads of the tree's parameters: the record TREE_PARAMS, in workspace.py, has a field for each."""

    exploration: float = parameter(0.0, "", "UCT constant c in c * sqrt(ln N / n); AMAF explores enough without", 0.0, 100.0)
    rave_visits: float = parameter(3000.0, "visits", "where AMAF and plain results weigh about the same; 0: no AMAF", 0.0, 1e9)
    first_play_urgency: float = parameter(
        10.0, "", "value of a child never visited and without priors; above every other: each child is tried once", 0.0, 100.0
    )
    expand_visits: int = parameter(
        2, "visits", "a leaf gets children when it has been visited this often: saves memory, costs little", 1, 1_000_000
    )
    score_weight: float = parameter(
        0.05, "", "part of a result for the margin: fills the last neutral points, gives nothing away", 0.0, 0.5
    )
    priors: bool = parameter(True, "", "new moves start with visits that their looks give them")
    prior_even: float = parameter(8.0, "visits", "half won, for every move: keeps one lucky playout from deciding", 0.0, 1e6)
    prior_capture: float = parameter(24.0, "visits", "won, for taking a chain in atari", 0.0, 1e6)
    prior_escape: float = parameter(16.0, "visits", "won, for saving a chain in atari", 0.0, 1e6)
    prior_ladder: float = parameter(12.0, "visits", "won, for catching a chain in a ladder", 0.0, 1e6)
    prior_nakade: float = parameter(16.0, "visits", "won, for the vital point of an eye space just made", 0.0, 1e6)
    prior_pattern: float = parameter(8.0, "visits", "won, for fitting a 3x3 pattern", 0.0, 1e6)
    prior_self_atari: float = parameter(16.0, "visits", "lost, for putting own stones into atari", 0.0, 1e6)
    prior_near: float = parameter(12.0, "visits", "won, for the points next to the last move; less with distance", 0.0, 1e6)
    prior_edge: float = parameter(8.0, "visits", "lost on the first two lines, won on the third, far from stones", 0.0, 1e6)
    model_bonus: float = parameter(
        0.5, "", "c in c * probability * sqrt(N) / (1 + n): how far the learned move model leads the search", 0.0, 100.0
    )
    puct_exploration: float = parameter(0.8, "", "with a network: c in c * prior * sqrt(N) / (1 + n); found for values of 0..1", 0.0, 100.0)
    untried_reduction: float = parameter(
        0.15, "win rate", "with a network: how much worse than its tried siblings an untried move counts, at most", 0.0, 1.0
    )
    pass_prior: float = parameter(
        0.3,
        "",
        "with a network: most of the priors that a pass gets; sure that all is over, it saw no killing move in a problem",
        0.001,
        1.0,
    )
    tactics_prior: float = parameter(
        0.01,
        "",
        "with a network: least prior of a move that takes, saves or catches a chain, or kills an eye space: a look at each",
        0.0,
        1.0,
    )
    playout_share: float = parameter(
        0.6, "", "part of a result that playouts give under `mixed`, the network the rest; 0.3 chose equally good moves", 0.0, 1.0
    )
    symmetry: bool = parameter(True, "", "show the network each position in a random one of its eight orientations")


@dataclass(frozen=True)
class SearchParams(PlayoutParams, TreeParams):
    """How to search and when to give up. Raises ValueError, naming the field, for a value outside its bounds."""

    playouts: int = parameter(0, "simulations", "most simulations a move; 0: as many as the time allows", 0, 1_000_000_000)
    seconds: float = parameter(
        2.0, "s", "time for a move when no clock was sent and `playouts` is 0, so that a move always comes", 0.001, 86_400
    )
    evaluator: str = parameter(
        BEST, "", "what judges a new node; rollouts: another word for playouts; auto: what plays best on the board in use", choices=CHOICES
    )
    network: str = parameter("", "file", "the network (ONNX) that evaluators ask; empty: the one that comes along")
    backend: str = parameter(
        "onnxruntime",
        "",
        "what computes the network; openvino must be installed, cuda needs onnxruntime-gpu",
        choices=("onnxruntime", "openvino", "cuda"),
    )
    precision: str = parameter(
        "f32",
        "",
        "of the network's numbers; less than f32 is OpenVINO's, and not the same on every machine",
        choices=("f32", "f16", "bf16"),
    )
    cached_positions: int = parameter(
        20_000, "positions", "whose evaluation by the network is kept; on 19x19 one takes 1.5 kB", 0, 10_000_000
    )
    root_noise: float = parameter(0.0, "", "with a network, in self-play: part of the root's priors that is Dirichlet noise", 0.0, 1.0)
    noise_total: float = parameter(10.8, "", "sum of the noise's parameters, shared by the moves: 0.03 for each point of 19x19", 0.001, 1e6)
    temperature: float = parameter(
        0.0, "", "in self-play: moves are drawn by visits ** (1 / temperature); 0: the best one is played", 0.0, 10.0
    )
    temperature_moves: int = parameter(30, "moves", "from the start of the game that `temperature` is for", 0, 10_000)
    threads: int = parameter(
        0, "threads", "searching the same tree; 0: one for each processor; with 1 a seed repeats a search exactly", 0, 256
    )
    memory: int = parameter(
        448, "MB", "most memory for the tree, which goes on without new nodes when full; the rest takes 200", SMALLEST_MEMORY, 1_000_000
    )
    ponder: bool = parameter(False, "", "search on in the opponent's time")
    resign: bool = parameter(True, "", "give up lost games")
    resign_threshold: float = parameter(
        0.08, "win rate", "resign when the best move wins less often than this, several times in a row", 0.0, 0.5
    )
    resign_moves: int = parameter(
        3, "moves", "own moves in a row under the threshold before resigning: one unlucky search is no reason", 1, 100
    )
    resign_after: float = parameter(0.2, "moves per point", "never resign earlier than this: 16 moves on 9x9, 72 on 19x19", 0.0, 10.0)
    seed: int = parameter(0, "", "of the random numbers; 0: a new one for each process", 0, 2**63 - 1)

    def __post_init__(self) -> None:
        for item in fields(self):
            check_value(item.name, item.metadata, getattr(self, item.name))


def evaluator_for(setting: str, size: int) -> str:
    """One of PLAYOUTS, NETWORK and MIXED for one of CHOICES on a board of `size` lines."""
    if setting == BEST:
        return next(evaluator for largest, evaluator in BEST_BY_SIZE if size <= largest)
    return ALIASES.get(setting, setting)


def evaluators_for(setting: str) -> set[str]:
    """Every evaluator that this setting can mean on some board."""
    return {evaluator for _, evaluator in BEST_BY_SIZE} if setting == BEST else {evaluator_for(setting, 0)}


def needs_network(evaluator: str) -> bool:
    """Does this evaluator ask a network?"""
    return evaluator in (NETWORK, MIXED)
