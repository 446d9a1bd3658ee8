"""Why a move was a mistake: every reason on boards where it holds, and on some that look alike, where it doesn't.

In the drawings the move is on `a`, the better one on `b`; Black is to play unless it is said otherwise.
"""

from dataclasses import replace

import numpy as np
from conftest import draw_game, draw_marks
from review_samples import drawn_review

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, POINTS, WHITE, from_vertex
from gtp_engine.tools.review.annotate import annotated_record
from gtp_engine.tools.review.area_reasons import LONG, Expected, expected
from gtp_engine.tools.review.ladders import certain_catch, is_certainly_safe
from gtp_engine.tools.review.missed_move import MissedMove
from gtp_engine.tools.review.model import Evaluation
from gtp_engine.tools.review.reasons import reasons_for, with_reasons
from gtp_engine.tools.review.tables import csv_table


def missed_move(drawing: str, color: int = BLACK, later: tuple[tuple[int, str], ...] = ()) -> MissedMove:
    """The mistake that is drawn. `later`: the game's next moves, (color, mark)."""
    game, marks = draw_game(drawing, color), draw_marks(drawing)
    after, best = game.copy(), game.copy()
    after.play(color, marks["a"])
    best.play(color, marks["b"])
    return MissedMove(color, marks["a"], marks["b"], game, after, best, [(each, marks[mark]) for each, mark in later])


LEFT_IN_ATARI = """
    . . . . . . .
    . . . O . . .
    . . O X O . .
    . . O X O . .
    . . . b . . .
    . . . . . . .
    a . . . . . .
"""


def said(drawing: str, color: int = BLACK, later: tuple[tuple[int, str], ...] = ()) -> list[str]:
    """The reasons for it."""
    return [reason.text for reason in reasons_for(missed_move(drawing, color, later))]


# ---------------------------------------------------------------- captures


def test_stones_left_in_atari() -> None:
    assert said(LEFT_IN_ATARI) == ["Black leaves the 2 stones at D4 in atari: White can take them with D3. Black needed D3 first."]


def test_a_better_move_that_saves_nothing_is_no_reason() -> None:
    """After D3 the stones are still in atari: they are lost in a ladder at once."""
    drawing = """
        . . . . . . .
        . . . O . . .
        . . O X O . .
        . . O X O . .
        . . O b O . .
        . . . . . . .
        a . . O . . .
    """
    assert said(drawing) == []


def test_stones_put_into_atari() -> None:
    drawing = """
        . . . . . . .
        . . O O . . .
        . O X . . . .
        . O X O . . .
        . O a O . . .
        . . O . . . .
        . . . . . . b
    """
    assert said(drawing) == ["C3 puts 3 of Black's own stones into atari: White can take them with D5."]
    assert said(drawing.replace("O X . . . .", "O X O . . .").replace("O a O", "O a .")) == []  # they were in atari before


def test_a_snapback_is_no_stone_lost() -> None:
    """White takes two stones, and Black takes back."""
    drawing = """
        . . . . . . .
        X X X O . . .
        O O . X O . .
        O X a X O . .
        O O O O O . b
        . . . . . . .
        . . . . . . .
    """
    assert not any("own stones into atari" in text for text in said(drawing))


def test_a_missed_capture() -> None:
    drawing = """
        . . . . . . .
        . . X X . . .
        . X O O b . .
        . . X X . . .
        . . . . . . .
        . . . . . . .
        a . . . . . .
    """
    assert said(drawing) == ["E5 would have taken the 2 stones at C5."]


# ---------------------------------------------------------------- ladders

LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . X X . . . . .
    . X O O b . . . .
    . . X . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    a . . . . . . . .
"""
BROKEN = """
    . . . . . . . . .
    . . . . . . . . .
    . . X X . . . . .
    . X O O b . . . .
    . . X . . . . . .
    . . . . . O . . .
    . . . . . . . . .
    . . . . . . . . .
    a . . . . . . . .
