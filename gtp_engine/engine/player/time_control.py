"""Clock: how long to think about a move under every time system that servers use. Plain Python; all times are seconds.

The clock never looks at the time itself: the caller passes `now`, seconds of a monotonic clock. Guarantee: a player who always
thinks for `maximum` and loses up to `lag` + `overshoot` a move besides never loses on time, as long as that much a move
is to be had at all; see ClockParams and expected_moves. On a busy machine answers come later than that: the clock sees it and keeps
more back from then on.
"""

import math
from dataclasses import dataclass, replace
from enum import Enum

from gtp_engine.go.points import BLACK, WHITE

LONGEST = 1e9  # seconds; what is longer or infinite counts as this
MOST_PERIODS = 1_000_000


class System(Enum):
    """The time system."""

    NONE = "none"
    ABSOLUTE = "absolute"  # main time only
    CANADIAN = "canadian"  # then a period for each `stones` moves
    BYOYOMI = "byoyomi"  # then periods, each lost only when a move takes longer
    FISCHER = "fischer"  # an increment after each move


@dataclass(frozen=True)
class ClockParams:
    """The constants of time keeping; seconds unless said otherwise."""

    lag: float = 0.05  # lost on each move between us and the clock: a pipe takes 1 ms, a busy machine and a bridge some ten
    overshoot: float = 0.05  # the search stops between chunks of simulations, so it ends up to this late
    most_late: float = 0.5  # lateness that was seen counts up to this: a first start, which compiles, says nothing of later moves
    forgiven: float = 0.95  # of a late answer remains after each move, so that one bad moment doesn't slow down a whole game
    reserve: float = 0.5  # of the main time, never planned for: a busy machine may stand still that long
    reserve_share: float = 0.1  # of the whole main time that the reserve may be at most
    share: float = 0.03  # of the time at hand is kept back: long times mean a server, whose lag is longer and varies
    at_once: float = 0.01  # the answer when no time is left: enough for a few simulations, too little to hurt
    unclear: float = 3.0  # times the desired time that an unclear move may take; more would starve the rest of the game
    moves_per_empty_point: float = 0.35  # own moves still to come: of two empty points one is ours, and a third stays empty
    moves_per_line: float = 0.5  # and this for each line of the board, since a full board goes on with captures and endgame

    @property
    def overhead(self) -> float:
        """The largest overhead of a move besides thinking."""
        return self.lag + self.overshoot


@dataclass(frozen=True)
class Allowance:
    """The time to think from now on; 0 < desired <= maximum."""

    desired: float  # for an ordinary move
    maximum: float  # never longer, however unclear the move is


@dataclass(frozen=True)
class _Settings:
    """A time system; main time, period and increment are never negative."""

    system: System = System.NONE
    main: float = 0.0
    period: float = 0.0  # Canadian and byo-yomi: length of a period; Fischer: the increment
    count: int = 0  # Canadian: stones in a period; byo-yomi: periods
    cap: float = LONGEST  # Fischer: the main time never grows beyond this
    move_cap: float = LONGEST  # Fischer: no move may take longer


@dataclass(frozen=True)
class _Side:
    """The time that one player has left."""

    main: float
    period: float  # seconds left in the current period; full while main time runs
    count: int  # stones to play in it, or periods left including it


