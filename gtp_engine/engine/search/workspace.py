"""The two records that compiled searching works with: one that all threads share, and a workspace for each simulation under way.

A thread has one workspace, or as many as its evaluator wants leaves at once. Entries take arrays of these records; their first line takes
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

PATH_LENGTH = 512  # longest walk down; a tree deeper than this is cut off at a leaf

TREE_PARAMS = np.dtype(record_fields(TreeParams), align=True)  # a field for each parameter; see there

SHARED = np.dtype(
    [
        ("next_free", np.int64),  # first node of the pool that belongs to nobody
        ("capacity", np.int64),  # nodes in the pool
        ("params", TREE_PARAMS),
        ("playout_policy", PLAYOUT_POLICY),
        ("root", POSITION),  # where the search begins; nobody changes it during a run
        ("root_moves", np.int64, (HISTORY,)),  # that led to the root, the last one first; NO_POINT where there is none
        ("root_turns", np.int32),  # so many of root_moves were made by both sides in turn, the last one by the opponent of who is to play
        ("before", POSITION, (EARLIER,)),  # the positions one and two moves before the root; where there were fewer, the first one
        ("komi", np.float64),  # White's points, handicap compensation included
        ("superko", np.int32),  # leaf.NO_SUPERKO, POSITIONAL or SITUATIONAL
        ("suicide", np.int32),  # 1: the rules allow to take own stones off
        ("is_territory", np.int32),  # 1: territory and prisoners are counted; 0: area
        ("all_alive", np.int32),  # 1: two passes end the game with every stone alive; 0: dead stones are judged by a playout
        ("by_policy", np.int32),  # 1: the evaluator's policy gives the priors and PUCT chooses; 0: UCT with visits won for a move's looks
        ("judges_ends", np.int32),  # 1: the evaluator is asked about finished games, too; 0: they are counted after a playout
        ("avoid_depth", np.int32),  # avoid_until matters for moves up to this depth; 0: nothing is avoided
        ("avoid_until", np.uint16, (4, POINTS)),  # [color, P] that color doesn't play the move at this depth or less; first move: depth 1
        ("reading", READING),  # the fights of which facts are known
        ("model", MODEL),  # the learned guess at strong players' moves
    ],
    align=True,
)

WORKSPACE = np.dtype(
    [
        ("position", POSITION),  # of the walk: at the leaf when it is over
        ("scratch", POSITION),  # where ladders and captures are tried
        ("block_next", np.int64),  # first unused node of this workspace's block of the pool
        ("block_end", np.int64),
        ("length", np.int32),  # of `path`
        ("path", np.int32, (PATH_LENGTH,)),  # nodes from the root to the leaf
        ("situations", np.uint64, (PATH_LENGTH,)),  # hashes of the positions on the path, for superko
        ("left", np.int32),  # simulations still to try in this call of `advance`, see simulation.py
        ("done", np.int32),  # simulations counted in this call
        ("asked", np.int64),  # questions to the evaluator so far
        ("hits", np.int64),  # leaves whose answer was known from before
        ("key", np.uint64),  # of the leaf at hand, see simulation.name_leaf
        ("leaf", LEAF),  # what the evaluator is asked about; survey.proved_fights are of the position at hand, whoever judges it
        ("seen", np.uint64, (SEEN_WORDS,)),  # scratch of leaf.find_bans
        ("answer", ANSWER),  # about the leaf at hand
        ("tally", TALLY),  # of all playouts and votes of this search
        ("move_owners", np.int32, (POINTS, POINTS)),  # by move at the root and point: votes for Black minus White; at NO_POINT: votes
        ("needs", CHAIN_NEEDS),  # of the leaf at hand
        ("suggestions", SUGGESTIONS),  # scratch of playouts
        ("looks", LOOKS),  # scratch of the move model
    ],
    align=True,
)