"""


def test_a_ladder_that_was_missed() -> None:
    assert said(LADDER) == ["E6 would have caught the 2 stones at C6 in a ladder."]
    assert said(BROKEN) == ["E6 would have put the 2 stones at C6 in atari."]


def test_a_ladder_that_was_allowed() -> None:
    """White's better move gives its stones a third liberty."""
    drawing = LADDER.replace("O O b", "O O .").replace("X . . . . . .", "X b . . . . .")
    assert said(drawing, WHITE) == ["Black can now catch the 2 stones at C6 in a ladder that begins with E6. D5 would have prevented it."]
    assert (
        said(drawing.replace(". . . . . . . . .\n    . . . . . . . . .\n    a", ". . . . . O . . .\n    . . . . . . . . .\n    a"), WHITE)
        == []
    )


BEGUN = """
    . . . . . . . . .
    . . . X . . . . .
    . . X O a . . . .
    . . X 1 2 . . . .
    . . . 3 . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    b . . . . . . . .
"""


def test_a_ladder_that_does_not_work() -> None:
    """Said only when the game went on with it."""
    stopped = BEGUN.replace("1 2 . . . .", "1 2 O . . .").replace("3 . . . . .", "3 . O . . .")
    chased, elsewhere = ((WHITE, "1"), (BLACK, "2")), ((WHITE, "1"), (BLACK, "b"))
    assert said(stopped, BLACK, chased) == ["The ladder against the stone on D7 does not work."]
    assert said(stopped, BLACK, elsewhere) == []
    assert said(BEGUN, BLACK, chased) == []


def test_a_ko_in_a_ladder_leaves_it_open() -> None:
    """White's stone on B1 has just taken in a ko: it is in atari, and whether Black may take it back at once is not for a ladder to say."""
    game = draw_game(
        """
        . . . . .
        . . . . .
        . . . . .
        X O . . .
        . X O . .
    """,
        WHITE,
    )
    game.play(WHITE, from_vertex("A1", 5))
    assert game.ko_point() == from_vertex("B1", 5)
    assert certain_catch(game, from_vertex("A1", 5)) is None
    assert not is_certainly_safe(game, from_vertex("A1", 5))


# ---------------------------------------------------------------- cut and connected

CUT = """
    . . . . . . . . .
    . . . . . . . . .
    . . . O . . . . .
    . . O O O . . . .
    . X X b X X . . .
    . . O O . O . . .
    . . . . O . . . .
    . . . . . . . . .
    . . . . . . . . a
"""


def test_a_connection_that_was_missed() -> None:
    assert said(CUT) == ["White can now cut at D5. Black needed D5 first, to connect the 2 stones at B5 with the 2 stones at E5."]


def test_two_ways_to_connect_are_no_cut() -> None:
    drawing = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . O . . . . .
        . X X b X X . . .
        . X X . X X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . a
    """
    assert said(drawing) == []


def test_a_cut_that_was_missed() -> None:
    """Black's single stones are not worth a word; White's two chains are."""
    drawing = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . O O b O O . . .
        . . . . X . . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . a
    """
    assert said(drawing) == ["D5 would have cut White's 2 stones at B5 off from the 2 stones at E5. Now White can connect at D5."]


# ---------------------------------------------------------------- life and death

CORNER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    O O O O O . . . .
    X X X X O . . . .
    . b . X O . . . a
