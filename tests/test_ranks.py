"""Ranks: as text, in the positions that are learned from, and in what a network is told."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kata_blocks import Residual
from kata_twin import Twin
from test_training_records import DIAGONAL, make_records

from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.human_profile import STRONGEST, WEAKEST, rank_profile
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.network.katago.players import players_of, players_of_rank
from gtp_engine.engine.network.loading import load_network
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK
from gtp_engine.go.rank_names import STRONGEST_LEARNED, UNKNOWN_RANK, WEAKEST_LEARNED, rank_text, read_rank
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training.katago.positions import KataInputs, NetworkJudge, RecordLeaf, RecordPosition
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.katago.source import Label
from gtp_engine.learning.training.rank_accuracy import RankAccuracy, judge_moves
from gtp_engine.learning.training.records import Records

TWIN = Twin(15, (Residual,), has_metadata=True)


@pytest.fixture
def human(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenNetwork:
    """TWIN, open."""
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")
    return load_network(TWIN.save(tmp_path / "human"), SearchParams(threads=1))


def ranked_records(ranks: list[tuple[int, int]], programs: list[int], margins: list[float] | None = None) -> Records:
    """As many games of the same moves, with these ranks of Black and White, and with programs by bit 0 and 1."""
    records = make_records([DIAGONAL] * len(ranks), margins=margins)
    return replace(records, ranks=np.array(ranks, np.int8), programs=np.array(programs, np.uint8))


def drawn(records: Records, count: int = 300) -> list[Label]:
    """Labels by rank of these games, none of which is held out."""
    source = RecordLabels("games", records, np.zeros(len(records), bool), by_rank=True)
    return source.draw(np.random.default_rng(1), count, RecordLeaf())


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(("text", "rank"), [("30k", 0), ("12K", 18), ("1k", 29), ("1d", 30), ("9d", 38)])
def test_a_rank_is_read_and_written(text: str, rank: int) -> None:
    assert read_rank(text) == rank and rank_text(rank) == text.lower()


@pytest.mark.parametrize("text", ["", "31k", "0k", "10d", "12", "k", "-3k"])
def test_what_is_no_rank_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a rank from 30k to 1k or 1d to 9d"):
        read_rank(text)


# ---------------------------------------------------------------- positions


def test_only_games_between_persons_are_left() -> None:
    records = ranked_records([(12, 25), (12, 25), (UNKNOWN_RANK, 3), (7, 8)], [0, 1, 0, 0])
    persons = records.of_persons()
    assert persons.ranks is not None and persons.ranks.tolist() == [[12, 25], [7, 8]] and len(persons.moves) == 10
    unranked = make_records([DIAGONAL])
    assert unranked.of_persons() is unranked


def test_only_games_where_a_person_has_a_learned_rank_are_left() -> None:
    """Of the fourth game the player of a learned rank is a program."""
    ranks = [(12, UNKNOWN_RANK), (9, 33), (WEAKEST_LEARNED, 38), (12, 3)]
    learned = ranked_records(ranks, [0, 0, 0, 1]).with_learned_ranks()
    assert learned.ranks is not None and learned.ranks.tolist() == [[12, UNKNOWN_RANK], [WEAKEST_LEARNED, 38]]
    assert len(make_records([DIAGONAL]).with_learned_ranks()) == 0


@pytest.mark.parametrize(
    ("ranks", "programs", "learned"),
    [
        ((12, 25), 0, {0: 12, 1: 25, 2: 12, 3: 25, 4: 12}),
        ((12, 25), 2, {0: 12, 2: 12, 4: 12}),
        ((UNKNOWN_RANK, 25), 0, {1: 25, 3: 25}),
        ((WEAKEST_LEARNED - 1, STRONGEST_LEARNED), 0, {1: STRONGEST_LEARNED, 3: STRONGEST_LEARNED}),
        ((WEAKEST_LEARNED, STRONGEST_LEARNED + 1), 0, {0: WEAKEST_LEARNED, 2: WEAKEST_LEARNED, 4: WEAKEST_LEARNED}),
    ],
    ids=["persons", "a program", "an unknown rank", "too weak", "too strong"],
)
def test_a_position_has_the_rank_of_the_person_who_moves(ranks: tuple[int, int], programs: int, learned: dict[int, int]) -> None:
    records = ranked_records([ranks], [programs])
    assert {len(label.position.moves): label.position.rank for label in drawn(records)} == learned
    source = RecordLabels("games", records, np.ones(1, bool), by_rank=True)
    (measured,) = source.held_out_labels(100, RecordLeaf()).values()
    assert {len(label.position.moves): label.position.rank for label in measured} == learned


@pytest.mark.parametrize("programs", [0, 2])
def test_the_end_of_a_counted_game_is_learned_of_a_person_only(programs: int) -> None:
    """White would pass after the five moves."""
    labels = drawn(ranked_records([(12, 25)], [programs], margins=[3.0]))
    ends = {label.position.rank for label in labels if len(label.position.moves) == len(DIAGONAL)}
    assert ends == (set() if programs else {25})


def test_a_rank_with_four_times_as_many_moves_is_drawn_twice_as_often() -> None:
    """And one with sixteen times as many four times as often."""
    records = ranked_records([(18, 18)] * 16 + [(20, 20)] * 4 + [(30, 30)], [0] * 21)
    ranks = Counter(label.position.rank for label in drawn(records, 4000))
    assert [ranks[rank] / 4000 for rank in (18, 20, 30)] == pytest.approx([4 / 7, 2 / 7, 1 / 7], abs=0.03)


@pytest.mark.parametrize(
    ("ranks", "programs", "told"), [((12, 25), 0, {12, 25}), ((12, 25), 2, {12, UNKNOWN_RANK}), ((5, 38), 0, {UNKNOWN_RANK})]
)
def test_where_any_player_is_learned_from_known_ranks_are_told(ranks: tuple[int, int], programs: int, told: set[int]) -> None:
    source = RecordLabels("games", ranked_records([ranks], [programs]), np.zeros(1, bool))
    labels = source.draw(np.random.default_rng(1), 50, RecordLeaf())
    assert {label.position.rank for label in labels} == told
    assert {len(label.position.moves) for label in labels} == set(range(5))


# ---------------------------------------------------------------- what a network is told


@pytest.mark.parametrize("rank", [WEAKEST, STRONGEST])
def test_a_network_is_told_of_two_persons_of_that_rank(rank: int) -> None:
    assert np.array_equal(players_of_rank(rank, 25), players_of(rank_profile(rank), BLACK, 25))


def test_an_unknown_rank_is_told_as_zeros() -> None:
    assert not players_of_rank(UNKNOWN_RANK, 25).any()


@pytest.mark.parametrize("rank", [WEAKEST - 1, STRONGEST + 1])
def test_a_rank_that_human_networks_do_not_know_is_refused(rank: int) -> None:
    with pytest.raises(ValueError, match="20k to 9d"):
        players_of_rank(rank, 25)


def positions_of(ranks: list[int]) -> list[RecordPosition]:
    """The same position for players of these ranks."""
    return [RecordPosition(5, np.array([12, 7], np.uint16), 6.5, CHINESE, rank) for rank in ranks]


def test_each_leaf_of_a_batch_has_a_rank_of_its_own(human: OpenNetwork) -> None:
    """As the slow forward pass with these players."""
    ranks = [WEAKEST, UNKNOWN_RANK, STRONGEST]
    planes, numbers, players = KataInputs().batch(positions_of(ranks))
    batch = human.backend.new_batch(5, 3)
    batch.planes[:], batch.globals[:] = planes, numbers
    batch.tell_ranks(ranks)
    batch.run()
    for row in range(3):
        expected = TWIN.run(planes[row], numbers[row], players[row])
        np.testing.assert_allclose(batch.policy[row], expected.policy, atol=1e-5)
    assert np.abs(batch.policy[0] - batch.policy[2]).max() > 0.001


def test_a_network_judges_each_position_by_its_players_rank(human: OpenNetwork) -> None:
    """Together, in batches that are used again, as alone; `train evaluate` and `train agreement` ask in this way."""
    positions = positions_of([WEAKEST, 20, UNKNOWN_RANK, STRONGEST, 20])
    alone = [NetworkJudge(human)([position])[0] for position in positions]
    for said, other in zip(NetworkJudge(human, most=2)(positions), alone, strict=True):
        np.testing.assert_allclose(said.policy, other.policy, atol=1e-5)
    assert np.array_equal(alone[1].policy, alone[4].policy)
    assert len({each.policy.tobytes() for each in alone}) == 4


def test_a_network_that_is_not_told_of_ranks_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")
    batch = load_network(Twin(15, (Residual,)).save(tmp_path / "plain"), SearchParams(threads=1)).backend.new_batch(5)
    with pytest.raises(NetworkError, match="does not know ranks; they need a human network"):
        batch.tell_ranks([20])


# ---------------------------------------------------------------- how well a network knows them


def test_moves_are_judged_by_the_right_rank_and_by_wrong_ones(human: OpenNetwork) -> None:
    records = ranked_records([(12, 25), (12, 40)], [0, 0])
    figures = {each.rank: each for each in judge_moves(human, records, 100)}
    assert {rank: each.positions for rank, each in figures.items()} == {"18k": 6, "5k": 2}
    played = [RecordPosition(5, np.array(DIAGONAL[:number], np.uint16), 6.5, CHINESE, 12) for number in (0, 2, 4)]
    for field, change in (("nll", 0), ("nll_weaker", -2), ("nll_stronger", 6)):  # nobody is weaker than 20k
        said = NetworkJudge(human)([replace(each, rank=12 + change) for each in played])
        expected = np.mean([-np.log(each.policy[DIAGONAL[len(position.moves)]]) for each, position in zip(said, played, strict=True)])
        assert getattr(figures["18k"], field) == pytest.approx(expected, abs=0.3), "illegal moves get a little there"
    assert isinstance(figures["5k"], RankAccuracy) and 0.0 <= figures["5k"].top1 <= 1.0
