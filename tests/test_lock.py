"""The locked versions that CI installs."""

import re
import tomllib
from pathlib import Path

import pytest


def test_the_lock_holds_every_dependency_within_its_bounds(repository: Path) -> None:
    """After a change of the dependencies: `.ci/lock`."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [text for text in [*project["dependencies"], *extras["test"], *extras["dev"]] if "gtp-engine" not in text]
    lock = (repository / ".ci" / "requirements.txt").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE))
    assert len(wanted) >= 10
    for text in wanted:
        name, _, lowest = text.partition(";")[0].partition(">=")
        assert [int(part) for part in locked[name].split(".")] >= [int(part) for part in lowest.split(".")], text
    assert lock.count("--hash=sha256:") >= len(locked)
    assert "://" not in lock  # whoever installs it chooses where from


HELD = {"train": {"sympy"}, "cluster": {"ray"}, "release": {"twine", "zizmor"}, "katrain": {"katrain", "kivy"}}


@pytest.mark.parametrize(("name", "held"), HELD.items())
def test_what_ci_installs_besides_is_locked_too(name: str, held: set[str], repository: Path) -> None:
    """With the same versions as in the list of what all tests need, where both name a package."""
    base, lock = ((repository / ".ci" / f"{each}.txt").read_text(encoding="utf-8") for each in ("requirements", name))
    ours, theirs = (dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)) for text in (base, lock))
    assert held <= theirs.keys() and lock.count("--hash=sha256:") >= len(theirs) and "://" not in lock
    assert name == "katrain" or all(ours[package] == theirs[package] for package in ours.keys() & theirs.keys())
    assert f".ci/{name}.txt" in (repository / ".ci" / "run").read_text(encoding="utf-8")
