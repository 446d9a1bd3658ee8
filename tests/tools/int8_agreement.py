"""What a network of KataGo in 8 bits says beside itself in float32, on positions of games that the latter plays with itself.

    .venv/bin/python tests/tools/int8_agreement.py NETWORK.bin.gz [NETWORK-int8.kata.onnx] [--positions 200]

Without the second file the first one is converted. Some moves are drawn from all legal ones, and the komi is another each time; the games
are not those that found the ranges.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.network.katago.calibration import KOMI, KOMI_SPREAD, drawn_move, shown
from gtp_engine.engine.network.katago.conversion import convert, read_converted
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.session import open_session
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.go.game import Game

SEED = 2
MOVES = {9: 50, 19: 200}  # of a game, by the lines of the board


def answer(session: Any, inputs: dict[str, np.ndarray], lead_scale: float) -> tuple[np.ndarray, float, float]:
    """The policy's logits, the chance to win and the lead in points."""
    policy, value, score = session.run(["policy", "value", "score"], inputs)
    won, lost = np.exp(value[0, :2] - value[0, :2].max())
    return policy[0, 0], float(won / (won + lost)), float(score[0, 2]) * lead_scale


def compare(exact: Any, whole: Any, size: int, positions: int, lead_scale: float) -> list[tuple[bool, float, float]]:
    """For each position: is the likeliest move the same, and how much win and lead differ."""
    random = np.random.default_rng(SEED)
    scratch, game, found = np.zeros(1, SCRATCH), Game(size), []
    for number in range(positions):
        if game.passes() == 2 or number % MOVES[size] == 0:
            game = Game(size)
        inputs = shown(leaf_of(game, game.to_play, KOMI + round(KOMI_SPREAD * random.standard_normal())), scratch)
        (policy, win, lead), (policy_8, win_8, lead_8) = (answer(session, inputs, lead_scale) for session in (exact, whole))
        found.append((bool(policy.argmax() == policy_8.argmax()), abs(win - win_8), abs(lead - lead_8)))
        game.play(game.to_play, drawn_move(game, policy, random))
    return found


def main() -> None:
    """Print a line for each board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path)
    parser.add_argument("whole", type=Path, nargs="?")
    parser.add_argument("--positions", type=int, default=200, help="on each board (default: %(default)s)")
    args = parser.parse_args()
    exact = convert(args.network)
    content = read_converted(args.whole)[1] if args.whole else convert(args.network, in_int8=True).content
    float32, eight_bits = (open_session(args.network.name, each) for each in (exact.content, content))
    for size in MOVES:
        found = compare(float32, eight_bits, size, args.positions, exact.header.scales.lead)
        same, win, lead = (float(np.mean(values)) for values in zip(*found, strict=True))
        print(f"{size}x{size}, {len(found)} positions: likeliest move the same {same:.1%}, win {win:.4f}, lead {lead:.2f}", flush=True)


if __name__ == "__main__":
    main()
