"""A game between a person at the terminal and the engine: lines in, sentences out.

A line is a vertex, `pass`, or one of COMMANDS.
"""

from collections.abc import Callable
from threading import Event

from gtp_engine.base.files import expanded, write_file
from gtp_engine.engine.config.front_end import HIGHEST_LEVEL
from gtp_engine.engine.config.values import suggestion
from gtp_engine.engine.player.blunders import find_blunder
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.levels.chooser import chooser_at
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.points import from_vertex, to_color_name, to_vertex, vertices
from gtp_engine.interfaces.person.game import PersonGame, lead_text
from gtp_engine.interfaces.terminal.interrupts import first_ctrl_c
from gtp_engine.interfaces.terminal.view import View

HINT = Limits(seconds=1.0, early_stop=False)
YES = ("y", "yes")
COMMANDS = {
    "undo": "take back your last move and the answer to it",
    "hint": "the moves that the engine would consider",
    "score": "who leads, as the engine expects the game to end",
    "board": "the whole position",
    "level N": "set the level, 1 to 20, or 0 for full strength; without N, show it",
    "rank 12k": "play like people of that rank, 20k to 3d, or none for full strength; without a rank, show it",
    "save FILE": "write the game as SGF",
    "resign": "give up",
    "help": "this list",
    "quit": "end",
}
NAMES = [usage.split()[0] for usage in COMMANDS]


class TerminalGame(PersonGame):
    """One game at the terminal.

    warns_of_blunders -- ask the person again before a move that loses much
    """

    def __init__(
        self, engine: Engine, colors: set[int], view: View, read_line: Callable[[str], str], warns_of_blunders: bool = False
    ) -> None:
        super().__init__(engine, colors)
        self.view = view
        self.read_line = read_line
        self.warns_of_blunders = warns_of_blunders
        self.has_quit = False
        engine.warn = view.say

    def run(self) -> None:
        """Play until the person quits or the input ends. Raises KeyboardInterrupt for Ctrl-C at the prompt, or twice during a move."""
        self.view.show(self.engine.game)
        self.view.say("Type a point such as D4, or pass; help lists the commands.")
        while not self.has_quit:
            if self.is_engines_turn:
                cancelled = Event()
                with self.view.thinking(), first_ctrl_c(cancelled.set):  # Ctrl-C plays the best move so far
                    self.answer(cancelled)
                self.show_move()
                continue
            try:
                self.obey(self.read_line(self.prompt()))
            except EOFError:
                self.has_quit = True

    def prompt(self) -> str:
        """The prompt for the person's line."""
        return "game over> " if self.result else f"{to_color_name(self.engine.game.to_play)}> "

    def obey(self, line: str) -> None:
        """Execute the person's line, or print what is wrong with it."""
        word, _, rest = line.strip().partition(" ")
        method = getattr(self, f"do_{word.lower()}", None) if word.lower() in NAMES else None
        if method is not None:
            method(rest.strip())
        elif word:
            self.try_to_play(line.strip())

    def try_to_play(self, text: str) -> None:
        """Play the person's move."""
        game = self.engine.game
        if self.result:
            self.view.say("The game is over: undo, save or quit.")
            return
        try:
            point = from_vertex(text, game.size)
        except ValueError:
            self.view.say(f"{text!r} is neither a point of the board nor a command{suggestion(text, NAMES)}; try help.")
            return
        reason = self.why_not(point)
        if reason:
            self.view.say(reason)
            return
        if self.warns_of_blunders and self.is_regretted(point):
            return
        self.play(point)
        self.show_move()

    def is_regretted(self, point: int) -> bool:
        """True if the person, warned that this move loses much, takes it back."""
        with self.view.thinking():
            blunder = find_blunder(self.engine, point)
        if blunder is None:
            return False
        self.view.say(f"{to_vertex(point)} loses about {blunder.loss:.0f} points; {to_vertex(blunder.better)} was better.")
        return self.read_line("Take it back? [y/N] ").strip().lower() in YES

    def show_move(self) -> None:
        """Show the position after a move, unless it was a resignation, and the end of the game."""
        if not self.result.endswith("+R"):
            self.view.show(self.engine.game)
        if self.outcome:
            self.view.say(self.outcome)

    # ---------------------------------------------------------------- commands

    def do_undo(self, rest: str) -> None:
        """Take back the person's last move."""
        if not self.take_back():
            self.view.say("There is no move of yours to take back.")
            return
        self.view.say("Taken back.")
        self.view.show(self.engine.game)

    def do_hint(self, rest: str) -> None:
        """Show the best move, its value, and the expected continuation."""
        best = self.engine.examine(self.engine.game.to_play, HINT).best
        variation = vertices(best.variation[:6])
        self.view.say(f"{to_vertex(best.point)}, which wins {100 * best.win_rate:.0f}% of the time; expected: {variation}.")

    def do_score(self, rest: str) -> None:
        """Show who leads: the count if the game is settled, otherwise the estimate of a search."""
        self.view.say(lead_text(self.engine.lead()))

    def do_board(self, rest: str) -> None:
        """Show the position."""
        self.view.describe(self.engine.game)

    def do_level(self, rest: str) -> None:
        """Show or change the engine's level."""
        engine = self.engine
        if engine.chooser.level is None:
            self.view.say("This player has no levels.")
            return
        if rest:
            try:
                engine.set_chooser(chooser_at(int(rest)))
            except ValueError:
                self.view.say(f"{rest!r} is no level: 1 to {HIGHEST_LEVEL}, or 0 for full strength.")
                return
        self.view.say(f"The engine plays {self.strength}.")

    def do_rank(self, rest: str) -> None:
        """Show or change the engine's rank."""
        if self.engine.chooser.level is None:
            self.view.say("This player has no ranks.")
            return
        if rest:
            try:
                self.set_rank(rest)
            except ValueError as error:
                self.view.say(f"{error}.")
                return
        self.view.say(f"The engine plays {self.strength}.")

    def do_save(self, rest: str) -> None:
        """Write the record."""
        if not rest:
            self.view.say("Save where? save FILE")
            return
        try:
            write_file(expanded(rest), self.record().encode("utf-8", "replace"))
        except OSError as error:
            self.view.say(f"Cannot write {rest}: {error.strerror}.")
            return
        self.view.say(f"Saved to {rest}.")

    def do_resign(self, rest: str) -> None:
        """Resign the game."""
        if not self.result:
            self.resign()
            self.view.say(self.outcome)

    def do_help(self, rest: str) -> None:
        """Show the commands."""
        self.view.say("A point such as D4, or pass, plays a move.")
        for usage, meaning in COMMANDS.items():
            self.view.say(f"{usage}: {meaning}")

    def do_quit(self, rest: str) -> None:
        """End the conversation."""
        self.has_quit = True
