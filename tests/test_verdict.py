"""The verdict at the end of the game: drawn endings with their answers, and everybody who asks for it agreeing.

In the drawings X and O are alive, x and o dead, B and W black and white in seki.
"""

from collections.abc import Callable

import pytest
from drawings import TWO_HEADED_DRAGON, TWO_SHARED_LIBERTIES
from reference import from_diagram

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.verdict import Verdict, judge, leads
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, from_vertex, opponent, to_vertex
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, Rules, Scoring

Diagram = Callable[..., Game]

DRAWN = str.maketrans("xoBW", "XOXO")  # what stands on the board
DEAD_COUNT_AS_DEAD = [CHINESE, JAPANESE, AGA, NEW_ZEALAND]


def corner(*rows: str) -> str:
    """A 9x9 board whose upper left 5x5 points are `rows`, with both colors alive elsewhere and nothing left to do."""
    right = (" O . O O", " O O . O", " O . O O", " O O . O", " O O O O")
    top = [row + beside for row, beside in zip(rows, right, strict=True)]
    return "\n".join([*top, "O O O O O O O O O", "X X X X X X X X X", ". X . X . X . X .", "X X X X X X X X X"])


DEAD = {
    "three, middle taken": corner(". O . x O", "x x x x O", "O O O O O", "O O O O O", "O O O O O"),
    "bent three, corner taken": corner("O . x O O", ". x x O O", "x x O O O", "O O O O O", "O O O O O"),
    "pyramid four, vital point taken": corner(". O . x O", "x . x x O", "x x x O O", "O O O O O", "O O O O O"),
    "square four": corner(". . x O O", ". . x O O", "x x x O O", "O O O O O", "O O O O O"),
    "bulky five, vital point taken": corner(". O . x O", ". . x x O", "x x x O O", "O O O O O", "O O O O O"),
    "crossed five, vital point taken": corner("x . x x O", ". O . x O", "x . x x O", "x x x O O", "O O O O O"),
    "rabbity six, vital point taken": corner(". . x x O", ". O . x O", "x . x x O", "x x x O O", "O O O O O"),
    "one eye": corner(". x O O O", "x x O O O", "O O O O O", "O O O O O", "O O O O O"),
    "false eye": corner(". x . x O", "x O x x O", "O O O x O", "O O O O O", "O O O O O"),
    "in a large eye": corner(". . . . O", "O x x . O", "O x x O O", "O O O O O", "O O O O O"),
    # With two more eyes Black may fill a liberty; without them that would be self-atari.
    "three stones with two liberties beside two eyes": """
        . X . X X O . O O
        X X X X X O O . O
        o X X X X O . O O
        o X X X X O O O O
        o . X X X O . O O
        . X X X X O O O O
        X X X X X O . O O
        O O O O O O O O O
        O . O . O . O . O
    """,
    "one in the small eye of stones that have another eye, full of dead stones": """
        . o X o o o o X O
        X X X o o . X X O
        X X X X X X X O O
        O O O O O O O O O
        O . O . O . O . O
        O O O O O O O O O
        X X X X X X X X X
        . X . X . X . X .
        X X X X X X X X X
    """,
    # No seki: White plays F1, and after Black takes the five stones, in the middle of them.
    "six points, four taken": """
        . . . X O O . O .
        . X . X O . O . .
        . . X X X O . O .
        . . . X O . O . O
        . . . X O O O O x
        . . X O O x O x x
        . X X O O x x x x
        . X O O x x O O x
        . X O x x . O O .
    """,
}
ALIVE = {
    "straight four": corner(". . . . X", "X X X X X", "O O O O O", "O O O O O", "O O O O O"),
    "straight four with a stone in it": corner("o . . . X", "X X X X X", "O O O O O", "O O O O O", "O O O O O"),
    "bent four, not in the corner": corner("X . . . X", "X X X . X", "O O X X X", "O O O O O", "O O O O O"),
    "two eyes": corner(". X . X O", "X X X X O", "O O O O O", "O O O O O", "O O O O O"),
    "two-headed dragon": TWO_HEADED_DRAGON,
    "two territories": """
        . . . X X O . . .
        . X . X O O . O .
        . . X X O . O . .
        . X . X O . . O .
        . . X X X O O . .
        X X . X O . . O .
        . . X X O . O . .
        . X . X O O . O .
        . . . X O . . . .
    """,
}
SEKI = {
    "two shared liberties": TWO_SHARED_LIBERTIES,
    "an eye each": """
        . W . B . B O O .
        W W B B B B O . O
        B B B O O O O O O
        O O O O O O O . O
        O O O O O O O O O
        X X X X X X X X X
        . X . X . X . X .
        X X X X X X X X X
        X X X X X X X X X
    """,
    # Whoever plays on a shared liberty, H2 or J1, is taken.
    "an eye against two stones": """
        . X . X X X X X X
        X X X X . X X X O
        X X . X X X X X O
        O X X X O O X O O
        O O O O O X X O O
        . O . O O O O O B
        O . O . O B B B B
        . O . O B . B . W
        O O O O B B B W .
    """,
    # Of Black's chain only is proved that it isn't taken: the two stones beside it must be asked about, too.
    "an eye and a stone against two stones": """
        . X . X X X X X X
        X X X X . X X X X
        X X X X X X X X X
        O O O O X X X O O
        B O O O O O X O .
        B B O B O . O O O
        . B B B O O O O O
        W W B B B O O . O
        . B . B O O . O O
    """,
}
SETTLED = DEAD | ALIVE | SEKI


