"""The compile cache in processes of their own: what they keep, share, and do where nothing can be kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.compiled import jit

KERNEL = """
from gtp_engine.go.constants import FACTOR
from gtp_engine.compiled.jit import entry, inner

@entry
def multiply(number):
    return number * FACTOR
"""
PROGRAM = "import os; from gtp_engine.compiled import jit; from gtp_engine.go import kernel; print(kernel.multiply(2), jit.cache_folder())"


def start(folder: Path, **environment: str) -> list[str]:
    """What PROGRAM prints in a process of its own that runs in `folder`."""
    process = start_with_errors(folder, **environment)
    return process.stdout.split(maxsplit=1)


def start_with_errors(folder: Path, before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """As `start`, the whole process; `before` is run first."""
    process = run_program(folder, before, environment)
    assert process.returncode == 0, process.stderr
    return process


def run_program(folder: Path, before: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """As start_with_errors, however it ends. Python keeps no bytecode: it would miss a source changed within a second at the same size, and
    Python 3.11 leaves cut files where none may be large.
    """
    base = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")} | {"PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", before + PROGRAM]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=base | environment)


@pytest.fixture
def small_package(tmp_path: Path, repository: Path) -> Path:
    """A folder with a package named as ours that has our `compiled`, one kernel, and a constant in another file."""
    root = tmp_path / "sources" / "gtp_engine"
    (root / "go").mkdir(parents=True)
    (root / "__init__.py").touch()
    (root / "go" / "__init__.py").touch()
    (root / "go" / "constants.py").write_text("FACTOR = 10\n")
    (root / "go" / "kernel.py").write_text(KERNEL)
    for name in ("compiled", "base"):
        shutil.copytree(repository / "gtp_engine" / name, root / name)
    return root


def test_a_changed_constant_in_another_file_is_seen(small_package: Path, tmp_path: Path) -> None:
    """numba alone would serve the old machine code: it looks at the kernel's own file only."""
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    product, first = start(small_package.parent, **environment)
    assert product == "20"
    (small_package / "go" / "constants.py").write_text("FACTOR = 30\n")
    product, second = start(small_package.parent, **environment)
    assert product == "60"
    assert first != second


