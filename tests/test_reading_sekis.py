"""Reading of sekis: which are told to the search, which are none, and what the search makes of them."""

from drawings import SEKI
from readings import engine, known, read

from gtp_engine.engine.player.reading import Reading
from gtp_engine.engine.playout.proved_fights import SEKI as IN_SEKI
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex

# The four White chains are dead: A6 and B6 fill their only eye. Nobody takes these two, and they need no two eyes.
FILLED_EYE = """
    . O O X . X .
    X X O X X X X
    . O O X . X .
    O O X X X X X
    X X X X . X .
    . X . X X X X
    X X X X . X .
"""
LEFT_ALONE = """
    . O . O . O .
    O O O O O O O
    . O . O . O .
    O O O O O O O
    X X X X X O .
    X . . . X O O
    X O . O X O .
"""


def test_a_seki_is_read() -> None:
    game, reading = read(SEKI, BLACK)
    end = known(game, reading)[0]
    assert (int(end["winner"]), int(end["move"])) == (IN_SEKI, from_vertex("M10", 13))
    game.play(BLACK, from_vertex("M10", 13))
    end = known(game, reading)[0]
    assert (int(end["winner"]), int(end["move"])) == (IN_SEKI, from_vertex("M9", 13))  # else White is taken
    game.undo()
    game.positions[0]["to_play"] = WHITE
    assert int(known(game, reading)[0]["winner"]) == WHITE


def test_stones_that_fill_the_only_eye_of_a_dead_group_are_in_no_seki() -> None:
    game, reading = read(FILLED_EYE, BLACK)
    for color in (BLACK, WHITE):
        game.positions[0]["to_play"] = color
        assert not [row for row in known(game, reading) if row["winner"] == IN_SEKI]


def seki_without_eyes() -> tuple[Game, Reading]:
    """The position of the seki, of which only is known that White's chain isn't taken."""
    game, reading = read(SEKI, BLACK)
    for move in ("M10", "M9"):
        game.play(game.to_play, from_vertex(move, 13))
    assert int(known(game, reading)[0]["winner"]) == IN_SEKI
    reading.record[0]["fight"][0]["eyes_base"] = 0
    return game, reading


def test_stones_beside_a_chain_that_is_not_taken_stay() -> None:
    """Where nothing is known of its eyes, a playout that takes it is corrected to the stones that stand: it may be a seki."""
    game, reading = seki_without_eyes()
    end = known(game, reading)[0]
    assert (int(end["winner"]), int(end["stays"]), int(end["count"])) == (WHITE, 1, int(reading.record[0]["fight"][0]["count"]))
    colors = [game.color_at(int(point)) for point in end["points"][: end["count"]]]
    assert colors == list(end["colors"][: end["count"]])


def test_stones_beside_it_are_not_known_to_stay_where_they_may_be_dead() -> None:
    game, reading = seki_without_eyes()
    question = reading.record[0]["fight"][0]
    question["may_be_seki"] = 0
    end = known(game, reading)[0]
    assert (int(end["winner"]), int(end["stays"])) == (WHITE, 0)
    assert int(end["count"]) == int(question["target_count"]) < int(question["count"])


def test_a_seki_is_left_alone() -> None:
    """Black lives by C2 and, after White C1, by not playing there: the network would play on."""
    built = engine(LEFT_ALONE, BLACK, size=7, komi=-40.5, evaluator="mixed", playouts=300)  # the network's prior is against C2
    assert built.reg_genmove(BLACK) == from_vertex("C2", 7)
    built.game.play(BLACK, from_vertex("C2", 7))
    built.game.play(WHITE, from_vertex("C1", 7))
    built.reg_genmove(BLACK)
    assert built.last_result is not None and built.last_result.best.point == PASS
    assert built.last_result.best.win_rate > 0.5
