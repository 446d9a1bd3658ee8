"""Browsing and editing: another record, variations, set-up stones, comments, marks."""

from gtp_engine import sgf
from gtp_engine.go.points import BLACK, EMPTY, WHITE
from gtp_engine.interfaces.browser.desk import Answer, BadRequest, Desk, NotPossible, Request
from gtp_engine.interfaces.browser.game_tree import LONGEST_COMMENT, MARKS
from gtp_engine.interfaces.browser.play import Play
from gtp_engine.interfaces.browser.tree_records import LONGEST_LABEL, read_tree, write_tree
from gtp_engine.interfaces.person.colors import COLORS
from gtp_engine.interfaces.person.game import why_not

SET_UP_COLORS = {"black": BLACK, "white": WHITE, "empty": EMPTY}


class RecordView:
    """Changes of the tree outside the game in progress."""

    def __init__(self, desk: Desk, play: Play) -> None:
        self.desk, self._play = desk, play
        self._rules, self._komi = desk.tree.rules, desk.tree.komi  # of records without them

    def open(self, data: bytes) -> Answer:
        """Put a record on the board, without a game in progress. Raises BadRequest if it isn't one."""
        desk = self.desk
        try:
            tree, warnings = read_tree(data, self._rules, self._komi)
        except sgf.SgfError as error:
            raise BadRequest(f"This record can't be opened: {error}") from error
        tree.is_record = True
        desk.set_tree(tree)
        self._play.begin(COLORS["both"])
        desk.tell(play=self._play.state())
        return {"node": 0, "note": " ".join(f"{text[0].upper()}{text[1:].removesuffix('.')}." for text in warnings)}

    def text(self) -> str:
        """The tree as SGF, with all results."""
        return write_tree(self.desk.tree)

    def do_move(self, request: Request) -> Answer:
        """Add a move at `vertex` in the position `node`, without an answer and without an effect on the game in progress."""
        desk, node, point = self.desk, self.desk.node_of(request), self.desk.point_of(request)
        game = desk.tree.game_at(node)
        if reason := why_not(game, point):
            raise NotPossible(reason)
        new = desk.tree.add_move(node, game.to_play, point, game)
        desk.tell_nodes(new)
        return {"node": new.number}

    def do_setup(self, request: Request) -> Answer:
        """Set up or remove a stone at `vertex`: `stone` is black, white or empty; `toPlay` is the next player."""
        desk, node, point = self.desk, self.desk.node_of(request), self.desk.point_of(request, may_pass=False)
        stone, to_play = request.get("stone"), SET_UP_COLORS.get(str(request.get("toPlay")), node.to_play)
        if stone not in SET_UP_COLORS or to_play == EMPTY:
            raise BadRequest(f"there is no stone {stone!r}")
        try:
            if node.stones and not node.children and node is not self._play.tip and node.parent is not None:
                new = desk.tree.add_set_up(node.parent, node.stones | {point: SET_UP_COLORS[stone]}, to_play)
                desk.tell(gone=desk.tree.remove(node))
            else:
                new = desk.tree.add_set_up(node, {point: SET_UP_COLORS[stone]}, to_play)
        except ValueError as error:
            raise NotPossible(f"That can't be set up: {error}.") from error
        desk.tell_nodes(new)
        return {"node": new.number}

    def do_comment(self, request: Request) -> Answer:
        """Set the comment at `node` to `text`."""
        node, text = self.desk.node_of(request), request.get("text")
        if not isinstance(text, str) or len(text) > LONGEST_COMMENT:
            raise BadRequest(f"a comment is a text of at most {LONGEST_COMMENT} characters")
        node.comment = text
        self.desk.tell_nodes(node)
        return {}

    def do_mark(self, request: Request) -> Answer:
        """Mark the point `vertex` at `node` with `mark`, a shape or a short label; the same mark again removes it."""
        node, point, mark = self.desk.node_of(request), self.desk.point_of(request, may_pass=False), request.get("mark")
        if not isinstance(mark, str) or not mark.strip() or (mark not in MARKS and len(mark) > LONGEST_LABEL):
            raise BadRequest(f"there is no mark {mark!r}")
        if node.marks.get(point) == mark:
            del node.marks[point]
        else:
            node.marks[point] = mark
        self.desk.tell_nodes(node)
        return {}

    def do_remove(self, request: Request) -> Answer:
        """Remove `node` and all nodes below it, unless the game in progress passes through it."""
        node = self.desk.node_of(request)
        if node.parent is None or node in self.desk.tree.path(self._play.tip):
            raise NotPossible("This move is part of the current game and can't be deleted.")
        self.desk.tell(gone=self.desk.tree.remove(node))
        return {"node": node.parent.number}

    def do_promote(self, request: Request) -> Answer:
        """Make the line to `node` the main line."""
        node = self.desk.node_of(request)
        self.desk.tree.promote(node)
        self.desk.tell(moved={"path": [ancestor.number for ancestor in self.desk.tree.path(node)]})
        return {}
