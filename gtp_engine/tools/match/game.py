"""One refereed game: requests and relays moves, checks legality and time, scores the end, and makes a record and an SGF file."""

import datetime
import hashlib
import time
from collections import Counter
from dataclasses import dataclass, field, replace

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, from_vertex, opponent, to_color_name, to_vertex
from gtp_engine.go.rules import Ko
from gtp_engine.tools.match.clock import PlayerClock
from gtp_engine.tools.match.contestant import NONSENSE, Contestant, Fault
from gtp_engine.tools.match.opening import Opening
from gtp_engine.tools.match.record import (
    DRAW,
    ILLEGAL,
    MOVE_LIMIT,
    REPETITION,
    RESIGNATION,
    SCORE,
    TIME,
    UNKNOWN,
    PlayedGame,
    SideRecord,
)
from gtp_engine.tools.match.schedule import ScheduledGame
from gtp_engine.tools.match.scoring import FinalResult, players_verdict, referee_verdict
from gtp_engine.tools.match.tournament import Tournament

LETTERS = {BLACK: "B", WHITE: "W"}
MAX_REPETITIONS = 3  # times that a situation may occur without superko; then the game has no result
MAX_COMMENT = 4_000  # characters of a move's comment in the SGF file


@dataclass(frozen=True)
class Ending:
    """The end of a game."""

    color: int | None  # the winner; 0: a draw; None: unknown
    result: str  # in the form of SGF's RE
    ending: str  # one of the words in record.py and contestant.py
    text: str = ""
    fault: int = 0  # the color that lost by its own fault; 0: neither
    disagreement: str = ""


