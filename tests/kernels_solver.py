"""Compiled helpers that only tests of the solver need."""

from gtp_engine.compiled.jit import entry
from gtp_engine.engine.solver.graph import put_on_board
from gtp_engine.engine.solver.move_order import order_moves


@entry
def order_moves_of(tasks, nodes, edges, positions, starts, move_judge, number):
    """Order the moves of one node."""
    orders, models = move_judge
    put_on_board(tasks[0], nodes, positions, starts, number)
    order_moves(tasks[0], nodes[number], nodes, edges, positions[0], orders[0], models[0])
