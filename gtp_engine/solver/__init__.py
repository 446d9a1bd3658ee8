"""Life and death by search: statuses with a proof."""
