"""The compile cache: named by the sources, pruned, usable where nothing can be written, and never stale."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

from gtp_engine.base.files import delete_unless_held, hold_folder, lock_held
from gtp_engine.compiled import jit

KERNEL = "from gtp_engine.go.constants import y\nfrom gtp_engine.compiled.jit import entry\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of a kernel and what it needs, which jit takes for ours."""
    root = tmp_path / "gtp_engine"
    (root / "go").mkdir(parents=True)
    (root / "compiled").mkdir()
    (root / "compiled" / "jit.py").write_text("x = 1\n")
    (root / "go" / "kernel.py").write_text(KERNEL)
    (root / "go" / "constants.py").write_text("from gtp_engine.go import (\n    more,\n)\n")
    (root / "go" / "more.py").write_text("y = 2\n")
    monkeypatch.setattr(jit, "__file__", str(root / "compiled" / "jit.py"))
    return root


@pytest.fixture
def user_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's cache folder and a temporary folder that nobody else uses; where our digests go."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    if sys.platform != "linux":
        monkeypatch.setattr(jit.platformdirs, "user_cache_dir", lambda name, appauthor: str(tmp_path / "cache" / name))
    return tmp_path / "cache" / "gtp_engine"


# ---------------------------------------------------------------- the digest


def test_every_change_of_a_source_changes_the_digest(package: Path) -> None:
    """Of a kernel, of what it imports, and of what that imports."""
    digests = [jit.source_digest()]
    for name in ("compiled/jit.py", "go/kernel.py", "go/constants.py", "go/more.py"):
        with (package / name).open("a") as source:
            source.write("z = 3\n")
        digests.append(jit.source_digest())
    (package / "go" / "new.py").write_text(KERNEL)
    digests.append(jit.source_digest())
    (package / "go" / "new.py").rename(package / "go" / "renamed.py")
    digests.append(jit.source_digest())
    assert len(set(digests)) == 7
    assert all(len(digest) == 16 and int(digest, 16) >= 0 for digest in digests)


def test_what_is_no_source_of_kernels_does_not_change_the_digest(package: Path) -> None:
    """A new GTP command must not compile everything again."""
    before = jit.source_digest()
    (package / "go" / "notes.txt").write_text("y = 3\n")
    (package / "interfaces").mkdir()
    (package / "interfaces" / "command.py").write_text("z = 3\n")
    os.utime(package / "compiled" / "jit.py", (0, 0))
    assert jit.source_digest() == before


def test_every_kernel_is_in_the_digest(repository: Path) -> None:
    """Compiled code anywhere else would be served stale."""
    package = repository / "gtp_engine"
    users = [
        ".".join(path.relative_to(repository).with_suffix("").parts)
        for path in package.rglob("*.py")
        if re.search(r"^@(entry|inner)\b", path.read_text(), re.MULTILINE)
    ]
    assert len(users) >= 30 and set(users) <= set(jit.kernel_sources(package))


