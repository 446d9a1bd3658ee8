"""Record files on a command line: the files to read, and names for the files to write."""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

STDIN = "-"
NOT_IN_GTP = re.compile(r"[\s#\ud800-\udfff]")  # a space ends a word, # begins a comment, and invalid UTF-8 has no characters


def record_files(names: Iterable[str]) -> Iterator[str]:
    """The names, with each folder replaced by the SGF files in it, also in subfolders. A folder without any stays and is refused later."""
    for name in names:
        if is_folder(name):
            yield from sorted(str(path) for path in Path(name).rglob("*.sgf")) or [name]
        else:
            yield name


def is_folder(name: str) -> bool:
    """True for the name of a folder; False for an invalid name."""
    try:
        return name != STDIN and Path(name).is_dir()
    except ValueError:
        return False


def gtp_stem(path: str) -> str:
    """The file's name without its extension, in a form for a GTP command."""
    return NOT_IN_GTP.sub("_", Path(path).stem)


def free_name(stem: str, names: Collection[str]) -> str:
    """The stem, with a number if it is among the names, because files in several folders may have the same name."""
    name, number = stem, 2
    while name in names:
        name, number = f"{stem}-{number}", number + 1
    return name


def overwritten(paths: Iterable[str], targets: Iterable[Path]) -> str | None:
    """The first of `paths` that is the same file as a target; None if no file would be overwritten."""
    written = {os.path.realpath(target) for target in targets}
    return next((path for path in paths if os.path.realpath(path) in written), None)
