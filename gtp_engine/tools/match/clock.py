"""One player's clock in one game, under GTP's own time system, kept by the runner."""

from gtp_engine.tools.match.tournament import TimeControl


class PlayerClock:
    """Main time, followed by periods in which a number of stones must be played."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = control.main  # seconds left
        self.period = 0.0  # seconds left in the current period
        self.stones = 0  # still to play in it; 0: main time
        if control.main <= 0:
            self._begin_period()

    def budget(self) -> float:
        """Seconds that the next move may take."""
        return self.period if self.stones else self.main + self.control.byo_yomi

    def spend(self, seconds: float) -> float:
        """Subtract a move's time; returns the seconds by which it was late, 0 if in time. A late move leaves nothing on the clock."""
        late = max(seconds - self.budget(), 0.0)
        seconds = min(seconds, self.budget())
        if not self.stones:
            if seconds < self.main or self.control.byo_yomi <= 0:
                self.main = max(self.main - seconds, 0.0)
                return late
            seconds -= self.main
            self.main = 0.0
            self._begin_period()
        self.period -= seconds
        self.stones -= 1
        if self.stones == 0:
            self._begin_period()
        return late

    def time_left(self) -> str:
        """The arguments of GTP's time_left after the color: seconds, and stones (0 in main time)."""
        return f"{self.period if self.stones else self.main:.2f} {self.stones}"

    def settings(self) -> str:
        """The arguments of GTP's time_settings. Whole numbers are written without a point, because older engines read nothing else."""
        return f"{self.control.main:g} {self.control.byo_yomi:g} {self.control.stones if self.control.byo_yomi > 0 else 0}"

    def _begin_period(self) -> None:
        self.period = self.control.byo_yomi
        self.stones = self.control.stones
