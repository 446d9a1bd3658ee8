"""Commands for tournaments: handicap and the end of the game."""

from collections.abc import Sequence

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.handicap import fixed_handicap_points, free_handicap_points
from gtp_engine.go.points import BLACK, PASS, WHITE, vertices
from gtp_engine.interfaces.gtp.arguments import Vertex
from gtp_engine.interfaces.gtp.commands.base import EngineCommands


class TournamentCommands(EngineCommands):
    """Handicap stones don't count as moves: they can't be undone, and White plays next."""

    def cmd_fixed_handicap(self, stones: int) -> str:
        """Place STONES handicap stones on the star points and list them."""
        self.check_board_is_empty()
        try:
            points = fixed_handicap_points(self.engine.game.size, stones)
        except ValueError as error:
            raise GtpError("invalid number of stones") from error
        return self.place(points)

    def cmd_place_free_handicap(self, stones: int) -> str:
        """Place STONES handicap stones of the engine's choice and list them."""
        size = self.engine.game.size
        self.check_board_is_empty()
        if not 2 <= stones < size * size:
            raise GtpError("invalid number of stones")
        return self.place(free_handicap_points(size, stones))

    def cmd_set_free_handicap(self, *points: Vertex) -> None:
        """Place handicap stones on the given points."""
        self.check_board_is_empty()
        if not points:
            raise GtpError("syntax error")
        size = self.engine.game.size
        if not 2 <= len(points) < size * size or PASS in points or len(set(points)) < len(points):
            raise GtpError("bad vertex list")
        self.place(points)

    def check_board_is_empty(self) -> None:
        """Answer `board not empty` when a stone stands or a move (even a pass) was made."""
        game = self.engine.game
        if game.moves or game.stones(BLACK) or game.stones(WHITE):
            raise GtpError("board not empty")

    def place(self, points: Sequence[int]) -> str:
        """Put the stones on the board and return their names."""
        self.engine.state.place_handicap(points)
        return vertices(points)

    def cmd_final_score(self) -> str:
        """The winner and the margin: `B+3.5`, `W+2` or `0`. During the game, the margin that a search expects."""
        with self.refusals() as engine:
            return score_text(engine.lead(self.loader.cancelled))

    def cmd_final_status_list(self, status: str) -> str:
        """The stones (or points) of that STATUS, a chain a line: alive, seki, dead, black_territory, white_territory or dame."""
        with self.refusals() as engine:
            return "\n".join(vertices(chain) for chain in engine.status_points(status))


def score_text(score: float) -> str:
    """Black's lead in points as GTP writes a score."""
    if score == 0:
        return "0"
    return f"{'B' if score > 0 else 'W'}+{abs(score):.10g}"
