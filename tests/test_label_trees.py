"""Labels of positions inside a student's search trees, and labels by a teacher's searches."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from kata_blocks import PoolingResidual, Residual
from kata_twin import Twin
from test_kata_labels import plan, write_records

from gtp_engine.base.jobs.append_only import StoreError
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.cli.main import main
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training.katago.choice import ChoiceParams
from gtp_engine.learning.training.katago.label_job import LabelWorker, unpacked
from gtp_engine.learning.training.katago.labelling import LabelPlan, make_labels
from gtp_engine.learning.training.katago.labels import Labels, read_labels
from gtp_engine.learning.training.katago.position_search import PositionSearch, Student, drawn_siblings, open_student
from gtp_engine.learning.training.katago.positions import KataInputs, NetworkAnswer, NetworkJudge, RecordPosition

pytestmark = pytest.mark.usefixtures("jobs_here")
VISITS = 40


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Converted networks go into a folder of the test's own."""
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")


def search_of(tmp_path: Path) -> PositionSearch:
    """The search of a small random network."""
    return open_student(Student(str(Twin(12, (PoolingResidual,)).save(tmp_path / "student")), VISITS))


def taught_plan(tmp_path: Path, positions: int) -> LabelPlan:
    """Labels of small games; half of the positions bring some of the student's tree, the others nothing."""
    student = Student(str(Twin(12, (PoolingResidual,)).save(tmp_path / "student")), VISITS)
    short = plan(tmp_path, positions)
    return replace(short, spec=replace(short.spec, choice=ChoiceParams(6, 0.0, 0.5), student=student))


def position_after(*places: int) -> RecordPosition:
    """A position on 5x5."""
    return RecordPosition(5, np.array(places, np.uint16), 2.5, CHINESE)


def test_every_evaluated_position_of_a_tree_is_found_once_with_its_siblings(tmp_path: Path) -> None:
    search, root = search_of(tmp_path), position_after(12, 7)
    families = search.siblings(root, 5)
    lines = [tuple(child.moves.tolist()) for family in families for child in family]
    assert VISITS // 2 < len(lines) == len(set(lines)) <= VISITS  # fewer where finished games are visited again
    known = {tuple(root.moves.tolist()), *lines}
    for family in families:
        parents = {tuple(child.moves[:-1].tolist()) for child in family}
        assert len(parents) == 1 and parents <= known
    KataInputs().batch([child for family in families for child in family])  # raises where a move is illegal


def test_a_tree_depends_on_its_seed_only(tmp_path: Path) -> None:
    search, root, other = search_of(tmp_path), position_after(12, 7), position_after(0, 24, 4)
    first = search.siblings(root, 5)
    search.siblings(other, 6)
    again = search.siblings(root, 5)
    assert [[child.moves.tolist() for child in family] for family in first] == [
        [child.moves.tolist() for child in family] for family in again
    ]


def test_finished_games_are_left_out(tmp_path: Path) -> None:
    """White to move after a pass: its own pass would end the game."""
    families = search_of(tmp_path).siblings(position_after(12, 25), 1)
    moves = [child.moves.tolist() for family in families for child in family]
    assert moves and not any(line[-2:] == [25, 25] for line in moves)


def test_a_drawn_position_brings_its_siblings() -> None:
    families = [[position_after(place, other) for other in range(5, 5 + size)] for place, size in enumerate((1, 3, 8))]
    random = np.random.default_rng(1)
    first_sizes = []
    for _ in range(300):
        drawn = drawn_siblings(random, families, 4)
        assert sum(map(len, drawn)) == 4 and len({int(family[0].moves[0]) for family in drawn}) == len(drawn)
        first_sizes.append(len(families[int(drawn[0][0].moves[0])]))
    assert first_sizes.count(8) > 2 * first_sizes.count(3) > 3 * first_sizes.count(1) > 0  # 8 : 3 : 1
    assert sum(map(len, drawn_siblings(random, families, 100))) == 12
    assert drawn_siblings(random, [], 4) == []


def test_labels_of_trees_are_groups_of_siblings(tmp_path: Path) -> None:
    labels = Labels("made", unpacked(LabelWorker(None)(taught_plan(tmp_path, 32).spec, 1)))
    found = [(first, last) for first, last in pairwise(labels.groups.tolist()) if first >= 32]
    assert len(labels) > 32 + 6 * 5 and any(last - first > 1 for first, last in found)
    for first, last in found:
        assert len({labels.position(i).moves[:-1].tobytes() for i in range(first, last)}) == 1
        assert len({int(labels.position(i).moves[-1]) for i in range(first, last)}) == last - first <= 6


