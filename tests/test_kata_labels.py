"""Labels: positions of records, what a network says of them, and the files of them. None of this needs torch."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kata_blocks import PoolingResidual, Residual
from kata_twin import Twin

from gtp_engine.base.files import write_arrays
from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.cli.main import main
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.network.katago.backend import Compiled, KataBackend
from gtp_engine.engine.network.katago.inputs import encode_leaf
from gtp_engine.engine.network.katago.model import GLOBALS, PLANES
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.look import look
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of, point_of
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rules import CHINESE, RULE_SETS, Rules
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.games import read_boards
from gtp_engine.learning.training.katago import suite
from gtp_engine.learning.training.katago.batches import LabelMixture, encode, turned_places
from gtp_engine.learning.training.katago.choice import ChoiceParams
from gtp_engine.learning.training.katago.figures import label_figures
from gtp_engine.learning.training.katago.label_job import LabelSpec, LabelWorker, Teacher, unpacked
from gtp_engine.learning.training.katago.labelling import LabelPlan, make_labels
from gtp_engine.learning.training.katago.labels import LabelOrigin, Labels, label_arrays, read_labels
from gtp_engine.learning.training.katago.positions import KataInputs, NetworkAnswer, NetworkJudge, RecordPosition
from gtp_engine.learning.training.katago.suite import turned_position
from gtp_engine.learning.training.records import Records

pytestmark = pytest.mark.usefixtures("jobs_here")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Converted networks go into a folder of the test's own."""
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")


def random_game(size: int, rules: Rules, moves: int, seed: int) -> Game:
    """Legal moves at random, passes among them."""
    random, game = np.random.default_rng(seed), Game(size, rules)
    color = BLACK
    for _ in range(moves):
        legal = [*game.legal_points(color), point_of(size * size, size)]
        game.play(color, int(random.choice(legal)))
        color = BLACK + WHITE - color
    return game


def position_of(game: Game, komi: float) -> RecordPosition:
    """The game's position as records have it."""
    places = np.array([place_of(point, game.size) for _, point in game.moves], np.uint16)
    return RecordPosition(game.size, places, komi, game.rules)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_replayed_positions_look_as_they_do_in_a_search(rules: Rules) -> None:
    """Small boards, on which much is captured and repeated."""
    inputs, scratch = KataInputs(), np.zeros(1, SCRATCH)
    for seed, (size, moves) in enumerate([(3, 0), (3, 1), (3, 2), (3, 30), (4, 40), (5, 60), (5, 61)]):
        game = random_game(size, rules, moves, seed)
        planes, numbers = np.zeros((PLANES, size, size), np.float32), np.zeros(GLOBALS, np.float32)
        encode_leaf(leaf_of(game, game.to_play, 6.5), scratch, planes, numbers)
        found_planes, found_numbers, _ = inputs.batch([position_of(game, 6.5)])
        np.testing.assert_array_equal(found_planes[0], planes)
        np.testing.assert_array_equal(found_numbers[0], numbers)


def test_a_network_judges_many_positions_as_it_does_one(tmp_path: Path) -> None:
    path = Twin(12, (Residual, PoolingResidual)).save(tmp_path / "twin")
    network = format_of(path).load(path, SearchParams(threads=1))
    games = [random_game(size, rules, 12, size) for size in (4, 5, 4) for rules in RULE_SETS.values()]
    judge = NetworkJudge(network, most=4)
    for game, said in zip(games, judge([position_of(game, 2.5) for game in games]), strict=True):
        seen = look(game, 2.5, network, game.to_play)
        assert said.win == pytest.approx(seen.win_rate, abs=1e-6) and said.lead == pytest.approx(seen.lead, abs=1e-5)
        assert said.policy.sum() == pytest.approx(1.0) == said.optimistic.sum()
        assert {point_of(int(place), game.size) for place in np.flatnonzero(said.policy)} == set(seen.policy)
        for place in range(game.size**2):
            assert said.ownership[place] == pytest.approx(seen.ownership[point_of(place, game.size)])


