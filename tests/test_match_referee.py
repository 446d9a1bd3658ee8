"""What the referee of a match decides, from contestants whose answers are scripted: no engine runs here."""

from typing import Any

import pytest
from match_players import rows

from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex
from gtp_engine.tools.match.contestant import CRASH, NONSENSE, Fault, MoveTimes
from gtp_engine.tools.match.game import MAX_COMMENT, RefereedGame
from gtp_engine.tools.match.opening import Opening
from gtp_engine.tools.match.record import ILLEGAL, MOVE_LIMIT, REPETITION, RESIGNATION, SCORE, TIME, UNKNOWN, PlayedGame
from gtp_engine.tools.match.schedule import ScheduledGame
from gtp_engine.tools.match.tournament import TimeControl, Tournament

SIZE = 5
EMPTY = Opening("empty", (), BLACK)


class Scripted:
    """Stands for a contestant: answers genmove with these words in turn, `late` seconds too late, then passes."""

    def __init__(self, name: str, answers: str = "", score: str = "0", late: float = 0.0) -> None:
        self.player, self.identity, self.times, self.client = rows(name), f"{name} 1.0", MoveTimes(), self
        self.answers, self.score, self.late = answers.split(), score, late
        self.told: list[str] = []
        self.said: list[str] = []  # on stderr, one text for each time that it is taken
        self.comments: list[str] = []

    def reset_figures(self) -> None:
        """See Contestant."""
        self.told.append("reset")

    def new_game(self, seed: int, clock: object) -> None:
        """See Contestant."""
        self.told.append(f"new {seed}")

    def play(self, color: int, point: int) -> None:
        """See Contestant."""
        self.told.append(f"play {color} {point}")

    def genmove(self, color: int, clock: object) -> tuple[str, float]:
        """See Contestant."""
        self.times.add(0.123456)
        answer = self.answers.pop(0) if self.answers else "pass"
        if answer == "crash":
            raise Fault(self, CRASH, "died")  # type: ignore[arg-type]  # stands for one
        return answer, self.late

    def final_score(self) -> str:
        """See Contestant."""
        if self.score == "crash":
            raise Fault(self, CRASH, "died")  # type: ignore[arg-type]  # stands for one
        return self.score

    def comment(self) -> str:
        """See Contestant."""
        return self.comments.pop(0) if self.comments else ""

    def take_stderr(self) -> str:
        """See EngineClient."""
        return self.said.pop(0) if self.said else ""

    def used(self) -> tuple[float | None, int | None]:
        """See Contestant."""
        return 1.23456, 1_000_000


def played(black: Scripted, white: Scripted, opening: Opening = EMPTY, referee: Scripted | None = None, **settings: Any) -> PlayedGame:
    """The record of their game."""
    return refereed(black, white, opening, referee, **settings).play()[0]


def refereed(black: Any, white: Any, opening: Opening = EMPTY, referee: Any = None, **settings: Any) -> RefereedGame:
    """A game that is not played yet."""
    tournament = Tournament((rows("a"), rows("b")), size=SIZE, **settings)
    return RefereedGame(tournament, ScheduledGame(42, 0, 1, 21, 77), opening, black, white, referee)


def test_two_passes_end_a_game_and_both_agree_on_the_count() -> None:
    record = played(Scripted("a", "C3", "B+24.5"), Scripted("b", "", "B+24.5"))
    assert (record.winner, record.result, record.ending, record.moves) == ("a", "B+24.5", SCORE, 3)
    assert (record.number, record.pair, record.opening, record.sgf, record.fault, record.text) == (42, 21, "empty", "00042.sgf", "", "")
    assert (record.black.name, record.black.identity, record.black.moves, record.white.moves) == ("a", "a 1.0", 2, 1)
    assert (record.black.seconds, record.black.slowest) == (0.2469, 0.1235)
    assert (record.black.cpu_seconds, record.black.peak_memory, record.black.score) == (1.23, 1_000_000, "B+24.5")


def test_a_pass_alone_ends_nothing() -> None:
    record = played(Scripted("a", "pass C3 pass", "0"), Scripted("b", "D4 pass", "0"))
    assert (record.moves, record.winner, record.result) == (5, "draw", "0")


def test_every_move_is_told_to_the_other_side_alone_and_the_opening_to_both() -> None:
    c3, d4, e5 = (from_vertex(vertex, SIZE) for vertex in ("C3", "D4", "E5"))
    black, white = Scripted("a", "E5 pass"), Scripted("b", "pass")
    record = played(black, white, Opening("two", ((BLACK, c3), (WHITE, d4)), BLACK))
    opening = ["reset", "new 77", f"play {BLACK} {c3}", f"play {WHITE} {d4}"]
    assert black.told == [*opening, f"play {WHITE} {PASS}"]
    assert white.told == [*opening, f"play {BLACK} {e5}", f"play {BLACK} {PASS}"]
    assert record.moves == 5


