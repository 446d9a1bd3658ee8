"""Commands that play, think and take back."""

import time
from functools import partial
from typing import TYPE_CHECKING

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import to_vertex
from gtp_engine.interfaces.gtp.arguments import Color, Move
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named
from gtp_engine.interfaces.gtp.stderr_reports import LIVE_SECONDS, tell_live_graphics, tell_variation

if TYPE_CHECKING:
    from gtp_engine.engine.search.search import Progress


class PlayCommands(EngineCommands):
    """Moves of either side, in any order of colors."""

    def cmd_play(self, move: Move) -> None:
        """Play at VERTEX for COLOR. A superko repetition is accepted: the server may have allowed it."""
        with self.refusals() as engine:
            engine.state.play(move.color, move.vertex)

    def cmd_genmove(self, color: Color) -> str:
        """Choose a move for COLOR and play it; `resign` plays nothing."""
        started = time.monotonic()  # the clock runs while we wait for the kernels, too
        with self.refusals():
            engine = self.loader.warm_engine()  # a search beside the compiler would be a poor one
            point = engine.genmove(color, started, self.live_progress(color), cancelled=self.loader.cancelled)
        if self.front_end.chat_variation and engine.last_result is not None:
            tell_variation(engine.last_result, self.loader.errors)
        return to_vertex(point)

    def live_progress(self, color: int) -> "Progress | None":
        """Draws live graphics, if they are switched on; else None."""
        from gtp_engine.engine.search.search import Progress  # not above: numpy comes with it

        draw = partial(tell_live_graphics, color=color, errors=self.loader.errors)
        return Progress(draw, LIVE_SECONDS) if self.front_end.live_graphics else None

    def cmd_reg_genmove(self, color: Color) -> str:
        """Choose a move for COLOR without playing it; the same position always gets the same answer."""
        with self.refusals() as engine:
            self.loader.warm_engine()
            return to_vertex(engine.reg_genmove(color, self.loader.cancelled))

    def cmd_undo(self) -> None:
        """Take the last move back; handicap stones stay."""
        self.take_back(1)

    @named("gg-undo")
    def cmd_gg_undo(self, count: int = 1) -> None:
        """Take COUNT moves back, or none at all if there are fewer."""
        if count < 0:
            raise GtpError("syntax error")
        self.take_back(count)

    def take_back(self, count: int) -> None:
        """Undo `count` moves or answer `cannot undo`."""
        with self.refusals() as engine:
            engine.state.undo(count)

    def cmd_get_random_seed(self) -> str:
        """The seed of the random numbers."""
        return str(self.engine.seed)

    def cmd_set_random_seed(self, seed: int) -> None:
        """Seed the random numbers: with one thread, the same seed gives the same moves."""
        if seed < 0:
            raise GtpError("syntax error")
        self.engine.seed = seed

    def cmd_clear_cache(self) -> None:
        """Forget the results of earlier searches."""
        self.engine.clear_search()
