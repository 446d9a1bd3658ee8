"""Playing at a rank, and telling the rank of moves."""

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import Client
from hand_made import HandMade
from test_levels import SETTLED, look_at

from gtp_engine.cli.main import main
from gtp_engine.engine.network.human_profile import rank_profile
from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN
from gtp_engine.engine.network.loading import NetworkLoader
from gtp_engine.engine.network.look import Angle, look
from gtp_engine.engine.network.rank_likelihood import INTERVAL, RANKS, estimate, log_likelihoods
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.ranks.chooser import RankChooser, drawn, in_mind, sensible
from gtp_engine.engine.player.ranks.table import EVEN_RANK, FIRST_DAN, MORE_CARE_EACH_DAN, MORE_CARE_EACH_RANK, Strength, strength_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, read_rank

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]


def engine_at(game: Game, rank: str, seed: int = 1) -> Engine:
    """An engine of that rank that stands at `game`."""
    params = SearchParams(seed=seed, memory=16, resign=False)
    engine = Engine(params, game.rules, 5.5, game.size, RankChooser(read_rank(rank)))
    engine.state.set_game(game)
    return engine


def first_moves(rank: str, seed: int) -> list[int]:
    """Six moves of a game with itself."""
    engine, color, moves = engine_at(Game(9), rank, seed), BLACK, []
    for _ in range(6):
        moves.append(engine.genmove(color))
        color = BLACK + WHITE - color
    return moves


def test_a_seed_gives_the_same_moves_and_another_one_others() -> None:
    assert first_moves("12k", 1) == first_moves("12k", 1) != first_moves("12k", 2)


def test_it_passes_when_the_board_is_settled(diagram: Diagram) -> None:
    game = diagram(SETTLED)
    assert engine_at(game, "12k").genmove(game.to_play) == PASS


def test_a_higher_rank_keeps_to_the_likely_moves_and_reads_more() -> None:
    strengths = [strength_of(rank) for rank in range(WEAKEST_LEARNED, STRONGEST_LEARNED + 1)]
    sharpnesses, cares = [each.sharpness for each in strengths], [each.care for each in strengths]
    assert sharpnesses[0] > 0.5 and all(a < b for a, b in itertools.pairwise(sharpnesses))
    assert cares[0] == 0.0 < cares[-1] and all(a <= b for a, b in itertools.pairwise(cares))
    visits = [each.visits for each in strengths]
    assert visits[0] < visits[-1] and all(a <= b for a, b in itertools.pairwise(visits))
    growth = [strength_of(rank + 1).care / strength_of(rank).care for rank in (EVEN_RANK, FIRST_DAN - 1, FIRST_DAN, STRONGEST_LEARNED - 1)]
    assert growth == pytest.approx([MORE_CARE_EACH_RANK] * 2 + [MORE_CARE_EACH_DAN] * 2)
    for rank in (WEAKEST_LEARNED - 1, STRONGEST_LEARNED + 1):
        with pytest.raises(ValueError, match="ranks are from 20k to 3d"):
            strength_of(rank)


def test_the_likeliest_moves_come_to_mind() -> None:
    assert list(in_mind({1: 0.03, 2: 0.5, 3: 0.46, 4: 0.01})) == [2, 3, 1]
    assert list(in_mind(dict.fromkeys(range(20), 0.05))) == list(range(8))


CAPTURE = """
. . . . . . . . .
. . O O O O . . .
. O X X X X a . .
. . O O O O . . .
. . . . . . . . .
. . . X . X . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . b
"""


def test_who_cares_takes_the_four_stones(diagram: Diagram, marks: Marks) -> None:
    """White's move: a captures, b is the corner. To a person without care both are the same. Komi lets the four stones decide the game."""
    game, points = diagram(CAPTURE, WHITE), marks(CAPTURE)
    chooser, chances = RankChooser(read_rank("15k")), {points["a"]: 0.5, points["b"]: 0.5}
    search = OwnSearch(chooser.search_params(SearchParams(seed=1, memory=16)), 9, Evaluators(print))
    shares = []
    for care in (1.0, 20.0):
        chooser.strength = Strength(1.0, care)
        weights = chooser.weighed(Turn(game, WHITE, -20.5), chances, search)
        shares.append(weights[points["a"]] / sum(weights.values()))
    assert 0.5 < shares[0] < 0.8 < 0.95 < shares[1]


def test_moves_are_drawn_by_their_chances() -> None:
    random = np.random.default_rng(1)
    chances = {1: 0.6, 2: 0.3, 3: 0.1}
    for sharpness, share in ((1.0, 0.6), (2.0, 0.36 / 0.46)):
        assert np.mean([drawn(chances, sharpness, random) == 1 for _ in range(4000)]) == pytest.approx(share, abs=0.03)


def test_nobody_plays_where_all_is_settled(diagram: Diagram) -> None:
    """With the board full, the settled points are no moves, unless they are all there are."""
    game = diagram(SETTLED)
    chances = {point: 0.1 for point in game.legal_points(game.to_play)} | {PASS: 0.2}
    left = sensible(game, chances, look_at(game))
    assert PASS not in left and left
    empty = Game(9)
    assert len(sensible(empty, dict.fromkeys([*empty.legal_points(BLACK), PASS], 0.1), look_at(empty))) == 81


