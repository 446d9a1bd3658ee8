"""Monte Carlo tree search, with nodes and with edges: its four steps, its bookkeeping, and how well it plays small games."""

import random
from collections.abc import Callable

import pytest

from gtp_engine.go.points import board_points, to_vertex
from gtp_engine.textbook import minimax
from gtp_engine.textbook.dice_game import DiceGame
from gtp_engine.textbook.game import FIRST, SECOND, Move, Position
from gtp_engine.textbook.go_rollouts import Board, SensibleGo, capturing_points, heavy_go_rollout, light_go_rollout, saving_points
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.lookahead import find_winning_move
from gtp_engine.textbook.mcts import Node, TreeSearch, back_up, expand, most_visited, select, should_resign
from gtp_engine.textbook.mcts_edges import EdgeSearch
from gtp_engine.textbook.rollouts import Rollout, decisive_move, play_out, random_move, random_rollout, rewards, rollout_with
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe

SEARCHES: list[Callable[..., TreeSearch | EdgeSearch]] = [TreeSearch, EdgeSearch]
X_WINS_AT_C1 = "X.O/.X./O.."


def nodes_of(root: Node) -> list[Node]:
    """The root and all below."""
    return [root, *(node for child in root.children.values() for node in nodes_of(child))]


# ---------------------------------------------------------------- the four steps


def test_select_goes_to_a_node_with_untried_moves() -> None:
    root, rng = Node(TicTacToe()), random.Random(1)
    for _ in range(9):
        assert select(root, 1.0, rng) is root
        back_up(expand(root, rng), [1.0, 0.0])
    assert root.unvisited == [] and select(root, 1.0, rng) in root.children.values()


def test_the_temperature_decides_between_the_best_and_the_least_known() -> None:
    root, rng = Node(TicTacToe.from_text("XOX/XOO/.X."), move=None), random.Random(1)
    expand(root, rng), expand(root, rng)
    good, rare = root.children.values()
    for visits, wins, node in ((100, 80.0, good), (10, 7.0, rare)):
        for number in range(visits):
            back_up(node, [1.0 - (number < wins), float(number < wins)])
    assert root.position.next_player == SECOND
    assert select(root, 0.0, rng) is good and select(root, 1.0, rng) is rare


def test_backing_up_counts_a_reward_for_each_player_on_the_way() -> None:
    root, rng = Node(CoinRow()), random.Random(1)
    leaf = expand(expand(root, rng), rng)
    back_up(leaf, [0.0, 0.5, 0.5])
    for node in (leaf, leaf.parent, root):
        assert node is not None and (node.visits, node.wins) == (1, [0.0, 0.5, 0.5])


def test_visits_and_wins_add_up_in_every_node() -> None:
    root = TreeSearch(500, rng=random.Random(1)).search(CoinRow())
    for node in nodes_of(root):
        assert sum(node.wins) == pytest.approx(node.visits)
        below = sum(child.visits for child in node.children.values())
        assert node.visits == below + (node is not root) or (node.position.is_over() and not node.children)


def test_the_move_with_most_visits_is_played_not_the_luckiest() -> None:
    root, rng = Node(TicTacToe.from_text("XOX/XOO/.X.")), random.Random(1)
    lucky, solid = expand(root, rng), expand(root, rng)
    back_up(lucky, [0.0, 1.0])
    for won in (1.0, 1.0, 0.0):
        back_up(solid, [1.0 - won, won])
    assert most_visited(root) is solid


# ---------------------------------------------------------------- playing


@pytest.mark.parametrize("search", SEARCHES)
def test_a_win_at_once_is_found(search: Callable[..., TreeSearch | EdgeSearch]) -> None:
    assert search(200, rng=random.Random(1)).choose_move(TicTacToe.from_text(X_WINS_AT_C1)) == "c1"


@pytest.mark.parametrize("search", SEARCHES)
def test_hexapawn_is_played_as_minimax_plays_it(search: Callable[..., TreeSearch | EdgeSearch]) -> None:
    """In every position with White's second move to come, where a move that wins exists, it is chosen."""
    for first in Hexapawn().legal_moves():
        after = Hexapawn().apply_move(first)
        for reply in after.legal_moves():
            position = after.apply_move(reply)
            if not position.is_over():
                best = minimax.best_moves(minimax.values_of_moves(position))
                assert search(300, rng=random.Random(1)).choose_move(position) in best


