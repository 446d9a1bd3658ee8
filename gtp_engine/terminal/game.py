"""A game between a person at the terminal and the engine: lines in, sentences out.

A line is a vertex, `pass`, or one of the commands in COMMANDS.
"""

from collections.abc import Callable
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.config.front_end import HIGHEST_LEVEL
from gtp_engine.config.values import suggestion
from gtp_engine.files import write_file
from gtp_engine.go.points import BLACK, RESIGN, from_vertex, opponent, to_color_name, to_vertex
from gtp_engine.player.blunders import find_blunder
from gtp_engine.player.engine import Engine, EngineError
from gtp_engine.player.levels.chooser import chooser_at
from gtp_engine.terminal.interrupts import first_ctrl_c
from gtp_engine.terminal.kept_game import player_names
from gtp_engine.terminal.view import View

HINT_SECONDS = 1.0
YES = ("y", "yes")
COMMANDS = {
    "undo": "take your last move, and the answer to it, back",
    "hint": "what the engine would look at in your place",
    "score": "who leads, as a search expects the game to end",
    "board": "the whole position",
    "level N": "another level from now on, 1 to 20, 0 for full strength; without N, which it is",
    "save FILE": "write the game as SGF",
    "resign": "give up",
    "help": "this list",
    "quit": "end",
}
NAMES = [usage.split()[0] for usage in COMMANDS]


class TerminalGame:
    """One game. `colors` are the person's: one color, both, or none to watch the engine play itself.

    warns_of_blunders -- ask the person again before a move that loses much
    """

    def __init__(
        self, engine: Engine, colors: set[int], view: View, read_line: Callable[[str], str], warns_of_blunders: bool = False
    ) -> None:
        self.engine = engine
        self.colors = colors
        self.view = view
        self.read_line = read_line
        self.warns_of_blunders = warns_of_blunders
        self.result = ""  # as SGF has it, when the game has ended
        self.has_quit = False
        engine.warn = view.say

    def run(self) -> None:
        """Play until the person quits or the input ends. Raises KeyboardInterrupt for Ctrl-C at the prompt, or twice during a move."""
        self.view.show(self.engine.game)
        while not self.has_quit:
            if not self.result and self.engine.game.to_play not in self.colors:
                self.answer()
                continue
            try:
                self.obey(self.read_line(self.prompt()))
            except EOFError:
                self.has_quit = True

    def prompt(self) -> str:
        """What stands before the person's line."""
        return "game over> " if self.result else f"{to_color_name(self.engine.game.to_play)}> "

    def answer(self) -> None:
        """The engine's move. Ctrl-C plays the best one so far."""
        color = self.engine.game.to_play
        with self.view.thinking(), first_ctrl_c(self.engine.interrupt):
            point = self.engine.genmove(color)
        if point == RESIGN:
            self.end_by_resignation(color)
        else:
            self.after_move()

    def obey(self, line: str) -> None:
        """Do what the person's line says, or say what is wrong with it."""
        word, _, rest = line.strip().partition(" ")
        method = getattr(self, f"do_{word.lower()}", None) if word.lower() in NAMES else None
        if method is not None:
            method(rest.strip())
        elif word:
            self.play(line.strip())

    def play(self, text: str) -> None:
        """The person's move."""
        game = self.engine.game
        if self.result:
            self.view.say("The game is over: undo, save or quit.")
            return
        try:
            point = from_vertex(text, game.size)
        except ValueError:
            self.view.say(f"{text!r} is neither a point of the board nor a command{suggestion(text, NAMES)}; try help.")
            return
        if not game.why_illegal(game.to_play, point) and game.repeats_position(game.to_play, point):
            self.view.say("That repeats an earlier position, which the rules forbid.")
            return
        reason = game.why_illegal(game.to_play, point)
        if reason:
            self.view.say(f"Illegal: {reason}.")
            return
        if self.warns_of_blunders and self.is_regretted(point):
            return
        self.engine.state.play(game.to_play, point)
        self.after_move()

    def is_regretted(self, point: int) -> bool:
        """Does the person, told that this move loses much, take it back?"""
        with self.view.thinking():
            blunder = find_blunder(self.engine, point)
        if blunder is None:
            return False
        self.view.say(f"{to_vertex(point)} loses about {blunder.loss:.0f} points; {to_vertex(blunder.better)} was better.")
        return self.read_line("Take it back? [y/N] ").strip().lower() in YES

    def after_move(self) -> None:
        """Show the position; end the game when both have passed."""
        game = self.engine.game
        self.view.show(game)
        if game.passes() >= 2:
            score = self.engine.score()
            self.result = "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"
            self.view.say(f"Both passed. {lead_text(score)}")

    def end_by_resignation(self, color: int) -> None:
        """`color` gives up."""
        winner = opponent(color)
        self.result = f"{'B' if winner == BLACK else 'W'}+R"
        self.view.say(f"{to_color_name(color).capitalize()} resigns: {to_color_name(winner)} wins.")

    # ---------------------------------------------------------------- commands

    def do_undo(self, rest: str) -> None:
        """Back to before the person's last move."""
        moves = self.engine.game.moves
        own = [number for number, (color, _) in enumerate(moves) if color in self.colors]
        try:
            self.engine.state.undo(len(moves) - own[-1] if own else len(moves) + 1)
        except EngineError:
            self.view.say("There is no move of yours to take back.")
            return
        self.result = ""
        self.view.say("Taken back.")
        self.view.show(self.engine.game)

    def do_hint(self, rest: str) -> None:
        """The best move, how good it is, and what it leads to."""
        best = next(self.engine.analyze(self.engine.game.to_play, HINT_SECONDS)).best
        variation = " ".join(to_vertex(point) for point in best.variation[:6])
        self.view.say(f"{to_vertex(best.point)}, which wins {100 * best.win_rate:.0f}% of the time; expected: {variation}.")

    def do_score(self, rest: str) -> None:
        """Who leads: the count when nothing is left to play for, else as a search expects it to end."""
        self.view.say(lead_text(self.engine.lead()))

    def do_board(self, rest: str) -> None:
        """The position."""
        self.view.describe(self.engine.game)

    def do_level(self, rest: str) -> None:
        """Tell or change the engine's level."""
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
        level = engine.chooser.level
        self.view.say(f"The engine plays at level {level}." if level else "The engine plays at full strength.")

    def do_save(self, rest: str) -> None:
        """Write the record."""
        if not rest:
            self.view.say("Save where? save FILE")
            return
        try:
            write_file(Path(rest).expanduser(), self.record().encode("utf-8", "replace"))
        except OSError as error:
            self.view.say(f"Cannot write {rest}: {error.strerror}.")
            return
        self.view.say(f"Saved to {rest}.")

    def record(self) -> str:
        """The game as SGF, with its players and its result."""
        engine = self.engine
        players = player_names(self.colors, engine.chooser.level)
        return sgf.dump(engine.game, engine.state.komi, engine.state.rules, players, self.result)

    def do_resign(self, rest: str) -> None:
        """Give up the game."""
        if not self.result:
            self.end_by_resignation(self.engine.game.to_play)

    def do_help(self, rest: str) -> None:
        """What can be typed."""
        self.view.say("A point such as D4, or pass, plays a move.")
        for usage, meaning in COMMANDS.items():
            self.view.say(f"{usage}: {meaning}")

    def do_quit(self, rest: str) -> None:
        """End the conversation."""
        self.has_quit = True


def lead_text(score: float) -> str:
    """Black's lead, komi included, in words."""
    if score == 0:
        return "The score is even."
    return f"{'Black' if score > 0 else 'White'} leads by {abs(score):g}, komi included."
