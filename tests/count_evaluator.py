"""The smallest evaluator: it counts each leaf as it stands, every stone alive; all moves are equal to it. Shows how one is added."""

from collections.abc import Sequence

from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.evaluator import AnsweringEvaluator
from gtp_engine.go.score import count_area


class CountEvaluator(AnsweringEvaluator):
    """Judges finished games, too; has no policy, so moves are chosen by UCT."""

    by_policy, judges_ends = False, True

    def __init__(self, leaves: int = 1) -> None:
        super().__init__()
        self.leaves = leaves
        self.most_at_once = 0

    def answer(self, arrays: SearchArrays, slots: Sequence[int]) -> None:
        """See AnsweringEvaluator."""
        self.most_at_once = max(self.most_at_once, len(slots))
        for slot in slots:
            leaf, answer = arrays.leaf(slot), arrays.answer(slot)
            lead = int(count_area(leaf["position"], 0)) - float(leaf["komi"][0])
            if leaf["position"]["to_play"][0] != 1:
                lead = -lead
            answer["win"] = 0.5 if lead == 0 else float(lead > 0)
            answer["lead"] = lead
