"""The display of a terminal game: drawn with colors, or in plain sentences for screen readers and pipes."""

import sys
from contextlib import AbstractContextManager, nullcontext

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, COLUMN_LETTERS, EMPTY, MAX_SIZE, WHITE, point_at, row_and_column, to_color_name, to_vertex

BOARD, INK, NUMBERS = "on #d9a655", "#5c4018", "dim"  # wood, lines, coordinates
STONES = {BLACK: ("●", "#000000"), WHITE: ("○", "#ffffff")}  # also different without colors
WITHOUT_COLOR = {BLACK: "X", WHITE: "O"}
STAR_LINES = {9: (3, 5, 7), 13: (4, 7, 10), 19: (4, 10, 16)}  # rows and columns of star points


class PlainView:
    """Sentences only; the board is described on request."""

    def say(self, text: str) -> None:
        """Print a sentence."""
        print(text, flush=True)

    def show(self, game: Game) -> None:
        """Show the last move and the prisoners, without the board."""
        if game.moves:
            color, point = game.moves[-1]
            print(f"Move {len(game.moves)}, {to_color_name(color)}: {to_vertex(point)}. {prisoners(game)}", flush=True)

    def describe(self, game: Game) -> None:
        """List the stones row by row from the top, without empty rows."""
        for row in range(game.size, 0, -1):
            stones = [point_at(row, column) for column in range(1, game.size + 1) if game.color_at(point_at(row, column)) != EMPTY]
            if stones:
                print(f"Row {row}: " + ", ".join(f"{to_vertex(point)} {to_color_name(game.color_at(point))}" for point in stones) + ".")
        print(f"{prisoners(game)} {to_color_name(game.to_play).capitalize()} to play.", flush=True)

    def thinking(self) -> AbstractContextManager[object]:
        """Show that the engine thinks, by a single word, because a screen reader would read every change aloud."""
        if sys.stdout.isatty():
            print("Thinking.", flush=True)
        return nullcontext()


class DrawnView:
    """A board in the terminal's colors; without them (NO_COLOR, a pipe) stones are letters."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.empty = "." if console.options.ascii_only else "·"

    def say(self, text: str) -> None:
        """Print a sentence."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def show(self, game: Game) -> None:
        """Show the board with the last move in brackets, and the prisoners below."""
        letters = Text("   " + " ".join(COLUMN_LETTERS[: game.size]), NUMBERS)
        self.console.print(letters)
        for row in range(game.size, 0, -1):
            self.console.print(self.row(game, row))
        self.console.print(letters)
        self.say(prisoners(game))

    describe = show

    def thinking(self) -> AbstractContextManager[object]:
        """Show that the engine thinks, and for how many seconds, which disappear with the move."""
        if not self.console.is_terminal:
            return nullcontext()
        progress = Progress(
            TextColumn("thinking"), TimeElapsedColumn(), TextColumn("(Ctrl-C: play now)"), console=self.console, transient=True
        )
        progress.add_task("")
        return progress

    def row(self, game: Game, row: int) -> Text:
        """One row with its number on both sides."""
        last = game.moves[-1][1] if game.moves else None
        text = Text(f"{row:2d}", NUMBERS)
        bracket = " "  # before the next point; closes the bracket of the previous one
        for column in range(1, game.size + 1):
            point = point_at(row, column)
            symbol, style = self.symbol(game, point)
            text.append("[" if point == last else bracket, f"{INK} {BOARD}")
            text.append(symbol, f"{style} {BOARD}")
            bracket = "]" if point == last else " "
        text.append(bracket, f"{INK} {BOARD}")
        return text.append(f"{row}", NUMBERS)

    def symbol(self, game: Game, point: int) -> tuple[str, str]:
        """A character and its style."""
        color = game.color_at(point)
        if color == EMPTY:
            return ("+" if is_star(point, game.size) else self.empty, INK)
        return STONES[color] if self.console.color_system and self.empty != "." else (WITHOUT_COLOR[color], "")


View = PlainView | DrawnView


def is_star(point: int, size: int) -> bool:
    """True if this is a star point."""
    lines, (row, column) = STAR_LINES.get(size, ()), row_and_column(point)
    is_at_side = (row == lines[1]) != (column == lines[1]) if lines else False
    return row in lines and column in lines and (size == MAX_SIZE or not is_at_side)  # on small boards only corners and center


def prisoners(game: Game) -> str:
    """The prisoners of both sides in words."""
    return f"Prisoners: black {game.captures(BLACK)}, white {game.captures(WHITE)}."
