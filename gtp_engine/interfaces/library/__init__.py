"""The engine for other Python programs, with vertices for points and ValueErrors for GTP's errors. See docs/api.md."""

from gtp_engine.interfaces.library.engine import Analysis, AnalyzedMove, GoEngine, planes
from gtp_engine.interfaces.library.evaluator import Evaluate, PositionBatch

__all__ = ["Analysis", "AnalyzedMove", "Evaluate", "GoEngine", "PositionBatch", "planes"]
