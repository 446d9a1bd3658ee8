"""What a contestant of a match asks its engine for, and what is charged to it: from a client that only notes it."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from match_players import rows

from gtp_engine.go.points import BLACK
from gtp_engine.tools.match import contestant as contestant_module
from gtp_engine.tools.match.clock import PlayerClock
from gtp_engine.tools.match.contestant import LATE_GRACE, Contestant
from gtp_engine.tools.match.tournament import TimeControl, Tournament
from gtp_engine.tools.match.usage import Usage


class NotingClient:
    """Knows these commands, answers all with nothing, and uses two seconds of processor time and a megabyte more between two looks."""

    lost = 0.0

    def __init__(self, commands: str) -> None:
        self.commands, self.asked, self.patience = commands, list[str](), 0.0
        self.used = Usage(3.0, 5_000_000)

    def ask(self, line: str, patience: float) -> str:
        """See EngineClient."""
        self.asked.append(line)
        self.patience = patience
        return self.commands if line == "list_commands" else ""

    def usage(self) -> Usage:
        """See EngineClient."""
        self.used = Usage(self.used.cpu_seconds + 2.0, self.used.peak_memory + 1_000_000)
        return self.used

    def take_stderr(self) -> str:
        """See EngineClient."""
        return ""

    def close(self) -> None:
        """See EngineClient."""


def contestant_of(commands: str, **settings: Any) -> tuple[Contestant, list[str]]:
    """A contestant whose engine knows these commands, and the list of what it has been asked."""
    client: Any = NotingClient(commands)
    return Contestant(rows("a"), Tournament((rows("a"), rows("b")), **settings), client), client.asked


@pytest.mark.parametrize(
    ("commands", "seeds", "is_seeded"), [("set_random_seed", True, True), ("set_random_seed", False, False), ("", True, False)]
)
def test_engines_are_seeded_where_they_can_be_and_it_is_wanted(commands: str, seeds: bool, is_seeded: bool) -> None:
    contestant, asked = contestant_of(commands, seed_engines=seeds)
    contestant.new_game(17, None)
    assert ("set_random_seed 17" in asked) == is_seeded


def test_the_first_command_for_rules_that_it_knows_is_sent() -> None:
    contestant, asked = contestant_of("kgs-rules kata-set-rules", rules="japanese")
    contestant.new_game(1, None)
    assert [line for line in asked if "rules" in line] == ["kata-set-rules japanese"]


def test_the_time_of_earlier_games_is_not_counted() -> None:
    contestant, _ = contestant_of("")
    contestant.new_game(1, None)
    assert contestant.used() == (2.0, 7_000_000)


def test_who_has_a_clock_is_waited_for_until_it_has_run_out_and_a_little_longer() -> None:
    """A late answer spares the engine a restart."""
    contestant, asked = contestant_of("")
    clock = PlayerClock(TimeControl(byo_yomi=3.0, tolerance=0.25))
    contestant.genmove(BLACK, clock)
    assert asked == ["time_left black 3.00 1", "genmove black"]
    assert cast(Any, contestant.client).patience == 3.0 + 0.25 + LATE_GRACE


@pytest.mark.parametrize(("lost", "charged", "late"), [(0.0, 4.0, 1.0), (1.5, 2.5, 0.0), (9.0, 0.0, 0.0)])
def test_time_in_which_the_runner_did_not_run_is_not_charged(
    lost: float, charged: float, late: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    contestant, _ = contestant_of("")
    cast(Any, contestant.client).lost = lost
    moments = iter((100.0, 104.0))
    monkeypatch.setattr(contestant_module, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    assert contestant.genmove(BLACK, PlayerClock(TimeControl(byo_yomi=3.0))) == ("", late)
    assert (contestant.times.moves, contestant.times.seconds, contestant.times.slowest) == (1, charged, charged)