def test_a_label_by_a_search_holds_its_visits_and_its_root(tmp_path: Path) -> None:
    raw = plan(tmp_path, 32)
    spec = replace(raw.spec, choice=ChoiceParams(0))
    deep_spec = replace(spec, teacher=replace(spec.teacher, visits=VISITS))
    labels, deep, again = (Labels("made", unpacked(LabelWorker(None)(job, 1))) for job in (spec, deep_spec, deep_spec))
    changed = 0
    for i in range(32):
        one, other = labels[i], deep[i]
        np.testing.assert_array_equal(one.position.moves, other.position.moves)
        np.testing.assert_array_equal(other.policy, again[i].policy)
        np.testing.assert_array_equal(one.ownership, other.ownership)
        visits = other.policy[0] * VISITS
        np.testing.assert_allclose(visits, visits.round(), atol=0.01)
        np.testing.assert_array_equal(other.policy[0], other.policy[1])
        assert abs(one.win - other.win) < 0.5 and 0.0 <= other.win <= 1.0
        changed += one.win != other.win and one.lead != other.lead
    assert changed > 25


def test_the_win_of_a_search_is_the_mean_over_its_tree_without_the_part_for_points(tmp_path: Path) -> None:
    path = Twin(12, (PoolingResidual,)).save(tmp_path / "teacher")
    network = format_of(path).load(path, SearchParams(threads=1))
    search, judge, position = PositionSearch(network, VISITS), NetworkJudge(network), position_after(12, 7)
    (answer,) = judge([position])
    mean = np.mean([said.win if len(at.moves) % 2 == 0 else 1.0 - said.win for at, said in asked(search, judge, position)])
    assert search.deepened(position, answer, 5).win == pytest.approx(mean, abs=0.02)


def asked(search: PositionSearch, judge: NetworkJudge, position: RecordPosition) -> list[tuple[RecordPosition, NetworkAnswer]]:
    """Every position of a search from `position`, itself included, and the network's answer."""
    positions = [position, *(child for family in search.siblings(position, 5) for child in family)]
    return list(zip(positions, judge(positions), strict=True))


def test_a_run_with_a_student_goes_on_and_keeps_to_its_student(tmp_path: Path) -> None:
    short, whole = taught_plan(tmp_path, 32), taught_plan(tmp_path, 64)
    make_labels(short, tmp_path / "two.npz", JobPlace(), lambda *_: None)
    for name in ("one.npz", "two.npz"):
        make_labels(whole, tmp_path / name, JobPlace(), lambda *_: None)
    one, two = (read_labels(tmp_path / name).arrays for name in ("one.npz", "two.npz"))
    for name, array in one.items():
        np.testing.assert_array_equal(array, two[name])
    assert whole.spec.student is not None
    other = replace(whole, spec=replace(whole.spec, student=replace(whole.spec.student, visits=10)))
    with pytest.raises(StoreError, match="visits"):
        make_labels(other, tmp_path / "one.npz", JobPlace(), lambda *_: None)


def test_a_student_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Twin(12, (Residual,)).save(tmp_path / "teacher")
    Twin(12, (PoolingResidual,)).save(tmp_path / "student")
    write_records(tmp_path / "records.npz", 20)
    words = ["train", "label", "records.npz", "--network", "teacher.bin.gz", "--positions", "32", "--family-share", "0"]
    words += ["--student", "student.bin.gz", "--student-visits", "20", "--cache", "unpacked"]
    assert main([*words, "--tree-share", "1", "--children", "3"]) == 0
    assert len(read_labels(tmp_path / "labels.npz")) == 32 * 4
    capsys.readouterr()
    for wrong, says in (
        (["--tree-share", "1.5"], "--tree-share is a number from 0 to 1, not 1.5"),
        (["--tree-share", "0.6", "--family-share", "0.6"], "--family-share 0.6 and --tree-share 0.6 are more than 1 together"),
        (["--student", "missing.bin.gz"], "missing.bin.gz"),
        (["--student-visits", "0"], "--student-visits"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main([*words, *wrong])
        assert says in capsys.readouterr().err
