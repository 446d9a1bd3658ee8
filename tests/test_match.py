"""Matches: clocks, openings, schedule, scores, whole games, the results file."""

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from match_players import ROWS, rows

from gtp_engine import sgf
from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.job import FunctionKeeper, JobDescription, JobResult
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.go.points import BLACK, STRIDE, WHITE, to_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.tools.match.client import EngineClient
from gtp_engine.tools.match.clock import PlayerClock
from gtp_engine.tools.match.opening import folder_openings, open_book, random_opening
from gtp_engine.tools.match.results import RESULTS_FILE, ResultsFile, load_records
from gtp_engine.tools.match.runner import run_tournament
from gtp_engine.tools.match.schedule import schedule
from gtp_engine.tools.match.scoring import parse_score, players_verdict
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tables import MEGABYTE, spending_table
from gtp_engine.tools.match.tournament import Sprt, TimeControl, Tournament, TournamentError

pytestmark = pytest.mark.usefixtures("jobs_here")

TWO = Tournament((rows("a"), rows("b")), games=4, openings="random:0")
START = 60.0  # seconds for a process to show a first sign of life on a busy machine


# ---------------------------------------------------------------- clocks


def test_a_clock_of_seconds_a_move() -> None:
    clock = PlayerClock(TimeControl(byo_yomi=2.0))
    assert (clock.settings(), clock.time_left(), clock.budget()) == ("0 2 1", "2.00 1", 2.0)
    assert clock.spend(1.5) == 0
    assert clock.time_left() == "2.00 1"
    assert clock.spend(2.5) == pytest.approx(0.5)


def test_a_clock_with_main_time_only() -> None:
    clock = PlayerClock(TimeControl(main=10.0))
    assert (clock.settings(), clock.time_left()) == ("10 0 0", "10.00 0")
    assert clock.spend(9.0) == 0
    assert clock.time_left() == "1.00 0"
    assert clock.spend(1.25) == pytest.approx(0.25)


def test_a_clock_goes_from_main_time_into_byo_yomi() -> None:
    """Four seconds over the main time come off the first period, which then needs two more stones."""
    clock = PlayerClock(TimeControl(main=5.0, byo_yomi=30.0, stones=3))
    assert clock.settings() == "5 30 3"
    assert clock.spend(9.0) == 0
    assert clock.time_left() == "26.00 2"
    assert [clock.spend(10.0), clock.spend(10.0)] == [0, 0]
    assert clock.time_left() == "30.00 3"
    assert clock.spend(31.0) == pytest.approx(1.0)


# ---------------------------------------------------------------- openings and schedule


def test_random_openings_depend_on_the_seed_only() -> None:
    opening = random_opening(9, CHINESE, 4, seed=5)
    assert opening == random_opening(9, CHINESE, 4, seed=5)
    assert opening.moves != random_opening(9, CHINESE, 4, seed=6).moves
    assert [color for color, _ in opening.moves] == [BLACK, WHITE, BLACK, WHITE]


@pytest.mark.parametrize(("size", "first"), [(19, 3), (9, 3), (8, 2), (5, 2), (4, 1), (2, 1)])
def test_random_openings_use_all_lines_but_those_at_the_edge(size: int, first: int) -> None:
    moves = [point for seed in range(200) for _, point in random_opening(size, CHINESE, 2, seed).moves]
    assert {line for point in moves for line in divmod(point, STRIDE)} == set(range(first, size + 2 - first))


def test_openings_from_a_folder_are_distinct_and_of_one_board(tmp_path: Path) -> None:
    for name, text in {
        "1": "(;SZ[9];B[ee];W[cc];B[gg])",
        "2": "(;SZ[9];B[ee];W[cc];B[cg])",  # the same two first moves
        "3": "(;SZ[9]AB[gc][cg];W[ee];B[];W[])",  # set-up stones, and passes at the end
        "4": "(;SZ[19];B[pd])",
    }.items():
        (tmp_path / f"{name}.sgf").write_text(text)
    found = folder_openings(tmp_path, 9, CHINESE, most_moves=2)
    assert [(opening.name, [to_vertex(point) for _, point in opening.moves], opening.to_play) for opening in found] == [
        ("1", ["E5", "C7"], BLACK),
        ("3", ["C3", "G7", "E5"], BLACK),  # set-up stones in the order of their points
    ]


