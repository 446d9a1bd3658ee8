"""Commands of KGS's bridge, kgsGtp."""

import time

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import to_vertex
from gtp_engine.interfaces.gtp.arguments import Color
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named


class KgsCommands(EngineCommands):
    """The end of a game on KGS. Its commands for rules and clocks are above."""

    @named("kgs-genmove_cleanup")
    def cmd_kgs_genmove_cleanup(self, color: Color) -> str:
        """Play a move for COLOR that captures dead stones; `pass` when none is left. Never resigns."""
        started = time.monotonic()
        with self.refusals():
            return to_vertex(self.loader.warm_engine().genmove_cleanup(color, started, self.loader.cancelled))

    @named("kgs-game_over")
    def cmd_kgs_game_over(self) -> None:
        """Accept that the game has ended. The position stays: KGS may resume the game."""


class ChatCommands(EngineCommands):
    """Offered only with --kgs-chat: newer bridges break when it is listed."""

    @named("kgs-chat")
    def cmd_kgs_chat(self, *words: str) -> str:
        """Answer a line of chat: KIND (game or private), NAME, TEXT. Only `winrate` is understood; the bridge answers the rest."""
        if len(words) < 2 or words[0] not in ("game", "private"):
            raise GtpError("syntax error")
        if "winrate" not in " ".join(words[2:]).lower():
            raise GtpError("nothing to say")
        result = self.engine.last_result
        if result is None:
            return "I have not thought about this game yet."
        return f"At my last move I expected to win with {100 * result.win_rate:.0f}%, after {result.simulations} visits."
