"""A small game between a person at the terminal and a player from the textbook: lines in, sentences out. For Go see `game.py`.

A line is a move, in the game's notation, or one of COMMANDS.
"""

from collections.abc import Callable

from gtp_engine.engine.config.values import suggestion
from gtp_engine.textbook.game import Move, Position
from gtp_engine.textbook.players import Player

COMMANDS = {
    "undo": "take back your last move and the answers to it",
    "hint": "what the player at the other side would do in your place",
    "moves": "what you may play",
    "board": "the position",
    "resign": "give up",
    "help": "this list",
    "quit": "end",
}


class BoardGame:
    """One game. `people` are the numbers of the players whose moves are read; `player` makes the others' moves."""

    def __init__(
        self, start: Position, people: set[int], player: Player, say: Callable[[str], None], read_line: Callable[[str], str]
    ) -> None:
        self.positions = [start]  # the last one is the current one
        self.people = people
        self.player = player
        self.say = say
        self.read_line = read_line
        self.is_resigned = False
        self.has_quit = False

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    def is_over(self) -> bool:
        """True if the game has ended or the person has resigned."""
        return self.is_resigned or self.position.is_over()

    def run(self) -> None:
        """Play until the person quits or the input ends; without a person, until the game is over."""
        if self.people:
            self.say(f"Type a move, such as {self.position.legal_moves()[0]}, or help.")
        self.do_board()
        while not self.has_quit:
            if not self.is_over() and self.position.next_player not in self.people:
                self.answer()
            elif not self.people:
                return
            else:
                self.read()

    def read(self) -> None:
        """Read a line and execute it."""
        prompt = "game over> " if self.is_over() else f"player {self.position.next_player + 1}> "
        try:
            self.obey(self.read_line(prompt))
        except EOFError:
            self.has_quit = True

    def obey(self, line: str) -> None:
        """Execute the person's line, or print what is wrong with it."""
        word = line.strip().lower()
        if word in COMMANDS:
            getattr(self, f"do_{word}")()
        elif word:
            self.play(word)

    def answer(self) -> None:
        """Play the other side's move."""
        self.make(self.player(self.position, lambda: False).move)

    def play(self, move: Move) -> None:
        """Play the person's move."""
        if self.is_over():
            self.say("The game is over: undo or quit.")
        elif not self.position.is_legal(move):
            legal = self.position.legal_moves()
            self.say(f"{move!r} is neither a move here nor a command{suggestion(move, [*legal, *COMMANDS])}; try moves or help.")
        else:
            self.make(move)

    def make(self, move: Move) -> None:
        """Play a legal move and show the result."""
        self.say(f"Player {self.position.next_player + 1}: {move}")
        self.positions.append(self.position.apply_move(move))
        self.do_board()
        if self.position.is_over():
            winner = self.position.winner()
            self.say("The game is a draw." if winner is None else f"Player {winner + 1} wins.")

    # ---------------------------------------------------------------- commands

    def do_undo(self) -> None:
        """Take back the person's last move."""
        own = [index for index, position in enumerate(self.positions[:-1]) if position.next_player in self.people]
        if not own:
            self.say("There is no move of yours to take back.")
            return
        del self.positions[own[-1] + 1 :]
        self.is_resigned = False
        self.say("Taken back.")
        self.do_board()

    def do_hint(self) -> None:
        """Show the move that the other side would play here."""
        if self.is_over():
            self.say("The game is over.")
            return
        choice = self.player(self.position, lambda: False)
        chance = "" if choice.win_rate is None else f", which wins {100 * choice.win_rate:.0f}% of the time"
        self.say(f"{choice.move}{chance}.")

    def do_moves(self) -> None:
        """Show the legal moves."""
        self.say(" ".join(self.position.legal_moves()) or "There are no moves: the game is over.")

    def do_board(self) -> None:
        """Show the position."""
        self.say(str(self.position))

    def do_resign(self) -> None:
        """Resign."""
        if not self.is_over():
            self.is_resigned = True
            self.say(f"Player {self.position.next_player + 1} gives up.")

    def do_help(self) -> None:
        """Show the commands."""
        self.say(f"A move, such as {self.positions[0].legal_moves()[0]}, or:")
        for name, meaning in COMMANDS.items():
            self.say(f"{name}: {meaning}")

    def do_quit(self) -> None:
        """End the conversation."""
        self.has_quit = True
