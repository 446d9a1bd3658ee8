"""Games of `--rank` players against each other and against programs, each a job: see measure_ranks.py."""

import gc
import shlex
import sys
import time
from dataclasses import dataclass
from typing import Any, Protocol

from gtp_engine.base.jobs.job import Tell
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.ranks.chooser import RankChooser
from gtp_engine.engine.player.ranks.table import Strength
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, from_vertex, opponent, to_color_name, to_vertex
from gtp_engine.go.rank_names import read_rank
from gtp_engine.tools.match.client import EngineClient

KOMI = 5.5  # that of nearly all games the ranks were learned from
HANDICAP_KOMI = 0.5  # with handicap stones
LONGEST = 250  # moves on 9x9; on larger boards as many for each point
SIZE = 9  # unless another one is asked for
PATIENCE = 60.0  # seconds for a program's answer


@dataclass(frozen=True)
class Setting:
    """What a game starts from."""

    size: int = SIZE
    handicap: int = 0  # stones of the first player, who has Black then

    @property
    def komi(self) -> float:
        """Of the game."""
        return HANDICAP_KOMI if self.handicap else KOMI


DEFAULT = Setting()


class Player(Protocol):
    """One of the two."""

    def genmove(self, color: int) -> int:
        """Its move."""
        ...

    def play(self, color: int, point: int) -> None:
        """The other's move."""
        ...


@dataclass(frozen=True)
class RankedPlayer:
    """A `--rank` player as data."""

    rank: str
    strength: Strength

    def __str__(self) -> str:
        """What the games of this player are called."""
        return f"{self.rank}({self.strength.sharpness:.3f},{self.strength.care:.2f},{self.strength.visits})"


class Ranked:
    """A `--rank` player at the board."""

    def __init__(self, player: RankedPlayer, seed: int, evaluators: Evaluators, setting: Setting = DEFAULT) -> None:
        chooser = RankChooser(read_rank(player.rank))
        chooser.strength = player.strength
        params = SearchParams(seed=seed, memory=16)
        self.engine = Engine(params, komi=setting.komi, size=setting.size, chooser=chooser, evaluators=evaluators)
        if setting.handicap:
            self.engine.game.place_handicap(fixed_handicap_points(setting.size, setting.handicap))
        self.play = self.engine.game.play
        self.moves, self.seconds = 0, 0.0

    def genmove(self, color: int) -> int:
        """See Player."""
        started = time.perf_counter()
        point = self.engine.genmove(color)
        self.moves, self.seconds = self.moves + 1, self.seconds + time.perf_counter() - started
        return point

    def is_won_by_black(self) -> bool:
        """Who has won the finished game?"""
        return self.engine.score() > 0


class Program:
    """A program that speaks GTP."""

    def __init__(self, client: EngineClient, setting: Setting = DEFAULT) -> None:
        self.client, self.size = client, setting.size
        for line in (f"boardsize {setting.size}", "clear_board", f"komi {setting.komi}"):
            client.ask(line, PATIENCE)
        if setting.handicap:
            client.ask(f"fixed_handicap {setting.handicap}", PATIENCE)

    def genmove(self, color: int) -> int:
        """See Player."""
        text = self.client.ask(f"genmove {to_color_name(color)}", PATIENCE)
        return RESIGN if text.lower() == "resign" else from_vertex(text, self.size)

    def play(self, color: int, point: int) -> None:
        """See Player."""
        self.client.ask(f"play {to_color_name(color)} {to_vertex(point)}", PATIENCE)


def most_moves(size: int) -> int:
    """After which a game is counted as it stands."""
    return LONGEST * size**2 // SIZE**2


def is_won(ours: Ranked, theirs: Player, color: int) -> bool:
    """Play one game with ours as `color`: has it won?"""
    players: dict[int, Player] = {color: ours, opponent(color): theirs}
    to_play, passes = WHITE if ours.engine.game.handicap else BLACK, 0
    for _ in range(most_moves(ours.engine.game.size)):
        point = players[to_play].genmove(to_play)
        if point == RESIGN:
            return to_play != color
        players[opponent(to_play)].play(to_play, point)
        passes = passes + 1 if point == PASS else 0
        if passes == 2:
            break
        to_play = opponent(to_play)
    return ours.is_won_by_black() == (color == BLACK)


class RankGames:
    """Plays games in a process of its own, see JobDescription: the network and the program stay."""

    def __init__(self, tell: Tell) -> None:
        self.evaluators = Evaluators(lambda text: print(text, file=sys.stderr))
        self.clients: dict[str, EngineClient] = {}

    def __call__(self, data: tuple[RankedPlayer, RankedPlayer | str, int, Setting], seed: int) -> dict[str, Any]:
        """One game of the first against the second, a player or a program's command; a number that says who has Black in an even game."""
        first, second, number, setting = data
        ours = Ranked(first, 2 * seed, self.evaluators, setting)
        theirs = self.other_player(second, 2 * seed + 1, setting)
        gc.collect()  # the players of the last game, whose memory is large and hangs in cycles
        won = is_won(ours, theirs, BLACK if setting.handicap or number % 2 == 0 else WHITE)
        vertices = " ".join(to_vertex(point) for _, point in ours.engine.game.moves)
        return {"won": won, "moves": ours.moves, "ms": round(1000 * ours.seconds / max(ours.moves, 1)), "game": vertices}

    def other_player(self, second: RankedPlayer | str, seed: int, setting: Setting) -> Player:
        """A player of ours, or a program."""
        if isinstance(second, str):
            return Program(self.client(second), setting)
        return Ranked(second, seed, self.evaluators, setting)

    def client(self, command: str) -> EngineClient:
        """The program, started when it is first wanted."""
        if command not in self.clients:
            self.clients[command] = EngineClient(shlex.split(command))
        return self.clients[command]

    def close(self) -> None:
        """End the programs."""
        for client in self.clients.values():
            client.close()