def test_a_network_is_compiled_once_for_each_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the sizes take turns: a compiled network takes as much memory as its weights, and more."""
    compiled: list[int] = []
    compile_for = KataBackend._compile

    def counted(backend: KataBackend, size: int) -> Compiled:
        """Compile, and write the size down."""
        compiled.append(size)
        return compile_for(backend, size)

    monkeypatch.setattr(KataBackend, "_compile", counted)
    path = Twin(12, (Residual,)).save(tmp_path / "twin")
    judge = NetworkJudge(format_of(path).load(path, SearchParams(threads=1)), most=4)
    for count in (1, 4, 2, 3):
        judge([position_of(random_game(size, CHINESE, 5, size), 2.5) for size in (3, 4, 5) * count])
    assert sorted(compiled) == [3, 4, 5]


def test_illegal_moves_are_told() -> None:
    position = RecordPosition(5, np.array([12, 12], np.uint16), 0.0, RULE_SETS["chinese"])
    with pytest.raises(TrainingError, match="move 2 of a position is illegal"):
        KataInputs().batch([position])


# ---------------------------------------------------------------- labels


def records_of(games: int, size: int = 5, moves: int = 12) -> Records:
    """Random games."""
    played = [position_of(random_game(size, CHINESE, moves, seed), 0.0).moves for seed in range(games)]
    counts = np.full(games, moves, np.uint16)
    return Records(
        size, np.concatenate(played), counts, np.ones(games, np.int8), np.full(games, -1.0, np.float32), np.full(games, 2.5, np.float32)
    )


def write_records(path: Path, games: int) -> Path:
    """The same as a record file."""
    records = records_of(games)
    names = ("moves", "lengths", "winner", "margin", "komi")
    np.savez(path, size=np.array(records.size), **{name: getattr(records, name) for name in names})
    return path


def plan(tmp_path: Path, positions: int, seed: int = 1) -> LabelPlan:
    """Labels of twenty small games."""
    network = Twin(12, (Residual,)).save(tmp_path / "teacher")
    records = write_records(tmp_path / "records.npz", 20)
    spec = LabelSpec(Teacher(str(network)), (str(records),), (9,), str(tmp_path / "unpacked"), (), ChoiceParams(4, 0.5), 0)
    return LabelPlan(spec, seed, positions)


def test_children_are_legal_and_stand_together(tmp_path: Path) -> None:
    labels = Labels("made", unpacked(LabelWorker(None)(plan(tmp_path, 32).spec, 1)))
    starts, arrays = labels.groups, labels.arrays
    families = [(first, last) for first, last in pairwise(starts) if last - first > 1]
    assert len(labels) > 32 and 3 < len(families) < 32
    KataInputs().batch([labels.position(i) for i in range(len(labels))])  # raises where a move is illegal
    for first, last in families:
        positions = [labels.position(i) for i in range(first, last)]
        assert last - first <= 4 and len({int(position.moves[-1]) for position in positions}) == last - first
        assert len({(position.moves[:-1].tobytes(), position.komi, position.rules.name) for position in positions}) == 1
    assert len(set(arrays["komi"])) > 3 and len(set(arrays["rules"])) > 1


def test_a_label_holds_what_the_teacher_says(tmp_path: Path) -> None:
    made = plan(tmp_path, 32)
    labels = Labels("made", unpacked(LabelWorker(None)(made.spec, 1)))
    path = Path(made.spec.teacher.path)
    judge = NetworkJudge(format_of(path).load(path, SearchParams(threads=1)), 8)
    for i, said in enumerate(judge([labels.position(i) for i in range(len(labels))])):
        label = labels[i]
        np.testing.assert_allclose(label.policy, [said.policy, said.optimistic], atol=0.0011)
        np.testing.assert_allclose(label.ownership, said.ownership, atol=0.0051)
        assert label.win == pytest.approx(said.win, abs=1e-5) and label.lead == pytest.approx(said.lead, abs=1e-3)
    figures = label_figures([labels[i] for i in range(len(labels))], judge([labels.position(i) for i in range(len(labels))]))
    assert figures.nats < 0.01 and figures.top == 1.0 and figures.blunders == 0.0 and figures.win_error < 1e-5


def test_a_run_goes_on_where_it_was_and_more_positions_are_added(tmp_path: Path) -> None:
    short, whole = plan(tmp_path, 32), plan(tmp_path, 96)
    for output, plans in ((tmp_path / "one.npz", (whole,)), (tmp_path / "two.npz", (short, whole))):
        for each in plans:
            arrays = make_labels(each, output, JobPlace(), lambda *_: None)
        assert len(read_labels(output)) == len(arrays["sizes"])
    one, two = (read_labels(tmp_path / name).arrays for name in ("one.npz", "two.npz"))
    for name, array in one.items():
        np.testing.assert_array_equal(array, two[name])
    with pytest.raises(StoreError, match="seed"):
        make_labels(replace(whole, seed=2), tmp_path / "one.npz", JobPlace(), lambda *_: None)


def damaged_labels() -> dict[str, tuple[dict[str, Any], str]]:
    """Arrays that don't fit, and what is said of them."""
    return {
        "size": ({"sizes": np.full(2, 40, np.uint8)}, "don't fit together"),
        "move": ({"moves": np.array([99, 3], np.uint16)}, "outside of its board"),
        "win": ({"win": np.array([0.5, 1.5], np.float32)}, "beyond its bounds"),
        "nan": ({"lead": np.array([np.nan, 1.5], np.float32)}, "no number"),
        "rules": ({"rules_names": np.array(["chess"])}, "rules that there are not"),
        "kind": ({"komi": np.array(["a", "b"])}, "komi has another type"),
        "length": ({"lengths": np.array([1, 2], np.uint16)}, "don't fit together"),
        "owner": ({"ownership": np.full(50, 101, np.int8)}, "owners beyond"),
        "policy": ({"policy_counts": np.array([2, 0], np.uint16)}, "without a policy"),
    }


