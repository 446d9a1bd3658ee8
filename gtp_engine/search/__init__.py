"""The tree search: parameters, tree, simulations, evaluators, clocks."""

__all__ = ["arrays", "atomic", "evaluator", "evaluator_choice", "final_move", "params", "puct", "search", "simulation", "tree"]
