"""The engine as a player at the board: its strength, and its searches, which run in the desk's thread."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Event

from gtp_engine.engine.player.engine import EngineError
from gtp_engine.engine.player.ranks.chooser import NO_RANK, chooser_of_rank
from gtp_engine.engine.player.ranks.pace import Pace
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_text
from gtp_engine.interfaces.browser.clock import GameClock
from gtp_engine.interfaces.browser.desk import BadRequest, Desk
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree
from gtp_engine.interfaces.person.game import strength_text

RANKS = [NO_RANK, *(rank_text(rank) for rank in range(STRONGEST_LEARNED, WEAKEST_LEARNED - 1, -1))]  # the strongest first


@dataclass(frozen=True)
class Requested:
    """A requested search."""

    turn: int  # of the opponent when it was requested
    cancelled: Event = field(default_factory=Event)  # its token


class Opponent:
    """Searches for the game, one after the other; requests before `forget` are dropped.

    Its methods must be called with the desk's lock held, except `put_at`, which is for the searches.
    """

    def __init__(self, desk: Desk, changed: Callable[[bool], None]) -> None:
        """`changed` is called, with the lock held, when a search begins, and with True or False when a current one succeeded or failed."""
        self._desk, self._changed = desk, changed
        self.rank, self.level = desk.engine.chooser.rank or NO_RANK, desk.engine.chooser.level
        self.is_paced = desk.engine.pace is not None  # True: it takes as long as a person
        self.is_thinking = False
        self._turn = 0  # increases when earlier requests are dropped
        self._last = Requested(0)
        self._at: tuple[GameTree, GameNode] | None = None  # the position of the engine's own game

    # ---------------------------------------------------------------- how it plays

    @property
    def strength(self) -> str:
        """The engine's strength in words."""
        return strength_text("" if self.rank == NO_RANK else self.rank, self.level)

    def set_rank(self, rank: object) -> None:
        """Set the engine's rank, unless it is set already. Raises BadRequest, also if the player has no ranks."""
        if rank == self.rank:
            return  # also at a level, which stays
        if rank not in RANKS:
            raise BadRequest(f"there is no rank {rank!r}")
        if self.level is None:
            raise BadRequest("this player has no ranks")
        self.rank, self.level = str(rank), 0
        chooser = chooser_of_rank(self.rank)
        self._desk.thread.submit(lambda: self._desk.engine.set_chooser(chooser))

    def set_pace(self, is_a_persons: bool) -> None:
        """Set whether the engine takes as long as a person."""
        self.is_paced = is_a_persons
        pace = Pace() if is_a_persons else None
        self._desk.thread.submit(lambda: setattr(self._desk.engine, "pace", pace))

    # ---------------------------------------------------------------- its searches

    def ask(self, search: Callable[[Requested], None]) -> None:
        """Do `search` in the engine's thread for the current game."""
        self._last = Requested(self._turn)
        self.is_thinking = True
        self._changed(False)
        self._desk.thread.submit(partial(self._run, search, self._last))

    def _run(self, search: Callable[[Requested], None], requested: Requested) -> None:
        """Runs in the engine's thread."""
        has_ended_well = False
        try:
            search(requested)
            has_ended_well = True
        except EngineError as error:
            self._desk.tell(note=f"The engine stopped: {error}.")
        finally:
            with self._desk.lock:
                if self.is_current(requested):
                    self.is_thinking = False
                    self._changed(has_ended_well)

    def is_current(self, requested: Requested) -> bool:
        """True if this search is still current."""
        return requested.turn == self._turn

    def forget(self) -> None:
        """Drop all requests, and end the current search."""
        self._turn += 1
        self.is_thinking = False
        self.interrupt()

    def interrupt(self) -> None:
        """End the last requested search at once, or as soon as it begins. Does nothing if it is over."""
        self._last.cancelled.set()

    def put_at(self, requested: Requested, node: GameNode, clock: GameClock | None) -> bool:
        """Set the engine's game and clock to a node; False if the search is no longer current."""
        with self._desk.lock:
            if not self.is_current(requested):
                return False
            tree, engine = self._desk.tree, self._desk.engine
            if self._at != (tree, node):
                engine.state.set_rules(tree.rules)
                engine.state.komi = tree.komi
                engine.state.set_game(tree.game_at(node))
            self._at = None  # unknown until `stands_at` is called
            if clock is not None:
                clock.tell_engine(engine.clock, node.to_play, time.monotonic())
            else:
                engine.clock.set_none()
            return True

    def stands_at(self, node: GameNode) -> None:
        """Record that the engine's own game is at this node."""
        self._at = self._desk.tree, node