def drawn(drawing: str, diagram: Diagram, rules: Rules = CHINESE, to_play: int = BLACK) -> Game:
    """The game that is drawn."""
    return diagram(drawing.translate(DRAWN), to_play, rules)


def told(game: Game, verdict: Verdict) -> str:
    """The board as in the drawings, from what the verdict says."""
    rows = []
    for row in range(game.size, 0, -1):
        symbols = []
        for column in range(1, game.size + 1):
            point = 20 * row + column
            symbol = ".XO"[game.color_at(point)]
            symbols.append(
                symbol.lower()
                if point in verdict.hopeless
                else symbol.translate(str.maketrans("XO", "BW"))
                if point in verdict.seki
                else symbol
            )
        rows.append(" ".join(symbols))
    return "\n".join(rows)


def plain(drawing: str) -> str:
    """The drawing without its margin."""
    return "\n".join(line.strip() for line in drawing.strip().splitlines())


# ---------------------------------------------------------------- the drawings


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE], ids=["area", "territory"])
@pytest.mark.parametrize("name", SETTLED)
def test_every_stone_is_judged_as_drawn(name: str, rules: Rules, diagram: Diagram) -> None:
    game = drawn(SETTLED[name], diagram, rules)
    verdict = judge(game)
    assert told(game, verdict) == plain(SETTLED[name])
    assert verdict.is_settled


@pytest.mark.parametrize("name", SETTLED)
def test_colors_and_sides_make_no_difference(name: str, diagram: Diagram) -> None:
    """The board in a mirror with the colors exchanged is judged the same in the mirror."""
    mirrored = "\n".join(line[::-1].translate(str.maketrans("XOxoBW", "OXoxWB")) for line in plain(SETTLED[name]).splitlines())
    game = drawn(mirrored, diagram)
    verdict = judge(game)
    assert told(game, verdict) == mirrored
    assert verdict.count.score == -judge(drawn(SETTLED[name], diagram)).count.score


@pytest.mark.parametrize("name", SETTLED)
def test_area_is_that_of_the_reference_with_the_dead_taken_off(name: str, diagram: Diagram) -> None:
    without = plain(SETTLED[name]).translate(str.maketrans("xoBW", "..XO"))
    for rules in (CHINESE, AGA, NEW_ZEALAND):
        assert judge(drawn(SETTLED[name], diagram, rules)).count.score == from_diagram(without).area_score()