@pytest.mark.parametrize("kind", damaged_labels())
def test_damaged_labels_are_told_in_one_sentence(tmp_path: Path, kind: str) -> None:
    changes, says = damaged_labels()[kind]
    even = np.full(26, 1 / 26)
    said = NetworkAnswer(even, even, 0.5, 1.0, np.zeros(25, np.float32))
    positions = [RecordPosition(5, np.array([place], np.uint16), 2.5, CHINESE) for place in (7, 8)]
    arrays = label_arrays([(LabelOrigin(0, i, 1, i), position, said) for i, position in enumerate(positions)], ["games"], "teacher")
    write_arrays(tmp_path / "good.npz", arrays)
    assert len(read_labels(tmp_path / "good.npz")) == 2
    if kind == "policy":
        changes = {**changes, "policy_moves": arrays["policy_moves"][:2], "policy": arrays["policy"][:2]}
    write_arrays(tmp_path / "bad.npz", {**arrays, **changes})
    with pytest.raises(TrainingError) as caught:
        read_labels(tmp_path / "bad.npz")
    assert says in str(caught.value) and str(caught.value).startswith(str(tmp_path / "bad.npz"))


def test_boards_of_every_size_in_a_folder_of_sgf_files(tmp_path: Path) -> None:
    for number, size in enumerate((9, 13, 13)):
        (tmp_path / f"{number}.sgf").write_text(f"(;SZ[{size}]KM[7]RE[B+R];B[cc];W[dd];B[ee])")
    found = read_boards([tmp_path], (9, 13, 19), tmp_path, lambda _count: None)
    assert [(records.size, len(records)) for records in found] == [(9, 1), (13, 2)]
    with pytest.raises(TrainingError, match="no games to learn from"):
        read_boards([tmp_path], (19,), tmp_path, lambda _count: None)


def test_files_that_are_no_labels_are_told(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("labels")
    write_records(tmp_path / "records.npz", 2)
    for name in ("text.npz", "records.npz", "missing.npz"):
        with pytest.raises(TrainingError, match=f"{name} is not a file of labels"):
            read_labels(tmp_path / name)


def test_batches_hold_whole_families_and_no_held_out_game(tmp_path: Path) -> None:
    labels = Labels("made", unpacked(LabelWorker(None)(plan(tmp_path, 32).spec, 1)))
    mixture = LabelMixture([labels], (), 24, 5)
    one, same, other = mixture.batch(3), mixture.batch(3), mixture.batch(4)
    np.testing.assert_array_equal(one.planes, same.planes)
    assert len(one) >= 24 and one.policy.shape == (len(one), 2, 26) and not np.array_equal(one.win[:20], other.win[:20])
    learned = {float(labels.arrays["win"][i]) for i in np.flatnonzero(~labels.held_out)}
    assert {float(win) for step in range(20) for win in mixture.batch(step).win} <= learned
    assert set(labels.arrays["game"][labels.held_out]) == {9, 19}


@pytest.mark.parametrize("symmetry", range(8))
def test_a_turned_batch_is_the_batch_of_turned_moves(tmp_path: Path, symmetry: int) -> None:
    labels = Labels("made", unpacked(LabelWorker(None)(plan(tmp_path, 32).spec, 1)))
    inputs = KataInputs()
    turned = encode([labels[i] for i in range(8)], symmetry, inputs)
    planes, _, _ = inputs.batch([turned_position(labels.position(i), symmetry) for i in range(8)])
    np.testing.assert_array_equal(turned.planes, planes)
    at = turned_places(5, symmetry)
    np.testing.assert_array_equal(turned.policy[0, 0, :-1], labels[0].policy[0][at])
    np.testing.assert_array_equal(turned.ownership[0], labels[0].ownership[at])


# ---------------------------------------------------------------- the suite


def test_a_teacher_agrees_with_its_own_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "LEAST_WIN", 0.0)
    path = Twin(12, (Residual,)).save(tmp_path / "teacher")
    judge = NetworkJudge(format_of(path).load(path, SearchParams(threads=1)), 8)
    lines = list(suite.make_suite([records_of(20)], judge, 3, 1, lambda _made: None))
    (tmp_path / "suite.jsonl").write_text("\n".join(lines))
    positions = suite.read_suite(tmp_path / "suite.jsonl")
    found = suite.suite_figures(positions, judge)
    assert (found.positions, found.loss_by_value) == (3, 0.0)
    assert found.rmse < 1e-4 and found.correlation > 0.9 and 0.0 < found.deviation < 0.5
    for each in positions:
        assert len(each.places) == len(each.children) == len(set(each.places.tolist())) and np.argmax(each.policy) >= 0


