"""What is proved of fights corrects a network that sees another outcome: owners, lead and the chance to win."""

import numpy as np
import pytest
from drawings import THROW_IN
from kernels_network import correct_network_owners, win_with_more_points
from readings import engine, read

from gtp_engine.engine.player.reading import Reading
from gtp_engine.engine.playout.proved_fights import PROVED_FIGHTS, SEKI
from gtp_engine.engine.search.facts import look_up_first
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, POINTS, WHITE, from_vertex

VOTES = 100


def proved_after_the_throw_in() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What is known then, [1] PROVED_FIGHTS; the points of the fight, and those of its target."""
    game, reading = read(THROW_IN)
    game.play(WHITE, from_vertex("H5", 9))
    proved_fights = known_of(game, reading)
    fight = proved_fights[0]["fight"][0]
    assert (int(proved_fights[0]["count"]), int(fight["winner"])) == (1, WHITE)
    return proved_fights, fight["points"][: int(fight["count"])], fight["targets"][: int(fight["target_count"])]


def known_of(game: Game, reading: Reading) -> np.ndarray:
    """[1] PROVED_FIGHTS of the game's position."""
    proved_fights = np.zeros(1, PROVED_FIGHTS)
    look_up_first(reading.record, reading.facts, game.positions, proved_fights)
    return proved_fights


def test_owners_who_say_otherwise_are_corrected() -> None:
    proved_fights, points, _ = proved_after_the_throw_in()
    owners = np.full(POINTS, 90, np.int32)
    gained = correct_network_owners(proved_fights, owners, VOTES)
    assert gained == pytest.approx(-1.9 * len(points))
    assert set(owners[points]) == {-VOTES}
    assert (owners == 90).sum() == POINTS - len(points)


@pytest.mark.parametrize("surely", [50, 80, 100])
def test_owners_who_see_it_stay(surely: int) -> None:
    proved_fights, _, targets = proved_after_the_throw_in()
    owners = np.zeros(POINTS, np.int32)
    owners[targets] = -surely
    before = owners.copy()
    assert correct_network_owners(proved_fights, owners, VOTES) == 0.0
    assert (owners == before).all()


@pytest.mark.parametrize("winner", [EMPTY, SEKI])
def test_nothing_is_changed_where_nothing_is_won(winner: int) -> None:
    proved_fights, _, _ = proved_after_the_throw_in()
    proved_fights[0]["fight"][0]["winner"] = winner
    assert correct_network_owners(proved_fights, np.full(POINTS, VOTES, np.int32), VOTES) == 0.0


def test_stones_that_stay_are_their_colors() -> None:
    """Where the attacker's stones in the region may stand as well, each color keeps its own points, and empty ones are left."""
    proved_fights, points, targets = proved_after_the_throw_in()
    fight = proved_fights[0]["fight"][0]
    fight["winner"], fight["stays"] = BLACK, 1
    fight["colors"][: len(points)] = EMPTY
    fight["colors"][[list(points).index(point) for point in targets]] = BLACK
    owners = np.full(POINTS, -VOTES, np.int32)
    assert correct_network_owners(proved_fights, owners, VOTES) == pytest.approx(2.0 * len(targets))
    assert {int(owners[point]) for point in points} == {VOTES, -VOTES}


def test_without_fights_nothing_changes() -> None:
    assert correct_network_owners(np.zeros(1, PROVED_FIGHTS), np.full(POINTS, VOTES, np.int32), VOTES) == 0.0


def test_the_chance_to_win_goes_by_the_corrected_lead() -> None:
    assert win_with_more_points(0.3, -2.0, 0.0) == pytest.approx(0.3)
    chances = [win_with_more_points(0.02, -30.0, gained) for gained in (-20.0, 0.0, 10.0, 30.0, 40.0, 60.0)]
    assert chances == sorted(chances)
    assert chances[3] == pytest.approx(0.5, abs=0.01)  # an even game then
    assert chances[-1] > 0.99
    assert win_with_more_points(0.99, 20.0, -60.0) < 0.01


def test_a_network_alone_sees_what_is_proved() -> None:
    """White's stones on the right are worth the game: after the throw-in White owns the points of the black ones."""
    built = engine(THROW_IN, WHITE, evaluator="network", playouts=40)
    assert built.reg_genmove(WHITE) == from_vertex("H5", 9)
    assert built.last_result is not None
    assert built.last_result.best.win_rate > 0.9
