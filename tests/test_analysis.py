"""Live analysis: what is asked for, how it is written, when it stops; and moves chosen while it is shown."""

import json
import re
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from conftest import Client, LateInbox, build_small_engine

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.engine.search.result import Candidate, SearchResult, lower_bound
from gtp_engine.engine.search.result_fields import OWNERSHIP_DIGITS
from gtp_engine.go.points import BLACK, PASS, POINTS, WHITE, board_points, from_vertex
from gtp_engine.interfaces.gtp.analysis_lines import cgos_line, kata_line, leela_line
from gtp_engine.interfaces.gtp.analysis_request import FLAGS, AnalysisRequest, read_request
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.gtp.inbox import Inbox

SIZE = 5
C3, D3, A5 = (from_vertex(vertex, SIZE) for vertex in ("C3", "D3", "A5"))

# Sabaki's own parser of an analysis line, as gtp.md 3.1 describes it: the variation must be what a part ends with.
SABAKI_VARIATION = re.compile(r"(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*$")


def read(text: str, takes_flags: bool = True) -> AnalysisRequest:
    """The request in the words of `text`, on 5x5."""
    return read_request(text.split(), lambda: SIZE, takes_flags)


# ---------------------------------------------------------------- what is asked for


@pytest.mark.parametrize(
    ("text", "color", "interval"),
    [
        ("", None, None),
        ("b", BLACK, None),
        ("WHITE 50", WHITE, 0.5),
        ("50", None, 0.5),
        ("interval 50", None, 0.5),
        ("w interval 50", WHITE, 0.5),
        ("0", None, 0.01),
        ("100000", None, 1000.0),
        ("b 10 interval 20", BLACK, 0.2),
    ],
)
def test_every_form_of_the_first_arguments(text: str, color: int | None, interval: float | None) -> None:
    request = read(text)
    assert (request.color, request.interval) == (color, interval)
    assert read(text, takes_flags=False) == request


def test_keys() -> None:
    request = read("b 100 minmoves 3 maxmoves 7 rootInfo true ownership true pvVisits false movesOwnership false")
    assert (request.least_moves, request.most_moves) == (3, 7)
    assert request.flags == {"rootInfo", "ownership"}
    assert read("ownership true ownership false").flags == set()


def test_moves_to_avoid_and_to_allow() -> None:
    avoid = read("avoid b C3,D3 4 avoid w pass 2 avoid b c3 1").avoid(SIZE)
    assert avoid == {(BLACK, C3): 4, (BLACK, D3): 4, (WHITE, PASS): 2}
    allowed = read("allow w C3 3").avoid(SIZE)
    assert set(allowed) == {(WHITE, point) for point in [*board_points(SIZE), PASS] if point != C3}
    assert set(allowed.values()) == {3}


@pytest.mark.parametrize(
    "text",
    [
        "green",
        "b w",
        "interval",
        "interval x",
        "50 60",
        "noSuchKey true",
        "ownership",
        "ownership perhaps",
        "ownership 1",
        "minmoves -1",
        "maxmoves many",
        "avoid b C3",
        "avoid b i5 3",
        "avoid b C3, 3",
        "avoid b C9 3",
        "avoid C3 3",
        "avoid b C3 0",
        "allow b C3 1 allow b D3 1",
        "movesOwnership maybe",
    ],
)
def test_what_does_not_fit_is_refused(text: str) -> None:
    """LizGoban finds out what an engine can do by sending keys and looking for `?`."""
    with pytest.raises(GtpError):
        read(text)


@pytest.mark.parametrize("flag", FLAGS)
def test_the_keys_of_katago_are_not_those_of_leela_zero(flag: str) -> None:
    assert read(f"{flag} true").flags == {flag}
    with pytest.raises(GtpError, match=f"unknown key {flag}"):
        read(f"{flag} true", takes_flags=False)


# ---------------------------------------------------------------- how it is written