def test_the_network_plays_otherwise_for_another_rank() -> None:
    network, game = NetworkLoader().ranks_network(SearchParams()), Game(9)
    game.play(BLACK, from_vertex("E5", 9))
    weak, strong = (
        look(game, 5.5, network, WHITE, Angle(players=rank_profile(rank))).policy for rank in (WEAKEST_LEARNED, STRONGEST_LEARNED)
    )
    assert sum(weak.values()) == pytest.approx(1.0) == sum(strong.values())
    assert sum(abs(weak[point] - strong[point]) for point in weak) > 0.01


# ---------------------------------------------------------------- GTP and the command line


def test_the_rank_is_set_and_told_over_gtp(gtp: Client) -> None:
    assert gtp.ok("rank") == "none"
    gtp.ok("rank 12K")
    assert gtp.ok("rank") == "12k"
    gtp.ok("boardsize 9")
    assert gtp.ok("genmove b")
    assert gtp.fails("rank 25k") == "ranks are from 20k to 3d: there are too few games of other ranks to learn from"
    assert gtp.fails("rank twelve").startswith("'twelve' is not a rank")
    assert gtp.ok("rank") == "12k"
    gtp.ok("level 0")
    assert gtp.ok("rank") == "none"
    gtp.ok("rank 1d")
    gtp.ok("rank none")
    assert gtp.ok("rank") == "none"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rank", "99k"], "--rank: '99k' is not a rank from 30k to 1k or 1d to 9d"),
        (["--rank", "9d"], "--rank: ranks are from 20k to 3d"),
        (["--rank", "5k", "--level", "3"], "--rank 5k and --level 3 are two strengths"),
        (["--rank", "5k", "--player", "greedy"], "the player greedy has no ranks"),
        (["rank", "missing.sgf"], "missing.sgf"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert message in capsys.readouterr().err


# ---------------------------------------------------------------- telling ranks


def likelihoods_of(rank: int, moves: int) -> np.ndarray:
    """As of moves that are likeliest at `rank`, and a little less likely for each rank away."""
    return np.tile(-0.05 * np.abs(RANKS - rank), (moves, 1))


def test_more_moves_make_a_narrower_interval() -> None:
    few, many = estimate(likelihoods_of(18, 10)), estimate(likelihoods_of(18, 200))
    assert many.rank == pytest.approx(18, abs=0.5) and many.low <= 18 <= many.high
    assert many.high - many.low < few.high - few.low and few.moves == 10
    assert 0.0 < INTERVAL < 1.0


def test_every_move_of_a_player_counts_and_passes_do_not() -> None:
    game = Game(9)
    for color, vertex in ((BLACK, "E5"), (WHITE, "C3"), (BLACK, "pass"), (WHITE, "G7"), (BLACK, "G3")):
        game.play(color, from_vertex(vertex, 9))
    network = NetworkLoader().ranks_network(SearchParams())
    black = log_likelihoods(game, 5.5, network, (BLACK,))
    assert black.shape == (2, len(RANKS)) and (black < 0.0).all() and (black > -20.0).all()
    assert log_likelihoods(game, 5.5, network).shape == (4, len(RANKS))


def test_a_move_out_of_turn_is_judged_as_one_of_its_player() -> None:
    """Black moves twice: the network sees Black's stones as the player's own both times."""
    seen: list[tuple[float, float]] = []

    def points(planes: np.ndarray) -> np.ndarray:
        seen.append((float(planes[OWN].sum()), float(planes[OPPONENT].sum())))
        return np.zeros(planes.shape[1:])

    game = Game(9)
    for color, vertex in ((BLACK, "E5"), (BLACK, "C3"), (WHITE, "G7")):
        game.play(color, from_vertex(vertex, 9))
    log_likelihoods(game, 5.5, HandMade(points).network())
    assert seen[:: len(RANKS)] == [(0.0, 0.0), (1.0, 0.0), (0.0, 2.0)]


def test_a_record_is_told_player_by_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = "".join(
        f";{'BW'[i % 2]}[{column}{row}]" for i, (column, row) in enumerate(zip("ecgcgecegfdhbdfhabc", "ecgdhfgbcaheifbadhi", strict=True))
    )
    (tmp_path / "a.sgf").write_text(f"(;SZ[9]KM[5.5]PB[Judit]PW[Otto]{moves})")
    (tmp_path / "b.sgf").write_text("(;SZ[13];B[cc])")
    assert main(["rank", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "a.sgf: black (Judit): " in out and "white (Otto): " in out and "90% between" in out
    assert "b.sgf: a game on 13x13; ranks are estimated on 9x9 only" in err
    assert main(["rank", str(tmp_path / "a.sgf"), "--player", "otto"]) == 0
    assert "Judit" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["rank", str(tmp_path / "a.sgf"), "--player", "nobody"])
    assert "no game on 9x9 with a player nobody" in capsys.readouterr().err
