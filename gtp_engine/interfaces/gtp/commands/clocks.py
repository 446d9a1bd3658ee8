"""Commands that set the clocks: GTP's own and the time systems of KGS and KataGo. The clocks survive a new board."""

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.interfaces.gtp.arguments import Color
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named

KGS_SYSTEMS = ("none", "absolute", "byoyomi", "canadian")
KATA_SYSTEMS = (*KGS_SYSTEMS, "fischer", "fischer-capped")
NUMBERS = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3, "fischer": 2, "fischer-capped": 4}  # that each system takes


class ClockCommands(EngineCommands):
    """Times are in seconds. Fractions are allowed, and negative times, because clients send them."""

    def cmd_time_settings(self, main_time: float, period_time: float, period_stones: int) -> None:
        """Set the clock: MAIN_TIME, then PERIOD_TIME for every PERIOD_STONES. 0 stones: no limit; a period of 0: no overtime."""
        self.engine.clock.time_settings(main_time, period_time, period_stones)

    def cmd_time_left(self, color: Color, seconds: float, stones: int) -> None:
        """Set COLOR's time left: SECONDS for STONES stones (in byo-yomi: STONES periods of SECONDS); STONES is 0 in main time."""
        self.engine.clock.time_left(color, seconds, stones)

    @named("kgs-time_settings")
    def cmd_kgs_time_settings(self, system: str, *numbers: float) -> None:
        """Set the clock: none, absolute MAIN, byoyomi MAIN PERIOD PERIODS, or canadian MAIN PERIOD STONES."""
        self.set_clock(system, numbers, KGS_SYSTEMS)

    @named("kata-time_settings")
    def cmd_kata_time_settings(self, system: str, *numbers: float) -> None:
        """As kgs-time_settings, and fischer MAIN INCREMENT, or fischer-capped MAIN INCREMENT MOST_MAIN MOST_MOVE (-1: no cap)."""
        self.set_clock(system, numbers, KATA_SYSTEMS)

    @named("kata-list_time_settings")
    def cmd_kata_list_time_settings(self) -> str:
        """The names of the time systems of kata-time_settings."""
        return " ".join(KATA_SYSTEMS)

    def set_clock(self, system: str, numbers: tuple[float, ...], systems: tuple[str, ...]) -> None:
        """Set both clocks to `system`, one of `systems`, with its numbers."""
        if system not in systems or len(numbers) != NUMBERS[system]:
            raise GtpError("syntax error")
        clock = self.engine.clock
        match system:
            case "none":
                clock.set_none()
            case "absolute":
                clock.set_absolute(*numbers)
            case "byoyomi":
                clock.set_byoyomi(numbers[0], numbers[1], whole(numbers[2]))
            case "canadian":
                clock.set_canadian(numbers[0], numbers[1], whole(numbers[2]))
            case "fischer":
                clock.set_fischer(*numbers)
            case "fischer-capped":
                main_time, increment, most_main, most_move = numbers
                clock.set_fischer(main_time, increment, cap=cap_or_none(most_main), move_cap=cap_or_none(most_move))


def whole(number: float) -> int:
    """A count of stones or periods; GtpError for a fraction or none."""
    if number < 1 or not number.is_integer():
        raise GtpError("syntax error")
    return int(number)


def cap_or_none(seconds: float) -> float | None:
    """A limit in seconds; None for KataGo's negative number that means there is none."""
    return None if seconds < 0 else seconds
