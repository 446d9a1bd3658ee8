"""Why a move was a mistake: every reason on boards where it holds, and on some that look alike, where it doesn't.

In the drawings the move is on `a`, the better one on `b`; Black is to play unless it is said otherwise.
"""

from conftest import draw_game, draw_marks

from gtp_engine.go.points import BLACK, WHITE, from_vertex
from gtp_engine.tools.review.ladders import certain_catch, is_certainly_safe
from gtp_engine.tools.review.missed_move import MissedMove
from gtp_engine.tools.review.reasons import reasons_for


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
    assert said(LEFT_IN_ATARI) == ["Black leaves the 2 stones at D4 in atari: White can take them with D3. D3 would have saved them."]


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
    assert said(BROKEN) == ["E6 would have put White's 2 stones at C6 in atari."]


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
    assert said(drawing) == ["D5 would have separated White's 2 stones at B5 from the 2 stones at E5. Now White can connect at D5."]


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