"""


def swapped(drawing: str) -> str:
    """With the colors exchanged."""
    return drawing.translate(str.maketrans("XO", "OX"))


def test_a_group_that_dies() -> None:
    assert said(CORNER) == ["Black's 5 stones at D1 can now be killed: B1 is the vital point, and White plays there first (B1 A1 C1)."]


def test_a_group_that_could_be_killed() -> None:
    assert said(swapped(CORNER)) == ["B1 would have killed White's 5 stones at D1 (B1 A1 C1). Now they live with B1."]


def test_a_group_that_lives_anyway_or_is_dead_anyway() -> None:
    """Four points in a row are alive, two are dead: nobody missed anything."""
    four = CORNER.replace("X X X X O . . . .", "X X X X X O . . .").replace(". b . X O", ". b . . X O").replace("O . . . a", "O . . a")
    four = four.replace("O O O O O .", "O O O O O O")
    assert said(four) == []
    two = CORNER.replace(". b . X O", ". b X X O")
    assert said(two) == []


def test_stones_around_that_are_weak_prove_nothing() -> None:
    """White's wall has few liberties itself: who dies first is another question."""
    weak = CORNER.replace(". . . . . . . . .\n    O O O O O . . . .", "X X X X X X . . .\n    O O O O O X . . .")
    weak = weak.replace("X X X X O . . . .", "X X X X O X . . .").replace(". b . X O .", ". b . X O .")
    assert not any(text.startswith("Black's") for text in said(weak))


# ---------------------------------------------------------------- moves that gain nothing

DAME = """
    . O . O a X . X .
    O O O O O X X X X
    X X X X X X . X .
    . . . . . X X X X
    . . . . . . . . .
    . . . . . . . . .
    . . . b . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_a_neutral_point() -> None:
    assert said(DAME) == ["E9 is a neutral point (dame): all stones around it are alive."]
    one_eye = DAME.replace(". O . O a", "O O . O a")
    assert said(one_eye) == []


TERRITORY = """
    . a O . O X .
    O O O O O X .
    X X X X X . .
    . . . . . . .
    . . . . . . .
    . . . b . . .
    . . . . . . .
"""


def test_safe_territory() -> None:
    assert said(TERRITORY) == ["B7 is in White's safe territory: no stone can live there."]
    assert said(swapped(TERRITORY)) == ["B7 fills Black's own safe territory, where nothing was threatened."]


# ---------------------------------------------------------------- in the review


def test_reasons_reach_the_record_and_the_table() -> None:
    """Black leaves a stone in atari on B2."""
    record = "(;SZ[5]KM[0]AB[bd]AW[ad][bc][be];B[ea];W[cd];B[eb])"
    review = drawn_review(record, {1: ("C2",), 3: ("D5",)})
    review.moves = with_reasons(review)
    text = "Black leaves the stone on B2 in atari: White can take it with C2. Black needed C2 first."
    assert [[reason.text for reason in move.reasons] for move in review.moves] == [[text], [], []]
    assert text in annotated_record(review)
    assert text in csv_table(review)
    assert review.summary(BLACK).kinds == {"atari": 1, "other": 1}


def test_good_moves_and_passes_get_no_reason() -> None:
    review = drawn_review("(;SZ[5]KM[0];B[cc];W[];B[bb])", {2: ("C2",)})
    assert with_reasons(review) == review.moves


def test_an_area_that_went() -> None:
    """The left side was to be White's; after the move the search gives it to Black."""
    drawing = """
        . . . X . . .
        . . . X . . .
        . . . X . . .
        . . . a . . .
        . . . X . . .
        . b . . . . .
        . . . . . . .
    """
    missed = missed_move(drawing, WHITE)
    best, after = np.zeros(POINTS), np.zeros(POINTS)
    corner = [from_vertex(name, 7) for name in ("A1", "B1", "A2", "B2", "C1")]
    best[corner], after[corner] = 0.7, -0.7
    owners = Expected(best, after, 6.5)
    assert [reason.text for reason in reasons_for(replace(missed, expected=owners))] == [
        "After D4 Black probably gets the points around B1; B2 would have kept them for White."
    ]
    assert reasons_for(missed) == []