class Clock:
    """Both players' clocks: set by the controller, and updated here between its messages."""

    def __init__(self, params: ClockParams | None = None) -> None:
        self.params = params or ClockParams()
        self._started: tuple[int, float] | None = None  # whose clock runs, and since when
        self._due: float | None = None  # when the answer to the move under way should be there
        self._late = 0.0  # how late answers have been of late
        self._start(_Settings())

    def set_none(self) -> None:
        """No limit; time_left is ignored from here on."""
        self._start(_Settings())

    def set_absolute(self, main: float) -> None:
        """`main` for the whole game. Negative, infinite and undefined times are tolerated here and below."""
        self._start(_Settings(System.ABSOLUTE, _sane(main)))

    def set_canadian(self, main: float, period: float, stones: int) -> None:
        """`main`, then `period` for each `stones` moves. No period is absolute time; a period for no stones is no limit (GTP 2)."""
        if not _sane(period):
            self.set_absolute(main)
        elif stones <= 0:
            self.set_none()
        else:
            self._start(_Settings(System.CANADIAN, _sane(main), _sane(period), min(stones, MOST_PERIODS)))

    def set_byoyomi(self, main: float, period: float, periods: int) -> None:
        """`main`, then `periods` times `period`, a period being lost only by a move that takes longer. None of them: absolute time."""
        if not _sane(period) or periods <= 0:
            self.set_absolute(main)
        else:
            self._start(_Settings(System.BYOYOMI, _sane(main), _sane(period), min(periods, MOST_PERIODS)))

    def set_fischer(self, main: float, increment: float, cap: float | None = None, move_cap: float | None = None) -> None:
        """`main` and `increment` after each move; never more than `cap` on the clock, no move longer than `move_cap`.

        None and numbers up to 0 mean that there is no such limit, as in kata-time_settings.
        """
        limits = [_sane(limit) or LONGEST if limit is not None else LONGEST for limit in (cap, move_cap)]
        self._start(_Settings(System.FISCHER, min(_sane(main), limits[0]), _sane(increment), 0, *limits))

    def time_settings(self, main: float, byo_yomi_time: float, byo_yomi_stones: int) -> None:
        """GTP's command of this name: Canadian, absolute (no byo-yomi time), or no limit (byo-yomi time for no stones)."""
        self.set_canadian(main, byo_yomi_time, byo_yomi_stones)

    def time_left(self, color: int, seconds: float, count: int) -> None:
        """GTP's command of this name: what `color` has left; `count` stones (Canadian) or periods (byo-yomi), 0 in main time.

        A period can't have more time left than its length; a larger number is a client's mistake.
        """
        settings = self._settings
        if count > 0 and settings.system in (System.CANADIAN, System.BYOYOMI):
            self._sides[color] = _Side(0.0, min(_sane(seconds), settings.period), min(count, MOST_PERIODS))
        else:
            self._sides[color] = _Side(_sane(seconds), settings.period, settings.count)

    def start_move(self, color: int, now: float) -> None:
        """The clock of `color` runs from `now` on."""
        self._started = color, now

    def end_move(self, color: int, now: float) -> None:
        """`color` has moved. Charges also the lag, which we cannot see; nothing when its clock was not started."""
        elapsed = self.elapsed(color, now)
        if elapsed is not None:
            self._sides[color] = self._moved(self._spend(self._sides[color], elapsed + self.params.lag))
        if self._due is not None:
            late = min(now - self._due, self.params.most_late)
            self._late = max(late, self._late * self.params.forgiven)
        self._started = self._due = None

    def allowance(self, color: int, size: int, stones_on_board: int, now: float) -> Allowance | None:
        """The time that `color` should think from `now` on; None without a limit. Includes the time of the move so far."""
        settings = self._settings
        if settings.system is System.NONE:
            return None
        side = self._spend(self._sides[color], self.elapsed(color, now) or 0.0)
        moves = self.expected_moves(size, stones_on_board)
        most_moves = size + (size * size - stones_on_board) / 2  # for this many the overhead is kept back
        if settings.system is System.ABSOLUTE:
            desired, maximum = self._from_stock(side.main, 0.0, moves, most_moves)
        elif settings.system is System.FISCHER:
            desired, maximum = self._fischer(side, moves, most_moves)
        elif side.main > 0:
            desired, maximum = self._before_overtime(side, moves)
        elif settings.system is System.CANADIAN:
            desired, maximum = self._from_stock(side.period, 0.0, side.count, side.count)
        else:
            desired = maximum = self._whole(side.period)
        maximum = max(maximum, self.params.at_once)
        self._due = now + maximum
        return Allowance(min(max(desired, self.params.at_once), maximum), maximum)

    @property
    def overhead(self) -> float:
        """The measured overhead of a move besides thinking."""
        return self.params.overhead + max(self._late - self.params.overshoot, 0.0)

    def expected_moves(self, size: int, stones_on_board: int) -> float:
        """Own moves still to come, about: many at the start, some also on a full board, so that early moves don't take it all."""
        empty = max(size * size - stones_on_board, 0)
        return max(1.0, self.params.moves_per_line * size + self.params.moves_per_empty_point * empty)

    def _from_stock(self, seconds: float, income: float, moves: float, most_moves: float) -> tuple[float, float]:
        """Divide time that must last for `moves`, and could have to for `most_moves`, when each of them brings `income`."""
        params, overhead = self.params, self.overhead
        needed = max(overhead + params.at_once - income, 0.0)  # to play a move at once
        reserve = min(params.reserve, params.reserve_share * self._settings.main)
        usable = seconds * (1 - params.share) - needed * most_moves - overhead - reserve
        desired = usable / moves + max(income - overhead, 0.0)
        most = usable if most_moves <= 1 else usable / 2
        return min(desired, most), min(params.unclear * desired, most)

    def _fischer(self, side: _Side, moves: float, most_moves: float) -> tuple[float, float]:
        """As from a stock with income; what the cap would cut off anyway is used up."""
        settings = self._settings
        desired, maximum = self._from_stock(side.main, settings.period, moves, most_moves)
        surplus = side.main + settings.period - settings.cap
        limit = min(maximum, self._whole(settings.move_cap))
        return min(max(desired, surplus), limit), limit

    def _before_overtime(self, side: _Side, moves: float) -> tuple[float, float]:
        """Main time with overtime behind it: a move's worth of the overtime, and its part of the main time."""
        overtime = self._whole(side.period / (side.count if self._settings.system is System.CANADIAN else 1))
        desired = max(overtime, 0.0) + side.main / moves
        most = side.main + overtime
        return min(desired, most), min(self.params.unclear * desired, most)

    def _whole(self, seconds: float) -> float:
        """The time to think within `seconds` that are lost afterwards; twice the overhead is kept, because this may be the last period."""
        return seconds * (1 - self.params.share) - 2 * self.overhead

    def _start(self, settings: _Settings) -> None:
        """Full time for both."""
        self._settings = settings
        self._started = None
        self._sides = {color: _Side(settings.main, settings.period, settings.count) for color in (BLACK, WHITE)}

    def elapsed(self, color: int, now: float) -> float | None:
        """The time that the clock of `color` has been running; None if it isn't."""
        if self._started is None or self._started[0] != color:
            return None
        return max(now - self._started[1], 0.0)

    def _spend(self, side: _Side, seconds: float) -> _Side:
        """Subtract `seconds`, main time first. Nothing becomes negative, and the last period is kept, to play on."""
        rest = max(seconds - side.main, 0.0)
        side = replace(side, main=max(side.main - seconds, 0.0))
        if self._settings.system is System.BYOYOMI and rest > side.period:
            lost = 1 + int((rest - side.period) // self._settings.period)
            if lost < side.count:
                left = self._settings.period - (rest - side.period) % self._settings.period
                return replace(side, period=left, count=side.count - lost)
            return replace(side, period=0.0, count=1)
        return replace(side, period=max(side.period - rest, 0.0))

    def _moved(self, side: _Side) -> _Side:
        """Add the gain of a move: an increment, a new byo-yomi period, or a stone less to play."""
        settings = self._settings
        if settings.system is System.FISCHER:
            return replace(side, main=min(side.main + settings.period, settings.cap))
        if side.main > 0 or settings.system not in (System.CANADIAN, System.BYOYOMI):
            return side
        if settings.system is System.BYOYOMI:
            return replace(side, period=settings.period)
        return replace(side, count=side.count - 1) if side.count > 1 else _Side(0.0, settings.period, settings.count)


def _sane(seconds: float) -> float:
    """A time between 0 and LONGEST; undefined times are 0."""
    clamped = float(min(max(seconds, 0.0), LONGEST))  # before float(), which refuses huge integers
    return 0.0 if math.isnan(clamped) else clamped
