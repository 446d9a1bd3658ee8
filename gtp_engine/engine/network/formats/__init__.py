"""The supported kinds of network files. To add one, add a module beside `katago` and a line in FORMATS."""

from pathlib import Path

from gtp_engine.engine.network.form import AnyBackend, Format, NetworkSummary, OpenNetwork
from gtp_engine.engine.network.formats import katago

__all__ = ["FORMATS", "AnyBackend", "NetworkSummary", "OpenNetwork", "format_of"]

FORMATS: list[Format] = [katago.CONVERTED_FORMAT, katago.FORMAT]  # the first that recognizes a file opens it


def format_of(path: Path) -> Format:
    """The format of a file, by its name. If no format recognizes it, KataGo's, whose `load` says what is wrong."""
    return next((form for form in FORMATS if form.recognizes(path)), katago.FORMAT)
