"""Observers of a tournament, to which the runner reports its progress."""

from typing import Protocol

from gtp_engine.tools.match.record import PlayedGame
from gtp_engine.tools.match.schedule import ScheduledGame
from gtp_engine.tools.match.standings import Standings


class Observer(Protocol):
    """Calls come one at a time, in the thread that runs the tournament."""

    def began(self, standings: Standings) -> None:
        """The results file was read; so much is played already."""
        ...

    def game_began(self, game: ScheduledGame) -> None:
        """A game has begun."""
        ...

    def game_ended(self, record: PlayedGame, standings: Standings) -> None:
        """A game is over and in the results file."""
        ...

    def note(self, text: str) -> None:
        """Something that people should know, in a sentence."""
        ...


class Silence:
    """Nobody watches."""

    def began(self, standings: Standings) -> None:
        """See Observer."""

    def game_began(self, game: ScheduledGame) -> None:
        """See Observer."""

    def game_ended(self, record: PlayedGame, standings: Standings) -> None:
        """See Observer."""

    def note(self, text: str) -> None:
        """See Observer."""
