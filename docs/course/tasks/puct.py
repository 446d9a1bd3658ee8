"""Task 5: PUCT, tree search with a guide."""

from gtp_engine.textbook.puct import Guide, GuidedNode


def play_round(node: GuidedNode, guide: Guide, exploration: float) -> float:
    """Play one round from `node` down; returns what it is worth to the player to move at `node`, from -1 to 1.

    - The game is over: 1, 0 or -1 for a win, a draw or a loss of the player to move (`utility` may be in points).
    - Otherwise take the move with the greatest `value + exploration * prior * sqrt(V) / (1 + n)`: `node.priors[move]`, V the visits of the
      node, n those of the move's child. The value is the mean of the child, seen from this node's side; 0 without a child. The first
      move in the order of `priors` wins ties.
    - No child yet: make `node.children[move]`, a `GuidedNode(position, priors, value)` with what `guide(position)` says; priors must add up
      to 1, and a finished game has none. A new node counts as visited once. Its value, seen from here, is what the round is worth.
    - A child: play a round from there.

    Add 1 to `node.visits` and the worth to `node.value_sum`, also where the game is over.
    """
    raise NotImplementedError
