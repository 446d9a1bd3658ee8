"""Commands of GoGui and its tools: positions, sequences, and analysis drawn on the board.

What the pictures show comes from the search of the current position; if there was none yet, a short one is made.
"""

from typing import TYPE_CHECKING

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import BLACK, PASS, board_points, to_vertex
from gtp_engine.interfaces.gtp.arguments import Color, Move
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named
from gtp_engine.interfaces.gtp.gogui_text import colored, double_board, label, shade, string_board
from gtp_engine.interfaces.gtp.stderr_reports import summary, variation_text

if TYPE_CHECKING:
    from gtp_engine.engine.playout.explain import Suggestion
    from gtp_engine.engine.search.result import SearchResult

LOOK_SECONDS = 0.3  # a search for a picture: enough for a few hundred simulations, too short to wait for
DRAWN_MOVES = 10  # candidates that get a label
DRAWN_SHARE = 0.005  # probability from which the network's move gets one

ANALYZE_COMMANDS = """\
dboard/Ownership/gtp_engine-ownership
gfx/Candidate Moves/gtp_engine-candidates
sboard/Win Rates/gtp_engine-win_rates
gfx/Principal Variation/gtp_engine-variation
gfx/Playout Policy/gtp_engine-policy
hstring/Playout Policy, with reasons/gtp_engine-policy_reasons
gfx/Network's Policy and Value/gtp_engine-network
string/Life and Death of a Stone/gtp_engine-solve %p
plist/Dead Stones/final_status_list dead
plist/Stones in Seki/final_status_list seki
plist/Legal Moves/all_legal %c
string/Final Score/final_score
string/Rules/kata-get-rules
param/Search Parameters/gtp_engine-param
none/Forget the Tree/clear_cache"""


