"""KataGo's networks: .bin.gz and .txt.gz files, and ONNX files made from them, see gtp_engine/engine/network/katago."""

from pathlib import Path

from gtp_engine.engine.network.form import Format, NetworkSummary, OpenNetwork
from gtp_engine.engine.network.katago.file_names import is_converted, recognizes
from gtp_engine.engine.search.params import SearchParams


def load(path: Path, params: SearchParams) -> OpenNetwork:
    """Open the network. Raises NetworkError."""
    from gtp_engine.engine.network.katago import opening  # not above: it would slow every start of the engine a little

    return opening.load(path, params)


def summarize(path: Path) -> NetworkSummary:
    """What the file says about the network. Raises NetworkError."""
    from gtp_engine.engine.network.katago import opening  # as in `load`

    return opening.summarize(path)


FORMAT = Format("KataGo", recognizes, load, summarize, supports_int8=True)
CONVERTED_FORMAT = Format("KataGo, as ONNX", is_converted, load, summarize)