def test_a_folder_without_openings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TournamentError, match="there is no 9x9 record"):
        open_book(replace(TWO, openings=str(tmp_path)))


def test_the_games_of_a_pair_share_the_opening_with_colors_changed() -> None:
    games = list(schedule(replace(TWO, games=5)))
    assert [(game.number, game.black, game.white, game.pair) for game in games] == [
        (0, 0, 1, 0), (1, 1, 0, 0), (2, 0, 1, 1), (3, 1, 0, 1), (4, 0, 1, 2),
    ]  # fmt: skip
    assert len({game.seed for game in games}) == 5


def test_a_round_robin_is_complete_and_a_longer_one_begins_the_same() -> None:
    three = replace(TWO, players=(rows("a"), rows("b"), rows("c")))
    games = list(schedule(three))
    meetings = Counter((game.black, game.white) for game in games)
    assert meetings == {(i, j): 2 for i in range(3) for j in range(3) if i != j}
    assert list(schedule(replace(three, games=8)))[: len(games)] == games


def test_in_a_gauntlet_the_first_plays_all_others() -> None:
    games = list(schedule(replace(TWO, players=(rows("a"), rows("b"), rows("c")), format="gauntlet", games=2)))
    assert {frozenset((game.black, game.white)) for game in games} == {frozenset((0, 1)), frozenset((0, 2))}


# ---------------------------------------------------------------- scores


@pytest.mark.parametrize(
    ("text", "expected"),
    [("B+3.5", (BLACK, "B+3.5")), ("w+12", (WHITE, "W+12")), ("0", (0, "0")), ("W+0.0", (0, "0")), ("B+R", None), ("", None), ("5", None)],
)
def test_final_scores_are_read(text: str, expected: tuple[int, str] | None) -> None:
    assert parse_score(text) == expected


def test_the_players_own_scores() -> None:
    assert players_verdict({BLACK: "B+2", WHITE: "B+2"}).result == "B+2"
    assert players_verdict({BLACK: "B+2", WHITE: None}).result == "B+2"
    assert players_verdict({BLACK: None, WHITE: "who knows"}).problem == "no score"
    margins = players_verdict({BLACK: "B+2", WHITE: "B+3"})
    assert (margins.color, margins.result, margins.disagreement) == (BLACK, "B+", "Black says B+2, White says B+3")
    winners = players_verdict({BLACK: "B+2", WHITE: "W+3"})
    assert (winners.color, winners.problem) == (None, "disagreement")


# ---------------------------------------------------------------- whole matches


def test_a_match_of_engines_without_faults(tmp_path: Path) -> None:
    """Black always wins, so each player wins every other game."""
    standings = run_tournament(TWO, tmp_path)
    assert [(record.black.name, record.winner, record.result, record.moves) for record in standings.records] == [
        (name, name, "B+1", 56) for name in "abab"
    ]
    assert standings.total("a").score == 0.5
    assert standings.repeated_games() == 3  # the engines play by rote
    spent = standings.spent("a")
    assert spent.moves == 112 and spent.cpu_per_move is not None and spent.peak_memory is not None
    assert 1_000_000 < spent.peak_memory < 200_000_000
    assert spending_table(standings)[1][5] == f"{spent.peak_memory / MEGABYTE:.0f}"


def test_what_was_not_measured_has_a_dash(tmp_path: Path) -> None:
    record = run_tournament(replace(TWO, games=1), tmp_path).records[0]
    unmeasured = replace(record, black=replace(record.black, cpu_seconds=None, peak_memory=None))
    standings = Standings(TWO, [unmeasured])
    assert spending_table(standings)[1][4:6] == ["-", "-"]