@pytest.mark.parametrize(
    ("answer", "ending"), [("resign", RESIGNATION), ("Resign", RESIGNATION), ("C3", ILLEGAL), ("K9", NONSENSE), ("crash", CRASH)]
)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_how_a_player_loses(answer: str, ending: str, color: int) -> None:
    """To resign is no fault."""
    loser, winner = Scripted("loser", f"A1 {answer}"), Scripted("winner", "C3 D3")
    record = played(*((loser, winner) if color == BLACK else (winner, loser)))
    letter = "W" if color == BLACK else "B"
    assert (record.winner, record.ending) == ("winner", ending)
    assert record.result == f"{letter}+{'R' if ending == RESIGNATION else 'F'}"
    assert record.fault == ("" if ending == RESIGNATION else "loser")


@pytest.mark.parametrize(("late", "tolerance", "loses"), [(0.5, 0.5, False), (0.51, 0.5, True), (0.1, None, True)])
def test_who_is_too_late_loses(late: float, tolerance: float | None, loses: bool) -> None:
    """By more than the tolerance; the move is not played."""
    time = None if tolerance is None else TimeControl(10.0, tolerance=tolerance)
    record = played(Scripted("a", "C3"), Scripted("b", "D4", late=late), time=time)
    assert (record.ending == TIME) is loses
    if loses:
        assert (record.result, record.fault, record.moves) == ("B+T", "b", 1)
        assert record.text == f"b was {late:.2f} s too late with move 2"


def test_a_game_of_too_many_moves_is_counted_as_it_stands() -> None:
    record = played(Scripted("a", "A1 A2 A3", "B+2"), Scripted("b", "E1 E2 E3", "B+2"), move_limit=4)
    assert (record.ending, record.moves, record.result, record.text) == (MOVE_LIMIT, 4, "B+2", "scored after 4 moves")


@pytest.mark.parametrize(("rules", "ending", "moves"), [("japanese", REPETITION, 15), ("chinese", ILLEGAL, 8)])
def test_a_position_that_comes_three_times_has_no_winner_where_no_superko_forbids_it(rules: str, ending: str, moves: int) -> None:
    """Black lets two stones be taken, and takes one back; White passes."""
    vertices = ("B1", "A2", "C2", "B2", "D1", "E5")
    opening = tuple((WHITE if number % 2 else BLACK, from_vertex(vertex, SIZE)) for number, vertex in enumerate(vertices))
    record = played(Scripted("a", "A1 B1 " * 12), Scripted("b", "C1 pass " * 12), Opening("cycle", opening, BLACK), rules=rules)
    assert (record.ending, record.moves) == (ending, moves)
    if ending == REPETITION:
        assert (record.winner, record.result) == ("draw", "Void")
        assert record.text == "the position after move 15 has come 3 times"


@pytest.mark.parametrize(
    ("referee", "scores", "winner", "result"),
    [
        ("W+3", ("B+1", "B+1"), "b", "W+3"),
        ("nonsense", ("B+1", "B+1"), "a", "B+1"),
        ("crash", ("B+1", "crash"), "a", "B+1"),
        ("crash", ("crash", "crash"), UNKNOWN, "?"),
        (None, ("B+1", "W+1"), UNKNOWN, "?"),
    ],
)
def test_who_counts(referee: str | None, scores: tuple[str, str], winner: str, result: str) -> None:
    """The referee, where there is one and it can; else the players."""
    judge = None if referee is None else Scripted("judge", score=referee)
    record = played(Scripted("a", score=scores[0]), Scripted("b", score=scores[1]), referee=judge)
    assert (record.winner, record.result) == (winner, result)
    assert record.black.score == (None if referee == "W+3" or scores[0] == "crash" else scores[0])
    assert ("judge" in record.disagreement) is (referee in ("nonsense", "crash"))
    assert ("b died" in record.disagreement) is (scores[1] == "crash")


def test_what_engines_say_belongs_to_their_last_move() -> None:
    black, white = Scripted("a", "C3 D3"), Scripted("b", "C4")
    black.said = ["before the game", "thought of C3", "", "at the end"]
    black.comments = ["win 60 %", "", "x" * (MAX_COMMENT + 5)]
    game = refereed(black, white)
    _, text = game.play()
    assert game.comments == {1: "win 60 %\nthought of C3", 5: "x" * MAX_COMMENT}
    assert "before the game" not in text and "0 by score" in text
