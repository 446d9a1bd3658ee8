"""A larger network that learns beside a small one and teaches it. Needs the extra `train`, which is why torch is imported inside."""

from pathlib import Path

import pytest
from test_training import TINY, new_trainer, write_games

from gtp_engine.cli.main import main

pytestmark = pytest.mark.train


def test_what_is_taught_lies_halfway_between_the_records_and_the_teacher() -> None:
    """Two points and a pass. The records: the first point was played and won, and the owner of the second isn't known."""
    import torch

    from gtp_engine.learning.training.loss import Answers
    from gtp_engine.learning.training.teacher import taught

    nothing = torch.zeros(1, 0)
    scores, unknown = torch.tensor([4.5]), torch.nan
    answers = Answers(
        nothing, torch.tensor([[1.0, 0.0, 0.0]]), nothing, torch.tensor([1.0]), scores, nothing, torch.tensor([[0.0, unknown]])
    )
    policy, value, owners = torch.tensor([[0.2, 0.6, 0.2]]).log(), torch.tensor([0.6]).logit(), torch.tensor([[0.8, 0.9]]).logit()
    result = taught(answers, (policy, value, torch.tensor([-7.0]), policy, owners))
    assert result.policies[0].tolist() == pytest.approx([0.6, 0.3, 0.1])
    assert result.values.tolist() == pytest.approx([0.8])
    assert result.owners[0].tolist() == pytest.approx([0.4, 0.9])
    assert result.scores is scores


def test_a_teacher_learns_what_a_network_of_its_own_would_and_changes_what_the_small_one_learns() -> None:
    import torch

    both, alone = new_trainer(taught=True), new_trainer()
    before = [value.clone() for value in both.teacher.network.state_dict().values()] if both.teacher else []
    alone.network.load_state_dict(both.network.state_dict())
    both.run(lambda: True)
    alone.run(lambda: True)
    assert both.teacher is not None and both.teacher.size.channels == 12
    assert any(not torch.equal(old, new) for old, new in zip(before, both.teacher.network.state_dict().values(), strict=True))
    ours, theirs = both.network.state_dict(), alone.network.state_dict()
    assert any(not torch.equal(ours[name], theirs[name]) for name in theirs)


def test_nearly_all_processors_draw_positions_for_a_graphics_card() -> None:
    from gtp_engine.learning.training.model import Size
    from gtp_engine.learning.training.trainer import Schedule, Settings

    drawers = {
        (device, threads): Settings(Size(), Schedule(), threads=threads, device=device).drawers
        for device in ("cpu", "cuda")
        for threads in (1, 16)
    }
    assert drawers == {("cpu", 1): 1, ("cpu", 16): 1, ("cuda", 1): 1, ("cuda", 16): 15}


def test_many_threads_draw_the_same_batches_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU, with as many threads as beside a graphics card: the run ends with the same weights."""
    import torch

    from gtp_engine.learning.training.trainer import Settings

    one, many = new_trainer(), new_trainer()
    one.run(lambda: True)
    monkeypatch.setattr(Settings, "drawers", 6)
    many.run(lambda: True)
    ours, theirs = one.network.state_dict(), many.network.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_the_command_writes_the_teacher_too_and_goes_on_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from gtp_engine.learning.training.export import load_network

    games = str(write_games(tmp_path / "games"))
    assert main(["train", "imitation", games, "--folder", str(tmp_path / "run"), "--positions", "16", *TINY]) == 0
    network = str(tmp_path / "run" / "network.onnx")
    taught = ["--from", network, "--teacher", "2x16", "--folder", str(tmp_path / "taught"), "--positions", "16", *TINY]
    assert main(["train", "imitation", games, *taught]) == 0
    assert "the teacher, 2x16, begins with" in capsys.readouterr().err
    teacher = tmp_path / "taught" / "teacher.onnx"
    assert str(load_network(teacher)[0].size) == "2x16"
    again = ["--teacher", str(teacher), "--folder", str(tmp_path / "again"), "--positions", "16", *TINY]
    assert main(["train", "imitation", games, *again]) == 0
    assert f"the teacher, 2x16, begins with {teacher}, 2x16" in capsys.readouterr().err