def test_behind_a_certain_reason_an_opinion_must_add_something() -> None:
    """Neither that points are gained somewhere, nor that both need the point, but that stones are lost."""
    missed = missed_move(LEFT_IN_ATARI.replace("a . . . . . .", "a . . . X X ."))
    certain = "Black leaves the 2 stones at D4 in atari: White can take them with D3. Black needed D3 first."
    best, after = np.zeros(POINTS), np.zeros(POINTS)
    corner = [from_vertex(name, 7) for name in ("E1", "F1", "G1", "E2", "F2")]
    best[corner], after[corner] = 0.8, 0.2
    owners = Expected(best, after, 4.0, [], [Candidate(missed.better, 100, 0.5, 4.0, [missed.better])])
    assert [reason.text for reason in reasons_for(replace(missed, expected=owners))] == [certain]
    owners.after[corner] = -0.8
    lost = "After A1 Black's 2 stones around F1 will probably be lost; D3 would have saved them. Black gets some of this back elsewhere."
    assert [reason.text for reason in reasons_for(replace(missed, expected=owners))] == [certain, lost]


def answered(drawing: str, color: int, answer: str) -> list[str]:
    """What is said of the move at `a` in place of `b` where the opponent's best answer is known."""
    missed = missed_move(drawing, color)
    point = from_vertex(answer, missed.before.size)
    owners = Expected(np.zeros(POINTS), np.zeros(POINTS), 5.0, [], [Candidate(point, 100, 0.5, 5.0, [point])])
    return [reason.text for reason in reasons_for(replace(missed, expected=owners)) if reason.kind == "answer"]


THREATENED = """
    . . . . . . .
    . . . O . . .
    . . O X . a .
    . . O X b . .
    . . . O . . .
    . . . . . . .
    . . . . . . .
"""


def test_an_answer_that_puts_stones_in_atari_and_would_not_after_the_better_move() -> None:
    assert answered(THREATENED, BLACK, "E5") == ["After F5 White can put the 2 stones at D4 in atari with E5."]
    in_any_case = THREATENED.replace(" b ", " . ").replace("a", "b", 1).replace(". . . . . . .", "a . . . . . .", 1)
    assert answered(in_any_case, BLACK, "E5") == []
    assert answered(THREATENED, BLACK, "A1") == []
    assert answered(THREATENED.replace("O X b", "O . b"), BLACK, "E5") == []  # a single stone may be a sacrifice


def test_an_answer_that_takes_a_stone() -> None:
    drawing = """
        . . . . . . .
        . . . O . . .
        . . O . a . .
        . . . O . . .
        . b . . . . .
        . . . . . . .
        . . . . . . .
    """
    taken = drawing.replace(". . O . a", ". . O a .")
    assert answered(taken, BLACK, "E5") == ["After D5 White can take the stone on D5 with E5."]
    assert answered(drawing, BLACK, "F5") == []


def test_an_atari_that_the_better_move_would_have_been() -> None:
    drawing = """
        . . . . . . .
        . . . O X . .
        . . O X . . .
        . . O X b . .
        . . . O . . .
        . . . . . . .
        a . . . . . .
    """
    assert answered(drawing, WHITE, "G1") == ["E4 would have put the 2 stones at D4 in atari."]
    atari_too = drawing.replace("a", ".").replace("X . . .", "X a . .")
    assert answered(atari_too, WHITE, "G1") == []


def test_short_searches_expect_nothing() -> None:
    long, short = (Evaluation(BLACK, 0.5, 0.0, np.ones(4), simulations=count) for count in (LONG, LONG - 1))
    assert (
        expected(BLACK, 5.0, long, short) is None and expected(BLACK, 5.0, short, long) is None and expected(BLACK, 5.0, None, long) is None
    )
    after = Evaluation(BLACK, 0.5, 0.0, np.zeros(4), simulations=LONG)
    for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
        owners = expected(color, 5.0, long, after)
        assert owners is not None and (owners.best.tolist(), owners.after.tolist()) == ([sign] * 4, [0.0] * 4)
