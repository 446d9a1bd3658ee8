"""The game in progress at the board: a line of the tree, whose end is `tip`. The engine's moves come from the desk's thread."""

import time
from pathlib import Path
from typing import Any

from gtp_engine import sgf
from gtp_engine.engine.player.blunders import find_blunder
from gtp_engine.engine.player.ranks.chooser import NO_RANK
from gtp_engine.go.game import Game
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, EMPTY, PASS, RESIGN, WHITE, board_points, opponent, to_color_name, to_vertex
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.interfaces.browser.clock import GameClock, read_time_system
from gtp_engine.interfaces.browser.desk import Answer, BadRequest, Desk, NotPossible, Request
from gtp_engine.interfaces.browser.game_tree import GameNode, GameTree
from gtp_engine.interfaces.browser.opponent import Opponent, Requested
from gtp_engine.interfaces.person.colors import COLORS
from gtp_engine.interfaces.person.game import lead_text, why_not
from gtp_engine.interfaces.person.kept_game import player_names, store

SIZES = (9, 13, 19)
SIGNS = {EMPTY: 0.0, BLACK: 1.0, WHITE: -1.0}
RESIGNATION, OUT_OF_TIME = ("R", "resigns"), ("T", "ran out of time")  # letters of a result in SGF, and words
MOST_KOMI = 400.0  # more than any board has points