@dataclass
class RefereedGame:
    """A game in progress."""

    tournament: Tournament
    scheduled: ScheduledGame
    opening: Opening
    black: Contestant
    white: Contestant
    referee: Contestant | None = None
    game: Game = field(init=False)
    comments: dict[int, str] = field(default_factory=dict)  # by move number
    scores: dict[int, str | None] = field(default_factory=lambda: {BLACK: None, WHITE: None})

    def __post_init__(self) -> None:
        self.contestants = {BLACK: self.black, WHITE: self.white}
        self.game = Game(self.tournament.size, self.tournament.rule_set)
        control = self.tournament.time
        self.clocks = {color: PlayerClock(control) if control else None for color in (BLACK, WHITE)}
        self.situations: Counter[tuple[int, int]] = Counter()
        self.last_move_of = {BLACK: 0, WHITE: 0}  # move numbers; later stderr still belongs to that move

    def play(self) -> tuple[PlayedGame, str]:
        """Play to the end; returns the record and the game as SGF. Never raises because of an engine."""
        began, start = datetime.datetime.now(datetime.UTC), time.monotonic()
        ending = self._run()
        for color in (BLACK, WHITE):
            self._collect_stderr(color)
        seconds = time.monotonic() - start
        record = self._record(ending, began.isoformat(timespec="seconds"), seconds)
        return record, self._sgf(record, began.date())

    def _run(self) -> Ending:
        """Play the whole game, which a Fault ends."""
        for contestant in self.contestants.values():
            contestant.reset_figures()  # of both, because White doesn't begin if Black can't
        try:
            for color in (BLACK, WHITE):
                self.contestants[color].new_game(self.scheduled.seed, self.clocks[color])
            for color, point in self.opening.moves:
                for contestant in self.contestants.values():
                    contestant.play(color, point)
                self.game.play(color, point)
            return self._play_moves()
        except Fault as fault:
            loser = BLACK if fault.contestant is self.contestants[BLACK] else WHITE
            return self._lost(loser, fault.kind, str(fault))

    def _play_moves(self) -> Ending:
        """Play from the opening to the end. Raises Fault."""
        color = self.opening.to_play
        while len(self.game.moves) < self.tournament.most_moves:
            ending = self._play_move(color) or self._repetition()
            if ending is not None:
                return ending
            if self.game.passes() == 2:
                return self._score(SCORE)
            color = opponent(color)
        return self._score(MOVE_LIMIT)

    def _play_move(self, color: int) -> Ending | None:
        """Request one move, check it and relay it; returns the ending if the game is over. Raises Fault."""
        mover, name = self.contestants[color], self.contestants[color].player.name
        self._collect_stderr(color)
        answer, late = mover.genmove(color, self.clocks[color])
        if late > (self.tournament.time.tolerance if self.tournament.time else 0.0):
            return self._lost(color, TIME, f"{name} was {late:.2f} s too late with move {len(self.game.moves) + 1}")
        if answer.lower() == "resign":
            return Ending(opponent(color), f"{LETTERS[opponent(color)]}+R", RESIGNATION)
        try:
            point = from_vertex(answer, self.tournament.size)
        except ValueError:
            return self._lost(color, NONSENSE, f"{name} answered {answer[:60]!r} to genmove")
        reason = self._why_illegal(color, point)
        if reason:
            return self._lost(color, ILLEGAL, f"{name} played {to_color_name(color)} {to_vertex(point)}: {reason}")
        self.contestants[opponent(color)].play(color, point)
        self.game.play(color, point)
        self.last_move_of[color] = len(self.game.moves)
        self._add_comment(len(self.game.moves), mover.comment())
        return None

    def _why_illegal(self, color: int, point: int) -> str:
        """Why the move is illegal, including superko; empty for a legal move."""
        reason = self.game.why_illegal(color, point)
        return reason or (f"{self.game.rules.ko.value} superko" if self.game.repeats_position(color, point) else "")

    def _repetition(self) -> Ending | None:
        """The ending of an endless cycle, which only simple ko allows."""
        if self.game.rules.ko is not Ko.SIMPLE:
            return None
        situation = int(self.game.positions[0]["hash"]), self.game.to_play
        self.situations[situation] += 1
        if self.situations[situation] < MAX_REPETITIONS:
            return None
        return Ending(0, "Void", REPETITION, f"the position after move {len(self.game.moves)} has come {MAX_REPETITIONS} times")

    def _score(self, ending: str) -> Ending:
        """Score the position. A player that fails here doesn't lose; its score is missing."""
        verdict = FinalResult(None, "?")
        if self.referee is not None:
            verdict = referee_verdict(self.referee, self.game, self.scheduled.seed)
        if verdict.color is None:
            verdict = self._own_verdict(verdict.disagreement)
        text = f"scored after {len(self.game.moves)} moves" if ending == MOVE_LIMIT else ""
        return Ending(verdict.color, verdict.result, verdict.problem or ending, text, 0, verdict.disagreement)

    def _own_verdict(self, note: str) -> FinalResult:
        """The ending by both players' own scores; `note` is an earlier problem to report."""
        notes = [note]
        for color, contestant in self.contestants.items():
            try:
                self.scores[color] = contestant.final_score()
            except Fault as fault:
                notes.append(str(fault))
        verdict = players_verdict(self.scores)
        return replace(verdict, disagreement="; ".join(filter(None, [*notes, verdict.disagreement])))

    def _lost(self, color: int, kind: str, text: str) -> Ending:
        """The ending of a loss by the player's own fault."""
        letter = LETTERS[opponent(color)]
        return Ending(opponent(color), f"{letter}+{'T' if kind == TIME else 'F'}", kind, text, color)

    def _collect_stderr(self, color: int) -> None:
        """Add the engine's stderr since its last move to that move's comment."""
        text = self.contestants[color].client.take_stderr()
        if self.last_move_of[color]:
            self._add_comment(self.last_move_of[color], text)

    def _add_comment(self, number: int, text: str) -> None:
        comment = "\n".join(filter(None, [self.comments.get(number, ""), text.strip()]))[:MAX_COMMENT]
        if comment:
            self.comments[number] = comment

    def _record(self, ending: Ending, began: str, seconds: float) -> PlayedGame:
        names = {color: contestant.player.name for color, contestant in self.contestants.items()}
        winner = UNKNOWN if ending.color is None else names.get(ending.color, DRAW)
        moves = " ".join(f"{LETTERS[color]}{to_vertex(point)}" for color, point in self.game.moves)
        return PlayedGame(
            number=self.scheduled.number,
            pair=self.scheduled.pair,
            opening=self.opening.name,
            black=self._side(BLACK),
            white=self._side(WHITE),
            winner=winner,
            result=ending.result,
            ending=ending.ending,
            text=ending.text,
            fault=names[ending.fault] if ending.fault else "",
            disagreement=ending.disagreement,
            moves=len(self.game.moves),
            digest=hashlib.sha256(moves.encode()).hexdigest()[:16],
            began=began,
            seconds=round(seconds, 3),
            sgf=f"{self.scheduled.number:05d}.sgf",
        )

    def _side(self, color: int) -> SideRecord:
        contestant = self.contestants[color]
        times = contestant.times
        cpu_seconds, peak_memory = contestant.used()
        return SideRecord(
            contestant.player.name,
            contestant.identity,
            times.moves,
            round(times.seconds, 4),
            round(times.slowest, 4),
            None if cpu_seconds is None else round(cpu_seconds, 2),
            peak_memory,
            self.scores[color],
        )

    def _sgf(self, record: PlayedGame, date: datetime.date) -> str:
        """The game with the engines' output and the ending as comments."""
        comments = dict(self.comments)
        end = ". ".join(filter(None, [f"{record.result} by {record.ending}", record.text, record.disagreement]))
        comments[record.moves] = "\n".join(filter(None, [comments.get(record.moves, ""), end]))
        names = {BLACK: record.black.name, WHITE: record.white.name}
        return sgf.dump(self.game, self.tournament.komi, self.tournament.rule_set, names, record.result, date, comments=comments)
