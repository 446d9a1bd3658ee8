"""A game as the page has it: what the page may ask for, and the whole state as its answer."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gtp_engine.go.game import Game
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, from_vertex, to_color_name, to_vertex
from gtp_engine.person.colors import COLORS
from gtp_engine.person.game import NO_RANK, PersonGame, lead_text
from gtp_engine.person.kept_game import store
from gtp_engine.player.engine import Engine, EngineError
from gtp_engine.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_text

HINT_SECONDS = 1.0
SIZES = (9, 13, 19)
SIGNS = {EMPTY: 0.0, BLACK: 1.0, WHITE: -1.0}
MOST_KOMI = 400.0  # more than any board has points
RANKS = [NO_RANK, *(rank_text(rank) for rank in range(STRONGEST_LEARNED, WEAKEST_LEARNED - 1, -1))]  # the strongest first

Request = Mapping[str, Any]


class BadRequest(Exception):
    """The page asked for something that there is not. The message says what."""


class BrowserGame:
    """A person's game, and the one after it. For one thread, `engine.interrupt` excepted.

    kept -- where an unfinished game is stored after each move; None: nowhere. `warn` is told, once, when that fails
    """

    def __init__(self, played: PersonGame, kept: Path | None, warn: Callable[[str], None]) -> None:
        self.played = played
        self.note = "Your unfinished game goes on." if played.engine.game.moves else ""
        self._kept, self._warn = kept, warn
        played.engine.warn = self._say

    @property
    def engine(self) -> Engine:
        """The engine."""
        return self.played.engine

    def answer(self, request: Request) -> dict[str, Any]:
        """Do what the request's `do` names, see the methods do_..., and return the state. Raises BadRequest, changing nothing."""
        method = getattr(self, f"do_{request.get('do')}", None)
        if method is None:
            raise BadRequest(f"there is no request {request.get('do')!r}")
        if request["do"] != "state":
            self.note = ""
        try:
            method(request)
        except EngineError as error:
            raise BadRequest(str(error)) from error
        return self.state()

    def _say(self, text: str) -> None:
        """A sentence for the person, shown with the next state."""
        self.note = f"{self.note} {text}".strip()

    # ---------------------------------------------------------------- requests

    def do_state(self, request: Request) -> None:
        """Nothing but the state."""

    def do_play(self, request: Request) -> None:
        """The person's move at `vertex`, or `pass`; where it isn't allowed, a note says why."""
        try:
            point = from_vertex(str(request.get("vertex")), self.engine.game.size)
        except ValueError:
            self.note = f"{request.get('vertex')!r} is no point of the board."
            return
        reason = "It is not your turn." if self.played.is_engines_turn else self.played.why_not(point)
        if reason:
            self.note = reason
            return
        self.played.play(point)
        self.keep()

    def do_answer(self, request: Request) -> None:
        """The engine's move, where it is its turn."""
        if not self.played.is_engines_turn:
            return
        self.played.answer()
        last = self.engine.game.last_move()
        if last is not None and last[1] == PASS and not self.played.result:
            self.note = f"{to_color_name(last[0]).capitalize()} passes."
        self.keep()

    def do_undo(self, request: Request) -> None:
        """Back to before the person's last move."""
        self.note = "Taken back." if self.played.take_back() else "There is no move of yours to take back."
        self.keep()

    def do_resign(self, request: Request) -> None:
        """The person gives up."""
        if not self.played.result and not self.played.is_engines_turn:
            self.played.resign()
            self.keep()

    def do_hint(self, request: Request) -> None:
        """The best move of a search of HINT_SECONDS, with the parameters of the engine's level or rank, if it has one."""
        if self.played.result:
            self.note = "The game is over."
            return
        best = next(self.engine.analyze(self.engine.game.to_play, HINT_SECONDS)).best
        self.note = f"{to_vertex(best.point)}, which wins {best.win_rate:.0%} of the time."

    def do_score(self, request: Request) -> None:
        """Who leads, as a search expects the game to end."""
        self.note = lead_text(self.engine.lead())

    def do_rank(self, request: Request) -> None:
        """The engine plays as a person of `rank` would from now on; `none`: at full strength."""
        self._set_rank(request)
        self.note = f"The engine plays {self.played.strength}."

    def do_new(self, request: Request) -> None:
        """Another game: `size`, `handicap`, `komi`, `color` of the person, `rank`."""
        size, color, komi = request.get("size"), request.get("color"), request.get("komi")
        if size not in SIZES or str(color) not in COLORS:
            raise BadRequest(f"there is no game on {size!r} lines for the color {color!r}")
        game = Game(SIZES[SIZES.index(size)], self.engine.state.rules)
        if isinstance(komi, bool) or not isinstance(komi, int | float) or not -MOST_KOMI <= komi <= MOST_KOMI:
            raise BadRequest(f"{komi!r} is no komi")
        handicap = request.get("handicap")
        if handicap:
            try:
                game.place_handicap(sorted(fixed_handicap_points(game.size, handicap)))
            except (TypeError, ValueError, KeyError) as error:
                raise BadRequest(f"there is no handicap of {handicap!r} stones on this board") from error
        self._set_rank(request)
        self.engine.state.set_game(game)
        self.engine.state.komi = float(komi)
        self.played = PersonGame(self.engine, COLORS[str(color)])
        self.keep()

    def _set_rank(self, request: Request) -> None:
        """Change how the engine plays, unless it does already. Raises BadRequest, too where the player has no ranks."""
        rank, chooser = request.get("rank"), self.engine.chooser
        if rank == (chooser.rank or NO_RANK):
            return  # at a level, too: it stays
        if rank not in RANKS:
            raise BadRequest(f"there is no rank {rank!r}")
        if chooser.level is None:
            raise BadRequest("this player has no ranks")
        self.played.set_rank(str(rank))

    # ---------------------------------------------------------------- what the page is told

    def state(self) -> dict[str, Any]:
        """Everything that the page shows."""
        engine, game = self.engine, self.engine.game
        last = game.last_move()
        return {
            "size": game.size,
            "stones": [game.color_at(point) for point in from_the_top(game.size)],
            "toPlay": to_color_name(game.to_play),
            "moves": len(game.moves),
            "lastMove": to_vertex(last[1]) if last is not None else "",
            "captures": {to_color_name(color): game.captures(color) for color in (BLACK, WHITE)},
            "komi": engine.state.komi,
            "handicap": engine.state.handicap(),
            "rules": engine.state.rules.name,
            "person": next(name for name, colors in COLORS.items() if colors == self.played.colors),
            "rank": engine.chooser.rank or NO_RANK,
            "strength": self.played.strength,
            "isEnginesTurn": self.played.is_engines_turn,
            "result": self.played.result,
            "note": f"{self.note} {self.played.outcome}".strip(),
            "ownership": self.ownership(),
        }

    def ownership(self) -> list[float]:
        """Whose each point is when the game has been counted, 1 Black's, -1 White's, 0 nobody's; empty before."""
        if not self.played.result or self.played.result.endswith("+R"):
            return []
        owners = self.engine.verdict().count.owners
        return [SIGNS[owners.get(point, EMPTY)] for point in from_the_top(self.engine.game.size)]

    def keep(self) -> None:
        """Store the game; forget it when it is over or has no move yet."""
        if self._kept is None:
            return
        try:
            if self.played.result or not self.engine.game.moves:
                self._kept.unlink(missing_ok=True)
            else:
                store(self._kept, self.played.record())
        except OSError as error:
            self._warn(f"The game cannot be kept in {self._kept}: {error.strerror}.")
            self._kept = None


def from_the_top(size: int) -> list[int]:
    """The points row by row from the top left, as the page counts them."""
    points = board_points(size)
    return [point for row in reversed(range(size)) for point in points[row * size : (row + 1) * size]]