class Perfect:
    """Plays tic-tac-toe by a table of minimax values, by lot among equals."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.known: dict[Position, float] = {}
        minimax.values_of_moves(TicTacToe(), known=self.known)  # values are for the first player

    def choose_move(self, position: Position) -> Move:
        sign = 1 if position.next_player == FIRST else -1
        return self.rng.choice(minimax.best_moves({move: sign * self.known[position.apply_move(move)] for move in position.legal_moves()}))


def losses(games: int, rounds: int) -> int:
    """How many of `games` against the perfect player tree search loses, with each side in turn."""
    lost = 0
    perfect = Perfect(random.Random(1))
    for number in range(games):
        searcher = TreeSearch(rounds, rng=random.Random(number))
        own, position = number % 2, TicTacToe()
        while not position.is_over():
            position = position.apply_move((searcher if position.next_player == own else perfect).choose_move(position))
        lost += position.winner() == 1 - own
    return lost


def test_a_perfect_player_wins_no_game() -> None:
    assert losses(games=4, rounds=1_000) == 0


def test_the_perfect_player_punishes_a_player_without_a_plan() -> None:
    """The tests around can fail: a tree search of a single round plays at random."""
    assert losses(games=20, rounds=1) > 10


@pytest.mark.slow
def test_200_games_of_5000_rounds_against_a_perfect_player() -> None:
    assert losses(games=200, rounds=5_000) == 0


def test_chance_is_averaged_over() -> None:
    """On a total of 20 of 21 another roll goes bust with five faces of six; on 15 all of them are safe."""
    for total, best in ((20, "hold"), (15, "roll")):
        position = DiceGame(totals=(total, 0))
        assert TreeSearch(3_000, rng=random.Random(1)).choose_move(position) == best


def test_three_players_each_play_for_themselves() -> None:
    """The last big coin is on the right; whoever is to move takes it."""
    for player in range(3):
        position = CoinRow((1, 9), taken=(0, 0, 0), to_move=player)
        assert TreeSearch(200, rng=random.Random(1)).choose_move(position) == "right"


# ---------------------------------------------------------------- the tree between moves


def test_the_subtree_is_kept_between_moves() -> None:
    search = TreeSearch(400, rng=random.Random(1))
    root = search.search(TicTacToe())
    child = most_visited(root)
    grandchild = most_visited(child)
    visits = grandchild.visits
    assert visits > 1
    kept = search.search(grandchild.position)
    assert kept is grandchild and kept.parent is None and kept.visits == 400


def test_an_unexpected_position_begins_anew() -> None:
    search = TreeSearch(50, rng=random.Random(1))
    search.choose_move(TicTacToe())
    assert search.search(TicTacToe.from_text("X.O/.X./..O")).visits == 50


def test_the_same_seed_gives_the_same_tree() -> None:
    trees = [[(node.move, node.visits) for node in nodes_of(TreeSearch(300, rng=random.Random(7)).search(Hexapawn()))] for _ in range(2)]
    assert trees[0] == trees[1]


def test_a_search_can_be_stopped() -> None:
    calls = iter(range(1_000))
    root = TreeSearch(10_000, rng=random.Random(1)).search(TicTacToe(), should_stop=lambda: next(calls) >= 20)
    assert 20 <= root.visits <= 22


def test_a_lost_game_is_resigned_by_the_win_rate() -> None:
    """X has two lines open and O, to move, can stop only one."""
    lost = TreeSearch(500, rng=random.Random(1)).search(TicTacToe.from_text("X.X/.O./X.O"))
    even = TreeSearch(500, rng=random.Random(1)).search(TicTacToe())
    assert should_resign(lost, 0.2) and not should_resign(even, 0.2)


# ---------------------------------------------------------------- rollouts


def test_a_decisive_rollout_sees_wins_and_threats() -> None:
    rng = random.Random(1)
    assert {decisive_move(TicTacToe.from_text(X_WINS_AT_C1), rng) for _ in range(20)} == {"c1"}
    threat = TicTacToe.from_text("X../.X./O..")
    assert find_winning_move(threat) is None
    assert {decisive_move(threat, rng) for _ in range(20)} == {"c1"}


def test_rewards_share_a_draw() -> None:
    assert rewards(TicTacToe.from_text("XOX/XOO/OXX")) == [0.5, 0.5]
    assert rewards(play_out(CoinRow((3,), (0, 1, 2), 2), random_move, random.Random(1))) == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("rollout", [random_rollout, rollout_with(decisive_move)])
def test_rollouts_of_a_finished_game_are_its_result(rollout: Rollout) -> None:
    assert rollout(TicTacToe.from_text("XXX/OO./..."), random.Random(1)) == [1.0, 0.0]


@pytest.mark.parametrize("rollout", [light_go_rollout, heavy_go_rollout])
def test_rollouts_of_go_find_the_owner_of_the_board(rollout: Rollout) -> None:
    """Black lives with two eyes and holds the middle; White's stone in the corner cannot make eyes."""
    position = SensibleGo.from_text("O.X../..X../XXXXX/..X../..X.. b")
    assert sum(rollout(position, random.Random(seed))[FIRST] for seed in range(10)) >= 9


