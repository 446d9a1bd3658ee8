"""Commands that read and write game records."""

import os
from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.interfaces.gtp.arguments import INTEGER, Rest
from gtp_engine.interfaces.gtp.commands.base import EngineCommands

NO_PATH = Rest("")
QUOTES = ('"', "'")


class RecordCommands(EngineCommands):
    """SGF in and out. A path may have spaces, in quotes or without."""

    def cmd_loadsgf(self, path: Rest) -> None:
        """Load the game record PATH, with its board size, komi and rules; a move number after PATH loads the position before that move.

        Nothing changes when it can't be read.
        """
        from gtp_engine.sgf import SgfError  # not above: numba comes with it

        name, number = path_and_number(path)
        try:
            with self.refusals() as engine:
                engine.state.load_sgf(name, number)
        except (SgfError, OSError) as error:
            raise GtpError(f"cannot load file: {error}") from error

    def cmd_printsgf(self, path: Rest = NO_PATH) -> str:
        """Print the game as SGF, or write it to PATH."""
        text = self.engine.state.sgf()
        if not path:
            return text
        name, behind = unquoted(path)
        if behind:
            raise GtpError("syntax error")
        try:
            write_file(Path(name), text.encode("utf-8", "replace"))
        except OSError as error:
            raise GtpError(f"cannot save file: {error.strerror}") from error
        return ""


def unquoted(text: str) -> tuple[str, str]:
    """A path without the quotes around it, and what stands behind them; all of the text where there are none."""
    end = text.find(text[0], 1) if text[0] in QUOTES else -1
    return (text[1:end], text[end + 1 :].strip()) if end > 1 else (text, "")


def path_and_number(text: str) -> tuple[str, int | None]:
    """A path, and the number of a move behind it. A file whose name ends in a number is meant where there is one, and none without it."""
    path, behind = unquoted(text)
    if path == text:
        before, _, last = text.rpartition(" ")
        if before and INTEGER.fullmatch(last) and (os.path.isfile(before.rstrip()) or not os.path.isfile(text)):
            path, behind = before.rstrip(), last
    if not behind:
        return path, None
    if not INTEGER.fullmatch(behind) or int(behind) < 0:
        raise GtpError("syntax error")
    return path, int(behind)
