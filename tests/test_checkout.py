"""What lies in the repository."""

import subprocess
from pathlib import Path

TOP_LEVEL = {
    ".ci",
    ".gitattributes",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "docs",
    "gtp_engine",
    "pyproject.toml",
    "scripts",
    "sgf",
    "tests",
}


def tracked(repository: Path, *options: str) -> list[str]:
    """The files that git has, or those of them that the options choose."""
    return subprocess.check_output(["git", "-c", "safe.directory=*", "-C", str(repository), "ls-files", *options], text=True).splitlines()


def test_nothing_else_lies_at_the_top_level(repository: Path) -> None:
    assert {name.partition("/")[0] for name in tracked(repository)} - TOP_LEVEL == set()


def test_nothing_that_is_ignored_is_tracked(repository: Path) -> None:
    assert tracked(repository, "--cached", "--ignored", "--exclude-standard") == []