class GoguiCommands(EngineCommands):
    """See GoGui's manual, chapters `Analyze commands` and `Interruptible commands`."""

    @named("gogui-analyze_commands")
    def cmd_gogui_analyze_commands(self) -> str:
        """The entries of GoGui's analyze window: type/label/command."""
        return ANALYZE_COMMANDS

    @named("gogui-version")
    def cmd_gogui_version(self, version: str = "") -> None:
        """Accept the VERSION of GoGui. Changes nothing."""

    @named("gogui-interrupt")
    def cmd_gogui_interrupt(self) -> None:
        """Does nothing. It tells GoGui that the comment `# interrupt` ends a running search."""

    @named("gogui-play_sequence")
    def cmd_gogui_play_sequence(self, *moves: Move) -> None:
        """Play MOVES one after another, or none of them."""
        played = 0
        with self.refusals() as engine:
            try:
                for move in moves:
                    engine.state.play(move.color, move.vertex)
                    played += 1
            except Exception:
                engine.state.undo(played)
                raise

    @named("gogui-setup")
    def cmd_gogui_setup(self, *stones: Move) -> None:
        """Set up STONES, before the first move."""
        game = self.engine.game
        if game.moves or game.handicap:
            raise GtpError("board not empty")
        self.set_up([*game.setup_stones, *stones], game.to_play)

    @named("gogui-setup_player")
    def cmd_gogui_setup_player(self, color: Color) -> None:
        """Set COLOR to play next in the set-up position."""
        game = self.engine.game
        if game.moves:
            raise GtpError("moves have been made since the set-up")
        handicap = game.handicap
        game.set_up(game.setup_stones, color)
        game.handicap = handicap

    def cmd_set_position(self, *stones: Move) -> None:
        """Replace the board by STONES, with Black to play; afterwards no move can be taken back."""
        self.set_up(list(stones), BLACK)

    def set_up(self, stones: list[tuple[int, int]] | list[Move], to_play: int) -> None:
        """Put these stones, and no others, on the board; GtpError, and no change, where they can't stand."""
        if any(point == PASS for _, point in stones):
            raise GtpError("syntax error")
        try:
            self.engine.state.set_up([(color, point) for color, point in stones], to_play)
        except ValueError as error:
            raise GtpError(f"illegal position: {error}") from error

    # ---------------------------------------------------------------- pictures

    @named("gtp_engine-ownership")
    def cmd_ownership(self) -> str:
        """The expected owner of each point by playouts, from Black (1) to White (-1)."""
        ownership, size = self.engine.verdict().ownership, self.engine.game.size
        return double_board(size, {point: float(ownership[point]) for point in board_points(size)})

    @named("gtp_engine-candidates")
    def cmd_candidates(self) -> str:
        """The moves searched most, with their win rates; the deeper the green, the more visits."""
        result = self.short_search()
        shown = [candidate for candidate in result.candidates[:DRAWN_MOVES] if candidate.point != PASS]
        most = result.best.visits
        lines = [colored(shade(candidate.visits / most), [candidate.point]) for candidate in shown]
        lines += [label(candidate.point, f"{100 * candidate.win_rate:.0f}%") for candidate in shown]
        return "\n".join([*lines, f"TEXT {summary(result)}"])

    @named("gtp_engine-win_rates")
    def cmd_win_rates(self) -> str:
        """The win rate, in percent, of each move that was searched."""
        rates = {candidate.point: f"{100 * candidate.win_rate:.0f}" for candidate in self.short_search().candidates}
        return string_board(self.engine.game.size, rates)

    @named("gtp_engine-variation")
    def cmd_variation(self) -> str:
        """The moves that the search expects from here, numbered."""
        result = self.short_search()
        return f"VAR {variation_text(result.best.variation, self.engine.game.to_play)}\nTEXT {summary(result)}"

    @named("gtp_engine-policy")
    def cmd_policy(self) -> str:
        """The moves that heavy playouts choose for a reason, in percent; gtp_engine-policy_reasons has the reasons."""
        likely: dict[int, float] = {}
        for suggestion in self.suggestions():
            likely[suggestion.point] = likely.get(suggestion.point, 0.0) + suggestion.probability
        lines = [colored(shade(probability), [point]) for point, probability in likely.items()]
        lines += [label(point, f"{100 * probability:.0f}%") for point, probability in likely.items()]
        return "\n".join([*lines, f"TEXT {100 * (1.0 - sum(likely.values())):.0f}% of the playouts move without a reason"])

    @named("gtp_engine-policy_reasons")
    def cmd_policy_reasons(self) -> str:
        """What heavy playouts consider for their next move, in order: vertex, probability, reason."""
        suggestions = self.suggestions()
        lines = [f"{to_vertex(move.point)} {move.probability:.3f} {move.reason}" for move in suggestions]
        return "\n" + "\n".join([*lines, f"other {1.0 - sum(move.probability for move in suggestions):.3f} uniform"])

    @named("gtp_engine-network")
    def cmd_network(self) -> str:
        """The network's evaluation without a search: the probability of each move in percent, and who is ahead."""
        self.loader.warm_engine()
        with self.refusals() as engine:
            network = engine.network_look()
        likely = {point: share for point, share in network.policy.items() if share >= DRAWN_SHARE and point != PASS}
        most = max(likely.values(), default=1.0)
        lines = [colored(shade(share / most), [point]) for point, share in likely.items()]
        lines += [label(point, f"{100 * share:.0f}%") for point, share in likely.items()]
        name = "Black" if engine.game.to_play == BLACK else "White"
        text = f"{name} to play wins {100 * network.win_rate:.0f}%, leads by {network.lead:.1f}, passes {100 * network.policy[PASS]:.0f}%"
        return "\n".join([*lines, f"TEXT {text}"])

    def short_search(self) -> "SearchResult":
        """The result of a short search of the current position."""
        from gtp_engine.engine.search.search import Limits  # not above: numpy comes with it

        engine = self.loader.warm_engine()
        return engine.examine(engine.game.to_play, Limits(seconds=LOOK_SECONDS, early_stop=False), cancelled=self.loader.cancelled)

    def suggestions(self) -> "list[Suggestion]":
        """What the playout policy suggests in the current position."""
        engine = self.loader.warm_engine()
        from gtp_engine.engine.playout.explain import explain  # not above: numba comes with it
        from gtp_engine.engine.playout.policy import playout_policy

        return explain(engine.game, playout_policy(engine.params))