def a_result() -> SearchResult:
    """Two moves searched, one not; the upper left corner is surely ours."""
    ownership = np.zeros(POINTS)
    ownership[A5] = 1.0
    candidates = [
        Candidate(C3, 30, 0.625, 1.5, [C3, D3], [30, 4], 0.25, 0.5),
        Candidate(PASS, 1, 0.0, -2.0, [PASS], [1], 0.05, 0.0),
    ]
    return SearchResult(candidates, 31, 31, 0.1, 0.6, 1.4, ownership, [(D3, 0.125)])


def test_leela_line() -> None:
    assert leela_line(a_result(), AnalysisRequest(), SIZE) == (
        "info move C3 visits 30 winrate 6250 prior 2500 lcb 5000 order 0 pv C3 D3 "
        "info move pass visits 1 winrate 0 prior 500 lcb 0 order 1 pv pass"
    )


def test_kata_line() -> None:
    assert kata_line(a_result(), AnalysisRequest(most_moves=1), SIZE) == (
        "info move C3 visits 30 utility 0.250000 winrate 0.625000 scoreMean 1.500 scoreLead 1.500 scoreSelfplay 1.500 weight 30"
        " edgeVisits 30 prior 0.250000 lcb 0.500000 utilityLcb 0.000000 order 0 pv C3 D3"
    )


def test_every_move_has_its_own_ownership(analyst: Client) -> None:
    """movesOwnership: the board as it ends after this move, from the side to move; one number a point for each move that was played out."""
    lines = analyst.ok("kata-genmove_analyze b movesOwnership true movesOwnershipStdev true").splitlines()
    info = next(line for line in lines if line.startswith("info "))
    for part in info.split("info ")[1:]:
        words = part.split()
        first, second = words.index("movesOwnership"), words.index("movesOwnershipStdev")
        means, deviations = [float(word) for word in words[first + 1 : second]], [float(word) for word in words[second + 1 :]]
        assert len(means) == len(deviations) and len(means) in (25, 49, 81, 361)
        assert all(-1.0 <= mean <= 1.0 for mean in means)
        assert all(abs(mean**2 + deviation**2 - 1.0) < 0.001 for mean, deviation in zip(means, deviations, strict=True))


def test_what_katagos_flags_add() -> None:
    line = kata_line(a_result(), AnalysisRequest(most_moves=1, flags=set(FLAGS)), SIZE)
    assert " noResultValue 0 order 0 pv C3 D3 pvVisits 30 4 pvEdgeVisits 30 4 rootInfo visits 31 utility 0.200000 winrate 0.600000 " in line
    values = re.search(r" ownership((?: \S+){25}) ownershipStdev((?: \S+){25})$", line)
    assert values
    assert [float(value) for value in values[1].split()] == [1.0] + [0.0] * 24  # from the top left
    assert [float(value) for value in values[2].split()] == [0.0] + [1.0] * 24


def test_least_and_most_moves() -> None:
    listed = re.findall(r"move (\S+) visits (\d+)", kata_line(a_result(), AnalysisRequest(least_moves=3), SIZE))
    assert listed == [("C3", "30"), ("pass", "1"), ("D3", "0")]
    assert "pv D3" in kata_line(a_result(), AnalysisRequest(least_moves=3), SIZE)
    assert leela_line(a_result(), AnalysisRequest(least_moves=3, most_moves=2), SIZE).count("info") == 2
    assert leela_line(a_result(), AnalysisRequest(most_moves=0), SIZE).count("info") == 1  # a line without any move would break parsers


def test_cgos_line() -> None:
    assert json.loads(cgos_line(a_result(), AnalysisRequest(), SIZE)) == {
        "winrate": 0.6,
        "score": 1.4,
        "visits": 31,
        "moves": [
            {"move": "C3", "visits": 30, "winrate": 0.625, "score": 1.5, "prior": 0.25, "pv": "C3 D3"},
            {"move": "pass", "visits": 1, "winrate": 0.0, "score": -2.0, "prior": 0.05, "pv": "pass"},
        ],
        "ownership": OWNERSHIP_DIGITS[62] + OWNERSHIP_DIGITS[31] * 24,
    }


