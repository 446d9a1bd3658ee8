"""What a larger network says, as part of what a small one learns.

A game tells one move of a position, and who won it in the end; a network that has learned from many games tells how good every move is,
and how likely each side is to win. The teacher learns beside the small one, from the same positions, so one run makes both. Source:
Hinton, Vinyals and Dean 2015, "Distilling the knowledge in a neural network".
"""

from dataclasses import replace

import torch

from gtp_engine.learning.training.loss import Answers
from gtp_engine.learning.training.model import Outputs

TEACHER_SHARE = 0.5  # of what is learned of moves, winners and owners; the rest is what the records say


@torch.no_grad()
def taught(answers: Answers, said: Outputs) -> Answers:
    """The answers that the small network learns: halfway between the records' and what the teacher `said` of the same positions.

    Where the records don't know the owners, they are the teacher's alone. Scores and replies stay the records'.
    """
    policy, value, _, _, owners = (output.detach() for output in said)
    theirs = owners.sigmoid()
    known = torch.where(answers.owners.isnan(), theirs, answers.owners)
    return replace(
        answers,
        policies=answers.policies.lerp(policy.softmax(1), TEACHER_SHARE),
        values=answers.values.lerp(value.sigmoid(), TEACHER_SHARE),
        owners=known.lerp(theirs, TEACHER_SHARE),
    )
