"""The command that sets how strong to play."""

from typing import TYPE_CHECKING

from gtp_engine.gtp.commands.base import EngineCommands
from gtp_engine.gtp.protocol import GtpError

if TYPE_CHECKING:
    from gtp_engine.player.levels.engine import LevelEngine


class LevelCommands(EngineCommands):
    """GNU Go's command, so that clients that know it need to know nothing else."""

    def cmd_level(self, number: int | None = None) -> str:
        """Play at level NUMBER from now on, 1 the weakest, 0 for full strength; without NUMBER, tell the level."""
        engine = self.level_engine()
        if number is None:
            return str(engine.level_number)
        try:
            engine.set_level(number)
        except ValueError as error:
            raise GtpError(str(error)) from error
        return ""

    def level_engine(self) -> "LevelEngine":
        """The engine, if it has levels; the textbook's players have none."""
        from gtp_engine.player.levels.engine import LevelEngine  # not above: numba comes with it

        engine = self.engine
        if not isinstance(engine, LevelEngine):
            raise GtpError("this player has no levels")
        return engine
