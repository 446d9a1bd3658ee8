"""What tests of reading share: what is read of a drawing, what is known of a position, and an engine that stands at one."""

import numpy as np
from conftest import draw_game

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.reading import Reader, Reading, ReadingLimits
from gtp_engine.engine.playout.proved_fights import PROVED_FIGHTS
from gtp_engine.engine.search.facts import look_up_first
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE

MUCH = ReadingLimits(nodes=60_000)


def read(drawing: str, color: int = WHITE) -> tuple[Game, Reading]:
    game = draw_game(drawing, color)
    return game, Reader().read(game, MUCH)


def known(game: Game, reading: Reading) -> np.ndarray:
    """What the reading knows of the game's position: the valid rows of PROVED_FIGHTS.fight."""
    proved_fights = np.zeros(1, PROVED_FIGHTS)
    look_up_first(reading.record, reading.facts, game.positions, proved_fights)
    found: np.ndarray = proved_fights[0]["fight"][: int(proved_fights[0]["count"])]
    return found


def only(reading: Reading, k: int) -> Reading:
    """The reading with fight `k` alone."""
    record = reading.record.copy()
    record[0]["count"], record[0]["fight"][0] = 1, reading.record[0]["fight"][k]
    record[0]["fight"][0]["is_largest"] = 1
    return Reading((), record, reading.facts)


def engine(drawing: str, color: int, size: int = 9, komi: float = 0.5, **settings: object) -> Engine:
    built = Engine(SearchParams(threads=1, memory=16, seed=1, **settings), size=size)  # type: ignore[arg-type]
    game = draw_game(drawing, color)
    built.state.set_up([(each, point) for each in (BLACK, WHITE) for point in game.stones(each)], color)
    built.state.komi = komi
    return built
