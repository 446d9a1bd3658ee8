"""A game between a person and the engine: turns, legal moves, and the end."""

from threading import Event

from gtp_engine import sgf
from gtp_engine.engine.player.engine import Engine, EngineError
from gtp_engine.engine.player.ranks.chooser import chooser_of_rank
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, RESIGN, opponent, to_color_name
from gtp_engine.interfaces.person.kept_game import player_names


class PersonGame:
    """One game. `colors` are the person's: one color, both, or none to watch the engine play itself.

    result -- in the form of SGF, once the game has ended
    outcome -- the result as a sentence
    """

    def __init__(self, engine: Engine, colors: set[int]) -> None:
        self.engine = engine
        self.colors = colors
        self.result = ""
        self.outcome = ""

    @property
    def is_engines_turn(self) -> bool:
        """True if the next move is the engine's."""
        return not self.result and self.engine.game.to_play not in self.colors

    def why_not(self, point: int) -> str:
        """Why the side to move may not play there, as a sentence; empty when it may."""
        return "The game is over." if self.result else why_not(self.engine.game, point)

    def play(self, point: int) -> None:
        """Play the person's move, which `why_not` must allow."""
        self.engine.state.play(self.engine.game.to_play, point)
        self._end_after_two_passes()

    def answer(self, cancelled: Event) -> None:
        """Play the engine's move; it may resign. Setting `cancelled` ends its search."""
        if self.engine.genmove(self.engine.game.to_play, cancelled=cancelled) == RESIGN:
            self.resign()
        else:
            self._end_after_two_passes()

    def _end_after_two_passes(self) -> None:
        """Count the game if both have passed."""
        if self.engine.game.passes() >= 2:
            score = self.engine.score()
            self.result = "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"
            self.outcome = f"Both passed. {lead_text(score)}"

    def resign(self) -> None:
        """The side to move resigns."""
        color = self.engine.game.to_play
        winner = opponent(color)
        self.result = f"{'B' if winner == BLACK else 'W'}+R"
        self.outcome = f"{to_color_name(color).capitalize()} resigns: {to_color_name(winner)} wins."

    def take_back(self) -> bool:
        """Take back the person's last move; False if there is none."""
        moves = self.engine.game.moves
        own = [number for number, (color, _) in enumerate(moves) if color in self.colors]
        try:
            self.engine.state.undo(len(moves) - own[-1] if own else len(moves) + 1)
        except EngineError:
            return False
        self.result = self.outcome = ""
        return True

    @property
    def strength(self) -> str:
        """The engine's strength in words."""
        return strength_text(self.engine.chooser.rank, self.engine.chooser.level)

    def set_rank(self, rank: str) -> None:
        """The engine plays like a person of this rank from now on; NO_RANK: at full strength. Raises ValueError for an invalid rank."""
        self.engine.set_chooser(chooser_of_rank(rank))

    def record(self) -> str:
        """The game as SGF, with players and result."""
        engine = self.engine
        players = player_names(self.colors, engine.chooser.level, engine.chooser.rank)
        return sgf.dump(engine.game, engine.state.komi, engine.state.rules, players, self.result)


def strength_text(rank: str, level: int | None) -> str:
    """The engine's strength in words; `rank` is empty for none."""
    if rank:
        return f"at rank {rank}"
    return f"at level {level}" if level else "at full strength"


def why_not(game: Game, point: int) -> str:
    """Why the side to move may not play there, as a sentence; empty when it may."""
    reason = game.why_illegal(game.to_play, point)
    if reason:
        return f"Illegal: {reason}."
    if game.repeats_position(game.to_play, point):
        return "That repeats an earlier position, which the rules forbid."
    return ""


def lead_text(score: float) -> str:
    """Black's lead, including komi, in words."""
    if score == 0:
        return "The score is even."
    return f"{'Black' if score > 0 else 'White'} leads by {abs(score):g}, komi included."
