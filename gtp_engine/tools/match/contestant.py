"""A player: its engine process with the commands it knows, and the faults by which it can lose."""

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
RULES_COMMANDS = ("kata-set-rules", "kgs-rules")  # the first known one is sent
TRIAL_MOVE = "reg_genmove"  # chooses a move and plays nothing (GTP version 2, section 6.3.5)
LATE_GRACE = 5.0  # seconds after the clock has run out in which an answer still saves the engine from a restart


class Fault(Exception):
    """A contestant can't continue; str() is a sentence with its name, `kind` one of the words above."""

    def __init__(self, contestant: "Contestant", kind: str, text: str) -> None:
        super().__init__(f"{contestant.player.name} {text}")
        self.contestant = contestant
        self.kind = kind


@dataclass
class MoveTimes:
    """The time that one contestant used in one game."""

    moves: int = 0
    seconds: float = 0.0  # from genmove to the answer, for all moves together
    slowest: float = 0.0  # seconds

    def add(self, seconds: float) -> None:
        """Count a move."""
        self.moves += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)


@dataclass
class Contestant:
    """A running engine of a player, used for one game after the other by one thread at a time.

    Every method that uses the engine raises Fault. After any Fault except REFUSAL, `prepare` restarts the engine.
    """

    player: Player
    tournament: Tournament
    client: EngineClient
    identity: str = ""  # name and version, once known
    commands: frozenset[str] = frozenset()
    is_ready: bool = False  # set up since its last start
    has_moved: bool = False  # has chosen a move since then, so everything for its first move is compiled or loaded
    times: MoveTimes = field(default_factory=MoveTimes)
    usage_before: Usage | None = None  # of the process at the start of the game; None: it was started later

    def prepare(self) -> None:
        """Start it, or restart it after a failure, and send its setup commands."""
        if self.is_ready and not self.tournament.fresh:
            return
        self.client.close()
        self.is_ready = self.has_moved = False
        self.identity = " ".join(self._optional("name") + self._optional("version"))
        self.commands = frozenset(" ".join(self._optional("list_commands")).split())
        for line in self.player.setup:
            self.ask(line, self.tournament.start_patience)
        if self.tournament.time is not None and TRIAL_MOVE in self.commands:
            self.has_moved = bool(self._optional(f"{TRIAL_MOVE} black"))  # compiling and loading for the first move isn't on its clock
        self.is_ready = True

    def reset_figures(self) -> None:
        """Count its usage for a new game from now on."""
        self.times, self.usage_before = MoveTimes(), self.client.usage()

    def new_game(self, seed: int, clock: PlayerClock | None) -> None:
        """Set up an empty board with the tournament's size, rules, komi and clock."""
        self.usage_before = None  # `prepare` may start another process
        self.prepare()
        self.usage_before = self.client.usage()
        self.client.take_stderr()
        patience = self.tournament.start_patience
        for command in (f"boardsize {self.tournament.size}", "clear_board", f"komi {self.tournament.komi:g}"):
            self.ask(command, patience)
        supported = [name for name in RULES_COMMANDS if name in self.commands]
        if supported:
            self.ask(f"{supported[0]} {self.tournament.rules}", patience)
        if self.tournament.seed_engines and "set_random_seed" in self.commands:
            self.ask(f"set_random_seed {seed}", patience)
        if clock is not None:
            self.ask(f"time_settings {clock.settings()}", patience)

    def play(self, color: int, point: int) -> None:
        """Send it a move."""
        self.ask(f"play {to_color_name(color)} {to_vertex(point)}", self.tournament.patience)

    def genmove(self, color: int, clock: PlayerClock | None) -> tuple[str, float]:
        """(answer, seconds by which it was late)."""
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
        """Its score of the position, in its own form."""
        return self.ask("final_score", self.tournament.patience)

    def comment(self) -> str:
        """Its answer to its comment command, if it has one."""
        return "\n".join(self._optional(self.player.comment)) if self.player.comment else ""

    def used(self) -> tuple[float | None, int | None]:
        """Seconds of processor time since reset_figures or new_game, and the peak memory in bytes; None if unknown."""
        now, before = self.client.usage(), self.usage_before
        if now is None:
            return None, None
        return now.cpu_seconds - (before.cpu_seconds if before else 0.0), now.peak_memory

    def ask(self, line: str, patience: float) -> str:
        """The answer to any command. Raises Fault."""
        try:
            return self.client.ask(line, patience)
        except GtpError as error:
            raise Fault(self, REFUSAL, f"refused {line!r}: {error}") from error
        except EngineFailure as error:
            self.is_ready = False
            raise Fault(self, FAULTS[type(error)], f"{error} (after {line!r})") from error

    def _optional(self, line: str) -> list[str]:
        """The answer to a command that the engine may not know."""
        try:
            return [self.client.ask(line, self.tournament.start_patience)]
        except GtpError:
            return []
        except EngineFailure as error:
            self.is_ready = False
            raise Fault(self, FAULTS[type(error)], f"{error} (after {line!r})") from error
