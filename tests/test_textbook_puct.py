"""PUCT: the guide decides what is tried first, the results decide what is played, and a guide that returns nonsense is refused."""

import math
import random

import pytest

from gtp_engine.textbook import minimax
from gtp_engine.textbook.dice_game import DiceGame
from gtp_engine.textbook.game import Move, Position
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.puct import Guide, GuidedSearch, evaluating_guide, know_nothing, rollout_guide
from gtp_engine.textbook.rollouts import random_rollout
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

OPEN_LINES_SCALE = 4.0  # lines: a clear lead


def lines_open(position: Position) -> float:
    assert isinstance(position, TicTacToe)
    return open_lines(position)


GUIDES: dict[str, Guide] = {
    "knows nothing": know_nothing,
    "evaluates": evaluating_guide(lines_open, OPEN_LINES_SCALE),
    "rolls out": rollout_guide(random_rollout, 5, random.Random(1)),
}


def fond_of(move: Move, share: float, value: float = 0.0) -> Guide:
    """A guide that gives `move`, where it is legal, this share of the priors."""

    def guide(position: Position) -> tuple[dict[Move, float], float]:
        moves = position.legal_moves()
        rest = (1.0 - share) / max(len(moves) - 1, 1)
        return {each: share if each == move else rest for each in moves}, value

    return guide


def test_the_first_move_tried_is_the_guides_favourite() -> None:
    root = GuidedSearch(fond_of("c1", 0.6), 1).search(TicTacToe())
    assert list(root.children) == ["c1"]


def test_without_results_visits_follow_the_priors() -> None:
    """All values are even, so the bonus alone decides: visits in the proportions of the priors."""
    root = GuidedSearch(fond_of("b2", 0.5), 60, exploration=100.0).search(TicTacToe())
    assert 25 <= root.visits_of("b2") <= 35
    assert all(2 <= root.visits_of(move) <= 6 for move in root.priors if move != "b2")


def test_results_overrule_the_guide() -> None:
    """The guide is all for a3, but b1 wins at once."""
    position = TicTacToe.from_text(".XO/.X./O..")
    assert GuidedSearch(fond_of("a3", 0.6), 200).choose_move(position) == "b1"


@pytest.mark.parametrize("guide", GUIDES.values(), ids=GUIDES.keys())
def test_with_any_guide_hexapawn_is_played_as_minimax_plays_it(guide: Guide) -> None:
    position = Hexapawn().apply_move("b1b2")
    best = minimax.best_moves(minimax.values_of_moves(position))
    if guide is GUIDES["evaluates"]:
        guide = evaluating_guide(lambda position: 0.0, 1.0)  # open lines are of another game; wins and losses are still seen
    assert GuidedSearch(guide, 300).choose_move(position) in best


@pytest.mark.parametrize("guide", GUIDES.values(), ids=GUIDES.keys())
def test_with_any_guide_a_threat_is_stopped(guide: Guide) -> None:
    assert GuidedSearch(guide, 300).choose_move(TicTacToe.from_text("X../.X./O..")) == "c1"


def test_visits_add_up_and_values_stay_within_bounds() -> None:
    root = GuidedSearch(GUIDES["evaluates"], 150).search(TicTacToe())
    assert root.visits == 1 + 150 == 1 + sum(child.visits for child in root.children.values())
    assert all(-1.0 <= root.value_of(move) <= 1.0 for move in root.priors)
    assert sum(root.priors.values()) == pytest.approx(1.0)


# ---------------------------------------------------------------- bad input


def saying(value: float = 0.0, **changes: float) -> Guide:
    """A guide without an opinion, but for the value and these priors."""
    return lambda position: ({**know_nothing(position)[0], **changes}, value)


@pytest.mark.parametrize(
    ("guide", "complaint"),
    [
        (saying(d4=1.0), r"missing \[\], not legal \['d4'\]"),
        (lambda position: ({"a1": 1.0}, 0.0), r"missing \['a2', 'a3', .*not legal \[\]"),
        (saying(a1=-0.5), "prior for a1 must be 0 or more, not -0.5"),
        (saying(a1=math.nan), "prior for a1 must be 0 or more, not nan"),
        (saying(a1=math.inf), "prior for a1 must be 0 or more, not inf"),
        (lambda position: (dict.fromkeys(position.legal_moves(), 0.0), 0.0), "all 0"),
        (saying(value=1.5), "value must be between -1 and 1, not 1.5"),
        (saying(value=math.nan), "value must be between -1 and 1, not nan"),
    ],
)
def test_a_guide_that_returns_nonsense_is_refused(guide: Guide, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GuidedSearch(guide, 10).choose_move(TicTacToe())


def test_other_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="0 rounds"):
        GuidedSearch(know_nothing, 0)
    with pytest.raises(ValueError, match="exploration"):
        GuidedSearch(know_nothing, 10, exploration=-1.0)
    with pytest.raises(ValueError, match="the game is over"):
        GuidedSearch(know_nothing, 10).choose_move(TicTacToe.from_text("XXX/OO./..."))
    with pytest.raises(ValueError, match="3 players"):
        GuidedSearch(know_nothing, 10).choose_move(CoinRow())
    with pytest.raises(ValueError, match="chance moves here"):
        GuidedSearch(know_nothing, 10).choose_move(DiceGame())
