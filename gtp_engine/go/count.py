"""Counting a finished game when it is known which stones are dead: area, territory, and who owns each point. Plain Python."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, STRIDE, WHITE, board_points, is_on_board
from gtp_engine.go.rules import Scoring


@dataclass(frozen=True)
class Count:
    """A counted board, without komi and handicap compensation."""

    score: float  # Black's points minus White's
    owners: dict[int, int]  # for each point of the board BLACK, WHITE, or EMPTY for a neutral point


def neighbors(point: int, size: int) -> list[int]:
    """The two to four points beside `point`."""
    return [other for other in (point - STRIDE, point - 1, point + 1, point + STRIDE) if is_on_board(other, size)]


def empty_regions(colors: dict[int, int], size: int) -> Iterable[tuple[set[int], set[int]]]:
    """Every connected region of empty points with the set of colors that border on it."""
    seen: set[int] = set()
    for start, color in colors.items():
        if color != EMPTY or start in seen:
            continue
        region, border, waiting = {start}, set(), [start]
        while waiting:
            for other in neighbors(waiting.pop(), size):
                if colors[other] != EMPTY:
                    border.add(colors[other])
                elif other not in region:
                    region.add(other)
                    waiting.append(other)
        seen |= region
        yield region, border


def count(game: Game, dead: Collection[int], seki: Collection[int] = ()) -> Count:
    """Count the board by the rules of the game with the stones on the points `dead` taken off as prisoners.

    Under territory rules the eyes of chains in `seki` are nobody's points. Doesn't check that whole chains are dead.
    """
    colors = {point: game.color_at(point) for point in board_points(game.size)}
    prisoners = {color: game.captures(color) for color in (BLACK, WHITE)}
    for point in dead:
        prisoners[BLACK + WHITE - colors[point]] += 1
        colors[point] = EMPTY
    is_territory = game.rules.scoring is Scoring.TERRITORY
    owners = dict(colors)
    for region, border in empty_regions(colors, game.size):
        is_in_seki = is_territory and any(other in seki for point in region for other in neighbors(point, game.size))
        owner = border.pop() if len(border) == 1 and not is_in_seki else EMPTY
        owners.update(dict.fromkeys(region, owner))
    if is_territory:
        points = [owner for point, owner in owners.items() if colors[point] == EMPTY]
        balance = prisoners[BLACK] - prisoners[WHITE]
    else:
        points, balance = list(owners.values()), 0
    return Count(balance + points.count(BLACK) - points.count(WHITE), owners)
