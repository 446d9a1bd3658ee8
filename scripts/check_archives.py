"""What the archives of a release hold: `python check_archives.py FOLDER`. Ends with 1, and says what is missing or too much."""

import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

LARGEST = 30_000_000  # bytes of an archive
SUFFIXES = {".py", ".css", ".html", ".js", ".json", ".npz", ".onnx", ".gz", ".md", ".typed"}  # of files in the package
BESIDE = {"pyproject.toml", "PKG-INFO", "README.md", "CHANGELOG.md", "LICENSE", ".gitignore", "scripts/package_metadata.py"}  # in the sdist
NEEDED = {
    "the marker of types": ("gtp_engine/py.typed",),
    "the licence": ("LICENSE",),
    "a network": (".onnx", ".bin.gz"),
    "a page for browsers": (".html",),
    "the move model": (".npz",),
}


def main(folder: Path) -> int:
    """Check every archive of the folder."""
    archives = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    faults = [f"{archive.name}: {fault}" for archive in archives for fault in faults_of(archive)]
    faults += [] if len(archives) == 2 else [f"{folder}: holds {len(archives)} archives, not a wheel and an sdist"]
    for fault in faults:
        print(f"check_archives.py: {fault}", file=sys.stderr)
    return 1 if faults else 0


def faults_of(archive: Path) -> Iterator[str]:
    """What is wrong with an archive, a sentence each."""
    names = names_in(archive)
    if archive.stat().st_size > LARGEST:
        yield f"{archive.stat().st_size / 1e6:.1f} MB are more than {LARGEST / 1e6:g}"
    yield from (f"there should be no {name}" for name in names if not is_wanted(name))
    yield from missing(names)


def names_in(archive: Path) -> list[str]:
    """The files in an archive; of an sdist without its folder."""
    if archive.suffix == ".whl":
        return zipfile.ZipFile(archive).namelist()
    with tarfile.open(archive) as sdist:
        return [member.name.partition("/")[2] for member in sdist.getmembers() if member.isfile()]


def is_wanted(name: str) -> bool:
    """May this file be published?"""
    top, *folders = Path(name).parts
    if top.endswith(".dist-info") or name in BESIDE:
        return True
    is_known = Path(name).suffix in SUFFIXES or Path(name).name.startswith("LICENSE")
    return top == "gtp_engine" and "tests" not in folders and is_known


def missing(names: Iterable[str]) -> Iterator[str]:
    """What is not there, a sentence each."""
    for what, ends in NEEDED.items():
        if not any(name.endswith(ends) for name in names):
            yield f"{what} is missing"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
