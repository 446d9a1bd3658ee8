"""The command that sets how strong to play."""

from gtp_engine.gtp.commands.base import EngineCommands
from gtp_engine.gtp.protocol import GtpError


class LevelCommands(EngineCommands):
    """GNU Go's command, so that clients that know it need to know nothing else."""

    def cmd_level(self, number: int | None = None) -> str:
        """Play at level NUMBER from now on, 1 the weakest, 0 for full strength; without NUMBER, tell the level."""
        engine = self.engine
        if engine.chooser.level is None:
            raise GtpError("this player has no levels")
        if number is None:
            return str(engine.chooser.level)
        from gtp_engine.player.levels.chooser import chooser_at  # not above: numba comes with it

        try:
            chooser = chooser_at(number)
        except ValueError as error:
            raise GtpError(str(error)) from error
        if number != engine.chooser.level:  # else the tree is kept
            engine.set_chooser(chooser)
        return ""
