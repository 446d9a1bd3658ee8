"""Compiled helpers that only the tests of the walk, of PUCT and of the network need."""

from gtp_engine.compiled.jit import entry
from gtp_engine.engine.network.katago.outputs import LEAD_SCALE, corrected_win, counted_lead
from gtp_engine.engine.playout.proved_fights import correct_owners
from gtp_engine.engine.search.answer import find, keep
from gtp_engine.engine.search.prior import lift_proved
from gtp_engine.engine.search.puct import limit_pass, policy_index, puct_child, set_policy
from gtp_engine.engine.search.walk import start_walk, step_down


@entry
def choose_by_puct(nodes, index, shared, color, depth, offset):
    """puct.puct_child, from Python."""
    return puct_child(nodes, index, shared[0], color, depth, offset)


@entry
def set_priors_by_policy(nodes, first, count, size, logits):
    """puct.set_policy, from Python."""
    set_policy(nodes, first, count, size, logits)


@entry
def leave_pass_at_most(nodes, first, count, most):
    """puct.limit_pass, from Python."""
    limit_pass(nodes, first, count, most)


@entry
def place_in_policy(move, size):
    """puct.policy_index, from Python."""
    return policy_index(move, size)


@entry
def find_in_cache(cache, key, answers):
    """cache.find into answers[0], from Python."""
    return find(cache, key, answers[0])


@entry
def keep_in_cache(cache, key, answers):
    """cache.keep of answers[0], from Python."""
    keep(cache, key, answers[0])


@entry
def walk_to_child(nodes, child, shared, workspaces, situations):
    """walk.start_walk, then walk.step_down to this child of the root, in workspaces[0]."""
    start_walk(nodes, shared[0], workspaces[0])
    return step_down(nodes, child, shared[0], workspaces[0], situations)


@entry
def lift_decided(nodes, first, count, shared, is_root, color, proved_fights):
    """prior.lift_proved with proved_fights[0] known, from Python."""
    lift_proved(nodes, first, count, shared[0].params, is_root, color, proved_fights[0])


@entry
def correct_network_owners(proved_fights, owners, votes):
    """proved_fights.correct_owners by proved_fights[0], from Python."""
    return correct_owners(proved_fights[0], owners, votes)


@entry
def win_with_more_points(win, lead, gained):
    """outputs.corrected_win, from Python."""
    return corrected_win(win, lead, gained, LEAD_SCALE)


@entry
def lead_by_count(owners, lead, komi, size):
    """outputs.counted_lead, from Python."""
    return counted_lead(owners, lead, komi, size)
