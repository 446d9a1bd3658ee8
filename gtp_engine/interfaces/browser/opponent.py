"""The engine's part in a game at the board: how it plays, and its searches, which run in the desk's thread."""

import time
from collections.abc import Callable
from functools import partial

from gtp_engine.engine.player.engine import EngineError
from gtp_engine.engine.player.levels.chooser import chooser_at
from gtp_engine.engine.player.ranks.chooser import RankChooser
from gtp_engine.engine.player.ranks.pace import Pace
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_text, read_rank
from gtp_engine.interfaces.browser.clock import GameClock
from gtp_engine.interfaces.browser.desk import BadRequest, Desk
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree
from gtp_engine.interfaces.person.game import NO_RANK

RANKS = [NO_RANK, *(rank_text(rank) for rank in range(STRONGEST_LEARNED, WEAKEST_LEARNED - 1, -1))]  # the strongest first


class Opponent:
    """Searches for the game, one search after another; what was asked before `forget` counts no more.

    Its methods are called with the desk's lock held, but for `put_at`, which is for the searches.
    """

    def __init__(self, desk: Desk, changed: Callable[[bool], None]) -> None:
        """`changed` is called, with the lock held, when a search begins and when one that counts has ended; True: as it should."""
        self._desk, self._changed = desk, changed
        self.rank, self.level = desk.engine.chooser.rank or NO_RANK, desk.engine.chooser.level
        self.is_paced = desk.engine.pace is not None  # does it take as long as a person
        self.is_thinking = False
        self._turn = 0  # goes up when what was asked before counts no more
        self._due = 0  # searches that were asked for and are not over
        self._at: tuple[GameTree, GameNode] | None = None  # where the engine's own game stands

    # ---------------------------------------------------------------- how it plays

    @property
    def strength(self) -> str:
        """How the engine plays, in words."""
        if self.rank != NO_RANK:
            return f"at rank {self.rank}"
        return f"at level {self.level}" if self.level else "at full strength"

    def set_rank(self, rank: object) -> None:
        """Change how the engine plays, unless it does already. Raises BadRequest, too where the player has no ranks."""
        if rank == self.rank:
            return  # at a level, too: it stays
        if rank not in RANKS:
            raise BadRequest(f"there is no rank {rank!r}")
        if self.level is None:
            raise BadRequest("this player has no ranks")
        self.rank, self.level = str(rank), 0
        chooser = chooser_at(0) if rank == NO_RANK else RankChooser(read_rank(str(rank)))
        self._desk.thread.submit(lambda: self._desk.engine.set_chooser(chooser))

    def set_pace(self, is_a_persons: bool) -> None:
        """Take as long as a person does, or as long as the search needs."""
        self.is_paced = is_a_persons
        pace = Pace() if is_a_persons else None
        self._desk.thread.submit(lambda: setattr(self._desk.engine, "pace", pace))

    # ---------------------------------------------------------------- its searches

    def ask(self, search: Callable[[int], None]) -> None:
        """Do this in the engine's thread for the game as it stands now; `search` is given what `is_current` and `put_at` ask for."""
        self._due += 1
        self.is_thinking = True
        self._changed(False)
        self._desk.thread.submit(partial(self._run, search, self._turn))

    def _run(self, search: Callable[[int], None], turn: int) -> None:
        """In the engine's thread. An interrupt that came too late for this search is forgotten."""
        has_ended_well = False
        try:
            search(turn)
            has_ended_well = True
        except EngineError as error:
            self._desk.tell(note=f"The engine stopped: {error}.")
        finally:
            with self._desk.lock:
                self._due -= 1
                self._desk.engine.forget_interrupt()
                if self.is_current(turn):
                    self.is_thinking = False
                    self._changed(has_ended_well)

    def is_current(self, turn: int) -> bool:
        """Does this search still count?"""
        return turn == self._turn

    def forget(self) -> None:
        """What was asked counts no more, and the search under way ends."""
        self._turn += 1
        self.is_thinking = False
        self.interrupt()

    def interrupt(self) -> None:
        """Let the search under way, or the next one that was asked for, end at once; without one nothing happens."""
        if self._due:
            self._desk.engine.interrupt()

    def put_at(self, turn: int, node: GameNode, clock: GameClock | None) -> bool:
        """Put the engine's game at a node, with what its clock has left; False when that is wanted no more."""
        with self._desk.lock:
            if not self.is_current(turn):
                return False
            tree, engine = self._desk.tree, self._desk.engine
            if self._at != (tree, node):
                engine.state.set_rules(tree.rules)
                engine.state.komi = tree.komi
                engine.state.set_game(tree.game_at(node))
            self._at = None  # wherever the search leaves it: `stands_at` tells
            if clock is not None:
                clock.tell_engine(engine.clock, node.to_play, time.monotonic())
            else:
                engine.clock.set_none()
            return True

    def stands_at(self, node: GameNode) -> None:
        """The engine's own game has come to this node."""
        self._at = self._desk.tree, node