def test_the_record_has_the_moves_and_what_the_engines_said(tmp_path: Path) -> None:
    commented = Tournament((replace(rows("a"), comment="name"), rows("b")), games=1, openings="random:2", seed=3)
    opening = open_book(commented).opening(0)
    record = run_tournament(commented, tmp_path).records[0]
    path = tmp_path / "games" / record.sgf
    game = sgf.load(path).game
    assert tuple(game.moves[:2]) == opening.moves
    assert len(game.moves) == record.moves == 2 + 54 + 2
    text = path.read_text(encoding="utf-8")
    assert "C[rows\nmove 1]" in text and "B+1 by score" in text and "PB[a]PW[b]" in text.replace("\n", "")


def test_a_referee_scores_instead_of_the_players(tmp_path: Path) -> None:
    referee = rows("r", "W+4").command
    record = run_tournament(replace(TWO, games=1, referee=referee), tmp_path).records[0]
    assert (record.winner, record.result, record.black.score) == ("b", "W+4", None)


def test_a_referee_that_fails_is_reported_and_the_players_score(tmp_path: Path) -> None:
    record = run_tournament(replace(TWO, games=1, referee=rows("r", "dunno").command), tmp_path).records[0]
    assert (record.winner, record.disagreement) == ("a", "the referee referee answered 'dunno' to final_score")


def test_scores_that_disagree_count_for_nobody(tmp_path: Path) -> None:
    standings = run_tournament(replace(TWO, players=(rows("a", "B+1"), rows("b", "W+1"))), tmp_path)
    assert [record.winner for record in standings.records] == ["unknown"] * 4
    assert standings.total("a").games == 0
    assert len(standings.disagreements()) == 4
    assert "Black says B+1, White says W+1" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_game_that_does_not_end_is_scored_at_the_move_limit(tmp_path: Path) -> None:
    record = run_tournament(replace(TWO, games=1, move_limit=20), tmp_path).records[0]
    assert (record.ending, record.result, record.moves) == ("move limit", "B+1", 20)


def test_a_sequential_test_ends_the_match_early(tmp_path: Path) -> None:
    strong = replace(TWO, players=(rows("a"), rows("b", "B+1", "resign", 1)), games=400, sprt=Sprt(0, 400), keep_engines=2)
    standings = run_tournament(strong, tmp_path)
    assert standings.sprt is not None and standings.sprt.decision == "H1"
    assert len(standings.records) < 60


class ThreeAtOnce:
    """Runs jobs in this process, as three workers would whose jobs take equally long: two more have begun whenever one ends."""

    def __init__(self) -> None:
        self.functions = FunctionKeeper(lambda _: None)

    def __enter__(self) -> "ThreeAtOnce":
        return self

    def __exit__(self, *_: object) -> None:
        self.functions.close()

    def results(self, jobs: Iterable[JobDescription]) -> Iterator[JobResult]:
        """Each job's result, in their order."""
        source, begun = iter(jobs), deque[JobDescription]()
        while True:
            begun += islice(source, 3 - len(begun))
            if not begun:
                return
            job = begun.popleft()
            yield JobResult(job.key, *self.functions.call(job.function, job.data, job.seed))


