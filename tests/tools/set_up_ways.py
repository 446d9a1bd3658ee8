"""Is the same move played however a client sends a position? Problems sent in four ways, and the moves compared.

.venv/bin/python tests/tools/set_up_ways.py reported/*.sgf --playouts 60

Each record's position, with its komi, is sent as `loadsgf`; as plays of all black stones, then all white ones; the other way round; and
as Sabaki does, all black stones as a free handicap, then the white ones as plays. Records with moves are left out. Printed are the
problems with different moves, and how many had the same one. One thread and a seed, so nothing but the way can make a difference.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.go.points import BLACK, WHITE, to_color_name, to_vertex
from gtp_engine.sgf import load


def main() -> None:
    """Ask for each problem's move four times, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--playouts", type=int, default=60, help="for each move (default: %(default)s)")
    args = parser.parse_args()
    same = asked = 0
    for path in args.records:
        record = load(path)
        if record.game.moves:
            continue
        moves = {name: answer(commands, args.playouts) for name, commands in ways(path).items()}
        asked += 1
        same += len(set(moves.values())) == 1
        if len(set(moves.values())) > 1:
            print(path, ", ".join(f"{name} {move}" for name, move in moves.items()), flush=True)
    print(f"the same move in all four ways: {same} of {asked}")


def ways(path: Path) -> dict[str, list[str]]:
    """The commands of each way, up to the question for the move."""
    record = load(path)
    game = record.game
    black, white = ([to_vertex(point) for point in game.stones(color)] for color in (BLACK, WHITE))
    plays = [[f"play {name} {vertex}" for vertex in stones] for name, stones in (("black", black), ("white", white))]
    begin = [f"boardsize {game.size}", "clear_board", f"komi {record.komi:g}"]
    genmove = [f"genmove {to_color_name(game.to_play)}"]
    return {
        "loadsgf": [f"loadsgf {path.absolute()}", f"komi {record.komi:g}", *genmove],
        "black, then white": [*begin, *plays[0], *plays[1], *genmove],
        "white, then black": [*begin, *plays[1], *plays[0], *genmove],
        "Sabaki": [*begin, f"set_free_handicap {' '.join(black)}", *plays[1], *genmove],
    }


def answer(commands: list[str], playouts: int) -> str:
    """The engine's answer to the last of these commands. Exits when it refuses one of them."""
    arguments = [*OWN_COMMAND, "--playouts", str(playouts), "--threads", "1", "--seed", "1"]
    done = subprocess.run(arguments, input="\n".join([*commands, "quit\n"]), capture_output=True, text=True, check=True)
    answers = [part for part in done.stdout.split("\n\n") if part.strip()]
    for command, text in zip(commands, answers, strict=False):
        if not text.startswith("="):
            sys.exit(f"{command}: {text}")
    return answers[len(commands) - 1][1:].strip()


if __name__ == "__main__":
    main()
