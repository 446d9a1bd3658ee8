"""A position drawn as text, for `showboard` and for people."""

from typing import TYPE_CHECKING

from gtp_engine.go.points import BLACK, COLUMN_LETTERS, EMPTY, WHITE, point_at, to_color_name, to_vertex

if TYPE_CHECKING:
    from gtp_engine.go.game import Game

SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O"}


def draw(game: "Game") -> str:
    """The board, row 1 at the bottom, last move in parentheses, and below it prisoners, last move, player to move. No empty lines."""
    letters = "   " + " ".join(COLUMN_LETTERS[: game.size])
    rows = [draw_row(game, row) for row in range(game.size, 0, -1)]
    return "\n".join([letters, *rows, letters, *status_lines(game)])


def draw_row(game: "Game", row: int) -> str:
    """One row with its number on both sides."""
    last_point = game.moves[-1][1] if game.moves else None
    text = f"{row:2d}"
    bracket = " "  # before the next point; closes the parenthesis of the previous one
    for column in range(1, game.size + 1):
        point = point_at(row, column)
        is_last = point == last_point
        text += ("(" if is_last else bracket) + SYMBOLS[game.color_at(point)]
        bracket = ")" if is_last else " "
    return f"{text}{bracket}{row}"


def status_lines(game: "Game") -> list[str]:
    """Prisoners, the last move and the player to move, in words."""
    lines = [f"Prisoners taken: black (X) {game.captures(BLACK)}, white (O) {game.captures(WHITE)}"]
    if game.moves:
        color, point = game.moves[-1]
        lines.append(f"Move {len(game.moves)}: {to_color_name(color)} {to_vertex(point)}")
    lines.append(f"To play: {to_color_name(game.to_play)}")
    return lines
