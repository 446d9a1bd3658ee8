"""Games of the default player against itself, its network included, at few visits: every move is checked by sgfmill's board."""

import contextlib
import random
from collections import Counter
from dataclasses import replace

from kernels_consistency import FAULTS, SOUND, check
from sgfmill.boards import Board

from gtp_engine.engine.player.engine import Engine, EngineError
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, PASS, RESIGN, WHITE, row_and_column, to_vertex
from gtp_engine.go.rules import RULE_SETS
from soaks.tally import Tally

COUNT = 10_000
SIZES = (*[9] * 80, 10, 11, 12, *[13] * 6, 14, 15, 16, 17, 18, *[19] * 6)  # most are small, so that there are many games
MOST_VISITS = 6  # a move gets 1 .. 6
MOST_MOVES = 3  # times the points of the board: no sensible game is longer
OPENING = 0.3  # highest share of the board that random moves fill first, so that games are short and unlike each other


class GameFaultError(Exception):
    """Something that must never happen in a game."""


def run(count: int, seed: int) -> Tally:
    """Play `count` games, or as many as are played until Ctrl-C. Games of other seeds are others: several processes can share the work."""
    tally, moves, played = Tally(), 0, Counter[int]()
    engine = Engine(SearchParams(playouts=1, seed=seed, memory=16, threads=1))
    with contextlib.suppress(KeyboardInterrupt):  # what was played by then counts
        while tally.done < count and len(tally.faults) < 20:
            number = seed * 1_000_003 + tally.done
            try:
                moves += play_game(engine, number)
                played[engine.game.size] += 1
            except (GameFaultError, EngineError) as error:
                tally.fault(f"game {number}: {error}\n{engine.state.sgf()}")
            tally.done += 1
            tally.progress(count)
    sizes = ", ".join(f"{many} on {size}x{size}" for size, many in sorted(played.items()))
    tally.notes.append(f"{moves} moves, each legal for sgfmill and for us, under all rule sets; games: {sizes}")
    return tally


def play_game(engine: Engine, number: int) -> int:
    """One game, made by its number alone; how many moves it had. Raises GameFaultError."""
    dice = random.Random(number)
    engine.set_params(replace(engine.params, playouts=dice.randint(1, MOST_VISITS), seed=number))
    engine.state.set_rules(list(RULE_SETS.values())[number % len(RULE_SETS)])
    engine.state.set_board_size(dice.choice(SIZES))
    game = engine.game
    twin = Twin(game.size)
    for _ in range(round(dice.random() * OPENING * game.size**2)):
        point = dice.choice(engine.game.legal_points(engine.game.to_play))
        twin.play(engine.game.to_play, point)
        engine.state.play(engine.game.to_play, point)
    while engine.game.passes() < 2:
        if len(engine.game.moves) > MOST_MOVES * engine.game.size**2:
            raise GameFaultError("the game does not end")
        color = engine.game.to_play
        point = engine.genmove(color)
        if point == RESIGN:
            break
        twin.play(color, point)
        twin.compare(engine)
    engine.score()
    return len(engine.game.moves)


class Twin:
    """The same game on sgfmill's board."""

    def __init__(self, size: int) -> None:
        self.board = Board(size)
        self.ko: tuple[str, tuple[int, int]] | None = None

    def play(self, color: int, point: int) -> None:
        """Play a move. Raises GameFaultError when it isn't legal."""
        letter = "b" if color == BLACK else "w"
        if point == PASS:
            self.ko = None
            return
        row, column = (number - 1 for number in row_and_column(point))
        if self.board.get(row, column) is not None:
            raise GameFaultError(f"{to_vertex(point)} is occupied")
        if self.ko == (letter, (row, column)):
            raise GameFaultError(f"{to_vertex(point)} takes a ko back at once")
        before = self.board.copy()
        taken = self.board.play(row, column, letter)
        self.ko = ("w" if letter == "b" else "b", taken) if taken is not None else None
        if self.board.get(row, column) is None and len(before.list_occupied_points()) == len(self.board.list_occupied_points()):
            raise GameFaultError(f"{to_vertex(point)} is a single stone's suicide")

    def compare(self, engine: Engine) -> None:
        """Raises GameFaultError unless the engine's position is the same, and sound."""
        game = engine.game
        fault = int(check(game.positions, 0))
        if fault != SOUND:
            raise GameFaultError(f"the position is damaged: {FAULTS[fault]}")
        for color, letter in ((BLACK, "b"), (WHITE, "w")):
            ours = {tuple(number - 1 for number in row_and_column(point)) for point in game.stones(color)}
            theirs = {point for there, point in self.board.list_occupied_points() if there == letter}
            if ours != theirs:
                raise GameFaultError(f"the stones of {letter} differ: {ours ^ theirs}")
