"""The tree search: parameters, tree, simulations, evaluators, clocks."""

__all__ = [
    "answer",
    "arrays",
    "evaluator",
    "facts",
    "params",
    "puct",
    "result",
    "room",
    "search",
    "simulation",
    "symmetry",
    "tree",
    "walk",
    "workspace",
]