@pytest.mark.parametrize("name", SETTLED)
def test_territory_is_area_less_stones_plus_prisoners(name: str, diagram: Diagram) -> None:
    """With no prisoners before: Black's points are area less living stones plus dead white ones; eyes in seki are nobody's."""
    board = plain(SETTLED[name])
    without = from_diagram(board.translate(str.maketrans("xoBW", "..XO")))
    seki_eyes = {
        "an eye each": {"A9": WHITE, "E9": BLACK},
        "an eye against two stones": {"F2": BLACK, "J1": WHITE},
        "an eye and a stone against two stones": {"C1": BLACK},
    }.get(name, {})
    expected = without.area_score() - len(without.stones(BLACK)) + len(without.stones(WHITE)) + board.count("o") - board.count("x")
    expected -= sum(1 if color == BLACK else -1 for color in seki_eyes.values())
    assert judge(drawn(SETTLED[name], diagram, JAPANESE)).count.score == expected


BENT_FOUR = corner("O O O . x", ". x x x x", "x x O O O", "O O O O O", "O O O O O")


def test_bent_four_in_the_corner_is_dead_where_territory_counts(diagram: Diagram) -> None:
    game = drawn(BENT_FOUR, diagram, JAPANESE)
    verdict = judge(game)
    assert told(game, verdict) == BENT_FOUR
    assert verdict.is_settled


def test_bent_four_in_the_corner_must_be_played_where_area_counts(diagram: Diagram) -> None:
    """Nobody may call the game over before it is; until then all of its stones stand."""
    verdict = judge(drawn(BENT_FOUR, diagram, CHINESE))
    assert not verdict.is_settled
    assert verdict.hopeless == set()


UNSETTLED = {
    "three, whose turn is it": corner(". . . X O", "X X X X O", "O O O O O", "O O O O O", "O O O O O"),
    "dame": """
        . . . . X . O . .
        . . . . X . O . .
        . . X . X O . O .
        . . . . X O . . .
        . . . X X O O . .
        . . . X O . . . .
        . . . X O . O . .
        . . . X . O . . .
        . . . X . O . . .
    """,
    "nobody has moved": "\n".join([". . . . ."] * 5),
    "neutral points beside a cut-off stone": """
        . O O O X X .
        O O . . X . X
        . O O . . X X
        O O O X . X .
        . O O . X X X
        O O O . X . X
        . O O O X X .
    """,
}


@pytest.mark.parametrize("name", UNSETTLED)
def test_what_can_still_change_is_not_settled(name: str, diagram: Diagram) -> None:
    assert not judge(drawn(UNSETTLED[name], diagram)).is_settled


def test_dame_need_not_be_filled_where_territory_counts(diagram: Diagram) -> None:
    verdict = judge(drawn(UNSETTLED["dame"], diagram, JAPANESE))
    assert verdict.is_settled
    assert {to_vertex(point) for point, owner in verdict.count.owners.items() if owner == EMPTY} == {"F9", "F8", "E2", "E1"}


# ---------------------------------------------------------------- who asks makes no difference


@pytest.mark.parametrize("name", ["pyramid four, vital point taken", "an eye each", "two territories"])
def test_the_verdict_depends_on_the_stones_only(name: str, diagram: Diagram) -> None:
    first, second = (judge(drawn(SETTLED[name], diagram, CHINESE, color)) for color in (BLACK, WHITE))
    assert (first.ownership == second.ownership).all()
    assert (first.dead, first.seki, first.count) == (second.dead, second.seki, second.count)


def engine_at(game: Game, komi: float) -> Engine:
    """An engine that stands at `game` and never resigns."""
    engine = Engine(SearchParams(playouts=100, seed=1, memory=16, threads=1, resign=False), game.rules, komi, game.size)
    engine.state.set_game(game)
    return engine


def names(chains: list[list[int]]) -> set[str]:
    """The vertices of all chains."""
    return {to_vertex(point) for chain in chains for point in chain}


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE], ids=["area", "territory"])
@pytest.mark.parametrize("name", ["square four", "straight four", "an eye each", "two-headed dragon", "two territories"])
def test_score_status_and_passing_agree(name: str, rules: Rules, diagram: Diagram) -> None:
    game = drawn(SETTLED[name], diagram, rules)
    verdict = judge(game)
    engine = engine_at(game, 0.5)
    assert engine.score() == verdict.count.score - 0.5
    assert names(engine.status_points("dead")) == {to_vertex(point) for point in verdict.dead}
    assert names(engine.status_points("seki")) == {to_vertex(point) for point in verdict.seki}
    stones = len(names(engine.status_points("alive")) | names(engine.status_points("dead")) | names(engine.status_points("seki")))
    assert stones == len(game.stones(BLACK)) + len(game.stones(WHITE))
    winner = BLACK if engine.score() > 0 else WHITE
    moving = engine_at(drawn(SETTLED[name], diagram, rules, winner), 0.5)
    assert moving.genmove(winner) == PASS or rules.scoring is Scoring.AREA  # where a threat costs nothing
    assert (moving.score() > 0) == (winner == BLACK)
    answering = engine_at(drawn(SETTLED[name], diagram, rules, opponent(winner)), 0.5)
    answering.state.play(opponent(winner), PASS)
    assert answering.genmove(winner) == PASS


