"""The simplest opponent that speaks GTP: a random legal move that fills no own eye; passes when there is none. For timing games.

python tests/tools/random_player.py [SEED]
"""

import random
import sys

from gtp_engine.base.gtp_protocol import Command, GtpError, failure, parse, success
from gtp_engine.go.eyes import is_eye_of
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, from_color_name, from_vertex, to_vertex

COMMANDS = "boardsize clear_board genmove komi list_commands name play protocol_version quit version".split()


class RandomPlayer:
    """One game and the dice."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.game = Game(9)

    def answer(self, command: Command) -> str:
        """The reply to one command. Raises GtpError and ValueError for what it can't do."""
        match command.name, command.arguments:
            case "name", _:
                return "random player"
            case "version", _:
                return "1"
            case "protocol_version", _:
                return "2"
            case "list_commands", _:
                return "\n".join(COMMANDS)
            case "boardsize", (size,):
                self.game = Game(int(size))
            case "clear_board", _:
                self.game = Game(self.game.size)
            case "play", (color, vertex):
                self.game.play(from_color_name(color), from_vertex(vertex, self.game.size))
            case "genmove", (color,):
                return to_vertex(self.move(from_color_name(color)))
            case (("komi" | "quit"), _):
                return ""
            case _:
                raise GtpError("unknown command")
        return ""

    def move(self, color: int) -> int:
        """Choose and play."""
        legal = [point for point in self.game.legal_points(color) if not is_eye_of(self.game.positions, 0, point, color)]
        point = self.dice.choice(legal) if legal else PASS
        self.game.play(color, point)
        return point


def main() -> None:
    """Answer until `quit` or the end of the input."""
    player = RandomPlayer(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for line in sys.stdin:
        command = parse(line)
        if command is None:
            continue
        try:
            sys.stdout.write(success(command.id, player.answer(command)))
        except (GtpError, ValueError) as error:
            sys.stdout.write(failure(command.id, str(error)))
        sys.stdout.flush()
        if command.name == "quit":
            return


if __name__ == "__main__":
    main()
