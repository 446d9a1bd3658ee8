"""The textbook's players: at small games in the terminal, and as engines at the GTP board."""

import io
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from conftest import Client

from gtp_engine.cli.main import main
from gtp_engine.cli.options.play import GAMES as GAMES_OF_PLAY
from gtp_engine.engine.config import front_end
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.textbook_chooser import TextbookChooser
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.eyes import is_eye_of
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, from_vertex, opponent
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.terminal.board_game import BoardGame
from gtp_engine.textbook.game import FIRST, SECOND, Position
from gtp_engine.textbook.go_game import stone_difference
from gtp_engine.textbook.go_rollouts import SensibleGo, light_go_rollout
from gtp_engine.textbook.mcts import TreeSearch, most_visited
from gtp_engine.textbook.players import GAMES, PLAYERS, Choice, Player, Table, make_player
from gtp_engine.textbook.tictactoe import TicTacToe

SMALL = 5  # lines of the board in these tests


def endless() -> bool:
    """The search may take its time."""
    return False


def play_small(game: str, first: Player, second: Player) -> int | None:
    """The winner of a game."""
    position = GAMES[game].start
    while not position.is_over():
        position = position.apply_move((first, second)[position.next_player](position, endless).move)
    return position.winner()


# ---------------------------------------------------------------- small games


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_plays_every_small_game(name: str, game: str) -> None:
    for seed in range(2):
        own = make_player(name, GAMES[game], random.Random(seed), 100)
        anyone = make_player("random", GAMES[game], random.Random(seed))
        assert play_small(game, own, anyone) in (None, FIRST, SECOND)


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_searchers_to_the_end_lose_no_game(name: str) -> None:
    """Tic-tac-toe from both sides, and hexapawn as the second player, who wins."""
    for seed in range(3):
        anyone = make_player("random", GAMES["tictactoe"], random.Random(seed))
        perfect = make_player(name, GAMES["tictactoe"], random.Random(seed))
        assert play_small("tictactoe", anyone, perfect) != FIRST
        assert play_small("tictactoe", perfect, anyone) != SECOND
        assert play_small("hexapawn", anyone, make_player(name, GAMES["hexapawn"], random.Random(seed))) == SECOND


def test_the_greedy_player_wins_at_once() -> None:
    position = TicTacToe.from_text("XO./.X./O..")
    assert {make_player("greedy", GAMES["tictactoe"], random.Random(seed))(position, endless).move for seed in range(5)} == {"c1"}


def test_equals_are_chosen_by_lot_and_by_the_seed() -> None:
    def choices(name: str) -> list[str]:
        position = TicTacToe.from_text("X.O/.../...")
        return [make_player(name, GAMES["tictactoe"], random.Random(seed))(position, endless).move for seed in range(5)]

    for name in ("random", "minimax", "alphabeta"):
        assert choices(name) == choices(name) and len(set(choices(name))) > 1


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_a_search_that_is_stopped_plays_what_it_has_found(name: str) -> None:
    """White's stone can be taken at once; the look further ahead is broken off."""
    position = SensibleGo.from_text("...../..X../.XOX./...../..... b")
    table = Table(position, stone_difference, light_go_rollout, is_small=False)
    assert make_player(name, table, random.Random(1))(position, lambda: True).move == "C2"


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(ValueError, match="no player is called 'minmax'"):
        make_player("minmax", GAMES["tictactoe"], random.Random(1))


def test_the_choices_on_the_command_line_are_those_there_are() -> None:
    assert set(front_end.PLAYERS) == {front_end.OUR_SEARCH, *PLAYERS}
    assert set(GAMES_OF_PLAY) == {"go", *GAMES}


# ---------------------------------------------------------------- at the GTP board


