"""Programs that compile kernels for others: the one that the set-up of a checkout starts, and the helper of warm_up.py."""

import base64
import pickle
import sys

from gtp_engine.base.systems import end_with_standard_input
from gtp_engine.compiled import jit
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.verdict import judge
from gtp_engine.engine.player.warm_up import (
    COMPILES,
    COUNT_STEP,
    DEFAULT_KOMI,
    FEATURES_STEP,
    PLAYOUTS_STEP,
    READING_STEP,
    SIZE,
    AsksToo,
    WarmUpPlan,
    play_some,
    tell,
    use_reading,
)
from gtp_engine.engine.search.evaluator import AnsweringEvaluator
from gtp_engine.engine.search.params import SearchParams, evaluators_for, needs_network
from gtp_engine.go.game import Game
from gtp_engine.go.rules import CHINESE


def compile_in_advance() -> None:
    """The program that the set-up of a checkout starts: what games with the default settings need. Ends with 130 after Ctrl-C."""
    try:
        Evaluators(tell).warm_up(SearchParams(), CHINESE, DEFAULT_KOMI)
    except KeyboardInterrupt:
        sys.exit(130)


def help_compiling() -> None:
    """The helper's program: reads its plan, compiles its share, and prints each step on stdout when it is done.

    Ends with status 1 when it runs other sources than the process that asks: its code must not get into their cache.
    """
    plan, digest = pickle.loads(base64.b64decode(sys.stdin.readline()))
    if digest != jit.source_digest():
        sys.exit(1)
    end_with_standard_input()
    with jit.when_compiling(lambda: report(COMPILES)):
        help_with(plan)


def help_with(plan: WarmUpPlan) -> None:
    """The helper's share of the kernels."""
    new = Evaluators(lambda text: None).new
    game = Game(SIZE, plan.rules)
    network = new(next(filter(needs_network, sorted(evaluators_for(plan.params.evaluator)))), plan.params, SIZE)
    if isinstance(network, AnsweringEvaluator):
        play_some(AsksToo(network, lambda: report(PLAYOUTS_STEP)), game, plan.komi)
        report(FEATURES_STEP)
    if plan.params.reading_share > 0.0:
        use_reading()
        report(READING_STEP)
    judge(game)
    report(COUNT_STEP)


def report(step: str) -> None:
    """Name a step that is done."""
    print(step, flush=True)
