"""Reads and writes trees of games as SGF: moves, variations, set-up stones, comments, marks, and results."""

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, WHITE
from gtp_engine.go.rules import Rules
from gtp_engine.interfaces.browser.findings import as_value, from_value
from gtp_engine.interfaces.browser.game_tree import LONGEST_COMMENT, GameNode, GameTree
from gtp_engine.sgf.tree import SgfTree, dump_tree, parse_tree, text_value
from gtp_engine.sgf.values import escaped, letters_of, move_of, plain, point_of

FOUND = "GTPEFOUND"  # our own property: the results for a position
LEAD, WIN_RATE = "V", "SBKV"  # SGF's value of a position, and Sabaki's win rate; both Black's
MARK_NAMES = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}
COLORS = {"B": BLACK, "W": WHITE}
SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
LONGEST_LABEL = 3  # characters that fit on a point


def read_tree(data: bytes, rules: Rules, komi: float) -> tuple[GameTree, list[str]]:
    """The first game in `data`, and sentences about everything that was guessed or left out.

    rules, komi -- for a record without them. Raises sgf.SgfError for an invalid or unsupported record.
    """
    record = sgf.parse(data, 1, rules, komi)
    tree = GameTree(record.game, record.komi, record.rules or rules, record.players, record.result)
    warnings = [text for text in record.warnings if "variations" not in text]
    root = parse_tree(data)
    read_notes(tree.root, root, tree.size)
    waiting = [(child, tree.root, tree.game_at(tree.root)) for child in reversed(root.children)]
    while waiting:
        written, parent, game = waiting.pop()
        try:
            node = add_node(tree, written, parent, game)
        except ValueError as error:  # IllegalMove is one
            warnings.append(f"A move after move {len(game.moves)} can't be played, and what follows it is left out: {error}.")
            continue
        read_notes(node, written, tree.size)
        game = tree.game_at(node) if node.stones else game
        waiting += [(child, node, game.copy() if i else game) for i, child in reversed(list(enumerate(written.children)))]
    return tree, warnings


def add_node(tree: GameTree, written: SgfTree, parent: GameNode, game: Game) -> GameNode:
    """The node added to the tree; a record's node without move or stones stands for its parent. Raises ValueError for an illegal one."""
    for name, color in COLORS.items():
        if name in written.properties:
            point = move_of(written.properties[name][0] if written.properties[name] else "", tree.size)
            if not point:
                raise ValueError("no such point")
            return tree.add_move(parent, color, point, game)
    stones = {point: color for name, color in SET_UP.items() for point in points_of(written.properties.get(name, []), tree.size)}
    if not stones:
        return parent
    player = {"b": BLACK, "w": WHITE}.get((written.properties.get("PL") or [""])[0].strip().lower()[:1], parent.to_play)
    return tree.add_set_up(parent, stones, player)


def read_notes(node: GameNode, written: SgfTree, size: int) -> None:
    """Read comment, marks and results."""
    properties = written.properties
    node.comment = plain(properties.get("C", [""])[0])[:LONGEST_COMMENT] or node.comment
    for name, mark in MARK_NAMES.items():
        node.marks |= dict.fromkeys(points_of(properties.get(name, []), size), mark)
    for value in properties.get("LB", []):
        place, _, label = plain(value).partition(":")
        point = point_of(place.strip().lower(), size)
        if point and label.strip():
            node.marks[point] = label.strip()[:LONGEST_LABEL]
    node.findings = from_value(plain(properties[FOUND][0]), size) if properties.get(FOUND) else node.findings


def points_of(values: list[str], size: int) -> list[int]:
    """The points in values, including rectangles (`aa:cc`); invalid ones are left out."""
    points: list[int] = []
    for value in values:
        corner, _, other = plain(value).strip().lower().partition(":")
        if not other:
            points += [point] if (point := point_of(corner, size)) else []
        elif point_of(corner, size) and point_of(other, size):
            columns, rows = (range(ord(min(a, b)), ord(max(a, b)) + 1) for a, b in zip(corner, other, strict=True))
            points += [point_of(chr(column) + chr(row), size) for column in columns for row in rows]
    return points


def write_tree(tree: GameTree) -> str:
    """The tree as SGF, which read_tree reads back."""
    root = SgfTree(root_properties(tree))
    made = {tree.root.number: root}
    for node in tree.below(tree.root):
        written = made.setdefault(node.number, SgfTree())
        written.properties |= node_properties(node, tree.size)
        if node.parent is not None:
            made[node.parent.number].children.append(written)
    return dump_tree(root, tree.size)


def root_properties(tree: GameTree) -> dict[str, list[str]]:
    """Komi, rules, names, result, and the stones before the first move."""
    start = tree.start
    texts = {"KM": f"{tree.komi:g}", "RU": tree.rules.name, "RE": tree.result}
    texts |= {"PB": tree.players.get(BLACK, ""), "PW": tree.players.get(WHITE, "")}
    texts |= {"HA": str(start.handicap) if start.handicap else ""}
    properties = {name: [text_value(text)] for name, text in texts.items() if text}
    for name, color in (("AB", BLACK), ("AW", WHITE)):
        if start.stones(color):
            properties[name] = [letters_of(point, start.size) for point in start.stones(color)]
    if len(properties.keys() & {"AB", "AW"}) or start.to_play == WHITE:
        properties["PL"] = ["B" if start.to_play == BLACK else "W"]
    return properties


def node_properties(node: GameNode, size: int) -> dict[str, list[str]]:
    """The properties of a node."""
    properties: dict[str, list[str]] = {}
    if node.move is not None:
        properties["B" if node.move[0] == BLACK else "W"] = [letters_of(node.move[1], size)]
    for name, color in SET_UP.items():
        if points := [letters_of(point, size) for point, value in node.stones.items() if value == color]:
            properties[name] = points
    if node.stones:
        properties["PL"] = ["B" if node.to_play == BLACK else "W"]
    if node.comment:
        properties["C"] = [text_value(node.comment)]
    for name, mark in MARK_NAMES.items():
        if points := [letters_of(point, size) for point, value in node.marks.items() if value == mark]:
            properties[name] = points
    labels = {point: mark for point, mark in node.marks.items() if mark not in MARK_NAMES.values()}
    if labels:
        properties["LB"] = [f"{letters_of(point, size)}:{text_value(label)}" for point, label in labels.items()]
    if node.findings is not None:
        properties |= {
            LEAD: [f"{node.findings.lead:g}"],
            WIN_RATE: [f"{100 * node.findings.win_rate:.1f}"],
            FOUND: [escaped(as_value(node.findings))],
        }
    return properties
