"""KataGo's JSON analysis engine: queries about positions come as lines, results go out in any order."""

__all__ = ["overrides", "pool", "protocol", "query", "searcher", "service"]
