"""Whole simulations: walk to a leaf, judge it, add the result to the nodes of the path.

`run_simulations` judges by a playout, all in one compiled call. `advance` is for evaluators in Python: it stops at each leaf that must be
judged, and ends the simulation when the answer is there.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.playout.playout import count_end, play_to_end
from gtp_engine.engine.playout.proved_fights import apply_proved_fights
from gtp_engine.engine.search.answer import NO_KEY, find, keep
from gtp_engine.engine.search.facts import look_up
from gtp_engine.engine.search.leaf import HISTORY, fill_leaf, note_moves
from gtp_engine.engine.search.tree import back_up
from gtp_engine.engine.search.walk import descend, expand_by_policy, is_over
from gtp_engine.go.points import BLACK, NO_POINT, WHITE
from gtp_engine.go.score import add_playout_owners, area_score

SCORE_RANGE = 30.0  # points: a larger lead is worth no more
KEY_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd; from the golden ratio, as in Weyl sequences
KEY_SHIFT = np.uint64(29)


@inner
def result_for(color, score, params):
    """The worth of a score, Black's minus White's with komi, for `color`: 1 won, 0 lost, 0.5 drawn, and a little for each point.

    Because of the part for points, params.score_weight, a winner doesn't give points away and a loser doesn't give up.
    """
    lead = score if color == BLACK else -score
    won = 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)
    margin = min(max(lead / SCORE_RANGE, -1.0), 1.0)
    return won + params.score_weight * (0.5 + 0.5 * margin - won)


@inner
def final_score(nodes, shared, workspace):
    """Black's points minus White's, komi included, at the end of a playout from the leaf, whose position is overwritten.

    If the game is over and every stone counts as alive, no playout is needed. The leaf's survey.proved_fights correct the playout.
    """
    position = workspace.position
    if is_over(position) and shared.all_alive:
        return area_score(position) - shared.komi
    play_to_end(position, shared.playout_policy, workspace.tally, workspace.suggestions, workspace.scratch)
    apply_proved_fights(position, workspace.leaf.survey.proved_fights)
    score = count_end(position, workspace.tally) - shared.komi
    if workspace.length > 1:
        move = nodes[workspace.path[1]].move
        add_playout_owners(position, workspace.move_owners[move])
        workspace.move_owners[move, NO_POINT] += 1
    return score


@inner
def end_by_playout(nodes, shared, workspace, facts):
    """End the simulation with the result of a playout from the leaf."""
    look_up(shared.reading, facts, workspace.position, workspace.leaf.survey.proved_fights)
    mover = WHITE + BLACK - workspace.position.to_play
    score = final_score(nodes, shared, workspace)
    back_up(nodes, shared, workspace, mover, result_for(mover, score, shared.params), score)


@entry
def run_simulations(nodes, shared, workspaces, situations, facts, i, count):
    """Run `count` simulations with playouts in workspaces[i]; returns how many were counted (superko may end some).

    `nodes` [N] NODE, `shared` [1] SHARED, `workspaces` WORKSPACE, `situations` hashes of the game before the root, `facts` FACT,
    the table that SHARED.reading goes with.
    """
    record, workspace = shared[0], workspaces[i]
    done = 0
    for _ in range(count):
        if descend(nodes, record, workspace, situations, facts):
            end_by_playout(nodes, record, workspace, facts)
            done += 1
    return done


# ---------------------------------------------------------------- leaves that an evaluator judges


@inner
def mix_hash(key, number):
    """A key that depends on `key` and on the small number."""
    key = (key ^ np.uint64(number)) * KEY_FACTOR
    return key ^ (key >> KEY_SHIFT)


@inner
def mix_proved_fights(key, proved_fights):
    """A key that also depends on the leaf's proved fights: an answer from before the proof is no longer valid."""
    for k in range(proved_fights.count):
        proved = proved_fights.fight[k]
        key = mix_hash(mix_hash(key, proved.winner), proved.move)
        key = mix_hash(mix_hash(mix_hash(key, proved.count), proved.target_count), proved.stays)
        for i in range(proved.count):
            key = mix_hash(key, proved.points[i])
        for i in range(proved.target_count):
            key = mix_hash(key, proved.targets[i])
    return key


