"""What is published: what the check of the archives notices, and README.md as the package index shows it."""

import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from conftest import load_script

GOOD = [
    "gtp_engine/__init__.py",
    "gtp_engine/py.typed",
    "gtp_engine/network/models/a.onnx",
    "gtp_engine/browser/page/play.html",
    "gtp_engine/engine/move_model/strong_players.npz",
    "gtp_engine-1.0.0.dist-info/licenses/LICENSE",
]


@pytest.fixture
def archives(repository: Path) -> ModuleType:
    """scripts/check_archives.py."""
    return load_script(repository / "scripts" / "check_archives.py")


def wheel(folder: Path, names: list[str]) -> Path:
    """A wheel with these files, all of them empty."""
    path = folder / "gtp_engine-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    return path


def test_a_good_wheel_has_no_faults(archives: ModuleType, tmp_path: Path) -> None:
    assert list(archives.faults_of(wheel(tmp_path, GOOD))) == []


@pytest.mark.parametrize(
    "name", ["tests/test_game.py", "gtp_engine/tests/test_game.py", "gtp_engine/go/game.pyc", "notes.txt", "docs/api.md"]
)
def test_what_nobody_needs_is_noticed(name: str, archives: ModuleType, tmp_path: Path) -> None:
    assert list(archives.faults_of(wheel(tmp_path, [*GOOD, name]))) == [f"there should be no {name}"]


@pytest.mark.parametrize("number", range(1, len(GOOD)))
def test_what_is_missing_is_noticed(number: int, archives: ModuleType, tmp_path: Path) -> None:
    (fault,) = archives.faults_of(wheel(tmp_path, GOOD[:number] + GOOD[number + 1 :]))
    assert fault.endswith(" is missing")


def test_what_is_too_large_is_noticed(archives: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST", 100)
    (fault,) = archives.faults_of(wheel(tmp_path, GOOD))
    assert fault.startswith("0.0 MB are more than")


def test_a_folder_without_both_archives_is_refused(archives: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel(tmp_path, GOOD)
    assert archives.main(tmp_path) == 1
    assert "holds 1 archives, not a wheel and an sdist" in capsys.readouterr().err


def test_links_of_the_readme_lead_somewhere_on_other_sites(repository: Path) -> None:
    pytest.importorskip("hatchling")
    script = load_script(repository / "scripts" / "package_metadata.py")
    text = '[a page](docs/api.md), [a site](https://example.org)\n![a picture](docs/a.png)\n<img src="docs/b.svg" width="9">\n'
    assert script.readme(text, "") == "a page, [a site](https://example.org)\n\n"
    assert script.readme(text, "https://example.org/go") == (
        "[a page](https://example.org/go/blob/main/docs/api.md), [a site](https://example.org)\n"
        "![a picture](https://example.org/go/raw/main/docs/a.png)\n"
        '<img src="https://example.org/go/raw/main/docs/b.svg" width="9">\n'
    )
    assert script.urls("") == {}
    assert script.urls("https://example.org/go")["Issues"] == "https://example.org/go/issues"
