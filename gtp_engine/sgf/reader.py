"""From an SGF record to a game: size, rules, komi, set-up stones, and the moves of the main line."""

import math
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from gtp_engine.base.files import read_start
from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.points import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, WHITE, point_at, to_color_name, to_vertex
from gtp_engine.go.rule_names import rules_named, rules_title
from gtp_engine.go.rules import CHINESE, Rules, Scoring
from gtp_engine.sgf.text import MAX_BYTES, Properties, SgfError, SgfMoveError, read_nodes
from gtp_engine.sgf.values import APPLICATION, move_of, plain_text, point_of

DEFAULT_SIZE = 19  # SGF's default if SZ is missing
DEFAULT_KOMI = 7.5
MAX_KOMI = 200.0  # points; more is a komi in hundredths, or invalid
MAX_FOX_KOMI = 20.0  # points; Fox writes hundredths, so smaller values are from other programs
FOX = "foxwq"  # its name in AP
FOX_STONES = (2.5, 4.0)  # between these values Fox means a Chinese komi in stones of two points each
MAX_SET_UPS = 300  # nodes of the main line with set-up stones; each costs a whole board
SIZE = re.compile(r"(\d{1,4})(?:\s*[:xX]\s*(\d{1,4}))?")
SET_UP_COLORS = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
MOVE_COLORS = {"B": BLACK, "W": WHITE}


@dataclass
class Record:
    """The contents of a game record; `game` is at the requested position."""

    game: Game
    komi: float
    rules: Rules | None  # None: the record has no known rules, and `game` was replayed under the caller's default
    players: dict[int, str]  # color -> name, empty if unknown
    result: str  # RE as written, `B+3.5`; empty if unknown
    warnings: list[str] = field(default_factory=list)  # sentences about guesses
    date: str = ""  # DT as written, `2026-05-01`; empty if unknown
    ranks: dict[int, str] = field(default_factory=dict)  # color -> rank as written, `5k`; empty if unknown


def load(path: str | os.PathLike[str], move_number: int | None = None, rules: Rules = CHINESE, komi: float = DEFAULT_KOMI) -> Record:
    """Read a file; see parse. Raises SgfError also for a file that isn't regular or can't be read."""
    try:
        data = read_start(Path(path), MAX_BYTES + 1)
    except OSError as error:
        raise SgfError(f"the file cannot be read: {error.strerror}") from error
    except ValueError as error:  # a NUL in the path
        raise SgfError("this is not the name of a file") from error
    return parse(data, move_number, rules, komi)


def parse(data: bytes | str, move_number: int | None = None, rules: Rules = CHINESE, komi: float = DEFAULT_KOMI) -> Record:
    """The first game in `data`, a file or its text, at the position before move `move_number` of the main line, or after its last move.

    `rules` and `komi` are defaults for a record without them. Superko repetitions are accepted. Raises SgfError for a damaged record, an
    unsupported board or game, and the first illegal move before `move_number`, by its number.
    """
    warnings: list[str] = []
    nodes = read_nodes(data, warnings)
    root = nodes[0]
    size = _size(root)
    own_rules = _rules(root, rules, warnings)
    game = Game(size, own_rules or rules)
    komi = _komi(root, game.rules, komi, warnings)
    _replay(game, nodes, move_number, warnings)
    players = {color: _text(root, name) for color, name in ((BLACK, "PB"), (WHITE, "PW"))}
    ranks = {color: _text(root, name) for color, name in ((BLACK, "BR"), (WHITE, "WR"))}
    return Record(game, komi, own_rules, players, _text(root, "RE"), warnings, _text(root, "DT"), ranks)


def _text(node: Properties, name: str) -> str:
    """The first value of a property as plain text; empty if it is missing."""
    return plain_text(node[name][0]) if name in node else ""


def _size(root: Properties) -> int:
    game_kind = _text(root, "GM")
    if game_kind.isdecimal() and int(game_kind[:9]) != 1:
        raise SgfError(f"this is not a record of Go (GM[{game_kind[:9]}])")
    text = _text(root, "SZ")
    if not text:
        return DEFAULT_SIZE
    match = SIZE.fullmatch(text)
    if match is None:
        raise SgfError(f"the board size {text[:20]!r} is not a number")
    columns, rows = int(match[1]), int(match[2] or match[1])
    if columns != rows:
        raise SgfError(f"the board has {columns} by {rows} lines, and we play on square boards only")
    if not MIN_SIZE <= columns <= MAX_SIZE:
        raise SgfError(f"the board has {columns} lines, and we play on {MIN_SIZE} to {MAX_SIZE}")
    return columns