@inner
def name_leaf(nodes, shared, workspace):
    """Fill the leaf's recent moves and the workspace's key of all that an evaluator may see of the leaf, including survey.proved_fights.

    The key leaves out board size, komi and rules, because an evaluator forgets its answers when they change (see NetworkEvaluator.prepare),
    and the moves before the recent ones, though a superko may forbid a point for them.
    """
    position, leaf = workspace.position, workspace.leaf
    key = mix_hash(position.hash, 1 if position.to_play == WHITE else 2)
    key = mix_hash(key, position.ko_point)
    note_moves(nodes, shared, workspace.path, workspace.length, leaf)
    for i in range(HISTORY):
        key = mix_hash(key, leaf.moves[i])
    key = mix_proved_fights(key, leaf.survey.proved_fights)
    workspace.key = key if key != NO_KEY else KEY_FACTOR


@inner
def add_votes(nodes, workspace):
    """Add the owners in the answer to the totals of the search and of the root move on this path."""
    answer = workspace.answer
    if answer.votes == 0:
        return
    tally = workspace.tally
    tally.playouts += answer.votes
    for point in range(len(answer.owners)):
        tally.ownership[point] += answer.owners[point]
    if workspace.length > 1:
        owners = workspace.move_owners[nodes[workspace.path[1]].move]
        for point in range(len(answer.owners)):
            owners[point] += answer.owners[point]
        owners[NO_POINT] += answer.votes
    answer.votes = 0


@inner
def end_by_answer(nodes, shared, workspace):
    """End the simulation with workspace.answer. The root's own answer only gives it children by the policy; it isn't a simulation."""
    answer, to_play = workspace.answer, workspace.position.to_play
    win, lead = np.float64(answer.win), np.float64(answer.lead)
    mover = WHITE + BLACK - to_play
    if shared.by_policy:
        expand_by_policy(nodes, shared, workspace)
    result = 1.0 - win  # of the player who moved here
    nodes[workspace.path[workspace.length - 1]].own_result = result
    back_up(nodes, shared, workspace, mover, result, lead if to_play == BLACK else -lead)
    if workspace.length > 1 or not shared.by_policy:
        workspace.done += 1
    else:
        workspace.left += 1


@entry
def advance(nodes, shared, workspaces, situations, facts, answers, i, count):
    """Continue until the evaluator must judge the leaf of workspaces[i], which returns True, or `count` simulations were tried, False.

    First call with the `count`, at least 1. As long as it returns True: judge the workspace's `leaf`, put win, lead and, with
    SHARED.by_policy, the policy into its `answer`, with `owners` and `votes` if they are known, and call with 0. Afterwards `done` is the
    number of simulations counted. `answers` [any number] KEPT; for the others see run_simulations.
    """
    record, workspace = shared[0], workspaces[i]
    if count == 0:
        workspace.position.random = workspace.leaf.position.random
        keep(answers, workspace.key, workspace.answer)
        add_votes(nodes, workspace)
        end_by_answer(nodes, record, workspace)
    else:
        workspace.left, workspace.done, workspace.answer.votes = count, 0, 0
    while workspace.left > 0:
        workspace.left -= 1
        if not descend(nodes, record, workspace, situations, facts):
            continue
        if is_over(workspace.position) and record.judges_ends == 0:
            end_by_playout(nodes, record, workspace, facts)
            workspace.done += 1
            continue
        look_up(record.reading, facts, workspace.position, workspace.leaf.survey.proved_fights)
        name_leaf(nodes, record, workspace)
        if not find(answers, workspace.key, workspace.answer):
            fill_leaf(nodes, record, workspace, situations)
            workspace.asked += 1
            return True
        workspace.hits += 1
        end_by_answer(nodes, record, workspace)
    return False
