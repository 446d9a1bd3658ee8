"""A Go engine: compiled rules and playouts, a tree search, and GTP for every client."""

import os

__version__ = "0.1.0"  # the only place: pyproject.toml reads it from here

# onnxruntime asks for its maker's server and writes files into the user's home, unless it finds this when it is imported. The switch of
# its own, disable_telemetry_events(), comes too late. Here, because whatever of ours imports onnxruntime has imported this before.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
