"""Life and death by search: statuses with a proof."""

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
