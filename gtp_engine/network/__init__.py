"""The network: what it sees of a position, its file, and the evaluator that asks it."""
