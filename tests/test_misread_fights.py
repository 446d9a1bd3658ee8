"""What corrects a network: proved fights whose outcome it misreads, and the count of a settled board."""

import numpy as np
import pytest
from drawings import THROW_IN
from kernels_network import correct_network_owners, lead_by_count, win_with_more_points
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


# ---------------------------------------------------------------- a settled board


def owners_of(black_points: int, sure: int) -> np.ndarray:
    """[P] of a 9x9 board of which Black owns so many points, each by so many of 100 votes, and White the others."""
    owners = np.zeros(POINTS, np.int32)
    owners[[from_vertex(f"{letter}{row}", 9) for letter in "ABCDEFGHJ" for row in range(1, 10)]] = -sure
    for place in range(black_points):
        owners[from_vertex(f"{'ABCDEFGHJ'[place % 9]}{1 + place // 9}", 9)] = sure
    return owners


def test_the_lead_is_counted_where_the_owners_are_sure() -> None:
    """45 points are 9 more than White's 36, and the komi is 7.5; the network says 20. In between, the lead goes over to the count."""
    assert lead_by_count(owners_of(45, 100), 20.0, 7.5, 9) == pytest.approx(1.5)
    assert lead_by_count(owners_of(45, 96), 20.0, 7.5, 9) == 20.0
    assert 1.5 < lead_by_count(owners_of(45, 98), 20.0, 7.5, 9) < 20.0


# Black has 63 points, White 18.
SETTLED = """
    . O . O . O . O .
    O O O O O O O O O
    X X X X X X X X X
    . . . . . . . . .
    . . . X . X . . .
    . . . . . . . . .
    X X X X X X X X X
    . X . X . X . X .
    X . X . X . X . X
"""


@pytest.mark.parametrize(("komi", "wins"), [(42.5, True), (47.5, False)])
def test_the_count_decides_a_settled_game_under_a_komi_that_no_game_has(komi: float, wins: bool) -> None:
    """So much komi the network can't weigh by itself."""
    built = engine(SETTLED, BLACK, komi=komi, evaluator="network", playouts=40)
    built.reg_genmove(BLACK)
    assert built.last_result is not None
    assert (built.last_result.win_rate > 0.5) is wins
    assert built.last_result.score == pytest.approx(45.0 - komi, abs=1.5)
