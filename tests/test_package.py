"""The package as pip installs it: built, and used in an environment of its own away from the checkout. And the Dockerfile's steps."""

import json
import os
import re
import shutil
import subprocess
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import load_script

from gtp_engine import __version__

pytestmark = pytest.mark.package

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "gtp_engine", "tests", "sgf", "scripts", "docs")
NOT_SOURCE = (".venv*", "__pycache__", "node_modules")
LONG = 1200.0  # seconds; a first start compiles, on a machine that may be under load


@dataclass
class Place:
    """An environment, and a folder that has nothing to do with the checkout."""

    folder: Path

    @property
    def python(self) -> str:
        """Its Python."""
        return str(self.folder / "env" / "bin" / "python")

    def run(self, *words: str, text: str = "", cwd: Path | None = None) -> str:
        """What a command in the environment prints; it must succeed."""
        hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        environment |= {"PATH": f"{self.folder / 'env' / 'bin'}{os.pathsep}{os.environ['PATH']}", "XDG_CONFIG_HOME": str(self.folder)}
        done = subprocess.run(
            words, input=text, capture_output=True, text=True, cwd=cwd or self.folder, env=environment, timeout=LONG, check=False
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout


def make_place(folder: Path) -> Place:
    """A new environment with pip alone."""
    venv.create(folder / "env", with_pip=True)
    return Place(folder)


def copy(source: Path, target: Path) -> None:
    """A file, or a folder without what is made in it."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*NOT_SOURCE))
    else:
        target.parent.mkdir(exist_ok=True)
        shutil.copy(source, target)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Where the package is built and installed."""
    return make_place(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def built(place: Place) -> Path:
    """A folder with the sdist and the wheel, made from a copy of the checkout."""
    source = place.folder / "source"
    for name in SOURCE:
        copy(ROOT / name, source / name)
    place.run(place.python, "-m", "pip", "install", "--quiet", "hatchling")
    place.run(place.python, "-m", "hatchling", "build", "-d", str(place.folder / "built"), cwd=source)
    shutil.rmtree(source)
    return place.folder / "built"


@pytest.mark.parametrize("suffix", [".whl", ".tar.gz"])
def test_installed_by_pip_it_plays_solves_and_reviews(suffix: str, place: Place, built: Path) -> None:
    (package,) = built.glob(f"*{suffix}")
    place.run(place.python, "-m", "pip", "install", "--quiet", "--force-reinstall", str(package))
    where = place.run(place.python, "-c", "import gtp_engine; print(gtp_engine.__file__)").strip()
    assert Path(where).is_relative_to(place.folder)
    assert place.run("gtp-engine", "version") == f"gtp-engine {__version__}\n"
    answers = place.run("gtp-engine", "--size", "9", "--playouts", "50", text="name\ngenmove black\ngtp_engine-network\nquit\n")
    assert re.match(r"= gtp_engine\n\n= [A-J][1-9]\n\n= ", answers), "the network is in the package"
    assert "stdin: black is" in place.run("gtp-engine", "solve", "-", text=". # O\n# # O\nO O .\n")
    (place.folder / "game.sgf").write_text("(;SZ[5]KM[0.5];B[cc];W[dd];B[cd])")
    place.run("gtp-engine", "review", "game.sgf", "--quick", "--output", f"review{suffix}")
    document = json.loads((place.folder / f"review{suffix}" / "game" / "game.json").read_text())
    assert len(document["moves"]) == 3


def test_the_archives_hold_what_they_should(built: Path) -> None:
    script = load_script(ROOT / "scripts" / "check_archives.py")
    assert script.main(built) == 0


# ---------------------------------------------------------------- the Dockerfile


def steps(dockerfile: str) -> list[tuple[str, str]]:
    """(instruction, its text) of each step, continued lines joined, comments left out."""
    lines = [line for line in dockerfile.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_steps_of_the_dockerfile_work(tmp_path: Path) -> None:
    """Each in a plain folder that stands for the image, with an environment for its Python: docker itself need not be there."""
    place = make_place(tmp_path)
    here = image = tmp_path / "image"
    done = []
    for word, rest in steps((ROOT / "scripts" / "docker" / "Dockerfile").read_text()):
        done.append(word)
        if word == "FROM":
            version = tuple(map(int, re.fullmatch(r"python:(\d+)\.(\d+)-slim", rest).groups()))  # type: ignore[union-attr]  # or it fails
            assert version >= (3, 11)
        elif word == "WORKDIR":
            here = image / rest.lstrip("/")
            here.mkdir(parents=True)
        elif word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                copy(ROOT / source, here / target if len(sources) == 1 else here / target / source)
        elif word == "RUN":
            place.run("sh", "-e", "-c", rest, cwd=here)
        else:
            assert word == "ENTRYPOINT"
            assert place.run(*json.loads(rest), cwd=here, text="name\nquit\n") == "= gtp_engine\n\n= \n\n"
    assert {"FROM", "COPY", "RUN", "ENTRYPOINT"} <= set(done)
    assert Path(place.run(place.python, "-c", "import gtp_engine; print(gtp_engine.__file__)").strip()).is_relative_to(tmp_path / "env")
