"""The tree of a game: moves and variations, set-up stones, comments and marks, and results for each position.

Playing, browsing and analysis are views of one such tree. A node is a position; the first child continues the main line.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of, points_by_place
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, to_color_name, to_vertex
from gtp_engine.go.rules import Rules
from gtp_engine.interfaces.browser.findings import Findings

LONGEST_COMMENT = 20_000  # characters
MARKS = ("triangle", "square", "circle", "cross")  # any other text on a point is a label


@dataclass
class GameNode:
    """A position, and the move or set-up that led to it."""

    number: int  # its id, which is never reused
    parent: "GameNode | None" = None
    move: tuple[int, int] | None = None  # (color, point or PASS)
    stones: dict[int, int] = field(default_factory=dict)  # set up here: point -> color; EMPTY removes a stone
    to_play: int = BLACK  # after this node
    children: list["GameNode"] = field(default_factory=list)
    comment: str = ""
    marks: dict[int, str] = field(default_factory=dict)  # point -> one of MARKS, or a label
    findings: Findings | None = None
    judgement: dict[str, Any] | None = None  # a review's judgement of the move that led here
    colors: list[int] = field(default_factory=list)  # of the points, by rows from the top left
    captures: tuple[int, int] = (0, 0)  # by Black, by White


class GameTree:
    """A game with all variations. Not for several threads."""

    def __init__(self, start: Game, komi: float, rules: Rules, players: dict[int, str] | None = None, result: str = "") -> None:
        """`start`: the board before the first move; it is copied."""
        self.start = start.copy()
        self.start.rules = rules
        self.komi, self.rules, self.result = komi, rules, result
        self.players = players or {}
        self.is_record = False  # True: opened from a record, not begun as a game
        self._number = 0
        self.root = GameNode(0, to_play=self.start.to_play, colors=colors_from_the_top(self.start))
        self.nodes = {0: self.root}

    @classmethod
    def of_game(cls, game: Game, komi: float, rules: Rules, players: dict[int, str] | None = None) -> "GameTree":
        """The tree of a game's moves."""
        start = game.copy()
        while start.moves:
            start.undo()
        tree = cls(start, komi, rules, players)
        node = tree.root
        for color, point in game.moves:
            node = tree.add_move(node, color, point, start)
        return tree

    # ---------------------------------------------------------------- reading

    @property
    def size(self) -> int:
        """Lines of the board."""
        return self.start.size

    def path(self, node: GameNode) -> list[GameNode]:
        """The nodes from the root to this one."""
        path = [node]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        return path[::-1]

    def line(self, node: GameNode) -> list[GameNode]:
        """The path to this node, continued along first children to the end."""
        line = self.path(node)
        while line[-1].children:
            line.append(line[-1].children[0])
        return line

    def below(self, node: GameNode) -> Iterator[GameNode]:
        """This node and all nodes below it, parents before children, and siblings in order."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children[::-1]

    def game_at(self, node: GameNode) -> Game:
        """The game at a node. Set-up stones on the path begin a new game, like in a record."""
        game = self.start.copy()
        for step in self.path(node)[1:]:
            game = played_on(game, step)
        return game

    # ---------------------------------------------------------------- changing

    def add_move(self, parent: GameNode, color: int, point: int, game: Game | None = None) -> GameNode:
        """The child of `parent` with this move, added if there is none. Raises IllegalMove, but not for superko.

        game -- the game at `parent`, if the caller has it: the move is played on it
        """
        for child in parent.children:
            if child.move == (color, point):
                if game is not None:
                    game.play(color, point)
                return child
        game = game or self.game_at(parent)
        game.play(color, point)
        return self._add(GameNode(0, parent, (color, point)), game)

    def add_set_up(self, parent: GameNode, stones: dict[int, int], to_play: int) -> GameNode:
        """Add a child of `parent` with other stones or another player to move. Raises ValueError for chains without liberties."""
        node = GameNode(0, parent, None, dict(stones), to_play)
        return self._add(node, played_on(self.game_at(parent), node))

    def _add(self, node: GameNode, game: Game) -> GameNode:
        """Add the node; `game` is the game at it."""
        self._number += 1
        node.number = self._number
        node.to_play, node.colors = game.to_play, colors_from_the_top(game)
        node.captures = game.captures(BLACK), game.captures(WHITE)
        self.nodes[node.number] = node
        if node.parent is not None:
            node.parent.children.append(node)
        return node

    def remove(self, node: GameNode) -> list[int]:
        """Remove a node and all nodes below it; returns their numbers. The root can't be removed."""
        if node.parent is None:
            return []
        node.parent.children.remove(node)
        numbers = [descendant.number for descendant in self.below(node)]
        for number in numbers:
            del self.nodes[number]
        return numbers

    def promote(self, node: GameNode) -> None:
        """Make the line to this node the main one."""
        for step in self.path(node)[1:]:
            if step.parent is not None and step.parent.children[0] is not step:
                step.parent.children.remove(step)
                step.parent.children.insert(0, step)

    # ---------------------------------------------------------------- for the page

    def as_dict(self) -> dict[str, Any]:
        """The whole tree, for the page."""
        return {
            "size": self.size,
            "komi": self.komi,
            "rules": self.rules.name,
            "handicap": self.start.handicap,
            "players": {to_color_name(color): name for color, name in self.players.items()},
            "result": self.result,
            "isRecord": self.is_record,
            "nodes": [node_as_dict(node) for node in self.below(self.root)],
        }


def played_on(game: Game, node: GameNode) -> Game:
    """The game after this node's move or set-up; may change `game` itself. Raises IllegalMove or ValueError."""
    if node.move is not None:
        game.play(*node.move)
        return game
    colors = {point: color for point in board_points(game.size) if (color := game.color_at(point)) != EMPTY} | node.stones
    other = Game(game.size, game.rules)
    stones = [(color, point) for point, color in sorted(colors.items()) if color != EMPTY]
    other.set_up(stones, node.to_play, (game.captures(BLACK), game.captures(WHITE)))
    other.handicap = game.handicap
    return other


def node_as_dict(node: GameNode) -> dict[str, Any]:
    """A node for the page, without empty fields."""
    before = node.parent.colors if node.parent is not None else [EMPTY] * len(node.colors)
    changes = [value for index, color in enumerate(node.colors) if color != before[index] for value in (index, color)]
    size = round(len(node.colors) ** 0.5)
    data: dict[str, Any] = {
        "id": node.number,
        "parent": node.parent.number if node.parent is not None else None,
        "toPlay": to_color_name(node.to_play),
        "changes": changes,
        "captures": node.captures,
    }
    if node.move is not None:
        data |= {"color": to_color_name(node.move[0]), "vertex": to_vertex(node.move[1])}
    if node.comment:
        data["comment"] = node.comment
    if node.marks:
        data["marks"] = [[place_of(point, size), mark] for point, mark in node.marks.items()]
    if node.findings is not None:
        data["found"] = node.findings.as_dict()
    if node.judgement is not None:
        data["judgement"] = node.judgement
    return data


def colors_from_the_top(game: Game) -> list[int]:
    """The colors of all points, row by row from the top left."""
    return [game.color_at(point) for point in points_by_place(game.size)]
