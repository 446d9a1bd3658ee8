"""A player at the board: its engine process with the commands it knows, and every way in which it can lose by its own fault."""

import time
from dataclasses import dataclass, field

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import to_color_name, to_vertex
from gtp_engine.tools.match.client import CannotStart, Died, EngineClient, EngineFailure, Nonsense, TimedOut
from gtp_engine.tools.match.clock import PlayerClock
from gtp_engine.tools.match.tournament import Player, Tournament
from gtp_engine.tools.match.usage import Usage

CRASH, TIME_OUT, NONSENSE, NO_START, REFUSAL = "crash", "time-out", "nonsense", "no start", "refusal"
FAULTS: dict[type[EngineFailure], str] = {CannotStart: NO_START, Died: CRASH, TimedOut: TIME_OUT, Nonsense: NONSENSE}
RULES_COMMANDS = ("kata-set-rules", "kgs-rules")  # the first that the engine knows is sent
TRIAL_MOVE = "reg_genmove"  # chooses a move and plays nothing (GTP version 2, section 6.3.5)
LATE_GRACE = 5.0  # seconds after the clock has run out in which an answer still spares the engine a restart


class Fault(Exception):
    """A contestant cannot go on; str() is a sentence with its name, `kind` one of the words above."""

    def __init__(self, contestant: "Contestant", kind: str, text: str) -> None:
        super().__init__(f"{contestant.player.name} {text}")
        self.contestant = contestant
        self.kind = kind


@dataclass
class MoveTimes:
    """What one contestant used in one game."""

    moves: int = 0
    seconds: float = 0.0  # between its genmove and its answer, all moves together
    slowest: float = 0.0  # seconds

    def add(self, seconds: float) -> None:
        """Count a move."""
        self.moves += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)


@dataclass
class Contestant:
    """One running engine of a player, used for one game after the other by one thread at a time.

    Every method that talks to the engine raises Fault; after one that is not a REFUSAL the engine is restarted by `prepare`.
    """

    player: Player
    tournament: Tournament
    client: EngineClient
    identity: str = ""  # name and version, once it has told them
    commands: frozenset[str] = frozenset()
    is_ready: bool = False  # set up since its last start
    has_moved: bool = False  # has chosen a move since then: what it compiles or loads for its first one is done
    times: MoveTimes = field(default_factory=MoveTimes)
    usage_before: Usage | None = None  # of the process when its part in the game began; None: it has been started since

    def prepare(self) -> None:
        """Start it, or start it anew after a failure, and send its setup commands."""
        if self.is_ready and not self.tournament.fresh:
            return
        self.client.close()
        self.is_ready = self.has_moved = False
        self.identity = " ".join(self._optional("name") + self._optional("version"))
        self.commands = frozenset(" ".join(self._optional("list_commands")).split())
        for line in self.player.setup:
            self.ask(line, self.tournament.start_patience)
        if self.tournament.time is not None and TRIAL_MOVE in self.commands:
            self.has_moved = bool(self._optional(f"{TRIAL_MOVE} black"))  # what it compiles or loads for it isn't taken from its clock
        self.is_ready = True

    def reset_figures(self) -> None:
        """What it uses from now on belongs to another game."""
        self.times, self.usage_before = MoveTimes(), self.client.usage()

    def new_game(self, seed: int, clock: PlayerClock | None) -> None:
        """An empty board with the tournament's size, rules, komi and clock."""
        self.usage_before = None  # `prepare` may start another process
        self.prepare()
        self.usage_before = self.client.usage()
        self.client.take_stderr()
        patience = self.tournament.start_patience
        for command in (f"boardsize {self.tournament.size}", "clear_board", f"komi {self.tournament.komi:g}"):
            self.ask(command, patience)
        known = [name for name in RULES_COMMANDS if name in self.commands]
        if known:
            self.ask(f"{known[0]} {self.tournament.rules}", patience)
        if self.tournament.seed_engines and "set_random_seed" in self.commands:
            self.ask(f"set_random_seed {seed}", patience)
        if clock is not None:
            self.ask(f"time_settings {clock.settings()}", patience)

    def play(self, color: int, point: int) -> None:
        """Tell it a move."""
        self.ask(f"play {to_color_name(color)} {to_vertex(point)}", self.tournament.patience)

    def genmove(self, color: int, clock: PlayerClock | None) -> tuple[str, float]:
        """Its answer, and by how many seconds it was late for its clock."""
        patience = self.tournament.patience if self.has_moved else max(self.tournament.patience, self.tournament.start_patience)
        if clock is not None:
            self.ask(f"time_left {to_color_name(color)} {clock.time_left()}", patience)
            patience = clock.budget() + clock.control.tolerance + LATE_GRACE
        began = time.monotonic()
        answer = self.ask(f"genmove {to_color_name(color)}", patience)
        self.has_moved = True
        seconds = max(time.monotonic() - began - self.client.lost, 0.0)
        self.times.add(seconds)
        return answer, clock.spend(seconds) if clock is not None else 0.0

    def final_score(self) -> str:
        """Its count of the position, as it writes it."""
        return self.ask("final_score", self.tournament.patience)

    def comment(self) -> str:
        """What it says to its own comment command, if it has one and answers it."""
        return "\n".join(self._optional(self.player.comment)) if self.player.comment else ""

    def used(self) -> tuple[float | None, int | None]:
        """Seconds of processor time since reset_figures or new_game, and the peak memory in bytes; None where it can't be told."""
        now, before = self.client.usage(), self.usage_before
        if now is None:
            return None, None
        return now.cpu_seconds - (before.cpu_seconds if before else 0.0), now.peak_memory

    def ask(self, line: str, patience: float) -> str:
        """Any command. Raises Fault."""
        try:
            return self.client.ask(line, patience)
        except GtpError as error:
            raise Fault(self, REFUSAL, f"refused {line!r}: {error}") from error
        except EngineFailure as error:
            self.is_ready = False
            raise Fault(self, FAULTS[type(error)], f"{error} (after {line!r})") from error

    def _optional(self, line: str) -> list[str]:
        """The answer to a command that an engine may not know."""
        try:
            return [self.client.ask(line, self.tournament.start_patience)]
        except GtpError:
            return []
        except EngineFailure as error:
            self.is_ready = False
            raise Fault(self, FAULTS[type(error)], f"{error} (after {line!r})") from error
