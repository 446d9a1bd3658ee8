"""Labels drawn from game records: the move played or what a search visited, the result, and whose each point is."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_training_records import DIAGONAL, make_records
from test_training_targets import COUNTED, KOMI, WALLS, searched

from gtp_engine.go.rules import AGA, CHINESE
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.batches import LabelMixture
from gtp_engine.learning.training.katago.figures import held_out_labels
from gtp_engine.learning.training.katago.positions import KataInputs, RecordLeaf
from gtp_engine.learning.training.katago.record_labels import KOMI_SPREAD, RecordLabels
from gtp_engine.learning.training.katago.source import Label
from gtp_engine.learning.training.owners import owners_of
from gtp_engine.learning.training.records import RESIGNED, Records, read_record_file

PASS = 25


def drawn(records: Records, count: int = 300) -> list[Label]:
    """Labels of these games, none of which is held out."""
    labels = RecordLabels("games", records, np.zeros(len(records), bool))
    return labels.draw(np.random.default_rng(1), count, RecordLeaf())


def test_the_move_played_is_the_policy_and_the_winner_the_win() -> None:
    labels = drawn(make_records([DIAGONAL]))
    assert {len(label.position.moves) for label in labels} == set(range(5))
    for label in labels:
        number = len(label.position.moves)
        assert label.position.moves.tolist() == DIAGONAL[:number] and label.position.rules == CHINESE
        assert label.policy.shape == (2, 26) and (label.policy.argmax(1) == DIAGONAL[number]).all() and (label.policy.sum(1) == 1.0).all()
        assert label.win == (1.0 if number % 2 == 0 else 0.0)
        assert np.isnan(label.lead) and np.isnan(label.ownership).all(), "given up, so nobody counted"


def test_every_position_is_as_likely_as_any_other() -> None:
    """A game of four moves is drawn twice as often as one of two."""
    counts = Counter(len(label.position.moves) for label in drawn(make_records([[0, 1], [5, 6, 7, 8]]), 3000))
    assert [counts[number] / 3000 for number in range(4)] == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=0.04)


def test_a_counted_game_teaches_its_lead_and_what_komi_does() -> None:
    """Black won by 3 points at komi 6.5: with other komi the lead changes by the difference, and so may the winner."""
    labels = drawn(make_records([DIAGONAL], margins=[3.0]), 2000)
    komis = {label.position.komi for label in labels}
    assert len(komis) == 2 * KOMI_SPREAD + 1
    for label in labels:
        sign = 1.0 if len(label.position.moves) % 2 == 0 else -1.0
        lead = sign * (3.0 + 6.5 - label.position.komi)
        assert label.lead == pytest.approx(lead)
        assert label.win == (0.5 if lead == 0.0 else float(lead > 0.0))


def test_a_pass_is_right_after_the_last_move_of_a_counted_game() -> None:
    ends = [label for label in drawn(make_records([DIAGONAL], margins=[3.0])) if len(label.position.moves) == len(DIAGONAL)]
    assert ends and all(label.policy[0, PASS] == 1.0 for label in ends)
    assert all(len(label.position.moves) < len(DIAGONAL) for label in drawn(make_records([DIAGONAL])))


def test_owners_are_told_for_the_side_to_move() -> None:
    records = replace(COUNTED, owners=owners_of(COUNTED, 1, lambda done: None))
    labels = drawn(records)
    known = [label for label in labels if not np.isnan(label.ownership).any()]
    assert 0 < len(known) < len(labels), "the count of one game is not its result, and one was given up"
    for label in known:
        blacks = 1.0 if len(label.position.moves) % 2 == 0 else -1.0
        assert label.ownership.reshape(5, 5).tolist() == [[blacks] * 3 + [-blacks] * 2] * 5


def test_only_searched_positions_are_drawn_and_their_visits_are_the_policy() -> None:
    labels = drawn(searched())
    assert {len(label.position.moves) for label in labels} == {1, 3}
    for label in labels:
        policy, is_first = label.policy[0], len(label.position.moves) == 1
        assert label.position.komi == KOMI
        assert (policy[[0, PASS]].tolist() == [0.75, 0.25]) if is_first else policy[8] == 1.0
        assert label.win == pytest.approx(0.125 if is_first else 0.5), "half the search's chance, half the result: White lost"
        assert np.isnan(label.lead) != is_first


def test_a_game_ends_for_us_at_its_first_illegal_move() -> None:
    """Move 3 plays on an occupied point."""
    labels = drawn(make_records([[0, 6, 0, 12], [7, 11, 8]]))
    assert {tuple(label.position.moves) for label in labels} == {(), (0,), (7,), (7, 11)}


def test_records_of_nothing_but_illegal_moves_end_in_a_sentence() -> None:
    """Otherwise positions would be drawn for hours."""
    with pytest.raises(TrainingError, match="games: hardly any position"):
        drawn(make_records([[3] * 2000]), 8)


def test_every_tenth_game_is_held_out_and_measured_as_it_was_played() -> None:
    games = [[number, 24 - number] for number in range(10)]
    source = RecordLabels("games", make_records(games, margins=[2.5] * 10))
    learned = {label.position.moves[0] for label in source.draw(np.random.default_rng(1), 500, RecordLeaf()) if len(label.position.moves)}
    assert learned == set(range(9))
    held_out = held_out_labels([source], 100)
    assert [label.position.moves.tolist() for label in held_out["5x5"]] == [[], [9]]
    assert {label.position.komi for label in held_out["5x5"]} == {6.5}
    assert len(held_out_labels([source], 1)["5x5"]) == 1
    assert list(held_out_labels([source, RecordLabels("others", make_records(games))], 1)) == ["games, 5x5", "others, 5x5"]
    assert held_out_labels([RecordLabels("few", make_records(games[:9]))], 100) == {}


def test_a_mixture_draws_from_its_sources_in_proportion_and_is_named_by_its_seed() -> None:
    large, small = RecordLabels("large", make_records([[0, 1, 2]], size=9)), RecordLabels("small", make_records([DIAGONAL]))
    mixture = LabelMixture([large, small], (3.0, 1.0), 4, seed=1)
    sizes = [mixture.batch(step).planes.shape[-1] for step in range(200)]
    assert set(sizes) == {5, 9} and 130 <= sizes.count(9) <= 170
    again, other = (LabelMixture([large, small], (3.0, 1.0), 4, seed).batch(7) for seed in (1, 2))
    assert np.array_equal(mixture.batch(7).planes, again.planes) and np.array_equal(again.policy, mixture.batch(7).policy)
    assert again.planes.shape != other.planes.shape or not np.array_equal(again.policy, other.policy)


def test_the_rules_of_a_searched_game_are_those_of_its_positions(tmp_path: Path) -> None:
    """In files without searches, which come from anywhere, `rules` may mean anything."""
    arrays = {"moves": np.array(WALLS * 2, np.uint8), "lengths": np.full(2, len(WALLS)), "winner": np.ones(2, np.int8)}
    arrays |= {"margin": np.full(2, RESIGNED), "size": np.array(5), "rules": np.array([0, 3])}
    np.savez(tmp_path / "games.npz", **arrays)  # type: ignore[arg-type]
    assert {label.position.rules for label in drawn(read_record_file(tmp_path / "games.npz"))} == {CHINESE}
    arrays |= {"searched": np.array([2, len(WALLS) + 2]), "visit_starts": np.arange(3), "visit_moves": np.array([7, 7], np.uint16)}
    arrays |= {"visit_counts": np.ones(2, np.uint16), "root_values": np.full(2, 0.5)}
    np.savez(tmp_path / "games.npz", **{**arrays, "rules": np.array([0, 1])})  # type: ignore[arg-type]
    records = read_record_file(tmp_path / "games.npz")
    assert {label.position.rules for label in drawn(records)} == {CHINESE, AGA}
    assert {label.position.rules for label in drawn(records.games(1, 2))} == {AGA}
    assert {label.position.rules for label in drawn(records.only(np.array([True, False])))} == {CHINESE}
    KataInputs().batch([label.position for label in drawn(records, 4)])
    np.savez(tmp_path / "games.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(TrainingError, match="rules that there are not"):
        read_record_file(tmp_path / "games.npz")
