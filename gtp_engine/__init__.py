"""A Go engine: compiled rules and playouts, a tree search, and GTP for every client.

`from gtp_engine import Engine` is the engine for Python programs, see docs/api.md. It is imported when it is first asked for, as numba
comes with it, and the handshake of a GTP session must not wait for that.
"""

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gtp_engine.interfaces.library import Analysis, AnalyzedMove, PositionBatch, planes
    from gtp_engine.interfaces.library import GoEngine as Engine

__all__ = ["Analysis", "AnalyzedMove", "Engine", "PositionBatch", "__version__", "planes"]
__version__ = "0.2.0"  # the only place: pyproject.toml reads it from here

# onnxruntime asks for its maker's server and writes files into the user's home, unless it finds this when it is imported. The switch of
# its own, disable_telemetry_events(), comes too late. Here, because whatever of ours imports onnxruntime has imported this before.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# OpenVINO tells its maker of every import by the package openvino_telemetry, and does without where that isn't found: None hides it.
sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # what Python's import looks for, see sys.modules

IN_LIBRARY = {
    "Analysis": "Analysis",
    "AnalyzedMove": "AnalyzedMove",
    "PositionBatch": "PositionBatch",
    "Engine": "GoEngine",
    "planes": "planes",
}


def __getattr__(name: str) -> Any:
    """The names of the library."""
    if name not in IN_LIBRARY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gtp_engine.interfaces import library

    return getattr(library, IN_LIBRARY[name])