@pytest.fixture(autouse=True)
def shallow_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Depth-limited players look no further than these tests need."""
    monkeypatch.setattr("gtp_engine.textbook.players.MOST_LEAVES", 100)


def player_engine(name: str, **changes: object) -> Engine:
    """A player that plays the same every time."""
    params = SearchParams(**{"playouts": 30, "seed": 1, "memory": 16, "threads": 1, **changes})  # type: ignore[arg-type]  # as told
    return Engine(params, RULE_SETS["chinese"], 0.5, SMALL, TextbookChooser(name))


@pytest.fixture
def connect() -> Iterator[Callable[[str], Client]]:
    """A GTP client of a player's engine."""
    clients: list[Client] = []

    def connect(name: str) -> Client:
        clients.append(Client(EngineLoader(lambda: player_engine(name))))
        return clients[-1]

    yield connect
    for client in clients:
        if client.loader.thread is not None:
            client.loader.thread.join()


@pytest.mark.parametrize("name", PLAYERS)
def test_a_whole_game_over_gtp(name: str, connect: Callable[[str], Client]) -> None:
    """Every move is legal and fills no own eye, and both pass in the end."""
    client = connect(name)
    board = player_engine("random").game
    moves: list[str] = []
    color = BLACK
    while moves[-2:] != ["pass", "pass"]:
        vertex = client.ok(f"genmove {'white' if color == WHITE else 'black'}")
        if vertex == "resign":
            break
        point = from_vertex(vertex, SMALL)
        assert board.is_legal(color, point)
        assert point == PASS or not is_eye_of(board.positions, 0, point, color)
        board.play(color, point)
        moves.append(vertex)
        color = opponent(color)
        assert len(moves) < 150
    assert client.ok("final_score")[0] in "BW"
    assert len(client.ok("move_history").splitlines()) == len(moves)


@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_gives_the_same_moves(name: str) -> None:
    def opening() -> list[int]:
        engine = player_engine(name)
        return [engine.genmove(color) for color in (BLACK, WHITE, BLACK, WHITE)]

    assert opening() == opening()


def test_reg_genmove_plays_nothing_and_repeats_itself() -> None:
    engine = player_engine("textbook-mcts")
    assert engine.reg_genmove(BLACK) == engine.reg_genmove(BLACK)
    assert engine.game.moves == []


def test_the_textbook_search_resigns_a_lost_game_unless_told_not_to() -> None:
    lost = [(BLACK, from_vertex(f"{column}{row}", SMALL)) for column in "BD" for row in range(1, 6)]
    for resign, expected in ((True, True), (False, False)):
        engine = player_engine("textbook-mcts", resign=resign, resign_moves=1, resign_after=0.0)
        engine.state.set_up(lost, WHITE)
        assert (engine.genmove(WHITE) == RESIGN) == expected


def test_the_textbook_search_keeps_its_tree_in_a_game() -> None:
    """After a move and an answer that it expected, there is less left to search."""
    rounds: list[int] = []
    engine = player_engine("textbook-mcts", playouts=200)
    engine.state.set_board_size(3)

    def count(position: Position, rng: random.Random) -> list[float]:
        rounds.append(1)
        return light_go_rollout(position, rng)

    search = TreeSearch(200, rollout=count, rng=random.Random(1))
    assert isinstance(engine.chooser, TextbookChooser)
    engine.chooser.player = lambda position, should_stop: Choice(search.choose_move(position))
    engine.genmove(BLACK)
    assert len(rounds) == 200 and search.root is not None
    expected = most_visited(most_visited(search.root))
    assert expected.move is not None and expected.visits > 3
    left = 200 - expected.visits
    engine.state.play(WHITE, from_vertex(expected.move, engine.game.size))
    engine.genmove(BLACK)
    assert len(rounds) == 200 + left


@pytest.mark.parametrize("name", PLAYERS)
def test_after_two_passes_there_is_a_third(name: str, connect: Callable[[str], Client]) -> None:
    client = connect(name)
    for line in ("play b pass", "play w pass"):
        client.ok(line)
    assert client.ok("genmove b") == "pass"


def test_avoided_moves_are_avoided() -> None:
    engine = player_engine("random")
    only = from_vertex("C3", SMALL)
    others = {(BLACK, from_vertex(f"{column}{row}", SMALL)): 1 for column in "ABCDE" for row in range(1, 6)}
    del others[BLACK, only]
    assert engine.genmove(BLACK, avoid=others) == only


