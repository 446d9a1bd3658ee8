"""Tells handicap games from positions that a client sets up with handicap commands and plays. Plain Python.

Few clients have a command for a position. Sabaki sends a problem as `set_free_handicap` with every black stone and `play W` for each
white one; others send `play` for every stone, one color after the other. OGS sends handicap stones as plays, too.

In a handicap game there is a virtual komi. When one side is far ahead nearly every playout has the same winner, and the search can't tell
moves apart: White gives up, Black plays slack. So at first the search counts as if White's handicap were made good, and less so as the
game goes on.
"""

from itertools import groupby, takewhile

from gtp_engine.go.game import Game
from gtp_engine.go.handicap import free_handicap_points
from gtp_engine.go.points import BLACK, PASS, STRIDE, WHITE

Run = tuple[int, list[int]]  # a color and the points where it plays, one after the other

MOST_STONES = 9  # of a handicap; on a large board it may be one stone for POINTS_PER_STONE
POINTS_PER_STONE = 10  # OGS allows 36 stones on 19x19
FEWEST_IN_CONTACT = 3  # stones; two handicap stones may stand anywhere
CONTACT_SHARE = 2 / 3  # with more of the stones than this beside or diagonal to another one, they are no handicap
AROUND = (1, -1, STRIDE, -STRIDE, STRIDE + 1, STRIDE - 1, 1 - STRIDE, -STRIDE - 1)
STONE_POINTS = 6.0  # what the search takes a handicap stone to be worth at the start: a little less than the first move of a game
GONE_AFTER = 0.6  # moves for each point of the board after which nothing is left of it


def handicap_of(game: Game) -> int:
    """The number of Black's handicap stones; 0 if there are none, or if the stones set up a position.

    The stones of a handicap command count, and so do Black's first plays when there are two or more. They set up a position when

    - two or more plays of one color come next: in a game White makes one move, and Black answers;
    - there are more than 9 stones, and more than one for ten points of the board; or
    - most of them are beside or diagonal to another one: problems have chains and walls. Our own placement is excepted.

    One white stone among a few scattered black ones can't be told from a handicap game, and counts as one. A position of `loadsgf` or
    `gogui-setup` has the handicap that was given with it.
    """
    if not _is_made_by_plays(game):
        return game.handicap
    runs = _opening(game)
    is_handicap = runs and runs[0][0] == BLACK and len(runs[0][1]) >= 2 and not _sets_up(runs, game.size)
    return len(runs[0][1]) if is_handicap else 0


def as_loaded(game: Game) -> Game:
    """The game as `loadsgf` would give it: plays that set up a position become set-up stones, without order and without a last move.

    Such plays are the first ones of each color and those behind them while two or more of a color come in a row. A pass ends them.
    It is `game` itself where there are none.
    """
    runs = _opening(game)
    if not _is_made_by_plays(game) or not _sets_up(runs, game.size):
        return game
    set_up = [*runs[:2], *takewhile(lambda run: len(run[1]) >= 2, runs[2:])]
    return game.with_set_up(sum(len(points) for _, points in set_up) - game.handicap)


def looks_like_handicap(points: list[int], size: int) -> bool:
    """Can these black stones, two or more, be a handicap on a board of `size` lines?"""
    if len(points) < size * size and set(points) == set(free_handicap_points(size, len(points))):
        return True
    if len(points) > max(MOST_STONES, size * size // POINTS_PER_STONE):
        return False
    stones = set(points)
    in_contact = sum(any(point + step in stones for step in AROUND) for point in points)
    return len(points) < FEWEST_IN_CONTACT or in_contact <= CONTACT_SHARE * len(points)


def virtual_komi(handicap: int, move_count: int, size: int) -> float:
    """Points to add to White's komi inside the search, after `move_count` moves; 0 in even games and late in any game."""
    remaining = 1.0 - move_count / (GONE_AFTER * size * size)
    return max(handicap - 1, 0) * STONE_POINTS * max(remaining, 0.0)


def _is_made_by_plays(game: Game) -> bool:
    """Does nothing stand on the board but plays and the stones of a handicap command?"""
    return len(game.setup_stones) == game.handicap and all(color == BLACK for color, _ in game.setup_stones)


def _opening(game: Game) -> list[Run]:
    """The handicap command's stones, if any, then the plays before the first pass, each color's in a row together.

    Not those behind the first single play after two such runs: by then the game has begun.
    """
    runs: list[Run] = [(BLACK, [point for _, point in game.setup_stones])] if game.handicap else []
    plays = takewhile(lambda move: move[1] != PASS, game.moves)
    for color, run in groupby(plays, key=lambda move: move[0]):
        runs.append((color, [point for _, point in run]))
        if len(runs) > 2 and len(runs[-1][1]) == 1:
            break
    return runs


def _sets_up(runs: list[Run], size: int) -> bool:
    """Do these plays set up a position? See handicap_of."""
    if not runs:
        return False
    (color, first), second = runs[0], runs[1] if len(runs) > 1 else (WHITE, [])
    if len(second[1]) >= 2 or second[0] == color:
        return True
    return len(first) >= 2 and (color == WHITE or not looks_like_handicap(first, size))
