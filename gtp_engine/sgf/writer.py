"""From a game to SGF: FF[4] in UTF-8, one line of moves, read back identically by our reader."""

import datetime
from collections.abc import Mapping, Sequence

from gtp_engine import __version__
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rules import CHINESE, Rules
from gtp_engine.sgf.library import sgf
from gtp_engine.sgf.values import APPLICATION, letters_of


def dump(
    game: Game,
    komi: float,
    rules: Rules,
    players: Mapping[int, str] | None = None,
    result: str = "",
    date: datetime.date | None = None,
    comments: Mapping[int, str] | None = None,
) -> str:
    """The game as SGF text that ends with a newline and has no empty line.

    players -- color to name; result -- as in RE, `B+3.5`, `W+R`, `0`; empty texts and a missing date are left out.
    comments -- move number (0: the root) to text of one or more lines; empty lines vanish. All other
    text is put on one line. Control characters vanish. Raises ValueError for a komi that is not a finite number.
    """
    record = sgf.Sgf_game(game.size, "UTF-8")
    root = record.get_root()
    root.set("AP", (APPLICATION, __version__))
    root.set("KM", komi)
    root.set("RU", rules.name)
    for name, value in (("RE", result), ("PB", (players or {}).get(BLACK, "")), ("PW", (players or {}).get(WHITE, ""))):
        if _one_line(value):
            root.set(name, _one_line(value))
    if date is not None:
        record.set_date(date)
    _write_set_up(root, game)
    node = root
    _comment(node, (comments or {}).get(0, ""))
    for number, (color, point) in enumerate(game.moves, 1):
        node = node.new_child()
        node.set_raw("B" if color == BLACK else "W", letters_of(point, game.size).encode("ascii"))
        _comment(node, (comments or {}).get(number, ""))
    text: str = record.serialise().decode("utf-8")
    return text


def dump_problem(game: Game, komi: float, to_play: int, marked: Sequence[int], comment: str) -> str:
    """A set-up position as SGF text, with a triangle on each marked point, as `gtp-engine solve` reads it. The game must have no moves."""
    record = sgf.Sgf_game(game.size, "UTF-8")
    root = record.get_root()
    root.set("AP", (APPLICATION, __version__))
    root.set("KM", komi)
    root.set("RU", CHINESE.name)
    _write_set_up(root, game)
    root.set("PL", "b" if to_play == BLACK else "w")
    if marked:
        root.set_raw_list("TR", [letters_of(point, game.size).encode("ascii") for point in marked])
    _comment(root, comment)
    text: str = record.serialise().decode("utf-8")
    return text


def _write_set_up(root: sgf.Tree_node, game: Game) -> None:
    """HA, AB, AW, and PL where it is not the usual player who begins."""
    if game.handicap:
        root.set("HA", game.handicap)
    for name, color in (("AB", BLACK), ("AW", WHITE)):
        values = [letters_of(point, game.size).encode("ascii") for stone_color, point in game.setup_stones if stone_color == color]
        if values:
            root.set_raw_list(name, values)
    first = game.moves[0][0] if game.moves else game.to_play
    if game.setup_stones or first == WHITE:
        root.set("PL", "b" if first == BLACK else "w")


def _comment(node: sgf.Tree_node, text: str) -> None:
    """C, if there is anything to say."""
    lines = [_one_line(line) for line in text.splitlines()]
    if any(lines):
        node.set("C", "\n".join(line for line in lines if line))


def _one_line(text: str) -> str:
    """Text that SGF and GTP can carry: printable, single spaces, nothing that UTF-8 cannot express."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())
