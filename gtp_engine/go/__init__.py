"""The game of Go: points, positions, rules, eyes, scores, games."""

__all__ = [
    "benson",
    "chain_needs",
    "count",
    "eyes",
    "game",
    "handicap",
    "life",
    "nakade",
    "patterns",
    "places",
    "points",
    "position",
    "rank_names",
    "rule_names",
    "rules",
    "score",
    "tactics",
]