def test_the_lower_bound_trusts_many_visits() -> None:
    bounds = [lower_bound(0.6, visits) for visits in (1, 10, 1000, 100_000)]
    assert bounds == sorted(bounds)
    assert 0.0 <= bounds[0] < 0.2 and 0.59 < bounds[-1] < 0.6
    assert lower_bound(0.0, 5) == 0.0


# ---------------------------------------------------------------- the commands


@pytest.fixture(scope="module")
def analyst() -> Iterator[Client]:
    """A client whose analyses are stopped after a few lines; of one engine, as loading takes a while."""
    client = Client(EngineLoader(build_small_engine))
    yield client
    if client.loader.thread is not None:
        client.loader.thread.join()


def analyze(client: Client, line: str, asked: int = 4) -> list[str]:
    """The lines of an analysis of the current position that is stopped after `asked` questions, one before and one for each line."""
    client.dispatcher = make_dispatcher(client.loader, "gtp_engine", "0", LateInbox(asked))
    response = client.ask(line)
    client.loader.answered()
    assert response.startswith("= \n") and response.endswith("\n\n") and response.count("\n\n") == 1, response
    return response[3:-2].split("\n")


def new_board(client: Client, size: int = SIZE) -> None:
    """An empty board."""
    client.ok(f"boardsize {size}")
    client.ok("clear_board")


@pytest.mark.parametrize("command", ["kata-analyze b 2", "lz-analyze 2", "kata-analyze interval 2 pvVisits false"])
def test_sabaki_understands_every_line(command: str, analyst: Client) -> None:
    new_board(analyst)
    lines = analyze(analyst, command)
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("info ")
        for part in re.split(r"\s*info\s+", line)[1:]:
            variation = SABAKI_VARIATION.search(part)
            assert variation
            words = part[: variation.start()].split()
            assert words.pop() == "pv" and len(words) % 2 == 0
            pairs = dict(zip(words[::2], words[1::2], strict=True))
            assert pairs["move"] == variation[0].split()[0]
            win_rate = float(pairs["winrate"])
            assert 0 <= win_rate <= (1 if command.startswith("kata") else 10_000)
            assert ("." in pairs["winrate"]) == command.startswith("kata")
            assert int(pairs["visits"]) > 0


def test_visits_grow_and_the_best_comes_first(analyst: Client) -> None:
    """On a board without symmetries: moves that are the same by symmetry stand together, with the mean of their visits."""
    new_board(analyst)
    analyst.ok("play w A2")
    lines = analyze(analyst, "kata-analyze b 5", asked=5)
    visits = [[int(number) for number in re.findall(r"visits (\d+)", line)] for line in lines]
    assert sum(visits[-1]) > sum(visits[0])
    assert all(numbers == sorted(numbers, reverse=True) for numbers in visits)


def test_a_line_that_waits_stops_an_analysis_before_it_begins(analyst: Client) -> None:
    new_board(analyst)
    analyst.dispatcher = make_dispatcher(analyst.loader, "gtp_engine", "0")
    assert analyst.ask("7 kata-analyze b 10") == "=7 \n\n"


def test_an_interrupt_ends_an_analysis_and_nothing_else(analyst: Client) -> None:
    new_board(analyst)
    analyst.dispatcher = make_dispatcher(analyst.loader, "gtp_engine", "0", Inbox())
    timer = threading.Timer(0.2, analyst.loader.interrupt)
    timer.start()
    assert "info move" in analyst.ok("kata-analyze b 10")
    timer.join()
    analyst.loader.answered()
    assert len(analyze(analyst, "kata-analyze b 5")) == 2


