"""Draws a position of a game record as an SVG picture: `draw_board.py GAME.sgf PICTURE.svg [--move N] [--network]`.

With `--network` the empty points show what the network says of each move, before any search.

Plain SVG written by hand, in a unit of one line distance: no fonts beyond the reader's own, no scripts, nothing to install.
"""

import argparse
import sys
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.engine.network.look import Look
from gtp_engine.engine.player.engine import Engine, EngineError
from gtp_engine.engine.search.params import SMALLEST_MEMORY, SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.points import BLACK, COLUMN_LETTERS, PASS, WHITE, point_at, row_and_column, to_vertex

UNIT = 40  # pixels between two lines
MARGIN = 1.4  # units around the outer lines: half a stone and the coordinates
STONE = 0.48  # radius in units
COLORS = {BLACK: "black", WHITE: "white"}
WOOD, LINE = "#e3b778", "#5b4636"
POLICY, POLICY_TEXT = "#7fb2e5", "#10243a"
LEAST_SHARE = 0.01  # probability from which a move of the policy is drawn


def main() -> int:
    """Draw as the command line says; 0, or 1 with the reason on stderr."""
    parser = argparse.ArgumentParser(description="Draw a position of a game record as an SVG picture.")
    parser.add_argument("record", type=Path, help="the game, an SGF file")
    parser.add_argument("picture", type=Path, help="the SVG file to write")
    parser.add_argument("--move", type=int, metavar="N", help="the position before move N (default: the last position)")
    parser.add_argument("--network", nargs="?", const="", metavar="FILE", help="draw its policy too (default: the one that comes along)")
    args = parser.parse_args()
    try:
        engine = Engine(SearchParams(network=args.network or "", memory=SMALLEST_MEMORY))
        engine.state.load_sgf(args.record, args.move)
        look = None if args.network is None else engine.network_look()
        args.picture.write_text(draw(engine.game, look), encoding="utf-8")
    except (sgf.SgfError, EngineError, OSError) as error:
        print(f"draw_board.py: {error}", file=sys.stderr)
        return 1
    return 0


def draw(game: Game, look: Look | None = None) -> str:
    """The SVG text of the game's position, its last move marked; with `look`, what a network says of it."""
    length = UNIT * (game.size - 1 + 2 * MARGIN)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {length:g} {length:g}" width="{length:g}" height="{length:g}">',
        f"<title>{describe(game)}{describe_look(game, look)}</title>",
        f'<rect width="{length:g}" height="{length:g}" rx="8" fill="{WOOD}"/>',
        *draw_lines(game.size),
        *draw_coordinates(game.size),
        *(draw_stone(game, point, color) for color in (BLACK, WHITE) for point in game.stones(color)),
        *draw_last_move(game),
        *(draw_policy(game, look) if look else []),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def describe(game: Game) -> str:
    """A sentence for those who can't see the picture."""
    last = game.last_move()
    end = f", the last one {COLORS[last[0]]} {to_vertex(last[1])}" if last else ""
    return f"Go on a {game.size}x{game.size} board after {len(game.moves)} moves{end}"


def describe_look(game: Game, look: Look | None) -> str:
    """The network's numbers, for the title."""
    if look is None:
        return ""
    return f"; the network gives {COLORS[game.to_play]} {100 * look.win_rate:.0f}% and a lead of {look.lead:.1f} points"


def place(row: float, column: float, size: int) -> tuple[float, float]:
    """Pixels from the left and from the top; row 1 is at the bottom."""
    return round(UNIT * (column - 1 + MARGIN), 2), round(UNIT * (size - row + MARGIN), 2)


def draw_lines(size: int) -> list[str]:
    """The grid and the star points."""
    path = []
    for line in range(1, size + 1):
        for start, end in (((line, 1), (line, size)), ((1, line), (size, line))):
            (x, y), (to_x, to_y) = place(*start, size), place(*end, size)
            path.append(f"M{x:g} {y:g}L{to_x:g} {to_y:g}")
    stars = [place(*row_and_column(point), size) for point in star_points(size)]
    dots = [f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{LINE}"/>' for x, y in stars]
    return [f'<path d="{"".join(path)}" stroke="{LINE}" stroke-width="1.5" stroke-linecap="square"/>', *dots]


def star_points(size: int) -> list[int]:
    """Where handicap stones go, and the middle; nothing on boards that have no star points."""
    try:
        points = fixed_handicap_points(size, 4)
    except ValueError:
        return []
    middle = (size + 1) // 2
    return [*points, point_at(middle, middle)] if size % 2 else points


def draw_coordinates(size: int) -> list[str]:
    """Letters below and above, numbers on both sides."""
    texts = []
    for line in range(1, size + 1):
        for row, column, text in (
            (0.1, line, COLUMN_LETTERS[line - 1]),
            (size + 0.9, line, COLUMN_LETTERS[line - 1]),
            (line, 0.1, str(line)),
            (line, size + 0.9, str(line)),
        ):
            x, y = place(row, column, size)
            texts.append(f'<text x="{x:g}" y="{y:g}">{text}</text>')
    style = f'font-family="sans-serif" font-size="14" fill="{LINE}" text-anchor="middle" dominant-baseline="central"'
    return [f"<g {style}>", *texts, "</g>"]


def draw_stone(game: Game, point: int, color: int) -> str:
    """A stone."""
    x, y = place(*row_and_column(point), game.size)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{UNIT * STONE:g}" fill="{COLORS[color]}" stroke="black" stroke-width="1"/>'


def draw_last_move(game: Game) -> list[str]:
    """A ring on the stone that was played last, if it was one."""
    last = game.last_move()
    if last is None or last[1] == PASS:
        return []
    x, y = place(*row_and_column(last[1]), game.size)
    ring = COLORS[WHITE] if last[0] == BLACK else COLORS[BLACK]
    return [f'<circle cx="{x:g}" cy="{y:g}" r="{UNIT * 0.22:g}" fill="none" stroke="{ring}" stroke-width="2.5"/>']


def draw_policy(game: Game, look: Look) -> list[str]:
    """A disc on each likely move, with its probability in percent."""
    likely = {point: share for point, share in look.policy.items() if share >= LEAST_SHARE and point != PASS}
    most = max(likely.values(), default=1.0)
    parts = [f'<g font-family="sans-serif" font-size="13" fill="{POLICY_TEXT}" text-anchor="middle" dominant-baseline="central">']
    for point, share in likely.items():
        x, y = place(*row_and_column(point), game.size)
        depth = 0.35 + 0.65 * share / most
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{UNIT * STONE:g}" fill="{POLICY}" fill-opacity="{depth:.2f}"/>')
        parts.append(f'<text x="{x:g}" y="{y:g}">{100 * share:.0f}</text>')
    return [*parts, "</g>"]


if __name__ == "__main__":
    sys.exit(main())
