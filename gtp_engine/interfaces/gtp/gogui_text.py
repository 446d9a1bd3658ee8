"""GoGui's forms of analysis output: a value or a text for each point, and graphics in words. The board is written from the top row."""

from collections.abc import Callable, Iterable, Mapping

from gtp_engine.go.points import point_at, to_vertex, vertices


def board_rows(board_size: int, text_at: Callable[[int], str]) -> str:
    """A word for each point, row by row, starting on a new line for GoGui."""
    rows = range(board_size, 0, -1)
    columns = range(1, board_size + 1)
    return "\n" + "\n".join(" ".join(text_at(point_at(row, column)) for column in columns) for row in rows)


def double_board(board_size: int, values: Mapping[int, float]) -> str:
    """GoGui's `dboard`: a number from -1 to 1 for each point, 0 by default."""
    return board_rows(board_size, lambda point: f"{values.get(point, 0.0):.3f}")


def string_board(board_size: int, texts: Mapping[int, str]) -> str:
    """GoGui's `sboard`: a text without spaces for each point, `""` by default."""
    return board_rows(board_size, lambda point: texts.get(point) or '""')


def label(point: int, text: str) -> str:
    """A line of `gfx` that writes a text without spaces on a point."""
    return f"LABEL {to_vertex(point)} {text}"


def colored(color: str, points: Iterable[int]) -> str:
    """A line of `gfx` that colors points; `color` is `#rrggbb`."""
    return f"COLOR {color} {vertices(points)}"


def shade(strength: float) -> str:
    """A green as `#rrggbb`, deeper the closer `strength` (0..1) is to 1."""
    pale = round(230 * (1.0 - min(max(strength, 0.0), 1.0)))
    return f"#{pale:02x}ff{pale:02x}"