def _rules(root: Properties, default: Rules, warnings: list[str]) -> Rules | None:
    """RU, or None if it is missing or unknown; with a warning if it is only approximated."""
    text = _text(root, "RU")
    if not text:
        return None
    try:
        rules, is_exact = rules_named(text)
    except ValueError:
        warnings.append(f"unknown rules {text[:30]!r}: {rules_title(default.name)} rules are used")
        return None
    if not is_exact:
        warnings.append(f"the rules {text[:60]!r} are read as {rules_title(rules.name)} rules")
    return rules


def _komi(root: Properties, rules: Rules, default: float, warnings: list[str]) -> float:
    """KM in points, whatever its unit, or the default; with a warning if it differs from KM."""
    text = _text(root, "KM")
    if not text:
        warnings.append(f"the record has no komi: {default:g} is used, with {rules_title(rules.name)} rules")
        return default
    try:
        komi = float(text.replace(",", "."))
    except ValueError:
        komi = math.nan
    if any(FOX in plain_text(value).lower() for value in root.get("AP", [])) and abs(komi) > MAX_FOX_KOMI:
        points = _fox_points(komi)
    elif MAX_KOMI < abs(komi) <= 100 * MAX_FOX_KOMI:
        points = _fox_points(komi)
        warnings.append(f"the komi {text[:20]!r} is read as hundredths: {points:g}")
    elif rules.scoring is Scoring.AREA and komi % 0.5 == 0.25 and not _text(root, "AP").startswith(APPLICATION):  # never true of nan
        points = 2 * komi
        warnings.append(f"the komi {text[:20]!r} counts stones, as in China: {points:g} points")
    else:
        points = komi
    if not abs(points) <= MAX_KOMI:  # also true of nan
        warnings.append(f"the komi {text[:20]!r} makes no sense: {default:g} is used, with {rules_title(rules.name)} rules")
        return default
    return points


def _fox_points(komi: float) -> float:
    """A komi in hundredths of points, or of stones if only that gives a usual komi: 375 and 750 are 7.5 points."""
    points = komi / 100
    return 2 * points if FOX_STONES[0] <= points <= FOX_STONES[1] else points


def _handicap(root: Properties, size: int, warnings: list[str]) -> int | None:
    """HA as a number, 0 for one stone; None if it is missing or invalid."""
    text = _text(root, "HA")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) < size * size):
        warnings.append(f"the handicap {text[:20]!r} makes no sense")
        return None
    return int(text) if int(text) > 1 else 0


def _replay(game: Game, nodes: list[Properties], move_number: int | None, warnings: list[str]) -> None:
    """Set up and play what stands before move `move_number`."""
    upcoming = _upcoming_colors(nodes)
    _place_root_stones(game, nodes[0], [color for color in map(_mover, nodes) if color is not None], warnings)
    number = set_ups = 0
    for i, node in enumerate(nodes):
        if i > 0 and SET_UP_COLORS.keys() & node.keys():
            set_ups += 1
            if set_ups > MAX_SET_UPS:
                raise SgfError(f"more than {MAX_SET_UPS} nodes have set-up stones")
            _change_stones(game, node, upcoming[i], number)
        color = _mover(node)
        if color is None:
            continue
        number += 1
        if move_number is not None and number >= move_number:
            return
        _play(game, color, node, number)


def _mover(node: Properties) -> int | None:
    """The color of the move in this node, if any."""
    return next((color for name, color in MOVE_COLORS.items() if name in node), None)


def _upcoming_colors(nodes: list[Properties]) -> list[int | None]:
    """For each node, who makes the next move in it or after it; None when there is no more."""
    colors: list[int | None] = [None]
    for node in reversed(nodes):
        colors.append(_mover(node) or colors[-1])
    return colors[:0:-1]


def _player_to_move(node: Properties) -> int | None:
    """PL, in any of the forms that are seen: B, b, black, 1."""
    return {"b": BLACK, "1": BLACK, "w": WHITE, "2": WHITE}.get(_text(node, "PL")[:1].lower())


