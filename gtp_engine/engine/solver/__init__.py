"""Life and death by search: the proved status of stones."""

__all__ = [
    "bits",
    "graph",
    "guess",
    "problem",
    "proof_tree",
    "question",
    "region",
    "report",
    "status",
    "unmarked",
]
