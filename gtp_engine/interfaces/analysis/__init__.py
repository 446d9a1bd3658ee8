"""KataGo's JSON analysis engine: queries about positions are lines of input, and results are sent in any order."""

__all__ = ["overrides", "pool", "protocol", "query", "searcher", "service"]