class Play:
    """The game's turns, its end, and the engine's moves.

    kept -- where an unfinished game is stored after each move; None: nowhere
    """

    def __init__(self, desk: Desk, colors: set[int], kept: Path | None, tip: GameNode) -> None:
        self.desk, self.colors, self.tip = desk, colors, tip
        self._kept = kept
        self.result, self.outcome = "", ""
        self.opponent = Opponent(desk, self._engine_changed)
        self.is_paused = self.warns = self.is_counting = False
        self.warning: dict[str, Any] | None = None  # about a blunder that can still be taken back
        self.clock: GameClock | None = None
        self.ownership: list[float] = []  # of a counted game: 1 Black's, -1 White's, 0 neutral

    # ---------------------------------------------------------------- requests

    def do_play(self, request: Request) -> Answer:
        """Play the person's move at `vertex` in the position `node`, from which the game continues."""
        desk, node, point = self.desk, self.desk.node_of(request), self.desk.point_of(request)
        game = desk.tree.game_at(node)
        if node is self.tip and (self.result or self.is_counting or self.warning):
            raise NotPossible("Keep your move, or take it back." if self.warning else "The game is over.")
        if game.to_play not in self.colors:
            is_now = node is self.tip
            raise NotPossible(
                "It is not your turn."
                if is_now
                else f"The engine plays {name_of(game.to_play)}. Step forward, or choose Play {name_of(game.to_play)} from here."
            )
        if reason := why_not(game, point):
            raise NotPossible(reason)
        self._go_on_from(node)
        self._moved(desk.tree.add_move(node, game.to_play, point, game), game)
        if self.warns and not self.result and self.colors != COLORS["both"]:
            self.opponent.ask(self._check_move)
        else:
            self.ask_for_move()
        return {"node": self.tip.number}

    def do_continue(self, request: Request) -> Answer:
        """Continue the game from `node`; the person has `color`, and the engine plays at `rank`."""
        node = self.desk.node_of(request)
        colors = self._colors_of(request)
        self.opponent.set_rank(request.get("rank"))
        self._go_on_from(node)
        self.colors = colors
        self._changed()
        self.ask_for_move()
        return {"node": node.number}

    def do_keep(self, request: Request) -> Answer:
        """Keep the move with the warning."""
        self.warning = None
        self._tell()
        self.ask_for_move()
        return {}

    def do_undo(self, request: Request) -> Answer:
        """Take back the person's last move."""
        path = self.desk.tree.path(self.tip)
        own = [node for node in path[1:] if node.move is not None and node.move[0] in self.colors]
        if not own or own[-1].parent is None:
            raise NotPossible("There is no move of yours to take back.")
        tip = own[-1].parent
        gone = self.desk.tree.remove(own[-1])
        self._stop()
        self.tip = tip
        if self.clock is not None:
            self.clock.start(tip.to_play, time.monotonic())
        self.desk.tell(gone=gone)
        self._changed()
        return {"node": tip.number, "note": "Taken back."}

    def do_resign(self, request: Request) -> Answer:
        """The person resigns."""
        if self.result or not self.colors:
            return {}
        color = self.tip.to_play if self.tip.to_play in self.colors else opponent(self.tip.to_play)
        self._stop()
        self._lost(color, *RESIGNATION)
        self._changed()
        return {}

    def do_flag(self, request: Request) -> Answer:
        """The player whose clock has run out loses. Does nothing if both have time."""
        color = self.tip.to_play
        if self.clock is not None and not self.result and self.clock.is_over(color, time.monotonic()):
            self._stop()
            self._lost(color, *OUT_OF_TIME)
            self._changed()
        return {}

    def do_interrupt(self, request: Request) -> Answer:
        """Make the engine move at once. Does nothing if it isn't thinking, so that its next move isn't cut short."""
        self.opponent.interrupt()
        return {}

    def do_pause(self, request: Request) -> Answer:
        """Pause or resume a game of the engine against itself."""
        self.is_paused = bool(request.get("paused"))
        if self.is_paused:
            self.opponent.interrupt()
        self._tell()
        self.ask_for_move()
        return {}

    def do_rank(self, request: Request) -> Answer:
        """The engine plays like a person of `rank` from now on; `none`: at full strength."""
        self.opponent.set_rank(request.get("rank"))
        self._tell()
        return {"note": f"The engine plays {self.opponent.strength}."}

    def do_warn(self, request: Request) -> Answer:
        """Switch warnings of blunders on or off."""
        self.warns = bool(request.get("warns"))
        self._tell()
        return {}

    def do_new(self, request: Request) -> Answer:
        """Begin a new game: `size`, `handicap`, `komi`, `rules`, `color` of the person, `rank`, `clock`, `pace`."""
        size, rules = request.get("size"), RULE_SETS.get(str(request.get("rules", self.desk.tree.rules.name)))
        if size not in SIZES or rules is None:
            raise BadRequest(f"there is no game on {size!r} lines by the rules {request.get('rules')!r}")
        game = Game(SIZES[SIZES.index(size)], rules)
        colors, komi = self._colors_of(request), request.get("komi")
        if isinstance(komi, bool) or not isinstance(komi, int | float) or not -MOST_KOMI <= komi <= MOST_KOMI:
            raise BadRequest(f"{komi!r} is no komi")
        place_handicap(game, request.get("handicap"))
        try:
            system = read_time_system(request.get("clock"))
        except (ValueError, TypeError, AttributeError) as error:
            raise BadRequest("there are no such clocks") from error
        self.opponent.set_rank(request.get("rank"))
        self._stop()
        self.desk.set_tree(GameTree(game, float(komi), rules))
        self.begin(colors)
        self.clock = GameClock(system) if system is not None else None
        if self.clock is not None:
            self.clock.start(self.tip.to_play, time.monotonic())
        self.opponent.set_pace(bool(request.get("pace")))
        self._changed()
        self.ask_for_move()
        return {"node": self.tip.number}

    def begin(self, colors: set[int]) -> None:
        """Begin with a new tree of the desk, at the end of its main line."""
        self._stop()
        self.colors, self.clock = colors, None
        self.tip = self.desk.tree.line(self.desk.tree.root)[-1]

    # ---------------------------------------------------------------- what requests name

    def _colors_of(self, request: Request) -> set[int]:
        """The person's colors. Raises BadRequest."""
        color = request.get("color")
        if str(color) not in COLORS:
            raise BadRequest(f"there is no color {color!r}")
        return COLORS[str(color)]

    # ---------------------------------------------------------------- the game

    @property
    def is_engines_turn(self) -> bool:
        """True if the next move is the engine's."""
        return not self.result and not self.is_counting and self.tip.to_play not in self.colors

    def _go_on_from(self, node: GameNode) -> None:
        """Set the game to this node; it isn't over."""
        is_tip = node is self.tip
        self._stop()
        self.tip = node
        if not is_tip:
            self.clock = None  # the time left at that point is unknown

    def _stop(self) -> None:
        """Drop all requests to the engine, and the end of the game."""
        self.opponent.forget()
        self.warning, self.result, self.outcome, self.ownership = None, "", "", []
        self.is_counting = False

    def _moved(self, node: GameNode, game: Game) -> None:
        """The game has reached `node`; `game` is the game there."""
        tree = self.desk.tree
        color, now = node.move[0] if node.move is not None else opponent(node.to_play), time.monotonic()
        if self.clock is not None and self.clock.is_over(color, now):
            self._lost(color, *OUT_OF_TIME)
        elif self.clock is not None:
            self.clock.end_move(color, now)
        tree.promote(node)
        self.tip = node
        self.is_counting = not self.result and game.passes() >= 2
        self.desk.tell(moved={"node": node.number, "path": [ancestor.number for ancestor in tree.path(node)]})
        self.desk.tell_nodes(node)
        self._changed()
        if self.is_counting:
            self.opponent.ask(self._count)

    def _count(self, requested: Requested) -> None:
        """Count after two passes, in the engine's thread, with the network's ownership."""
        engine = self.desk.engine
        if not self.opponent.put_at(requested, self.tip, None):
            return
        count = engine.verdict().count
        score, size = count.score - engine.state.white_points(), engine.game.size
        with self.desk.lock:
            if not self.opponent.is_current(requested):
                return
            self.is_counting = False
            self.ownership = [0.0] * (size * size)
            for point in board_points(size):
                self.ownership[place_of(point, size)] = SIGNS[count.owners.get(point, EMPTY)]
            self._ended("0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}", f"Both passed. {lead_text(score)}")
            self._changed()

    def _lost(self, color: int, letter: str, how: str) -> None:
        winner = opponent(color)
        self._ended(f"{'B' if winner == BLACK else 'W'}+{letter}", f"{name_of(color)} {how}: {name_of(winner)} wins.")

    def _ended(self, result: str, outcome: str) -> None:
        self.result, self.outcome = result, outcome
        self.desk.tree.result = result
        if self.clock is not None:
            self.clock.stop(time.monotonic())

    # ---------------------------------------------------------------- the engine's part

    def ask_for_move(self) -> None:
        """Request the engine's move if it is its turn and it isn't thinking already."""
        if self.is_engines_turn and not self.is_paused and self.warning is None and not self.opponent.is_thinking:
            self.opponent.ask(self._answer)

    def _engine_changed(self, may_go_on: bool) -> None:
        """The engine begins or ends thinking."""
        self._tell()
        if may_go_on:
            self.ask_for_move()

    def _answer(self, requested: Requested) -> None:
        """The engine's move; it may resign."""
        tip, engine = self.tip, self.desk.engine
        if self.is_paused or not self.opponent.put_at(requested, tip, self.clock):
            return
        point = engine.genmove(tip.to_play, cancelled=requested.cancelled)
        with self.desk.lock:
            if not self.opponent.is_current(requested):
                return
            if point == RESIGN:
                self._lost(tip.to_play, *RESIGNATION)
                self._changed()
                return
            node = self.desk.tree.add_move(tip, tip.to_play, point)
            self.opponent.stands_at(node)
            self._moved(node, engine.game)
            if point == PASS and not self.result:
                self.desk.tell(note=f"{name_of(tip.to_play)} passes.")

    def _check_move(self, requested: Requested) -> None:
        """Warn if the person's last move loses much."""
        tip = self.tip
        if tip.parent is None or tip.move is None or not self.opponent.put_at(requested, tip.parent, self.clock):
            return
        blunder = find_blunder(self.desk.engine, tip.move[1], requested.cancelled)
        with self.desk.lock:
            if blunder is not None and self.opponent.is_current(requested):
                self.warning = {
                    "vertex": to_vertex(tip.move[1]),
                    "better": to_vertex(blunder.better),
                    "loss": round(blunder.loss, 1),
                }

    # ---------------------------------------------------------------- telling and keeping

    def _changed(self) -> None:
        """Send the state to the pages, and keep the game."""
        self._tell()
        self.keep()

    def _tell(self) -> None:
        self.desk.tell(play=self.state())

    def state(self) -> dict[str, Any]:
        """The state of the game for the page."""
        return {
            "tip": self.tip.number,
            "person": next(name for name, colors in COLORS.items() if colors == self.colors),
            "rank": self.opponent.rank,
            "strength": self.opponent.strength,
            "isPaced": self.opponent.is_paced,
            "isEnginesTurn": self.is_engines_turn,
            "isThinking": self.opponent.is_thinking,
            "isPaused": self.is_paused,
            "isCounting": self.is_counting,
            "warns": self.warns,
            "warning": self.warning,
            "result": self.result,
            "outcome": self.outcome,
            "ownership": self.ownership,
            "clock": self.clock.as_dict(time.monotonic()) if self.clock is not None else None,
        }

    def keep(self) -> None:
        """Store the game; delete it if the game is over or has no move yet."""
        if self._kept is None:
            return
        try:
            if self.result or self.tip.parent is None:
                self._kept.unlink(missing_ok=True)
            else:
                store(self._kept, self.record())
        except OSError as error:
            self.desk.warn(f"The game cannot be saved in {self._kept}: {error.strerror}.")
            self._kept = None

    def record(self) -> str:
        """The played line as SGF, with players and result."""
        tree = self.desk.tree
        rank = "" if self.opponent.rank == NO_RANK else self.opponent.rank
        names = player_names(self.colors, self.opponent.level, rank)
        return sgf.dump(tree.game_at(self.tip), tree.komi, tree.rules, names, self.result)


def place_handicap(game: Game, handicap: Any) -> None:
    """Fixed handicap stones, if any. Raises BadRequest."""
    if not handicap:
        return
    try:
        game.place_handicap(sorted(fixed_handicap_points(game.size, handicap)))
    except (TypeError, ValueError, KeyError) as error:
        raise BadRequest(f"there is no handicap of {handicap!r} stones on this board") from error


def name_of(color: int) -> str:
    """`Black` or `White`."""
    return to_color_name(color).capitalize()