def test_an_interrupt_ends_the_search(connect: Callable[[str], Client]) -> None:
    engine = player_engine("textbook-mcts", playouts=10_000_000)
    cancelled = Event()
    cancelled.set()
    assert engine.genmove(BLACK, cancelled=cancelled) != RESIGN


def test_a_move_with_its_analysis(connect: Callable[[str], Client]) -> None:
    """What is shown of the move is the player's own: its visits and its win rate."""
    lines = connect("textbook-mcts").ok("lz-genmove_analyze b 100").splitlines()
    assert lines[-1].startswith("play ")
    assert f"move {lines[-1].split()[1]} visits" in lines[1]


def test_other_params_are_taken_up(connect: Callable[[str], Client]) -> None:
    client = connect("textbook-mcts")
    client.ok("gtp_engine-param playouts 5")
    client.ok("clear_cache")
    client.ok("genmove b")
    result = client.loader.engine().last_result
    assert result is not None and result.best.visits <= 5


# ---------------------------------------------------------------- in the terminal


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("GTP_ENGINE_")]:
        monkeypatch.delenv(name)


def type_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, *lines: str) -> str:
    """What is printed when a person types these lines and closes the input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert main(command.split()) == 0
    return capsys.readouterr().out


def test_a_person_plays_tictactoe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = type_in(
        monkeypatch, capsys, "play --game tictactoe --player greedy --seed 1", "b2", "moves", "hint", "undo", "undo", "B2", "resign"
    )
    assert text.startswith("Type a move, such as a3, or help.\n. . .\n. . .\n. . .\n")
    assert text.count("Player 1: b2") == 2 and text.count("Player 2: ") == 2
    for part in ("Taken back.", "There is no move of yours to take back.", "Player 1 gives up."):
        assert part in text


def test_mistakes_at_hexapawn_are_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = type_in(monkeypatch, capsys, "play --game hexapawn --color both", "a1a3", "hnit", "a1a2", "help", "board")
    assert "'a1a3' is neither a move here nor a command; did you mean a1a2?" in text and "did you mean hint?" in text
    assert text.count("Player 1: ") == 1 and "undo: take back your last move" in text and text.count("B B B\nW . .\n. W W") == 2


def test_two_players_of_the_textbook_play_to_the_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in(monkeypatch, capsys, "play --game hexapawn --color none --player minimax").endswith("Player 2 wins.\n")
    assert type_in(monkeypatch, capsys, "play --game tictactoe --color none --player alphabeta").endswith("The game is a draw.\n")


def test_no_move_is_taken_after_the_end() -> None:
    said: list[str] = []
    position = TicTacToe.from_text("XO./XO./...")
    lines = iter(["a1", "b1", "hint", "moves", "undo", "c3"])
    game = BoardGame(
        position, {FIRST, SECOND}, make_player("random", GAMES["tictactoe"], random.Random(1)), said.append, lambda prompt: next(lines)
    )
    for _ in range(6):
        game.read()
    assert "Player 1 wins." in said and "The game is over: undo or quit." in said and "The game is over." in said
    assert said[-2] == "Player 1: c3" and not game.is_over()


def test_a_person_plays_go_against_a_player(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = type_in(monkeypatch, capsys, "play --plain --size 5 --player greedy --seed 1", "c3")
    assert "Move 1, black: C3." in text and "Move 2, white: " in text


def test_nobody_reading_is_no_traceback(repository: Path) -> None:
    command = [sys.executable, "-m", "gtp_engine", "play", "--game", "tictactoe", "--color", "none", "--player", "random"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=repository)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(60) == 1
    process.stderr.close()


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("play --game hexapawn --player mcts", "--player mcts plays only go: choose another player for hexapawn"),
        ("play --game tictactoe --handicap 2", "--handicap: there is none in tictactoe"),
        ("play --game chess", "'chess' is not one of"),
        ("gtp --player minmax", "did you mean minimax?"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(command: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(command.split())
    captured = capsys.readouterr()
    assert stop.value.code == 2 and complaint in captured.err and "Traceback" not in captured.err
