"""The clocks of a game at the board: absolute time, byo-yomi, Fischer. All times are seconds; `now` is from any monotonic clock."""

from dataclasses import dataclass, replace
from typing import Any

from gtp_engine.engine.player.time_control import Clock
from gtp_engine.go.points import BLACK, WHITE, opponent, to_color_name

ABSOLUTE, BYOYOMI, FISCHER = "absolute", "byoyomi", "fischer"
LONGEST = 100_000.0  # seconds of main time or of a period
MOST_PERIODS = 100


@dataclass(frozen=True)
class TimeSystem:
    """A time system."""

    kind: str
    main: float
    period: float = 0.0  # of byo-yomi; with Fischer the increment
    periods: int = 0


@dataclass(frozen=True)
class Side:
    """The time that one player has left."""

    main: float
    period: float
    periods: int
    is_over: bool = False


def read_time_system(request: Any) -> TimeSystem | None:
    """The time system in a request; None if there is none. Raises ValueError for invalid values."""
    if not request:
        return None
    kind, main, period, periods = (request.get(name, 0) for name in ("kind", "main", "period", "periods"))
    numbers_fit = all(isinstance(number, int | float) and 0 <= number <= LONGEST for number in (main, period, periods))
    if kind not in (ABSOLUTE, BYOYOMI, FISCHER) or not numbers_fit or main + period <= 0 or periods > MOST_PERIODS:
        raise ValueError("no time system")
    if kind == BYOYOMI and (not period or periods < 1):
        raise ValueError("byo-yomi without periods")
    return TimeSystem(str(kind), float(main), 0.0 if kind == ABSOLUTE else float(period), int(periods) if kind == BYOYOMI else 0)


class GameClock:
    """Both players' clocks; one of them runs, or none."""

    def __init__(self, system: TimeSystem) -> None:
        self.system = system
        self._sides = {color: Side(system.main, system.period, system.periods) for color in (BLACK, WHITE)}
        self._running: tuple[int, float] | None = None  # color, start time

    def start(self, color: int, now: float) -> None:
        """Start the clock of `color` and stop the other."""
        self.stop(now)
        self._running = color, now

    def stop(self, now: float) -> None:
        """Stop the running clock and charge the used time."""
        if self._running is not None:
            color, _ = self._running
            self._sides[color] = self.left(color, now)
        self._running = None

    def end_move(self, color: int, now: float) -> None:
        """Stop the clock of `color`, which has moved, add its increment, and start the opponent's."""
        self.stop(now)
        side = self._sides[color]
        if self.system.kind == FISCHER and not side.is_over:
            self._sides[color] = replace(side, main=side.main + self.system.period)
        elif not side.is_over:
            self._sides[color] = replace(side, period=self.system.period)
        self.start(opponent(color), now)

    def left(self, color: int, now: float) -> Side:
        """The time that a player has left now."""
        side = self._sides[color]
        if self._running is None or self._running[0] != color:
            return side
        used = now - self._running[1]
        rest = used - side.main
        if rest <= 0.0:
            return replace(side, main=-rest)
        lost = 0
        while self.system.kind == BYOYOMI and lost < side.periods and rest >= (side.period if lost == 0 else self.system.period):
            rest -= side.period if lost == 0 else self.system.period
            lost += 1
        if lost < side.periods:
            whole = side.period if lost == 0 else self.system.period
            return Side(0.0, whole - rest, side.periods - lost)
        return Side(0.0, 0.0, 0, is_over=True)

    def is_over(self, color: int, now: float) -> bool:
        """True if this player has no time left."""
        return self.left(color, now).is_over

    def tell_engine(self, clock: Clock, color: int, now: float) -> None:
        """Set the engine's own clock to the time that `color` has left."""
        side, system = self.left(color, now), self.system
        if system.kind == FISCHER:
            clock.set_fischer(side.main, system.period)
        elif system.kind == BYOYOMI:
            clock.set_byoyomi(side.main, system.period, max(side.periods, 1))
        else:
            clock.set_absolute(side.main)

    def as_dict(self, now: float) -> dict[str, Any]:
        """For the page, which counts down by itself."""
        sides = {to_color_name(color): self.left(color, now) for color in (BLACK, WHITE)}
        shown = {
            name: {"main": round(side.main, 2), "period": round(side.period, 2), "periods": side.periods} for name, side in sides.items()
        }
        running = to_color_name(self._running[0]) if self._running is not None else ""
        return {"period": self.system.period, "running": running, **shown}