def test_avoided_moves_are_not_searched(analyst: Client) -> None:
    new_board(analyst)
    last = analyze(analyst, "lz-analyze b 5 avoid b C3,pass 1 minmoves 40")[-1]
    moves = re.findall(r"move (\S+)", last)
    assert len(moves) == 24 and not {"C3", "pass"} & set(moves)
    last = analyze(analyst, "lz-analyze b 5 allow b A1,B2 1")[-1]
    assert set(re.findall(r"move (\S+)", last)) == {"A1", "B2"}


def test_the_win_rate_is_that_of_the_color_named(analyst: Client) -> None:
    """Black has the whole board: black's win rate is high, and white's low, whoever plays next."""
    new_board(analyst)
    for vertex in ("b2", "b3", "b4", "d2", "d3", "d4"):
        analyst.ok(f"play b {vertex}")
    rates = {}
    for color in "bw":
        first = analyze(analyst, f"kata-analyze {color} 5 rootInfo true ownership true")[-1]
        found = re.search(r"rootInfo visits \d+ utility \S+ winrate (\S+) .*scoreLead (\S+) .*ownership (\S+)", first)
        assert found
        rates[color] = [float(number) for number in found.groups()]
    assert rates["b"][0] > 0.8 and rates["w"][0] < 0.2
    assert rates["b"][1] > 0 > rates["w"][1]
    assert rates["b"][2] > 0 > rates["w"][2]


@pytest.mark.parametrize(
    "command", ["lz-genmove_analyze b", "lz-genmove_analyze b 100000", "kata-genmove_analyze b ownership true", "kata-genmove_analyze 1"]
)
def test_genmove_analyze_plays_and_ends_by_itself(command: str, analyst: Client) -> None:
    """CGOS sends no interval and still wants a line; what comes in meanwhile changes nothing."""
    new_board(analyst)
    lines = analyze(analyst, command, asked=1)
    assert all(line.startswith("info ") for line in lines[:-1]) and len(lines) >= 2
    played = re.fullmatch(r"play ([A-E][1-5])", lines[-1])
    assert played
    assert analyst.ok("last_move") == f"black {played[1]}"


def test_cgos_genmove_analyze(analyst: Client) -> None:
    new_board(analyst)
    text, move = analyze(analyst, "cgos-genmove_analyze b")
    found = json.loads(text)
    assert move == f"play {found['moves'][0]['move']}"
    assert len(found["ownership"]) == SIZE * SIZE


def test_genmove_analyze_obeys_avoid(analyst: Client) -> None:
    new_board(analyst)
    assert analyze(analyst, "lz-genmove_analyze w allow w A2 1")[-1] == "play A2"


def test_kata_search_plays_nothing(analyst: Client) -> None:
    new_board(analyst)
    assert re.fullmatch(r"[A-E][1-5]", analyst.ok("kata-search b"))
    assert analyze(analyst, "kata-search_analyze b")[-1].startswith("play ")
    assert analyst.ok("move_history") == ""


def test_a_pass_without_a_search_has_its_line_too(analyst: Client) -> None:
    """White passed and Black's count wins: the engine passes at once, and says so with a win rate of 1."""
    new_board(analyst)
    analyst.ok("play w pass")  # or Black's first moves would be handicap stones
    for vertex in ("b1", "b2", "b3", "b4", "b5", "d1", "d2", "d3", "d4", "d5"):
        analyst.ok(f"play b {vertex}")
    analyst.ok("play w pass")
    lines = analyze(analyst, "kata-genmove_analyze b ownership true")
    assert lines[-1] == "play pass"
    assert re.match(r"info move pass visits \d+ utility 1\.0+ winrate 1\.0+ .* pv pass ownership 1", lines[0])


@pytest.mark.parametrize("command", ["kata-analyze b interval 20 noSuchKey true", "lz-analyze green", "kata-genmove_analyze b b"])
def test_refused_requests_change_nothing(command: str, analyst: Client) -> None:
    new_board(analyst)
    before = analyst.position()
    assert analyst.fails(command)
    assert analyst.position() == before


def test_stop_is_an_ordinary_command(analyst: Client) -> None:
    assert analyst.ok("stop") == ""
