"""Task 5: PUCT, tree search with a guide."""

from gtp_engine.textbook.puct import Guide, GuidedNode


def play_round(node: GuidedNode, guide: Guide, exploration: float) -> float:
    """Play one round from `node` down; return its value for the player to move at `node`, from -1 to 1.

    - The game is over: 1, 0 or -1 for a win, a draw or a loss of the player to move (`utility` may be in points).
    - Otherwise take the move with the greatest `value + exploration * prior * sqrt(V) / (1 + n)`: `node.priors[move]`, V the visits of the
      node, n those of the move's child. The value is the mean of the child, seen from this node's side; 0 without a child. The first
      move in the order of `priors` wins ties.
    - If it has no child yet: make `node.children[move]`, a `GuidedNode(position, priors, value)` with the priors and value of
      `guide(position)`; priors must add up to 1, and a finished game has none. A new node counts as visited once. Its value, seen from this
      node's side, is the value of the round.
    - If it has a child: play a round from there.

    Add 1 to `node.visits` and the value of the round to `node.value_sum`, also if the game is over.
    """
    raise NotImplementedError
