"""Handicap placement: GTP's fixed layouts, and a free placement of our own. Plain Python."""

from gtp_engine.go.points import board_points, point_at, row_and_column

SMALLEST_FIXED = 7  # GTP has no fixed layout for smaller boards
FOUR_AT_MOST = 7  # this board is odd but too small for stones between the corner stones

# GTP 2 section 4.1.1: places as (row, column) of the three lines that carry handicap stones, low, middle and high.
LOW, MIDDLE, HIGH = 0, 1, 2
CORNERS = [(LOW, LOW), (HIGH, HIGH), (HIGH, LOW), (LOW, HIGH)]
LEFT_AND_RIGHT = [(MIDDLE, LOW), (MIDDLE, HIGH)]
TOP_AND_BOTTOM = [(LOW, MIDDLE), (HIGH, MIDDLE)]
CENTER = [(MIDDLE, MIDDLE)]
LAYOUTS = {
    2: CORNERS[:2],
    3: CORNERS[:3],
    4: CORNERS,
    5: CORNERS + CENTER,
    6: CORNERS + LEFT_AND_RIGHT,
    7: CORNERS + LEFT_AND_RIGHT + CENTER,
    8: CORNERS + LEFT_AND_RIGHT + TOP_AND_BOTTOM,
    9: CORNERS + LEFT_AND_RIGHT + TOP_AND_BOTTOM + CENTER,
}


def most_fixed_stones(size: int) -> int:
    """The largest fixed handicap of a board: 9; 4 without a middle line or with little space; 0 on the smallest boards."""
    if size < SMALLEST_FIXED:
        return 0
    return 4 if size % 2 == 0 or size == FOUR_AT_MOST else max(LAYOUTS)


def fixed_handicap_points(size: int, stones: int) -> list[int]:
    """The points of GTP's fixed handicap, in GTP's order. Raises ValueError "invalid number of stones" if it has none."""
    if not 2 <= stones <= most_fixed_stones(size):
        raise ValueError("invalid number of stones")
    low = 3 if size < 13 else 4
    lines = {LOW: low, MIDDLE: (size + 1) // 2, HIGH: size + 1 - low}
    return [point_at(lines[row], lines[column]) for row, column in LAYOUTS[stones]]


def free_handicap_points(size: int, stones: int) -> list[int]:
    """Exactly `stones` well spread points: the fixed layout as far as possible, then the widest gaps.

    From 2 to every point but one; ValueError "invalid number of stones" for any other number. No result fills the board, so
    every black chain has a liberty.
    """
    if not 2 <= stones < size * size:
        raise ValueError("invalid number of stones")
    fixed = min(stones, most_fixed_stones(size))
    chosen = fixed_handicap_points(size, fixed) if fixed else []
    free = [point for point in board_points(size) if point not in chosen]
    gap = {point: min([_edge_gap(size, point), *(_distance(point, stone) for stone in chosen)]) for point in free}
    far = {point: sum(_distance(point, stone) for stone in chosen) for point in free}
    while len(chosen) < stones:
        widest = max(gap, key=lambda point: (gap[point], far[point], -point))  # of equal gaps the one farthest from all stones
        del gap[widest]
        chosen.append(widest)
        for point in gap:
            gap[point] = min(gap[point], _distance(point, widest))
            far[point] += _distance(point, widest)
    return chosen


def _edge_gap(size: int, point: int) -> float:
    """The largest gap that the edge allows: 0 on the first line, 1.25 on the second, 2.5 on the third.

    1.25 is less than the distance of two stones that touch diagonally, so the second line is filled after all such gaps inside.
    """
    row, column = row_and_column(point)
    return 1.25 * min(row - 1, column - 1, size - row, size - column)


def _distance(one: int, other: int) -> float:
    """Euclidean distance of two points, in lines."""
    row, column = row_and_column(one)
    other_row, other_column = row_and_column(other)
    return float(((row - other_row) ** 2 + (column - other_column) ** 2) ** 0.5)
