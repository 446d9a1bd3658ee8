"""Commands that prove life and death."""

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import BLACK, WHITE, to_color_name, to_vertex
from gtp_engine.interfaces.gtp.arguments import Vertex
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named

MOST_NODES = 300_000  # of a question: some seconds, in which a client has no other answer


class SolvingCommands(EngineCommands):
    """Life and death of stones on the board, by exhaustive search."""

    @named("gtp_engine-solve")
    def cmd_solve(self, *vertices: Vertex) -> str:
        """The status of the stones on VERTICES, taken together, then the result for either color playing first, with the moves.

        Empty points among VERTICES are the region to play on. Without any, the solver finds the region.
        """
        from gtp_engine.engine.solver.problem import Problem, split_marks  # not above: numba comes with it
        from gtp_engine.engine.solver.question import Budget
        from gtp_engine.engine.solver.region import OpenRegionError, RegionError
        from gtp_engine.engine.solver.report import solve

        game = self.engine.game
        targets, region = split_marks(game, vertices)
        try:
            solution = solve(Problem("", game, targets or region, region if targets else set()), (BLACK, WHITE), Budget(MOST_NODES))
        except OpenRegionError as error:
            raise GtpError(f"{error}; name the empty points to play on behind the stones") from error
        except RegionError as error:
            raise GtpError(str(error)) from error
        parts = [solution.status.value]
        for color in (BLACK, WHITE):
            report = solution.report(color)
            if report is not None:
                parts.append(" ".join([to_color_name(color), report.outcome.value, *map(to_vertex, report.moves)]))
        return ", ".join(parts)
