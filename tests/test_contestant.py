"""What a contestant of a match asks its engine for, and what is charged to it: from a client that only notes it."""

from typing import Any

import pytest
from match_players import rows

from gtp_engine.tools.match.contestant import Contestant
from gtp_engine.tools.match.tournament import Tournament
from gtp_engine.tools.match.usage import Usage


class NotingClient:
    """Knows these commands, answers all with nothing, and uses two seconds of processor time and a megabyte more between two looks."""

    lost = 0.0

    def __init__(self, commands: str) -> None:
        self.commands, self.asked = commands, list[str]()
        self.used = Usage(3.0, 5_000_000)

    def ask(self, line: str, patience: float) -> str:
        """See EngineClient."""
        self.asked.append(line)
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