def _place_root_stones(game: Game, root: Properties, movers: list[int], warnings: list[str]) -> None:
    """The stones that stand before the first move, and whether they are a handicap; `movers` are the colors of all moves.

    They are a handicap when HA says so, and when there are only black ones and White begins. Black's first moves may be the
    handicap instead. A handicap without stones, with White to begin, is the fixed one: old servers wrote it so. Where white
    stones stand, none are added.
    """
    black, white = (_points(root, name, game.size, 0) for name in ("AB", "AW"))
    first_mover = _player_to_move(root) or (movers[0] if movers else None)
    handicap = _handicap(root, game.size, warnings)
    if handicap is None:
        handicap = len(black) if len(black) > 1 and not white and first_mover != BLACK else 0
    elif handicap and not black and not white and movers[:handicap] != [BLACK] * handicap:
        black = _missing_handicap_stones(game.size, handicap, first_mover, warnings)
        handicap = len(black)
    elif black and handicap != len(black):
        warnings.append(f"the record says {handicap} handicap stones and sets up {len(black)}")
    if black or white or first_mover == WHITE:
        stones = [(BLACK, point) for point in black] + [(WHITE, point) for point in white]
        _set_up(game, stones, first_mover or (WHITE if handicap else BLACK), 0)
    game.handicap = handicap


def _missing_handicap_stones(size: int, handicap: int, first_mover: int | None, warnings: list[str]) -> list[int]:
    """Points for a handicap that the record names without its stones; none when Black begins."""
    points: list[int] = []
    if first_mover == WHITE:
        try:
            points = fixed_handicap_points(size, handicap)
        except ValueError:
            points = []
    warnings.append(f"the record sets up no stones for its handicap of {handicap}" + (": the usual points are assumed" if points else ""))
    return points


def _change_stones(game: Game, node: Properties, next_mover: int | None, number: int) -> None:
    """Add and remove stones in mid-game; the moves before become part of the set-up.

    Prisoners stay, and the handicap does while Black has stones.
    """
    colors = {point: color for color in (BLACK, WHITE) for point in game.stones(color)}
    for name, color in SET_UP_COLORS.items():
        colors.update(dict.fromkeys(_points(node, name, game.size, number), color))
    stones = [(color, point) for point, color in colors.items() if color != EMPTY]
    handicap = game.handicap
    _set_up(game, stones, _player_to_move(node) or next_mover or game.to_play, number)
    game.handicap = handicap if BLACK in colors.values() else 0  # without stones it would be read as the fixed one from what we write


def _set_up(game: Game, stones: list[tuple[int, int]], to_play: int, number: int) -> None:
    try:
        game.set_up(
            sorted(stones), to_play, (game.captures(BLACK), game.captures(WHITE))
        )  # the same record for the same stones: playouts draw from a list in it
    except ValueError as error:
        raise SgfError(f"bad set-up after move {number}: {error}") from error


def _play(game: Game, color: int, node: Properties, number: int) -> None:
    """Play the move of this node; SgfError names it when it is none or illegal."""
    values = node["B" if color == BLACK else "W"]
    text = plain_text(values[0]).lower()
    point = move_of(values[0], game.size)
    if len(values) > 1:
        raise SgfMoveError(f"move {number} ({to_color_name(color)} {text[:10]!r}) names more than one point: keep one of them", number)
    if not point:
        reason = f"move {number} ({to_color_name(color)} {text[:10]!r}) is not a point of the {game.size}x{game.size} board"
        raise SgfMoveError(reason, number)
    try:
        game.play(color, point)
    except IllegalMove as error:
        reason = f"move {number} ({to_color_name(color)} {to_vertex(point)}) is illegal: {error}"
        raise SgfMoveError(f"{reason}; correct it, or read the record up to move {number} only", number) from error


def _points(node: Properties, name: str, size: int, number: int) -> list[int]:
    """The points of a set-up property, rectangles `aa:cc` written out, each once."""
    points: list[int] = []
    for value in node.get(name, []):
        first, _, last = plain_text(value).lower().partition(":")
        if not first and not last:
            continue  # AB[] sets up nothing
        corner, opposite = point_of(first, size), point_of(last or first, size)
        if not corner or not opposite:
            raise SgfError(f"{name}[{plain_text(value)[:10]}] after move {number} is not a point of the {size}x{size} board")
        points += _rectangle(corner, opposite)
        if len(points) > size * size:
            raise SgfError(f"{name} after move {number} names more points than the board has")
    return list(dict.fromkeys(points))


def _rectangle(corner: int, opposite: int) -> list[int]:
    """All points of the rectangle between two corners, in any order of the two."""
    (row, column), (other_row, other_column) = (divmod(point, point_at(1, 0)) for point in (corner, opposite))
    rows = range(min(row, other_row), max(row, other_row) + 1)
    columns = range(min(column, other_column), max(column, other_column) + 1)
    return [point_at(r, c) for r in rows for c in columns]
