"""Made problems as records to learn from: the same stones, the same player to move, every right move, and that it wins."""

from pathlib import Path

import numpy as np
import pytest

from gtp_engine.cli.main import main
from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN, RECENT
from gtp_engine.engine.network.katago.model import PLANES
from gtp_engine.engine.search.leaf import HISTORY
from gtp_engine.go.places import place_of
from gtp_engine.go.points import opponent
from gtp_engine.learning.training.katago.batches import LabelMixture
from gtp_engine.learning.training.katago.positions import KataInputs
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.records import read_record_file
from gtp_engine.sgf import load

MAKE = ["problems", "--seed", "5", "--count", "3", "--size", "9", "--kind", "kill", "--kind", "live", "--kind", "nakade", "--records"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three problems and their record file."""
    output = tmp_path_factory.mktemp("lessons")
    assert main([*MAKE, "--output", str(output)]) == 0
    return output


def test_what_is_learned_is_what_the_record_shows(folder: Path) -> None:
    records = read_record_file(folder / "problems-9x9.npz")
    assert records.size == 9 and len(records) == 3 and records.searches is not None and len(records.searches) == 3
    inputs = KataInputs()
    for number, path in enumerate(sorted(folder.glob("*.sgf"))):
        problem, lesson = load(path), records.games(number, number + 1)
        (label,) = RecordLabels("lesson", lesson).draw(np.random.default_rng(1), 1, inputs.leaf)
        planes, color = inputs.batch([label.position])[0][0].reshape(PLANES, 81), problem.game.to_play
        for plane, side in ((OWN, color), (OPPONENT, opponent(color))):
            assert set(np.flatnonzero(planes[plane])) == {place_of(point, 9) for point in problem.game.stones(side)}
        assert not planes[RECENT : RECENT + HISTORY].any()
        assert label.position.komi == problem.komi and label.win == 1.0
        right = (folder / "problems.tst").read_text().split("#? [")[number + 1].split("]")[0].split("|")
        named = {f"{'ABCDEFGHJ'[place % 9]}{9 - place // 9}" for place in np.flatnonzero(label.policy[0])}
        assert named == set(right) and label.policy[0].max() == pytest.approx(1 / len(right))


def test_a_lesson_can_be_drawn_in_every_orientation(folder: Path) -> None:
    mixture = LabelMixture([RecordLabels("lessons", read_record_file(folder / "problems-9x9.npz"))], (), 4, 2)
    batches = [mixture.batch(step) for step in range(24)]
    assert len({planes[OWN].tobytes() for batch in batches for planes in batch.planes}) > 8
    assert all((batch.win == 1.0).all() for batch in batches)
