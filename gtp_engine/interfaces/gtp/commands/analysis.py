"""Commands that show what the search thinks: live analysis until a line comes, and moves chosen while it is shown.

The first line of every answer is empty, the `info` lines follow: Sabaki looks for them at the start of a line.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from gtp_engine.engine.player import EngineError
from gtp_engine.go.points import BLACK, PASS, to_vertex
from gtp_engine.interfaces.gtp.analysis_lines import cgos_line, kata_line, leela_line
from gtp_engine.interfaces.gtp.analysis_request import DEFAULT_INTERVAL, AnalysisRequest, read_request
from gtp_engine.interfaces.gtp.arguments import Color
from gtp_engine.interfaces.gtp.background import Background
from gtp_engine.interfaces.gtp.commands.base import EngineCommands
from gtp_engine.interfaces.gtp.dispatcher import named

if TYPE_CHECKING:
    from gtp_engine.engine.network.details import Details
    from gtp_engine.engine.player.engine import Engine
    from gtp_engine.engine.search.result import SearchResult

Format = Callable[["SearchResult", AnalysisRequest, int], str]  # result, request, board size -> a line
CANCELLED = "cancelled"
NO_REPORTS = 1e9  # seconds between reports: none before the end


class AnalysisCommands(EngineCommands):
    """`*-analyze` run until the client sends a line; `*-genmove_analyze` and `kata-search*` end by themselves."""

    @named("lz-analyze")
    def cmd_lz_analyze(self, *words: str) -> Iterator[str]:
        """Analyze until a line comes in: [COLOR] [INTERVAL] [KEY VALUE]... Win rates are in ten-thousandths. Keys: docs/clients.md."""
        return self.analyze(self.request(words, takes_flags=False), leela_line)

    @named("kata-analyze")
    def cmd_kata_analyze(self, *words: str) -> Iterator[str]:
        """Analyze until a line comes in: [COLOR] [INTERVAL] [KEY VALUE]... Win rates are from 0 to 1. Keys: docs/clients.md."""
        request = self.request(words, takes_flags=True)
        return self.analyze(request, partial(kata_line, details=self.root_details(request)))

    @named("cgos-analyze")
    def cmd_cgos_analyze(self, *words: str) -> Iterator[str]:
        """Analyze until a line comes in: [COLOR] [INTERVAL]. Each line is a JSON object."""
        return self.analyze(self.request(words, takes_flags=False), cgos_line)

    @named("lz-genmove_analyze")
    def cmd_lz_genmove_analyze(self, *words: str) -> Iterator[str]:
        """As genmove, with lines like those of lz-analyze before the move."""
        return self.genmove_analyze(self.request(words, takes_flags=False), leela_line)

    @named("kata-genmove_analyze")
    def cmd_kata_genmove_analyze(self, *words: str) -> Iterator[str]:
        """As genmove, with lines like those of kata-analyze before the move."""
        return self.genmove_analyze(self.request(words, takes_flags=True), kata_line)

    @named("cgos-genmove_analyze")
    def cmd_cgos_genmove_analyze(self, *words: str) -> Iterator[str]:
        """As genmove, with one JSON object before the move."""
        return self.genmove_analyze(self.request(words, takes_flags=False), cgos_line)

    @named("kata-search")
    def cmd_kata_search(self, color: Color) -> str:
        """The move that genmove would play for COLOR by the clock, without playing it."""
        started = time.monotonic()
        with self.refusals():
            return to_vertex(self.loader.warm_engine().genmove(color, started, cancelled=self.loader.cancelled, plays=False))

    @named("kata-search_analyze")
    def cmd_kata_search_analyze(self, *words: str) -> Iterator[str]:
        """As kata-genmove_analyze, without playing the move."""
        return self.genmove_analyze(self.request(words, takes_flags=True), kata_line, plays=False)

    @named("kata-search_cancellable")
    def cmd_kata_search_cancellable(self, color: Color) -> str:
        """As kata-search; a line from the client cancels it, and the answer is `cancelled`."""
        started = time.monotonic()
        engine = self.loader.warm_engine()
        with self.inbox.watched_by(self.loader.interrupt):
            is_late = self.inbox.line_is_waiting()
            point = PASS if is_late else engine.genmove(color, started, cancelled=self.loader.cancelled, plays=False)
            return CANCELLED if self.inbox.line_is_waiting() else to_vertex(point)

    @named("kata-search_analyze_cancellable")
    def cmd_kata_search_analyze_cancellable(self, *words: str) -> Iterator[str]:
        """As kata-search_analyze; a line from the client cancels it, and the last line is `play cancelled`."""
        request = self.request(words, takes_flags=True)
        with self.inbox.watched_by(self.loader.interrupt):
            if self.inbox.line_is_waiting():
                yield from ("", f"play {CANCELLED}")
                return
            for line in self.genmove_analyze(request, kata_line, plays=False):
                is_cancelled = line.startswith("play ") and self.inbox.line_is_waiting()
                yield f"play {CANCELLED}" if is_cancelled else line

    def cmd_stop(self) -> None:
        """End a running analysis, as any other line does."""

    def request(self, words: tuple[str, ...], takes_flags: bool) -> AnalysisRequest:
        """The request in an analysis command's words."""
        return read_request(words, lambda: self.engine.game.size, takes_flags)

    def root_details(self, request: AnalysisRequest) -> "Details | None":
        """The network's further predictions of the position, for rootInfo; None if it isn't requested or the search has no network."""
        engine = self.loader.warm_engine()
        if "rootInfo" not in request.flags or not engine.searches_with_network():
            return None
        try:
            return engine.network_look(request.color).details
        except EngineError:
            return None  # the search warns of it

    def analyze(self, request: AnalysisRequest, line_for: Format) -> Iterator[str]:
        """Lines until a line comes in."""
        engine = self.loader.warm_engine()
        game, inbox = engine.game, self.inbox
        color, interval = request.color or game.to_play, request.interval or DEFAULT_INTERVAL
        yield ""
        with inbox.watched_by(self.loader.interrupt):
            if inbox.line_is_waiting():
                return
            for result in engine.analyze(color, interval, request.avoid(game.size), self.loader.cancelled):
                if inbox.line_is_waiting():
                    return
                yield line_for(result, request, game.size)

    def genmove_analyze(self, request: AnalysisRequest, line_for: Format, plays: bool = True) -> Iterator[str]:
        """Lines while a move is chosen, at least one, then `play` and the move. No line that comes in ends this, `# interrupt` does."""
        started = time.monotonic()
        engine = self.loader.warm_engine()
        from gtp_engine.engine.search.search import Progress  # not above: numpy comes with it

        color, size, seconds = request.color or engine.game.to_play, engine.game.size, request.interval or NO_REPORTS
        yield ""
        avoid, cancelled = request.avoid(size), self.loader.cancelled
        work: Background[SearchResult, int] = Background(
            lambda report: engine.genmove(color, started, Progress(report, seconds), avoid, cancelled, plays)
        )
        try:
            for result in work.reports():
                yield line_for(result, request, size)
            point = work.result()
        finally:
            if work.thread.is_alive():  # the reader of the lines left before
                cancelled.set()
                work.thread.join()
        yield line_for(engine.last_result or settled_result(engine, color), request, size)
        yield f"play {to_vertex(point)}"


def settled_result(engine: "Engine", color: int) -> "SearchResult":
    """The result for a pass without a search: the game is over, or the count wins. A won game has the win rate 1."""
    from gtp_engine.engine.search.result import Candidate, SearchResult  # not above: numpy comes with it

    verdict = engine.verdict()
    sign = 1 if color == BLACK else -1
    lead = sign * (verdict.count.score - engine.state.white_points())
    win_rate = 0.5 if lead == 0 else float(lead > 0)
    candidate = Candidate(PASS, 0, win_rate, lead, [PASS], [0], 1.0, win_rate)
    return SearchResult([candidate], 0, 0, 0.0, win_rate, lead, sign * verdict.ownership)