@pytest.mark.parametrize("name", ["square four", "three, middle taken", "in a large eye"])
def test_where_all_stones_count_as_alive_the_dead_are_taken_first(name: str, diagram: Diagram) -> None:
    """The verdict still knows what is dead, counts it as standing, and the game goes on until it is gone."""
    game = drawn(SETTLED[name], diagram, TROMP_TAYLOR)
    verdict = judge(game)
    assert verdict.hopeless and not verdict.dead and not verdict.is_settled
    assert verdict.count.score == from_diagram(plain(SETTLED[name]).translate(DRAWN)).area_score()
    taken = from_diagram(plain(SETTLED[name]).translate(str.maketrans("xo", ".."))).area_score()
    engine = engine_at(drawn(SETTLED[name], diagram, TROMP_TAYLOR, WHITE), taken + 0.5)  # White wins only when all of them are gone
    for _ in range(12):
        engine.genmove(WHITE)
        engine.state.play(BLACK, PASS)
    assert engine.score() == -0.5, told(engine.game, judge(engine.game))
    assert engine.genmove(WHITE) == PASS


def test_who_leads() -> None:
    """Komi is White's; a draw is nobody's win."""
    assert leads(7.0, BLACK, 6.5) and not leads(7.0, WHITE, 6.5)
    assert leads(6.0, WHITE, 6.5) and not leads(6.0, BLACK, 6.5)
    assert not leads(7.0, BLACK, 7.0) and not leads(7.0, WHITE, 7.0)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_a_board_of_one_color_is_settled(rules: Rules, diagram: Diagram) -> None:
    game = diagram(". X .\nX X X\n. X .", WHITE, rules)
    verdict = judge(game)
    assert verdict.is_settled
    assert verdict.count.score == (4 if rules is JAPANESE else 9)


def test_a_stone_that_superko_protects_is_not_dead(diagram: Diagram) -> None:
    """Black takes a ko, both pass; to take it back would repeat the position, and Black could connect."""
    game = diagram(
        """
        . . O X . . .
        . . O X . . .
        . . O X . . .
        . O . O X . .
        . . O X . . .
        . . O X . . .
        . . O X . . .
        """,
        rules=CHINESE,
    )
    for color, point in ((BLACK, from_vertex("C4", 7)), (WHITE, PASS), (BLACK, PASS)):
        game.play(color, point)
    assert game.repeats_position(WHITE, from_vertex("D4", 7))
    verdict = judge(game)
    assert verdict.dead == set()
    assert verdict.count.score == 29 - 20
    assert not verdict.is_settled, "Black connects before the end"


def test_a_proof_that_is_in_the_graph_already_is_found(diagram: Diagram) -> None:
    """From a game of our own: all ways on from an open node were solved, but the node itself had not been looked at again."""
    game = diagram("""
        . . . X X . X X X
        . . . X X X X X O
        . . X X . X X O O
        X X X X X O O O .
        O X O O O X X O .
        O O O O O X O O O
        . . O X X X X O .
        . O O X . X X X O
        . . O O X X O O .
    """)
    assert judge(game).count.score


@pytest.mark.parametrize("rules", [JAPANESE, CHINESE], ids=lambda rules: rules.name)
def test_an_open_board_is_not_settled(rules: Rules) -> None:
    game = Game(9, rules)
    for color, vertex in zip([BLACK, WHITE] * 3, "D3 F3 E3 G3 C4 G4".split(), strict=True):
        game.play(color, from_vertex(vertex, 9))
    assert not judge(game).is_settled
