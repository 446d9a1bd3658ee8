"""The symmetries of the board, by which leaves are turned at random before a network sees them."""

from gtp_engine.compiled.jit import inner

SYMMETRIES = 8  # bit 0 mirrors the rows, bit 1 the columns, then bit 2 swaps rows and columns


@inner
def transformed(row, column, size, symmetry):
    """(row, column) of a point after one of the SYMMETRIES of a board of `size` lines."""
    if symmetry & 1:
        row = size - 1 - row
    if symmetry & 2:
        column = size - 1 - column
    if symmetry & 4:
        row, column = column, row
    return row, column
