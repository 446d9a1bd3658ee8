"""Self-play without torch: targets, games, their arrays, their record file, and generations that were killed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import draw_game
from drawings import TWO_SHARED_LIBERTIES
from hand_made import HandMade
from trees import plain_params

from gtp_engine.base.files import write_arrays
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN
from gtp_engine.engine.network.loading import SHIPPED_SMALL
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of, point_of
from gtp_engine.go.points import BLACK, PASS, point_at
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.selfplay.ending import End
from gtp_engine.learning.selfplay.files import game_arrays, merged, read_games, with_games, write_games
from gtp_engine.learning.selfplay.generation import FIGURES, GAMES, GenerationPlan, figures_of, jobs, opening_name, play_generation
from gtp_engine.learning.selfplay.opening import draw_plan
from gtp_engine.learning.selfplay.params import SelfplayParams
from gtp_engine.learning.selfplay.play import GIVEN_UP, SETTLED, TOO_LONG, SelfPlayer
from gtp_engine.learning.selfplay.reanalysis import jobs as jobs_again
from gtp_engine.learning.selfplay.reanalysis import put_together, reanalyze
from gtp_engine.learning.selfplay.target import drawn_move, pruned_visits
from gtp_engine.learning.training.records import OWNER_UNKNOWN, RESIGNED, Records, read_record_file

pytestmark = pytest.mark.usefixtures("jobs_here")

SIZE = 7
QUICK: dict[str, Any] = {"size": SIZE, "komi": 9.0, "full_visits": 12, "fast_visits": 3, "full_share": 0.5}


@pytest.fixture(scope="module")
def player() -> SelfPlayer:
    """Plays quick games with the network that is included."""
    return SelfPlayer(format_of(SHIPPED_SMALL).load(SHIPPED_SMALL, SearchParams(threads=1)), SelfplayParams(**QUICK))


@pytest.fixture(scope="module")
def games(player: SelfPlayer) -> list[dict[str, Any]]:
    """A dozen of them."""
    return [player.play((1, 1, number)).as_values() for number in range(12)]


def candidate(point: int, visits: int, win_rate: float, prior: float) -> Candidate:
    """As a search gives it."""
    return Candidate(point, visits, win_rate, 0.0, [point], [visits], prior)


# ---------------------------------------------------------------- what is learned


def test_the_most_visited_move_keeps_its_visits_and_forced_ones_go() -> None:
    candidates = [candidate(40, 80, 0.6, 0.5), candidate(41, 12, 0.2, 0.4), candidate(42, 1, 0.1, 0.1)]
    pruned = pruned_visits(candidates, 2.0, 0.8)
    assert pruned[0] == 80
    assert 12 - np.sqrt(2.0 * 0.4 * 93) <= pruned[1] < 12
    assert pruned[2] == 0


def test_a_move_that_is_worth_its_visits_keeps_them() -> None:
    candidates = [candidate(40, 50, 0.5, 0.5), candidate(41, 49, 0.6, 0.5)]  # better: PUCT would come back at once
    assert list(pruned_visits(candidates, 2.0, 0.8)) == [50, 49]


def test_without_forced_playouts_nothing_is_taken() -> None:
    candidates = [candidate(40, 5, 0.5, 0.5), candidate(41, 1, 0.1, 0.5)]
    assert list(pruned_visits(candidates, 0.0, 0.8)) == [5, 1]


def test_moves_are_drawn_by_visits_and_a_pass_only_where_it_is_best() -> None:
    random = np.random.default_rng(1)
    points, visits = [40, PASS, 41], np.array([6, 3, 2])
    drawn = [drawn_move(points, visits, 1.0, random) for _ in range(400)]
    assert PASS not in drawn
    assert drawn.count(40) / 400 == pytest.approx(6 / 8, abs=0.08)
    assert {drawn_move(points, visits, 0.0, random) for _ in range(20)} == {40}
    assert drawn_move(points, np.array([1, 2, 1]), 1.0, random) == PASS


def test_a_tried_move_gets_its_forced_playouts() -> None:
    """Only the center is worth a move: PUCT would hardly come back to the others."""
    network = HandMade(value=lambda planes: 0.0 if planes[OPPONENT, 2, 2] or planes[OWN, 2, 2] else 3.0)
    visits = {}
    for forced in (0.0, 2.0):
        search = Search(params := plain_params(tactics_prior=0.0, symmetry=False, forced_playouts=forced), network.evaluator(params))
        search.prepare(Game(5), BLACK, 0.5)
        result = search.run(Limits(simulations=400))
        visits[forced] = sorted(candidate.visits for candidate in result.candidates)
        least = [int(np.sqrt(forced * each.prior * 399)) for each in result.candidates]
        assert all(each.visits >= some for each, some in zip(result.candidates, least, strict=True))
    assert visits[0.0][1] < visits[2.0][1]


def test_the_temperature_falls_and_wrong_parameters_are_named() -> None:
    params = SelfplayParams()
    temperatures = [params.temperature(number) for number in (0, 8, 80)]
    assert temperatures[0] == params.first_temperature
    assert temperatures == sorted(temperatures, reverse=True) and temperatures[-1] < 0.16
    with pytest.raises(ValueError, match="full_share must be between"):
        SelfplayParams(full_share=2.0)


def test_plans_are_drawn_as_the_parameters_say() -> None:
    params = SelfplayParams(handicap_share=0.2)
    plans = [draw_plan(params, False, np.random.default_rng(seed)) for seed in range(400)]
    assert np.mean([plan.is_played_out for plan in plans]) == pytest.approx(params.played_out, abs=0.07)
    assert np.mean([plan.policy_moves > 0 for plan in plans]) == pytest.approx(params.policy_share, abs=0.08)
    assert {plan.passes for plan in plans} == {0, 1, 2, 3}
    assert np.median([plan.komi for plan in plans]) == params.komi and all((2 * plan.komi).is_integer() for plan in plans)
    assert not any(draw_plan(params, True, np.random.default_rng(seed)).policy_moves for seed in range(50))


def test_rules_are_drawn_only_where_a_share_is_told() -> None:
    plans = [draw_plan(SelfplayParams(rules_share=0.5), False, np.random.default_rng(seed)) for seed in range(200)]
    usual = [draw_plan(SelfplayParams(), False, np.random.default_rng(seed)) for seed in range(200)]
    assert {plan.rules.name for plan in plans} == {"chinese", "aga", "new_zealand"}
    assert 70 < sum(plan.rules == CHINESE for plan in plans) < 130
    assert [replace(plan, rules=CHINESE) for plan in plans] == usual
    assert "rules_share" not in SelfplayParams().settings() and SelfplayParams(rules_share=0.5).settings()["rules_share"] == 0.5


# ---------------------------------------------------------------- games


def test_the_same_seed_gives_the_same_game_whatever_was_played_before(player: SelfPlayer, games: list[dict[str, Any]]) -> None:
    assert player.play((1, 1, 3)).as_values() == games[3]
    assert len({tuple(game["moves"]) for game in games}) == len(games)


def test_every_move_and_every_visit_is_legal(games: list[dict[str, Any]]) -> None:
    for values in games:
        game = Game(SIZE, CHINESE)
        searched = {ply: moves for ply, moves, _, _ in values["searched"]}
        for ply, place in enumerate(values["moves"]):
            assert all(game.is_legal(game.to_play, point_of(move, SIZE)) for move in searched.get(ply, []))
            assert game.is_legal(game.to_play, point_of(place, SIZE))
            game.play(game.to_play, point_of(place, SIZE))
        assert all(values["opening"] <= ply <= len(values["moves"]) for ply in searched)


def test_results_and_owners_agree(games: list[dict[str, Any]]) -> None:
    counted = [game for game in games if game["owners"] is not None]
    assert len(counted) > 2
    for game in counted:
        lead = sum(game["owners"]) - game["komi"]
        assert (game["winner"], game["margin"]) == (np.sign(lead), abs(lead))
        assert len(game["owners"]) == SIZE * SIZE and set(game["owners"]) <= {-1, 0, 1}
    for game in games:
        assert (game["end"] == GIVEN_UP) == (game["margin"] == RESIGNED)


def test_a_game_begins_as_its_record_up_to_an_illegal_move(player: SelfPlayer) -> None:
    moves = (24, 16, 32, 24, 10)  # the fourth is on a stone
    played = player.play((5,), moves)
    assert tuple(played.moves[:3]) == moves[:3] and played.opening == 3


def test_games_by_other_rules_say_so_and_are_searched_again_by_them(player: SelfPlayer, tmp_path: Path) -> None:
    varied = SelfPlayer(player.evaluator.network, SelfplayParams(**QUICK, rules_share=1.0))
    games = [varied.play((number,)).as_values() for number in range(6)]
    names = [game["rules"] for game in games]
    assert set(names) == {"aga", "new_zealand"}
    write_games(tmp_path / GAMES, SIZE, games)
    arrays = read_games(tmp_path / GAMES)
    jobs = list(jobs_again({1: arrays}, {1: np.ones(len(games), bool)}, plan_of(1)))
    assert [job.data.rules for job in jobs] == names
    older = {name: array for name, array in arrays.items() if name != "rules"}
    write_arrays(tmp_path / "older.npz", older)
    assert not read_games(tmp_path / "older.npz")["rules"].any()


def test_a_game_that_is_too_long_has_no_result(player: SelfPlayer) -> None:
    short = SelfPlayer(player.evaluator.network, SelfplayParams(**QUICK, most_moves=0.1))
    played = short.play((1,))
    assert (played.end, played.winner, played.owners) == (TOO_LONG, 0, None)
    with pytest.raises(SelfplayError, match="none of 1 games came to an end"):
        write_games(Path("unused.npz"), SIZE, [played.as_values()])


def test_a_lost_game_is_given_up_unless_it_is_played_out(player: SelfPlayer) -> None:
    hasty = {**QUICK, "resign_threshold": 0.45, "resign_moves": 1}
    given_up = SelfPlayer(player.evaluator.network, SelfplayParams(**hasty, played_out=0.0)).play((2,))
    assert (given_up.end, given_up.margin, given_up.winner) == (GIVEN_UP, RESIGNED, -given_up.loser)
    played_out = SelfPlayer(player.evaluator.network, SelfplayParams(**hasty, played_out=1.0)).play((2,))
    assert played_out.end != GIVEN_UP and played_out.loser == given_up.loser


SEKI = TWO_SHARED_LIBERTIES.replace("W", "O").replace("B", "X")


def test_a_seki_keeps_no_game_open_but_a_neutral_point_does() -> None:
    policy = playout_policy(SearchParams())
    count = End(draw_game(SEKI), policy).settled()
    assert count is not None and count.score == (4 * 9 + 9 + 1) - (3 * 9 + 6)
    rows = SEKI.strip().splitlines()
    rows[4] = ". " + rows[4].strip()[2:]  # A5, between a white wall and a black one
    assert End(draw_game("\n".join(rows)), policy).settled() is None


# ---------------------------------------------------------------- files


def test_the_file_holds_what_was_played(games: list[dict[str, Any]], tmp_path: Path) -> None:
    write_games(tmp_path / GAMES, SIZE, games)
    records = read_record_file(tmp_path / GAMES)
    assert (records.size, len(records)) == (SIZE, len(games))
    assert [list(records.moves[start : start + length]) for start, length in zip(records.starts, records.lengths, strict=True)] == [
        game["moves"] for game in games
    ]
    assert records.owners is not None and records.searches is not None
    for row, game in zip(records.owners, games, strict=True):
        assert list(row) == (game["owners"] or [OWNER_UNKNOWN] * SIZE * SIZE)
    wanted = [each for game in games for each in game["searched"] if each[0] < len(game["moves"])]
    assert len(records.searches) == len(wanted)
    first, last = records.searches.starts[0], records.searches.starts[1]
    assert list(records.searches.moves[first:last]) == wanted[0][1] and list(records.searches.visits[first:last]) == wanted[0][2]


def test_files_put_together_are_the_file_of_all_games(games: list[dict[str, Any]], tmp_path: Path) -> None:
    whole, parts = game_arrays(SIZE, games), merged([game_arrays(SIZE, games[:5]), game_arrays(SIZE, games[5:])])
    assert all((whole[name] == parts[name]).all() and whole[name].dtype == parts[name].dtype for name in whole)
    write_arrays(tmp_path / "all.npz", parts)
    assert len(read_record_file(tmp_path / "all.npz")) == len(games)
    with pytest.raises(SelfplayError, match="boards of several sizes"):
        merged([whole, whole | {"size": np.array(9)}])


def test_openings_that_are_turned_have_one_name() -> None:
    names = {opening_name([24, place], SIZE) for place in (16, 18, 30, 32)}
    assert names == {"D4 E5"} and opening_name([24, 17], SIZE) == opening_name([24, 23], SIZE) == "D4 D5"


def test_figures_count_false_resignations() -> None:
    game = {"end": SETTLED, "moves": [24, 16], "searched": [], "winner": 1, "loser": 1, "margin": 2.0, "opening": 0, "evaluations": 3}
    right = game | {"loser": -1, "moves": [24, 49]}
    long = game | {"end": TOO_LONG, "winner": 0}
    figures = figures_of([game, right, long, game | {"loser": 0, "opening": 2}], SIZE)
    assert (figures["false_resignations"], figures["resignations_judged"]) == (1, 2)
    assert figures["openings"] == {"D4 E5": 1, "D4 pass": 1} and figures["black"] == 3
    assert figures["ends"] == {SETTLED: 3, TOO_LONG: 1}


def test_a_part_of_the_games_keeps_its_searches(games: list[dict[str, Any]]) -> None:
    whole, some = game_arrays(SIZE, games), np.arange(len(games)) % 3 == 1
    part = with_games(whole, some)
    alone = game_arrays(SIZE, [game for game, is_in in zip(games, some, strict=True) if is_in])
    assert all((part[name] == alone[name]).all() for name in whole)
    first = with_games(whole, np.ones(len(games), bool), np.arange(len(whole["searched"])) == 3)
    assert list(first["searched"]) == [whole["searched"][3]] and len(first["moves"]) == len(whole["moves"])


# ---------------------------------------------------------------- reanalysis


def test_old_games_are_searched_again(games: list[dict[str, Any]], tmp_path: Path) -> None:
    old = {1: game_arrays(SIZE, games[:4]), 2: game_arrays(SIZE, games[4:])}
    plan = replace(plan_of(1, full_visits=40), number=3)
    found = reanalyze(old, 0.5, plan, tmp_path, JobPlace(), lambda *_: None)
    assert 0 < found.positions < sum(len(arrays["searched"]) for arrays in old.values())
    together = merged(found.parts)
    lengths = np.sort(np.concatenate([arrays["lengths"] for arrays in old.values()]))
    assert set(lengths) <= set(together["lengths"])
    assert len(together["searched"]) == sum(len(arrays["searched"]) for arrays in old.values()) + found.overturned
    write_arrays(tmp_path / "all.npz", together)
    assert read_record_file(tmp_path / "all.npz").searches is not None
    again = reanalyze(old, 0.5, plan, tmp_path, JobPlace(), lambda *_: pytest.fail("searched twice"))
    assert all((merged(again.parts)[name] == together[name]).all() for name in together)


def test_what_is_overturned_counts_twice(games: list[dict[str, Any]]) -> None:
    arrays = game_arrays(SIZE, games[:2])
    counts = [len(arrays["searched"]), *(sum(ply < len(game["moves"]) for ply, *_ in game["searched"]) for game in games[:2])]
    searches: dict[str, list[Any]] = {
        f"1 {number}": [search for search in game["searched"] if search[0] < len(game["moves"])] for number, game in enumerate(games[:2])
    }
    ply, moves, visits, value = searches["1 1"][0]
    searches["1 1"][0] = [ply, [*moves, 48], [*visits, 1000], value]
    found = put_together({1: arrays}, {1: np.array([True, True])}, searches)
    assert (found.positions, found.overturned) == (counts[0], 1)
    assert [len(part["lengths"]) for part in found.parts] == [2, 1]
    assert list(found.parts[1]["searched"]) == [ply] and list(found.parts[1]["moves"]) == games[1]["moves"]
    assert found.parts[1]["visit_counts"][-1] == 1000


def test_more_visits_than_a_file_holds_are_cut(games: list[dict[str, Any]]) -> None:
    game = games[0] | {"searched": [[0, [24], [100_000], 0.5]]}
    arrays = game_arrays(SIZE, [game])
    found = put_together({1: arrays}, {1: np.array([True])}, {"1 0": game["searched"]})
    assert [list(part["visit_counts"]) for part in (arrays, *found.parts)] == [[65_535], [65_535]]


# ---------------------------------------------------------------- generations


def plan_of(games: int, **changes: Any) -> GenerationPlan:
    """A quick generation."""
    return GenerationPlan(1, SHIPPED_SMALL, SelfplayParams(**(QUICK | changes)), games, 1)


def test_a_generation_goes_on_and_more_games_make_it_longer(tmp_path: Path) -> None:
    first = play_generation(plan_of(2), tmp_path, JobPlace(), lambda *_: None)
    assert first["games"] == 2 and (tmp_path / FIGURES).exists()
    told: list[int] = []
    more = play_generation(plan_of(4), tmp_path, JobPlace(2), lambda done, _total: told.append(done))
    assert (more["games"], told) == (4, [3, 4])
    assert play_generation(plan_of(4), tmp_path, JobPlace(), lambda *_: pytest.fail("played again")) == more
    assert len(read_record_file(tmp_path / GAMES)) == 4


def test_a_part_of_the_games_begins_as_records_do() -> None:
    moves = np.arange(40, dtype=np.uint16)
    two, ones = np.array([20, 20], np.uint16), np.ones(2, np.int8)
    records = Records(SIZE, moves, two, ones, np.ones(2, np.float32), np.full(2, 9.0, np.float32))
    plan = GenerationPlan(1, SHIPPED_SMALL, SelfplayParams(**QUICK, records_share=0.5), 200, 1, (records,))
    openings = [job.data.opening for job in jobs(plan)]
    assert 60 < sum(len(opening) > 0 for opening in openings) < 130
    assert {opening[0] for opening in openings if opening} == {0, 20}
    assert openings == [job.data.opening for job in jobs(plan)]


def test_places_and_points_are_inverse() -> None:
    assert [place_of(point_of(place, SIZE), SIZE) for place in range(SIZE * SIZE + 1)] == list(range(SIZE * SIZE + 1))
    assert point_of(0, SIZE) == point_at(SIZE, 1)
