"""`gtp-engine train`: trains networks and the move model from game records, self-play and stronger networks."""

import argparse
from pathlib import Path

from gtp_engine.cli.options import positive
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.selfplay import selfplay
from gtp_engine.cli.selfplay_options import EXAMPLES as SELFPLAY_EXAMPLES
from gtp_engine.cli.selfplay_options import add_selfplay
from gtp_engine.cli.train_agreement import TEACHING, add_teaching
from gtp_engine.cli.train_network import EXAMPLES as NETWORK_EXAMPLES
from gtp_engine.cli.train_network import add_evaluate, add_imitation, evaluate, imitate
from gtp_engine.cli.train_options import add_calibration, add_common
from gtp_engine.cli.train_ranks import add_ranks_action, measure_ranks
from gtp_engine.cli.train_records import EXAMPLES as RECORDS_EXAMPLES
from gtp_engine.cli.train_records import add_records_action, write_records
from gtp_engine.cli.train_sources import give_torch_a_folder, records_of, require, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.learning.training import TrainingError

TORCH = ("torch",)
NEEDED = {"imitation": TORCH, "distill": TORCH}  # packages of the extra, by action
REPORT_POSITIONS = 100  # searched positions between lines
CALIBRATION_SEED = 2026  # fixed, for the same positions each time

HELP = "teach a network from game records"
DESCRIPTION = "Teach a network, or the move model, from game records. For a network, install first: pip install 'gtp-engine[train]'."
EXAMPLES = f"""{NETWORK_EXAMPLES}  gtp-engine train calibration ogs-9x9.npz.xz --diagram 9x9.svg         how often a win rate of 70 % is won
  gtp-engine train move-model tygem-9d.npz.xz strong_players.npz        fit the move model
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    add_imitation(
        actions.add_parser(
            "imitation",
            aliases=["distill"],
            help="let a network learn from games, self-play or a stronger network",
            epilog=NETWORK_EXAMPLES,
        )
    )
    add_evaluate(
        actions.add_parser("evaluate", help="measure networks on held-out games or labels; needs no extra", epilog=NETWORK_EXAMPLES)
    )
    add_teaching(actions)
    add_selfplay(
        actions.add_parser("selfplay", help="let a network play against itself and learn from the games", epilog=SELFPLAY_EXAMPLES)
    )
    add_ranks_action(actions)
    add_calibration(
        actions.add_parser("calibration", help="compare the engine's win rates and leads with results; needs no extra", epilog=EXAMPLES)
    )
    add_records_action(
        actions.add_parser("records", help="write SGF files as one compact record file; needs no extra", epilog=RECORDS_EXAMPLES)
    )
    model = actions.add_parser("move-model", help="fit the move model to records; needs no extra", epilog=EXAMPLES)
    model.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    model.add_argument(
        "model", type=Path, metavar="MODEL", help="file to write; gtp_engine/engine/move_model/strong_players.npz is the engine's"
    )
    model.add_argument("--games", type=positive(int), default=40_000, metavar="N", help="learn from the first N games (default: 40000)")
    model.add_argument("--held-out", type=positive(int), default=1000, metavar="N", help="measure with the last N games (default: 1000)")
    add_common(model)


def run(args: argparse.Namespace) -> int:
    """Run the action; 130 after Ctrl-C, 1 after a disk error. Raises ConfigError for invalid files and options."""
    require(NEEDED.get(args.action, ()))
    if "torch" in NEEDED.get(args.action, ()):
        give_torch_a_folder()
    try:
        ACTIONS[args.action](args)
    except TrainingError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        tell(str(error))
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def calibrate(args: argparse.Namespace) -> None:
    """`train calibration`."""
    from gtp_engine.learning.training.calibration import CalibrationPlan, as_table, collect, draw_reliability, fit

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


def fit_move_model(args: argparse.Namespace) -> None:
    """`train move-model`."""
    from gtp_engine.engine.move_model.model_file import save_model
    from gtp_engine.learning.training.move_model import Fit, Learner, as_sentence

    if not args.model.parent.is_dir():
        raise ConfigError(f"{args.model.parent} is not a folder: the model could not be written there")
    records = records_of(args, [args.records])
    held_out = min(args.held_out, len(records) // 2)
    games = min(args.games, len(records) - held_out)
    learner = Learner(records.moves, records.lengths, records.size, Fit())
    tell(f"{learner.choose_shapes(games):,} shapes; learns from {games:,} games")
    learner.learn(games, lambda done, sums: tell(f"{done:,} games: {as_sentence(sums)}"))
    tell(f"held out, {held_out:,} games: {as_sentence(learner.run(len(records) - held_out, len(records), 1, 0.0))}")
    save_model(learner.models, args.model)
    tell(f"wrote {args.model}")


ACTIONS = {
    "imitation": imitate,
    "distill": imitate,
    "evaluate": evaluate,
    "ranks": measure_ranks,
    "calibration": calibrate,
    "move-model": fit_move_model,
    "records": write_records,
    "selfplay": selfplay,
    **TEACHING,
}
