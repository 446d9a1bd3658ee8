"""Prints the tables of docs/how-it-works.md that the classic searches fill: what they visit, find and win.

python docs/figures/textbook_figures.py [TABLE ...]

Everything is seeded and counted, nothing timed, so the tables are the same on every machine. All of them take less than a minute.
"""

import math
import sys
from collections.abc import Callable, Sequence
from random import Random

from gtp_engine.textbook import depth_limited, expectiminimax, lookahead, maxn, minimax
from gtp_engine.textbook.alphabeta import AlphaBeta, Order, as_given, best_guess_first, unknown
from gtp_engine.textbook.counter import Counter
from gtp_engine.textbook.depth_limited import Evaluate, negamax, quiescent
from gtp_engine.textbook.dice_game import DiceGame
from gtp_engine.textbook.explicit_tree import Nested, alternating
from gtp_engine.textbook.game import FIRST, Position
from gtp_engine.textbook.go_game import GoPosition, capturing_moves, stone_difference
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines

GAMES = 1000  # of a player against the random one, on each side
HORIZON = "...XO/...../...../OOO../XXX.. b"

Row = Sequence[object]
Player = Callable[[TicTacToe, Random], str]


def as_table(head: str, rows: Sequence[Row]) -> str:
    """A Markdown table; integers get thousands separators, other numbers at most four significant digits."""

    def cell(value: object) -> str:
        """One cell."""
        if isinstance(value, float):
            return f"{value:.4g}"
        return f"{value:,}" if isinstance(value, int) else str(value)

    columns = head.split("|")
    lines = [columns, ["---"] * len(columns), *([cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(part.strip() for part in line)} |" for line in lines)


# ---------------------------------------------------------------- players against the random one


def choose_random(position: TicTacToe, dice: Random) -> str:
    """Any legal move."""
    return dice.choice(position.legal_moves())


def choose_greedy(position: TicTacToe, dice: Random) -> str:
    """Wins at once if possible."""
    return lookahead.find_winning_move(position) or choose_random(position, dice)


def choose_safe(position: TicTacToe, dice: Random) -> str:
    """Wins at once if possible, and does not let the opponent do so."""
    safe = lookahead.find_safe_moves(position) or position.legal_moves()
    return lookahead.find_winning_move(position) or dice.choice(safe)


def choose_by_open_lines(position: TicTacToe, dice: Random) -> str:
    """Two moves deep, by open lines, which count a tenth of a win each so that no hope outweighs a win."""
    return depth_limited.choose_move(position, 2, lambda after: open_lines(after) / 10, dice)


def results(player: Player, dice: Random) -> Row:
    """Wins, draws and losses of `player` in GAMES games as X and GAMES as O against the random player."""
    counts = {1.0: 0, 0.0: 0, -1.0: 0}
    for game in range(2 * GAMES):
        side, position = game % 2, TicTacToe()
        while not position.is_over():
            choose = player if position.next_player == side else choose_random
            position = position.apply_move(choose(position, dice))
        counts[position.utility(side)] += 1
    return list(counts.values())


def perfect() -> Player:
    """Minimax, which searches each position only once for all its games."""
    best: dict[TicTacToe, list[str]] = {}

    def choose(position: TicTacToe, dice: Random) -> str:
        """A best move, by lot."""
        if position not in best:
            best[position] = minimax.best_moves(minimax.values_of_moves(position, known={}))
        return dice.choice(best[position])

    return choose


def players_table() -> str:
    """How far each look ahead gets against random moves at tic-tac-toe."""
    players: list[tuple[str, Player]] = [
        ("none: random moves", choose_random),
        ("1 move: win at once", choose_greedy),
        ("2 moves: and let nobody win at once", choose_safe),
        ("3 moves: and make forks", lookahead.choose_move),
        ("2 moves and open lines", choose_by_open_lines),
        ("to the end: minimax", perfect()),
    ]
    return as_table("Look ahead | Won | Drawn | Lost", [[name, *results(player, Random(1))] for name, player in players])


# ---------------------------------------------------------------- what the searches visit


def visited(search: Callable[[Counter], object]) -> Row:
    """Nodes and leaves of one search."""
    counter = Counter()
    search(counter)
    return counter.nodes, counter.leaves


def deepened(counter: Counter) -> None:
    """Tic-tac-toe by iterative deepening to the last move."""
    search = AlphaBeta[TicTacToe](open_lines, best_guess_first(open_lines), {}, counter)
    for _ in search.deepen(TicTacToe(), 9):
        pass


def tictactoe_table() -> str:
    """Tic-tac-toe from the empty board to the end, by each search."""
    start, guess = TicTacToe(), best_guess_first(open_lines)
    rows: list[Row] = [
        ["minimax", *visited(lambda counter: minimax.value(start, FIRST, counter))],
        ["minimax, each position once", *visited(lambda counter: minimax.value(start, FIRST, counter, {}))],
        ["alpha-beta, squares as a board is read", *visited(lambda counter: AlphaBeta[TicTacToe](counter=counter).search(start, math.inf))],
        ["alpha-beta, best guess first", *visited(lambda counter: AlphaBeta(unknown, guess, None, counter).search(start, math.inf))],
        ["the same and a table", *visited(lambda counter: AlphaBeta(unknown, guess, {}, counter).search(start, math.inf))],
        ["the same, all nine depths one after the other", *visited(deepened)],
    ]
    return as_table("Search | Positions after a move | Leaves", rows)


def uniform(dice: Random, width: int, depth: int) -> Nested:
    """A tree with random leaves."""
    return [uniform(dice, width, depth - 1) for _ in range(width)] if depth else dice.randint(-1000, 1000)


def best_and_worst_first(position: Position) -> tuple[Order[Position], Order[Position]]:
    """The perfect order of moves and its opposite, from the solved tree."""
    known: dict[Position, float] = {}
    minimax.value(position, FIRST, Counter(), known)

    def order(position: Position, moves: list[str], sign: int) -> list[str]:
        sign *= -1 if position.next_player == FIRST else 1
        return sorted(moves, key=lambda move: sign * known[position.apply_move(move)])

    return (lambda position, moves: order(position, moves, 1)), (lambda position, moves: order(position, moves, -1))


def leaves_of(position: Position, depth: int, order: Order[Position]) -> int:
    """Leaves that alpha-beta visits."""
    counter = Counter()
    AlphaBeta(unknown, order, None, counter).search(position, depth)
    return counter.leaves


def order_table() -> str:
    """What the order of moves is worth to alpha-beta on trees with random leaves."""
    rows = []
    for width, depth in ((2, 10), (5, 5), (10, 4), (30, 3)):
        tree = alternating(uniform(Random(1), width, depth))
        best, worst = best_and_worst_first(tree)
        least = width ** math.ceil(depth / 2) + width ** (depth // 2) - 1
        rows.append([width, depth, width**depth, *(leaves_of(tree, depth, order) for order in (worst, as_given, best)), least])
    return as_table("Width | Depth | Minimax | Worst first | Random order | Best first | Theory: b^⌈d/2⌉ + b^⌊d/2⌋ - 1", rows)


def go_order(position: GoPosition, moves: list[str]) -> list[str]:
    """Pass first, then what scores most as it stands: on a tiny board the end is never far away."""
    sign = 1 if position.next_player == FIRST else -1
    return ["pass", *sorted(moves[:-1], key=lambda move: -sign * position.apply_move(move).score())]


def go_table() -> str:
    """Go: 5x5 to a depth, and 2x2 to the end, where two passes are never far away."""
    start, captures = GoPosition.start(5), best_guess_first(stone_difference)
    rows: list[Row] = []
    for depth in (1, 2, 3):
        full, pruned, deepening = Counter(), Counter(), Counter()
        negamax(start, depth, stone_difference, full)
        AlphaBeta(stone_difference, captures, {}, pruned).search(start, depth)
        list(AlphaBeta(stone_difference, captures, {}, deepening).deepen(start, depth))
        rows.append([f"5x5, {depth} deep", full.nodes, pruned.nodes, deepening.nodes])
    solving = Counter()
    AlphaBeta(unknown, go_order, {}, solving).search(GoPosition.start(2, komi=0), math.inf)
    return as_table("Board | Minimax | Alpha-beta with a table | The same, deepening", [*rows, ["2x2, to the end", "", solving.nodes, ""]])


# ---------------------------------------------------------------- evaluations, chance, many players


def horizon_table() -> str:
    """The horizon effect: what one move deep finds, with and without captures beyond."""
    position = GoPosition.from_text(HORIZON)
    searches: list[tuple[str, int, Evaluate[GoPosition]]] = [
        ("1 move", 1, stone_difference),
        ("1 move, then captures", 1, quiescent(stone_difference, capturing_moves, 6)),
        ("3 moves", 3, stone_difference),
    ]
    rows: list[Row] = []
    for name, depth, evaluate in searches:
        counter = Counter()
        values = depth_limited.values_of_moves(position, depth, evaluate, counter)
        rows.append([name, values["E4"], values["D1"], " ".join(minimax.best_moves(values)), counter.nodes])
    return as_table("Search | E4 takes a stone | D1 saves three | Chosen | Positions", rows)


def dice_table() -> str:
    """Twenty-one with a die, solved."""
    rows: list[Row] = []
    for limit in (5, 10, 21):
        once, tree = Counter(), Counter()
        value = expectiminimax.value(DiceGame(limit), FIRST, once, {})
        if limit < 10:
            expectiminimax.value(DiceGame(limit), FIRST, tree)
        held = [total for total in range(limit + 1) if holds(DiceGame(limit, totals=(total, 0)))]
        rows.append([limit, value, min(held), tree.nodes or "", once.nodes])
    return as_table("Limit | Worth to the first player | Holds from | Positions | Each once", rows)


def holds(position: DiceGame) -> bool:
    """Is it best to hold?"""
    return "hold" in minimax.best_moves(expectiminimax.values_of_moves(position, known={}))


def coins_table() -> str:
    """Three players and a row of coins."""
    start = CoinRow()
    rows = [[move, *map(int, found)] for move, found in maxn.values_of_moves(start).items()]
    return as_table("First player takes | First | Second | Third", rows)


TABLES = {
    "players": players_table,
    "tictactoe": tictactoe_table,
    "order": order_table,
    "horizon": horizon_table,
    "go": go_table,
    "dice": dice_table,
    "coins": coins_table,
}


def main(names: list[str]) -> int:
    """Print the named tables, or all."""
    unknown_names = sorted(set(names) - set(TABLES))
    if unknown_names:
        print(f"textbook_figures.py: no table {unknown_names[0]}; choose from {', '.join(TABLES)}", file=sys.stderr)
        return 2
    for name in names or TABLES:
        print(f"{name}\n\n{TABLES[name]()}\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