def test_a_suite_of_the_first_form_is_read(tmp_path: Path) -> None:
    """9x9, komi 7, Chinese rules, without saying so."""
    line = {
        "moves": [40, 41],
        "win": 0.6,
        "lead": 1.5,
        "policy": [-0.1 * i for i in range(82)],
        "children": [[0, 0.5, -1.0], [80, 0.25, -2.0]],
    }
    (tmp_path / "suite.jsonl").write_text(json.dumps(line))
    (found,) = suite.read_suite(tmp_path / "suite.jsonl")
    assert (found.position.size, found.position.komi, found.position.rules) == (9, 7.0, CHINESE)
    assert found.places.tolist() == [0, 80] and found.policy.tolist() == [0.0, -8.0]
    assert [child.moves.tolist() for child in found.children] == [[40, 41, 0], [40, 41, 80]]


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"moves": [0]}', '{"moves": [99], "win": 1, "lead": 0, "policy": [], "children": [[0, 1, 1]]}']
)
def test_what_is_no_suite_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "suite.jsonl").write_text(text)
    with pytest.raises(TrainingError, match=r"suite\.jsonl"):
        suite.read_suite(tmp_path / "suite.jsonl")


# ---------------------------------------------------------------- the command line


def test_a_teacher_in_int8_says_nearly_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Twin(12, (Residual,)).save(tmp_path / "teacher")
    write_records(tmp_path / "records.npz", 20)
    words = ["train", "label", "records.npz", "--network", "teacher.bin.gz", "--positions", "32", "--children", "0", "--cache", "unpacked"]
    for precision in ("f32", "int8"):
        assert main([*words, "--precision", precision, "--output", f"{precision}.npz"]) == 0
    exact, near = (read_labels(tmp_path / f"{precision}.npz").arrays for precision in ("f32", "int8"))
    np.testing.assert_array_equal(exact["moves"], near["moves"])
    assert 0.0 < np.abs(exact["win"] - near["win"]).max() < 0.05


def test_labels_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Twin(12, (Residual,)).save(tmp_path / "teacher")
    write_records(tmp_path / "records.npz", 20)
    words = ["train", "label", "records.npz", "--network", "teacher.bin.gz", "--positions", "32", "--children", "0"]
    assert main([*words, "--cache", "unpacked"]) == 0
    assert len(read_labels(tmp_path / "labels.npz")) == 32
    assert "wrote labels.npz: 32 labels" in capsys.readouterr().err
    for wrong, says in (
        ([*words, "--shares", "1,2"], "--shares has 2 numbers"),
        ([*words, "--family-share", "2"], "--family-share is a number from 0 to 1"),
        ([*words, "--size", "9,1"], "is not a list of sizes"),
        (["train", "label", "records.npz", "--network", "missing.bin.gz"], "missing.bin.gz"),
        (["train", "label", "records.npz", "--network", "other.kata.onnx"], "expected a network of KataGo's form, .bin.gz or .txt.gz"),
        ([*words, "--output", "nowhere/labels.npz"], "is not a folder"),
        ([*words, "--precision", "int8", "--backend", "openvino"], "--precision int8 needs --backend onnxruntime"),
        ([*words, "--precision", "bf16"], "--precision bf16 needs --backend openvino"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main([*wrong, "--cache", "unpacked"])
        assert says in capsys.readouterr().err