def test_another_numba_has_another_digest(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.source_digest()
    monkeypatch.setattr(numba, "__version__", "0.0.1")
    assert jit.source_digest() != before


# ---------------------------------------------------------------- the folders


OLDER = ("0123456789abcdef", "1123456789abcdef", "2123456789abcdef")  # names of folders of older sources


def make_old(folder: Path) -> None:
    """As if nobody had used these versions for years."""
    for number, each in enumerate(sorted(folder.iterdir())):
        os.utime(each, (number + 1, number + 1))


def test_the_folder_is_in_the_users_cache(package: Path, user_cache: Path) -> None:
    folder = jit.choose_cache_folder()
    assert folder == user_cache / jit.source_digest()
    assert folder.is_dir()


def test_old_folders_are_deleted_the_last_used_kept(package: Path, user_cache: Path) -> None:
    ages = {"00000000000000aa": 1, OLDER[0]: 2, OLDER[1]: 3, OLDER[2]: 4}
    for name, age in ages.items():
        (user_cache / name).mkdir(parents=True)
        (user_cache / name / "code.nbi").touch()
        os.utime(user_cache / name, (age, age))
    (user_cache / "a file of somebody").touch()
    current = jit.choose_cache_folder()
    assert {path.name for path in user_cache.iterdir()} == {current.name, OLDER[2], OLDER[1], "a file of somebody"}


def test_the_folder_in_use_is_kept_however_old(package: Path, user_cache: Path) -> None:
    mine = user_cache / jit.source_digest()
    for name in (*OLDER, mine.name):
        (user_cache / name).mkdir(parents=True)
    (mine / "code.nbi").touch()
    make_old(user_cache)
    os.utime(mine, (0, 0))
    assert jit.choose_cache_folder() == mine
    assert (mine / "code.nbi").exists()
    assert len(list(user_cache.iterdir())) == jit.KEPT_DIGESTS


def test_using_a_folder_keeps_it_from_being_the_oldest(package: Path, user_cache: Path) -> None:
    """Two checkouts side by side: starting one must not throw away the other's code."""
    first = jit.choose_cache_folder()
    for number in range(jit.KEPT_DIGESTS - 1):
        other = user_cache / OLDER[number]
        other.mkdir()
        os.utime(other, (number + 1, number + 1))
    (package / "compiled" / "jit.py").write_text("x = 2\n")
    second = jit.choose_cache_folder()
    assert first.exists() and second.exists()
    assert not (user_cache / OLDER[0]).exists()


def test_what_was_used_within_a_day_is_kept(package: Path, user_cache: Path) -> None:
    """A bot that waits for its next game has no process, and must not compile when the game begins."""
    now = time.time()
    ages = dict(zip((*OLDER, "3123456789abcdef"), (0, 1, jit.KEPT_SECONDS - 60, jit.KEPT_SECONDS + 60), strict=True))
    for name, age in ages.items():
        (user_cache / name).mkdir(parents=True)
        os.utime(user_cache / name, (now - age, now - age))
    current = jit.choose_cache_folder()
    assert {path.name for path in user_cache.iterdir()} == {current.name, *OLDER}


HOLDS = "import sys; from pathlib import Path; from gtp_engine.base.files import hold_folder; hold_folder(Path(sys.argv[1]), 'in-use'); "


@pytest.fixture
def holder(package: Path, user_cache: Path, repository: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that uses the folder OLDER[0], and another that has used it and has ended."""
    (user_cache / OLDER[0]).mkdir(parents=True)
    command = [sys.executable, "-P", "-c", HOLDS + "print(1, flush=True); input()", str(user_cache / OLDER[0])]
    environment = os.environ | {"PYTHONPATH": str(repository)}
    subprocess.run(command, input="\n", text=True, env=environment, check=True, stdout=subprocess.DEVNULL)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        process.stdout.readline()
        yield process
        process.kill()


def test_what_a_living_process_uses_is_kept_however_old(holder: subprocess.Popen[str], user_cache: Path) -> None:
    for name in (*OLDER[1:], "3123456789abcdef"):
        (user_cache / name).mkdir()
    make_old(user_cache)
    jit.choose_cache_folder()
    assert (user_cache / OLDER[0]).exists() and not (user_cache / OLDER[1]).exists()
    assert time.time() - jit.modification_time(user_cache / OLDER[0]) < 1000, "it counts as just used"


def test_a_killed_process_keeps_nothing(holder: subprocess.Popen[str], user_cache: Path) -> None:
    holder.kill()
    holder.wait()
    for name in OLDER[1:]:
        (user_cache / name).mkdir()
    make_old(user_cache)
    jit.choose_cache_folder()
    assert not (user_cache / OLDER[0]).exists()


def test_who_starts_while_its_folder_is_deleted_makes_it_anew(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    os.close(hold_folder(folder, "in-use"))
    with lock_held(folder / "in-use"):
        starts = threading.Thread(target=hold_folder, args=(folder, "in-use"))
        starts.start()
        time.sleep(0.05)
        assert starts.is_alive(), "it waits"
        shutil.rmtree(folder)
    starts.join()
    delete_unless_held(folder, "in-use")
    assert folder.exists()


def test_only_compiled_code_is_thrown_away(package: Path, user_cache: Path) -> None:
    """Training keeps unpacked records beside it, which take a minute to make."""
    for name in (*OLDER, "records"):
        (user_cache / name).mkdir(parents=True)
    make_old(user_cache)
    folder = jit.choose_cache_folder()
    left = {path.name for path in user_cache.iterdir()}
    assert len(left) == jit.KEPT_DIGESTS + 1 and {"records", folder.name} < left


def test_without_a_cache_folder_the_temporary_one_serves(package: Path, user_cache: Path) -> None:
    user_cache.parent.write_text("a file where the folder should be")
    folder = jit.choose_cache_folder()
    assert folder.is_dir() and Path(tempfile.gettempdir()) in folder.parents
    assert jit.choose_cache_folder() == folder, "the next start finds it again"


def test_without_any_known_folder_a_fresh_one_serves(package: Path, user_cache: Path) -> None:
    user_cache.parent.write_text("a file where the folder should be")
    (Path(tempfile.gettempdir()) / f"gtp_engine-{jit.user_id()}").write_text("and here")
    folder = jit.choose_cache_folder()
    assert folder.is_dir() and os.access(folder, os.W_OK)


def test_a_full_disk_means_another_folder(package: Path, user_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(package)
    full = usage._replace(free=jit.NEEDED_SPACE - 1)
    monkeypatch.setattr(jit.shutil, "disk_usage", lambda folder: full if folder.is_relative_to(user_cache) else usage)
    folder = jit.choose_cache_folder()
    assert folder.is_relative_to(tempfile.gettempdir()) and not folder.is_relative_to(user_cache)
    kept = user_cache / folder.name
    (kept / (jit.COMPLETE + "playouts")).touch()
    assert jit.choose_cache_folder() == kept, "what is compiled already needs no more space"


# ---------------------------------------------------------------- cold or warm


def test_the_cache_is_cold_until_everything_was_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert jit.cache_folder() == tmp_path
    assert jit.cache_is_cold("playouts")
    jit.mark_cache_complete("playouts")
    assert not jit.cache_is_cold("playouts")


def test_the_interpreter_has_nothing_to_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert not jit.cache_is_cold("playouts")


def test_a_folder_that_went_away_is_told_once_and_stays_cold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "gone"))
    jit.mark_cache_complete("playouts")
    assert "cannot write to the cache folder" in capsys.readouterr().err
    assert jit.cache_is_cold("playouts")
