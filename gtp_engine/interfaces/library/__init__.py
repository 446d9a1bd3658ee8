"""The engine for other Python programs: vertices instead of numbers, ValueErrors instead of GTP's answers. See docs/api.md."""

from gtp_engine.interfaces.library.engine import Analysis, AnalyzedMove, GoEngine, planes
from gtp_engine.interfaces.library.evaluator import Evaluate, PositionBatch

__all__ = ["Analysis", "AnalyzedMove", "Evaluate", "GoEngine", "PositionBatch", "planes"]