def test_compiled_code_is_kept_between_starts(small_package: Path, tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    _, folder = start(small_package.parent, **environment)
    code = {path: path.stat().st_mtime_ns for path in Path(folder.strip()).rglob("*.nb?")}
    assert len(code) == 2, "an index and the machine code"
    start(small_package.parent, **environment)
    assert {path: path.stat().st_mtime_ns for path in Path(folder.strip()).rglob("*.nb?")} == code


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't limit a process's addresses")
@pytest.mark.parametrize(("more", "kept"), [(10, False), (100, False), (10, True)])
def test_too_little_memory_is_an_error_of_python(small_package: Path, tmp_path: Path, more: int, kept: bool) -> None:
    """LLVM would end the process, by SIGABRT or SIGSEGV. `more`: megabytes that it may still get; `kept`: is the kernel in the cache?"""
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    if kept:
        start(small_package.parent, **environment)
    limit = f"have = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\nmost = have + {more * 10**6}\n"
    before = f"import resource\nimport gtp_engine.compiled.jit\n{limit}resource.setrlimit(resource.RLIMIT_AS, (most, most))\n"
    process = run_program(small_package.parent, before, environment)
    assert process.returncode == 1
    assert process.stderr.splitlines()[-1].startswith(("MemoryError", "numpy._core._exceptions._ArrayMemoryError"))


def test_other_installations_of_the_same_sources_share_the_code(small_package: Path, tmp_path: Path) -> None:
    """Wherever they are and whenever they were made: numba alone would compile again, and nobody would be told why it takes so long."""
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    tell = "import gtp_engine.compiled.jit; gtp_engine.compiled.jit.tell_when_compiling();"
    first = start_with_errors(small_package.parent, tell, **environment)
    assert first.stderr == "gtp_engine: compiling, once for this version; it takes half a minute to a minute\n"
    shutil.copytree(small_package, tmp_path / "elsewhere" / "gtp_engine")
    os.utime(tmp_path / "elsewhere" / "gtp_engine" / "go" / "kernel.py", (1, 1))
    second = start_with_errors(tmp_path / "elsewhere", tell, **environment)
    assert (second.stdout, second.stderr) == (first.stdout, "")


def test_kernels_run_where_no_cache_can_be_written(small_package: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    product, folder = start(small_package.parent, XDG_CACHE_HOME=str(blocked), HOME=str(blocked), TMPDIR=str(temporary))
    assert product == "20"
    assert Path(folder.strip()).is_relative_to(temporary)


def test_a_folder_that_nobody_finds_again_goes_with_its_process(small_package: Path, tmp_path: Path) -> None:
    blocked, temporary = tmp_path / "a file", tmp_path / "temporary"
    blocked.touch()
    temporary.mkdir()
    (temporary / f"gtp_engine-{jit.user_id()}").touch()
    product, folder = start(small_package.parent, XDG_CACHE_HOME=str(blocked), HOME=str(blocked), TMPDIR=str(temporary))
    assert product == "20" and Path(folder.strip()).parent == temporary
    assert [each.name for each in temporary.iterdir()] == [f"gtp_engine-{jit.user_id()}"]


def test_it_goes_with_a_process_that_ends_at_once(repository: Path, tmp_path: Path) -> None:
    blocked, temporary = tmp_path / "a file", tmp_path / "temporary"
    blocked.touch()
    temporary.mkdir()
    (temporary / f"gtp_engine-{jit.user_id()}").touch()
    imports = "from gtp_engine.compiled import jit; from gtp_engine.cli.streams import end_process"
    ends = f"{imports}; print(jit.cache_folder().is_dir()); end_process(3)"
    environment = os.environ | {"XDG_CACHE_HOME": str(blocked), "HOME": str(blocked), "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    process = subprocess.run([sys.executable, "-c", ends], capture_output=True, text=True, cwd=repository, env=environment)
    assert (process.stdout, process.returncode) == ("True\n", 3)
    assert [each.name for each in temporary.iterdir()] == [f"gtp_engine-{jit.user_id()}"]


def test_a_chosen_folder_is_used_as_it_is(small_package: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    product, folder = start(small_package.parent, NUMBA_CACHE_DIR=str(chosen))
    assert (product, folder.strip()) == ("20", str(chosen))
    assert list(chosen.rglob("*.nbi"))


def test_an_entry_out_of_the_cache_may_be_called_as_an_inner_function_elsewhere(small_package: Path, tmp_path: Path) -> None:
    """Inner functions have no machine code of their own, and are known by their names."""
    (small_package / "go" / "other.py").write_text(
        "from gtp_engine.compiled.jit import inner\n@inner\ndef multiply(number):\n    return number\n"
    )
    kernel = small_package / "go" / "kernel.py"
    kernel.write_text("from gtp_engine.go import other\n" + kernel.read_text())
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    assert [start(small_package.parent, **environment)[0] for _ in range(2)] == ["20", "20"]


def damaged(data: bytes, how: str) -> bytes:
    """`data` with something wrong."""
    middle = len(data) // 2
    return {"cut": data[:-1], "empty": b"", "flipped": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]}[how]


@pytest.mark.parametrize(("how", "suffix"), [("cut", "nbi"), ("empty", "nbc"), ("flipped", "nbi"), ("flipped", "nbc")])
def test_a_damaged_cache_is_compiled_anew_and_said_once(how: str, suffix: str, small_package: Path, tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    _, folder = start(small_package.parent, **environment)
    (path,) = Path(folder.strip()).rglob(f"*.{suffix}")
    path.write_bytes(damaged(path.read_bytes(), how))
    process = start_with_errors(small_package.parent, **environment)
    assert process.stdout.startswith("20 ")
    assert process.stderr.count("\n") == 1 and "is damaged; compiling anew" in process.stderr
    process = start_with_errors(small_package.parent, **environment)
    assert (process.stdout.split()[0], process.stderr) == ("20", "")


def test_a_disk_that_takes_no_more_is_said_once(small_package: Path, tmp_path: Path) -> None:
    """No file may have more than 1,000 bytes: the machine code can't be written."""
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
    process = start_with_errors(small_package.parent, limit, **environment)
    assert process.stdout.startswith("20 ")
    assert process.stderr.count("\n") == 1 and "cannot be kept" in process.stderr and "File too large" in process.stderr
    process = start_with_errors(small_package.parent, **environment)
    assert (process.stdout.split()[0], process.stderr) == ("20", "")
