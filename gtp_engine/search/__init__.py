"""The tree search: parameters, tree, simulations, evaluators, clocks."""

__all__ = ["answer", "arrays", "evaluator", "params", "puct", "result", "search", "simulation", "tree", "workspace"]
