"""Commands that read and write game records."""

from pathlib import Path

from gtp_engine.files import write_file
from gtp_engine.gtp.commands.base import EngineCommands
from gtp_engine.gtp.protocol import GtpError


class RecordCommands(EngineCommands):
    """SGF in and out."""

    def cmd_loadsgf(self, path: str, move_number: int | None = None) -> None:
        """Load the game record PATH, up to before MOVE_NUMBER if given; sets board size and komi. Nothing changes when it can't be read."""
        from gtp_engine.sgf import SgfError  # not above: numba comes with it

        if move_number is not None and move_number < 0:
            raise GtpError("syntax error")
        try:
            with self.refusals() as engine:
                engine.state.load_sgf(path, move_number)
        except (SgfError, OSError) as error:
            raise GtpError(f"cannot load file: {error}") from error

    def cmd_printsgf(self, path: str = "") -> str:
        """The game as SGF, or nothing and the SGF written to PATH."""
        text = self.engine.state.sgf()
        if not path:
            return text
        try:
            write_file(Path(path), text.encode("utf-8", "replace"))
        except OSError as error:
            raise GtpError(f"cannot save file: {error.strerror}") from error
        return ""
