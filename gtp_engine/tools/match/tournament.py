"""The settings of a tournament: players, board, limits, openings, statistics. tournament_file.py reads them from TOML."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field

from gtp_engine.go.points import MAX_SIZE, MIN_SIZE
from gtp_engine.go.rules import RULE_SETS, Rules

ROUND_ROBIN, GAUNTLET = "round-robin", "gauntlet"
FORMATS = (ROUND_ROBIN, GAUNTLET)
RANDOM_OPENINGS = "random:"  # followed by the number of moves
MAX_KOMI = 200.0  # points; more is a typing error
MOVES_PER_POINT = 4  # of a game without its own move limit; no normal game is so long

# Settings that don't change the games themselves, so they may change when a tournament is resumed.
NOT_DECISIVE = ("games", "jobs", "keep_engines", "sprt", "patience", "start_patience")


class TournamentError(ValueError):
    """A tournament that cannot be played; str() is one sentence for the user."""


@dataclass(frozen=True)
class Player:
    """An engine and its set-up."""

    name: str
    command: tuple[str, ...]  # the words of the command line
    setup: tuple[str, ...] = ()  # GTP commands after each start; a refusal loses the game
    comment: str = ""  # a GTP command sent after each of its moves, off the clock; the answer is written to the SGF file
    anchor: float | None = None  # Elo that its rating is fixed to


@dataclass(frozen=True)
class TimeControl:
    """GTP's own time system (time_settings): main time, then `stones` stones in each `byo_yomi` seconds."""

    main: float = 0.0  # seconds
    byo_yomi: float = 0.0  # seconds; 0: only main time
    stones: int = 1  # to play in each period
    tolerance: float = 0.5  # seconds that an answer may be late before the game is lost, for delays of the pipe and a busy machine


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two players: H0 "the first is elo0 stronger" against H1 "it is elo1 stronger"."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # probability of accepting H1 if H0 is true
    beta: float = 0.05  # probability of accepting H0 if H1 is true


@dataclass(frozen=True)
class Tournament:
    """The settings of a tournament. Times are in seconds."""

    players: tuple[Player, ...]
    games: int = 20  # for each pairing
    format: str = ROUND_ROBIN  # or GAUNTLET: the first player against each of the others
    size: int = 9  # lines of the board
    komi: float = 7.5
    rules: str = "chinese"  # for legality; sent to engines that know kata-set-rules or kgs-rules
    openings: str = "random:2"  # or a folder of SGF files; the same for both games of a pair
    opening_moves: int = 0  # the most moves from each SGF file; 0: all
    seed: int = 1  # of random openings and of the engines
    seed_engines: bool = True  # send set_random_seed before each game to engines that know it: games are then repeatable
    fresh: bool = False  # restart the engines for each game
    time: TimeControl | None = None  # None: no clock
    patience: float = 120.0  # seconds for a move without a clock, and for every other answer; more is a time-out
    start_patience: float = 300.0  # seconds for answers before the first game, and for the first move: some compile or load networks
    move_limit: int = 0  # moves after which a game is scored; 0: 4 for each point of the board
    referee: tuple[str, ...] = ()  # command of a GTP engine that scores; empty: the players' own scores
    referee_setup: tuple[str, ...] = ()
    jobs: int = 1  # games at once
    keep_engines: int = 8  # idle engines that keep running between games, in all jobs together
    sprt: Sprt | None = None
    description: str = field(default="", compare=False)  # for the report

    @property
    def rule_set(self) -> Rules:
        """The rules by name."""
        return RULE_SETS[self.rules]

    @property
    def most_moves(self) -> int:
        """The effective move limit."""
        return self.move_limit or MOVES_PER_POINT * self.size * self.size

    @property
    def random_moves(self) -> int | None:
        """The length of random openings; None if openings come from a folder."""
        text = self.openings.removeprefix(RANDOM_OPENINGS)
        return int(text) if self.openings.startswith(RANDOM_OPENINGS) and text.isdecimal() else None

    def settings(self) -> dict[str, object]:
        """The settings of the games, as plain values for JSON, without a folder of openings."""
        values = asdict(self)
        for name in (*NOT_DECISIVE, "description"):
            del values[name]
        for player in values["players"]:
            del player["anchor"]
        if self.random_moves is None:
            del values["openings"]
        return json.loads(json.dumps(values))  # type: ignore[no-any-return]  # tuples become lists, as they are read back

    def check(self) -> None:
        """Raise TournamentError for the first invalid setting. Doesn't check files or start engines."""
        self._check_players()
        self._check_numbers()
        if self.rules not in RULE_SETS:
            raise TournamentError(f"unknown rules {self.rules[:30]!r}: choose one of {', '.join(RULE_SETS)}")
        if self.format not in FORMATS:
            raise TournamentError(f"unknown format {self.format[:30]!r}: choose one of {', '.join(FORMATS)}")
        if self.openings.startswith(RANDOM_OPENINGS) and not 0 <= (-1 if self.random_moves is None else self.random_moves) <= self.size:
            raise TournamentError(f"openings {self.openings!r}: random:N takes 0 to {self.size} moves on this board")
        if self.time is not None:
            _check_time(self.time)
        if self.sprt is not None:
            _check_sprt(self.sprt, len(self.players))

    def _check_players(self) -> None:
        if len(self.players) < 2:
            raise TournamentError("a match needs at least two players")
        for player in self.players:
            if not player.name.strip() or not player.name.isprintable():
                raise TournamentError(f"the name {player.name!r} of a player is empty or not printable")
            if not player.command:
                raise TournamentError(f"player {player.name!r} has no command")
        name, count = Counter(player.name for player in self.players).most_common(1)[0]
        if count > 1:
            raise TournamentError(f"{count} players are called {name!r}: give them different names")

    def _check_numbers(self) -> None:
        bounds: dict[str, tuple[float, float]] = {
            "size": (MIN_SIZE, MAX_SIZE),
            "komi": (-MAX_KOMI, MAX_KOMI),
            "games": (1, 10_000_000),
            "jobs": (1, 1_000),
            "keep_engines": (0, 10_000),
            "move_limit": (0, 1_000_000),
            "opening_moves": (0, 1_000),
            "patience": (0.01, 1e6),
            "start_patience": (0.01, 1e6),
            "seed": (0, 2**31 - 1),
        }
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if not low <= value <= high:  # also true of nan
                raise TournamentError(f"{name} must be from {low:g} to {high:g}, not {value}")


def _check_time(time: TimeControl) -> None:
    if not (0 <= time.main <= 1e6 and 0 <= time.byo_yomi <= 1e6 and 0 <= time.tolerance <= 1e6):
        raise TournamentError("times must be from 0 to 1000000 seconds")
    if time.main <= 0 and time.byo_yomi <= 0:
        raise TournamentError("there is neither main time nor byo-yomi: leave the clock out to play without one")
    if not 1 <= time.stones <= 1000:
        raise TournamentError(f"stones in a byo-yomi period must be from 1 to 1000, not {time.stones}")


def _check_sprt(sprt: Sprt, players: int) -> None:
    if players != 2:
        raise TournamentError(f"sprt compares two players, and there are {players}")
    if not -2000 <= sprt.elo0 < sprt.elo1 <= 2000:
        raise TournamentError(f"sprt needs elo0 < elo1, both within 2000, not {sprt.elo0:g} and {sprt.elo1:g}")
    if not (0 < sprt.alpha < 0.5 and 0 < sprt.beta < 0.5):
        raise TournamentError("sprt needs alpha and beta between 0 and 0.5")
