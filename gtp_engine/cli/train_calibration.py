"""`gtp-engine train calibration`: how well win rates and leads agree with results."""

import argparse

from gtp_engine.cli.train_sources import records_of, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.training.calibration import CalibrationPlan, as_table, collect, draw_reliability, fit

REPORT_POSITIONS = 100  # searched positions between lines
CALIBRATION_SEED = 2026  # fixed, for the same positions each time


def run(args: argparse.Namespace) -> None:
    """`train calibration`."""
    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    first = len(records) - held_out

    def step(done: int) -> None:
        if done % REPORT_POSITIONS == 0:
            tell(f"{done:,} positions")

    learned = collect(records.games(0, first), CalibrationPlan(args.learned, args.visits, CALIBRATION_SEED), step)
    samples = collect(records.games(first, len(records)), CalibrationPlan(args.positions, args.visits, CALIBRATION_SEED), step)
    if not len(learned) or not len(samples):
        raise ConfigError(f"{args.records} has too few games with a winner to fit and to measure with")
    multiplier = fit(learned)
    print(f"multiplier {multiplier:.3f}, fitted with {len(learned)} positions; the rest is of {len(samples)} held-out ones\n")
    print(as_table(samples, multiplier))
    if args.diagram:
        args.diagram.write_bytes(draw_reliability(samples, multiplier, f"{records.size}x{records.size}, {args.visits} visits"))
        tell(f"wrote {args.diagram}")
