"""Commands about the board: its size, what stands on it, what may be played."""

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import MAX_SIZE, MIN_SIZE, board_points, to_color_name, to_vertex, vertices
from gtp_engine.interfaces.gtp.arguments import Color, Move
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.diagram import draw


class BoardCommands(EngineCommands):
    """Size, contents and legality. Komi, rules and clocks survive a new board."""

    def cmd_boardsize(self, width: int, height: int | None = None) -> None:
        """Start with an empty board of WIDTH lines. HEIGHT, if given, must be the same."""
        if not MIN_SIZE <= width <= MAX_SIZE or height not in (None, width):
            raise GtpError("unacceptable size")
        self.engine.state.set_board_size(width)

    def cmd_rectangular_boardsize(self, width: int, height: int) -> None:
        """Start with an empty board of WIDTH by HEIGHT lines; only square boards are accepted."""
        self.cmd_boardsize(width, height)

    def cmd_clear_board(self) -> None:
        """Empty the board and forget the moves."""
        self.engine.state.clear_board()

    def cmd_komi(self, komi: float) -> None:
        """Set the points that White gets for playing second."""
        self.engine.state.komi = komi

    def cmd_get_komi(self) -> str:
        """The komi in force."""
        return f"{self.engine.state.komi:.10g}"

    def cmd_showboard(self) -> str:
        """A diagram of the position."""
        return "\n" + draw(self.engine.game)

    def cmd_list_stones(self, color: Color) -> str:
        """The points on which COLOR has stones."""
        return vertices(self.engine.game.stones(color))

    def cmd_is_legal(self, move: Move) -> str:
        """1 if COLOR may play at VERTEX under the rules in force, superko included; else 0."""
        return "1" if self.engine.game.is_legal(move.color, move.vertex) else "0"

    def cmd_all_legal(self, color: Color) -> str:
        """Every point where COLOR may play."""
        game = self.engine.game
        return vertices(point for point in board_points(game.size) if game.is_legal(color, point))

    def cmd_captures(self, color: Color) -> str:
        """How many stones COLOR has captured."""
        return str(self.engine.game.captures(color))

    def cmd_last_move(self) -> str:
        """Color and vertex of the last move."""
        moves = self.engine.game.moves
        if not moves:
            raise GtpError("no previous move known")
        return move_text(*moves[-1])

    def cmd_move_history(self) -> str:
        """Color and vertex of every move, the last one first; handicap stones don't count as moves."""
        return "\n".join(move_text(color, point) for color, point in reversed(self.engine.game.moves))


def move_text(color: int, point: int) -> str:
    """A move as GTP writes it: `black D4`."""
    return f"{to_color_name(color)} {to_vertex(point)}"
