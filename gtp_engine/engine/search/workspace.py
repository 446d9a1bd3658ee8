"""The two records of the compiled search: one that all threads share, and a workspace for each simulation in progress.

A thread has one workspace, or as many as its evaluator judges leaves at once. Entries take arrays of these records; their first line takes
the record out.
"""

import numpy as np

from gtp_engine.base.parameters import record_fields
from gtp_engine.engine.move_model.model import LOOKS, MODEL
from gtp_engine.engine.playout.playout import TALLY
from gtp_engine.engine.playout.policy import PLAYOUT_POLICY, SUGGESTIONS
from gtp_engine.engine.search.answer import ANSWER
from gtp_engine.engine.search.facts import READING
from gtp_engine.engine.search.leaf import EARLIER, HISTORY, LEAF, SEEN_WORDS
from gtp_engine.engine.search.params import TreeParams
from gtp_engine.go.chain_needs import CHAIN_NEEDS
from gtp_engine.go.points import POINTS
from gtp_engine.go.position import POSITION

PATH_LENGTH = 512  # the longest walk; deeper nodes are treated as leaves

TREE_PARAMS = np.dtype(record_fields(TreeParams), align=True)  # a field for each parameter, which describes it

SHARED = np.dtype(
    [
        ("next_free", np.int64),  # the first free node of the pool
        ("capacity", np.int64),  # nodes in the pool
        ("params", TREE_PARAMS),
        ("playout_policy", PLAYOUT_POLICY),
        ("root", POSITION),  # constant during a run
        ("root_moves", np.int64, (HISTORY,)),  # that led to the root, the last one first; NO_POINT for missing ones
        ("root_turns", np.int32),  # the number of root_moves that alternate, the last one by the opponent of the side to move
        ("before", POSITION, (EARLIER,)),  # the positions one and two moves before the root; where there were fewer, the first one
        ("komi", np.float64),  # White's points, handicap compensation included
        ("superko", np.int32),  # leaf.NO_SUPERKO, POSITIONAL or SITUATIONAL
        ("suicide", np.int32),  # 1: the rules allow suicide
        ("is_territory", np.int32),  # 1: territory and prisoners are counted; 0: area
        ("all_alive", np.int32),  # 1: two passes end the game with every stone alive; 0: dead stones are judged by a playout
        ("by_policy", np.int32),  # 1: PUCT with priors by the evaluator's policy; 0: UCT with prior visits
        ("judges_ends", np.int32),  # 1: the evaluator judges finished games, too; 0: they are scored after a playout
        ("avoid_depth", np.int32),  # avoid_until matters for moves up to this depth; 0: nothing is avoided
        ("avoid_until", np.uint16, (4, POINTS)),  # [color, P] the depth up to which the color doesn't play there; first move: 1
        ("reading", READING),  # the fights with known facts
        ("model", MODEL),  # of strong players' moves
    ],
    align=True,
)

WORKSPACE = np.dtype(
    [
        ("position", POSITION),  # of the walk; at its end, of the leaf
        ("scratch", POSITION),  # where ladders and captures are tried
        ("block_next", np.int64),  # the first unused node of this workspace's block of the pool
        ("block_end", np.int64),
        ("length", np.int32),  # of `path`
        ("path", np.int32, (PATH_LENGTH,)),  # nodes from the root to the leaf
        ("situations", np.uint64, (PATH_LENGTH,)),  # hashes of the positions on the path, for superko
        ("left", np.int32),  # simulations that `advance` must still try, see simulation.py
        ("done", np.int32),  # simulations counted in this call
        ("asked", np.int64),  # leaves that the evaluator judged so far
        ("hits", np.int64),  # leaves whose answer was in the table
        ("key", np.uint64),  # of the leaf, see simulation.name_leaf
        ("leaf", LEAF),  # the position to judge; survey.proved_fights is filled for all evaluators
        ("seen", np.uint64, (SEEN_WORDS,)),  # scratch of leaf.find_bans
        ("answer", ANSWER),  # for the leaf
        ("tally", TALLY),  # of all playouts and votes of this search
        ("move_owners", np.int32, (POINTS, POINTS)),  # [move at the root, point] votes for Black minus White; at NO_POINT: votes
        ("needs", CHAIN_NEEDS),  # of the leaf
        ("suggestions", SUGGESTIONS),  # scratch of playouts
        ("looks", LOOKS),  # scratch of the move model
    ],
    align=True,
)
