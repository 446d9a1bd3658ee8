"""Life and death by search: statuses with a proof."""

__all__ = ["problem", "proof_tree", "question", "region", "report"]
