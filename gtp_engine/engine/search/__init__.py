"""The tree search: parameters, tree, simulations, evaluators."""

__all__ = [
    "answer",
    "arrays",
    "evaluator",
    "facts",
    "game_leaf",
    "leaf",
    "params",
    "puct",
    "result",
    "result_fields",
    "search",
    "symmetry",
    "workspace",
]
