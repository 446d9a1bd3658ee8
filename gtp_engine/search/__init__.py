"""The tree search: parameters, tree, simulations, evaluators, clocks."""