def test_a_sequential_test_that_is_open_again_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first player wins six pairs, which decide, and then loses all: the pair that has begun by then makes it open again."""
    script = tmp_path / "resigns_first.py"  # until its genmove 13, as White and as Black; the other player does from its seventh on
    script.write_text(ROWS.read_text(encoding="utf-8").replace("asked >= first", "asked < first"), encoding="utf-8")
    other = replace(rows("b", "B+1", "resign", 13), command=(sys.executable, str(script), "B+1", "resign", "13"))
    monkeypatch.setattr(JobPlace, "runner", lambda _place, _threads: ThreeAtOnce())
    tournament = replace(TWO, players=(rows("a", "B+1", "resign", 7), other), games=60, sprt=Sprt(0, 400), jobs=3)
    standings = run_tournament(tournament, tmp_path / "output")
    assert standings.pair_scores()[:7] == [1.0] * 6 + [0.0]
    assert standings.sprt is not None and standings.sprt.decision == "H0"
    assert len(standings.records) < 60


def test_several_games_at_once_are_the_same_games(tmp_path: Path) -> None:
    varied = replace(TWO, openings="random:2", games=8)
    one = run_tournament(varied, tmp_path / "one").records
    three = run_tournament(replace(varied, jobs=3), tmp_path / "three").records
    assert [(record.number, record.digest, record.winner) for record in one] == [(r.number, r.digest, r.winner) for r in three]
    assert len({record.digest for record in one}) == 4  # one for each opening: the engines play by rote


def test_a_finished_match_is_not_played_again_and_can_be_extended(tmp_path: Path) -> None:
    first = run_tournament(TWO, tmp_path)
    assert run_tournament(replace(TWO, players=TWO.players), tmp_path).records == first.records
    longer = run_tournament(replace(TWO, games=6), tmp_path)
    assert longer.records[:4] == first.records
    assert len(longer.records) == 6


def test_ratings_of_three_with_an_anchor(tmp_path: Path) -> None:
    players = (rows("a"), replace(rows("b"), anchor=1000.0), rows("c"))
    standings = run_tournament(replace(TWO, players=players, games=2), tmp_path)
    assert len(standings.records) == 6
    assert standings.ratings.of("b").elo == 1000
    assert standings.ratings.of("a").elo == pytest.approx(1000)


# ---------------------------------------------------------------- the results file


def test_another_tournament_is_not_resumed_by_mistake(tmp_path: Path) -> None:
    run_tournament(replace(TWO, games=1), tmp_path)
    with pytest.raises(StoreError, match=r"holds another tournament \(size, komi differ\)"):
        run_tournament(replace(TWO, komi=0.5, size=13), tmp_path)


def test_a_torn_last_line_is_a_game_that_was_not_played(tmp_path: Path) -> None:
    run_tournament(replace(TWO, games=2), tmp_path)
    path = tmp_path / RESULTS_FILE
    path.write_bytes(path.read_bytes()[:-40])
    assert [record.number for record in load_records(tmp_path)] == [0]
    assert [record.number for record in run_tournament(replace(TWO, games=2), tmp_path).records] == [0, 1]
    assert path.read_text().count("\n") == 3


def test_a_damaged_line_is_told_by_its_number(tmp_path: Path) -> None:
    run_tournament(replace(TWO, games=2), tmp_path)
    path = tmp_path / RESULTS_FILE
    lines = path.read_text().splitlines()
    for damage, message in (
        (lines[1][:50], "line 2 is damaged"),
        ('{"number": 0}', "line 2: not a game"),
        (lines[2], "line 3: game 1 is there"),
    ):
        path.write_text("\n".join([lines[0], damage, lines[2], ""]))
        with pytest.raises(StoreError, match=message):
            run_tournament(replace(TWO, games=2), tmp_path)


def test_two_runners_cannot_share_a_folder(tmp_path: Path) -> None:
    first = ResultsFile(tmp_path, TWO, [])
    with pytest.raises(StoreError, match="another process is writing"):
        ResultsFile(tmp_path, TWO, [])
    first.close()
    ResultsFile(tmp_path, TWO, []).close()


def test_the_client_tells_time_and_memory_and_can_be_restarted() -> None:
    with EngineClient(rows("a").command) as client:
        assert client.ask("name", START) == "rows"
        usage = client.usage()
        assert usage is not None and usage.peak_memory > 1_000_000 and usage.cpu_seconds >= 0
        client.restart()
        assert client.ask("boardsize 9", START) == ""
        assert client.starts == 2
    assert client.usage() is None
