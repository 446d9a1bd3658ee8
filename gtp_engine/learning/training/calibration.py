"""How reliable the search's win rates and leads are, measured on positions of games with known results."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gtp_engine.base.charts import GRAY, INK, Chart, Curve, Panel, as_svg
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.odds import logit
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.points import BLACK, PASS, WHITE, point_at
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.learning.training.records import RESIGNED, Records

BINS = 10  # of the reliability diagram
STEPS = 50  # of Newton's method, many more than necessary
DRAWS = 400  # of random results, for the error by chance alone
PARTS = ((0.0, "0-15 % of the points have stones"), (0.15, "15-30 %"), (0.3, "30-45 %"), (0.45, "45 % and more"))
RANKS = ((-1, "30k-20k"), (11, "19k-10k"), (21, "9k-1k"), (30, "dan players"))  # of the weaker player, numbered as in Records
SAMPLE = np.dtype(
    [
        ("win_rate", np.float64),  # Black's
        ("lead", np.float64),  # Black's
        ("filled", np.float64),  # share of points with stones
        ("rank", np.int64),  # of the weaker player, or UNKNOWN_RANK
        ("won", np.float64),  # 1 Black, 0 White
        ("margin", np.float64),  # Black's points minus White's at the end, nan if not counted
    ]
)


@dataclass(frozen=True)
class CalibrationPlan:
    """The positions to search."""

    positions: int  # one from each game
    visits: int
    seed: int


def collect(records: Records, plan: CalibrationPlan, step: Callable[[int], None] = lambda done: None) -> np.ndarray:
    """[N] SAMPLE: one random position of each of so many random games, searched with a new tree by one thread.

    Games without a winner, and those with an illegal move before the position, are left out. Ctrl-C ends it with the samples so far.
    """
    random = np.random.default_rng(plan.seed)
    engine = Engine(SearchParams(threads=1, seed=1, reading_share=0.0), size=records.size)
    engine.warm_up()
    samples: list[tuple[float, ...]] = []
    decided = np.flatnonzero((records.winner != 0) & (records.lengths > 0))
    starts = records.starts
    try:
        for index in random.permutation(decided)[: plan.positions]:
            number = int(random.integers(records.lengths[index]))
            game = replayed(records.moves[starts[index] : starts[index] + number], records.size)
            if game is None or game.passes() >= 2:
                continue
            engine.state.komi = float(records.komi[index])
            engine.state.set_game(game)
            engine.seed = 1
            color = BLACK if number % 2 == 0 else WHITE
            result = engine.examine(color, Limits(plan.visits))
            win_rate, lead = (result.win_rate, result.score) if color == BLACK else (1.0 - result.win_rate, -result.score)
            rank = weaker_rank(records, int(index))
            samples.append((win_rate, lead, filled(game), rank, *result_of_game(records, int(index))))
            step(len(samples))
    except KeyboardInterrupt:
        pass
    return np.array(samples, SAMPLE)


def filled(game: Game) -> float:
    """The share of the points with stones."""
    return (len(game.stones(BLACK)) + len(game.stones(WHITE))) / game.size**2


def result_of_game(records: Records, index: int) -> tuple[float, float]:
    """(1 if Black won, else 0; Black's points minus White's, nan if not counted)."""
    winner, margin = int(records.winner[index]), float(records.margin[index])
    return float(winner > 0), math.nan if margin == RESIGNED else winner * margin


def weaker_rank(records: Records, index: int) -> int:
    """The rank of the weaker player; UNKNOWN_RANK if one of the two is unknown."""
    if records.ranks is None or (records.ranks[index] == UNKNOWN_RANK).any():
        return UNKNOWN_RANK
    return int(records.ranks[index].min())


def replayed(moves: np.ndarray, size: int) -> Game | None:
    """The game after these moves of a record; None if one is illegal."""
    game = Game(size)
    for number, move in enumerate(int(place) for place in moves):
        try:
            game.play(WHITE if number % 2 else BLACK, PASS if move == size * size else point_at(size - move // size, move % size + 1))
        except IllegalMove:
            return None
    return game


def logits(win_rates: np.ndarray) -> np.ndarray:
    """The logarithm of the odds of each."""
    return np.array([logit(rate) for rate in win_rates.tolist()])


def after(win_rates: np.ndarray, multiplier: float) -> np.ndarray:
    """The win rates with the logarithm of their odds multiplied."""
    return 1.0 / (1.0 + np.exp(-multiplier * logits(win_rates)))


def fit(samples: np.ndarray) -> float:
    """The maximum-likelihood multiplier (logistic regression without a constant, by Newton's method)."""
    odds, multiplier = logits(samples["win_rate"]), 1.0
    for _ in range(STEPS):
        expected = 1.0 / (1.0 + np.exp(-multiplier * odds))
        curvature = float((odds * odds * expected * (1.0 - expected)).sum())
        if curvature <= 0.0:
            break
        multiplier += float((odds * (samples["won"] - expected)).sum()) / curvature
    return multiplier


@dataclass(frozen=True)
class CalibrationBin:
    """One row of a reliability diagram."""

    positions: int
    expected: float  # mean win rate, 0..1
    won: float  # share won


def reliability(win_rates: np.ndarray, won: np.ndarray) -> list[CalibrationBin]:
    """BINS of equal width, without empty ones."""
    which = np.minimum((win_rates * BINS).astype(int), BINS - 1)
    chosen = [which == number for number in range(BINS)]
    return [CalibrationBin(int(mask.sum()), float(win_rates[mask].mean()), float(won[mask].mean())) for mask in chosen if mask.any()]


def calibration_error(win_rates: np.ndarray, won: np.ndarray) -> float:
    """The mean difference of expected and actual wins over the bins, weighted by their positions; 0..1."""
    return sum(row.positions * abs(row.expected - row.won) for row in reliability(win_rates, won)) / max(len(won), 1)


def error_by_chance(win_rates: np.ndarray) -> float:
    """The average error that perfect win rates would have with so many positions."""
    random = np.random.default_rng(1)
    return float(np.mean([calibration_error(win_rates, (random.random(len(win_rates)) < win_rates).astype(float)) for _ in range(DRAWS)]))


def parts_of(samples: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """(name, mask of samples): all, by how full the board is, and by rank if known."""
    named = [("all", np.ones(len(samples), bool))]
    for field, limits, top in (("filled", PARTS, 2.0), ("rank", RANKS, float(UNKNOWN_RANK))):
        bounds = [first for first, _ in limits] + [top]
        named += [
            (name, (samples[field] >= bounds[i]) & (samples[field] < bounds[i + 1])) for i, (_, name) in enumerate(limits)
        ]  # fmt: skip
    return [(name, chosen) for name, chosen in named if chosen.any()]


def as_table(samples: np.ndarray, multiplier: float) -> str:
    """Markdown: the bins, and the error before and after by parts of the game and by rank."""
    rates = after(samples["win_rate"], multiplier)
    lines = ["| win rate shown | games won | positions |", "|---|---|---|"]
    lines += [f"| {row.expected:.1%} | {row.won:.1%} | {row.positions} |" for row in reliability(rates, samples["won"])]
    lines += [
        "",
        "| positions | number | error, search | error, shown | by chance alone | lead: mean error | lead: bias |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, chosen in parts_of(samples):
        part, part_rates = samples[chosen], rates[chosen]
        counted = part[~np.isnan(part["margin"])]
        miss = counted["lead"] - counted["margin"]
        leads = f"{np.abs(miss).mean():.1f} | {miss.mean():+.1f}" if len(counted) else "- | -"
        own, now = (calibration_error(rates, part["won"]) for rates in (part["win_rate"], part_rates))
        lines.append(f"| {name} | {len(part)} | {own:.1%} | {now:.1%} | {error_by_chance(part_rates):.1%} | {leads} |")
    return "\n".join(lines)


def draw_reliability(samples: np.ndarray, multiplier: float, title: str) -> bytes:
    """An SVG file: games won by win rate, for the search's own win rates and those shown."""
    curves = [Curve([(0, 0), (100, 100)], color=GRAY, width=1.0)]
    for name, rates, color in (
        ("the search's own", samples["win_rate"], "#e8710a"),
        ("shown", after(samples["win_rate"], multiplier), INK),
    ):
        rows = reliability(rates, samples["won"])
        curves.append(Curve([(100 * row.expected, 100 * row.won) for row in rows], name, color, mark="dot"))
    whole = (0.0, 100.0)
    return as_svg(Chart([[Panel(curves, "games won, %", "win rate, %", whole, whole)]], title, width=450.0, height=440.0))