@pytest.mark.parametrize(
    ("drawing", "move", "taking", "saving"),
    [
        ("...../..X../.X.X./...../..... w", "C3", ["C2"], []),  # the stone just played can be taken
        ("...../...../.OXO./...../..... w", "C4", [], ["C2"]),  # ours in atari can run
        ("...../...../...../.O.O./.OX.. w", "D1", [], []),  # ours in atari would still be in atari
    ],
)
def test_heavy_rollouts_of_go_answer_ataris(drawing: str, move: str, taking: list[str], saving: list[str]) -> None:
    board = Board(SensibleGo.from_text(drawing).apply_move(move))
    assert [to_vertex(point) for point in capturing_points(board)] == taking
    assert [to_vertex(point) for point in saving_points(board)] == saving


def test_sensible_go_fills_no_eye_and_passes_last() -> None:
    position = SensibleGo.from_text(".X.X./XXXXX/.X.X./XXXXX/.X.X. b")
    assert position.legal_moves() == ["pass"]
    assert position.apply_move("pass").apply_move("pass").is_over()
    assert "pass" not in SensibleGo.start(3).legal_moves()
    assert SensibleGo.start(2).without(["A1", "B2"]).legal_moves() == ["B1", "A2"]


@pytest.mark.parametrize("text", [".X.X./XXXXX/.X.X./XXXXX/.X.X. b", "O.X../..X../XXXXX/..X../..X.. b", "..../.XO./..../.... w"])
def test_what_is_legal_is_what_the_list_has(text: str) -> None:
    position = SensibleGo.from_text(text)
    size = position.game().size
    for barred in ([], position.legal_moves()[:2]):
        limited = position.without(barred)
        every = [*map(to_vertex, board_points(size)), "pass"]
        assert [move for move in every if limited.is_legal(move)] == limited.legal_moves()
    assert not any(position.without(["A1"]).is_legal(move) for move in ("A1", "a1", "Z9"))


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize("search", SEARCHES)
def test_a_finished_game_and_no_rounds_are_refused(search: Callable[..., TreeSearch | EdgeSearch]) -> None:
    with pytest.raises(ValueError, match="no legal move: the game is over"):
        search(10).choose_move(TicTacToe.from_text("XXX/OO./..."))
    with pytest.raises(ValueError, match="0 rounds"):
        search(0)


def test_other_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="temperature"):
        TreeSearch(10, temperature=-1.0)
    with pytest.raises(ValueError, match="temperature"):
        TreeSearch(10, temperature=float("nan"))
    with pytest.raises(ValueError, match="chance moves here"):
        TreeSearch(10).choose_move(DiceGame(is_rolling=True))
    with pytest.raises(ValueError, match="no move was searched"):
        most_visited(Node(TicTacToe()))
    with pytest.raises(ValueError, match="without visits"):
        Node(TicTacToe()).win_rate(FIRST)
    with pytest.raises(ValueError, match="not over"):
        rewards(TicTacToe())
