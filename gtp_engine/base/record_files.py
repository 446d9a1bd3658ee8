"""Files of records on a command line: which ones are read, and names for those that are written."""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

STDIN = "-"
NOT_IN_GTP = re.compile(r"[\s#\ud800-\udfff]")  # a space ends a word, # begins a comment, and bytes that are no UTF-8 have no characters


def record_files(names: Iterable[str]) -> Iterator[str]:
    """The names, and for each folder the SGF files in it, those in its folders too. A folder without any stays: it is refused later."""
    for name in names:
        if is_folder(name):
            yield from sorted(str(path) for path in Path(name).rglob("*.sgf")) or [name]
        else:
            yield name


def is_folder(name: str) -> bool:
    """Is this the name of a folder? A name that no file can have is none."""
    try:
        return name != STDIN and Path(name).is_dir()
    except ValueError:
        return False


def gtp_stem(path: str) -> str:
    """The file's name without its ending, as a GTP command can name it."""
    return NOT_IN_GTP.sub("_", Path(path).stem)


def free_name(stem: str, names: Collection[str]) -> str:
    """The stem, or with a number where it is among the names: files of several folders may have the same name."""
    name, number = stem, 2
    while name in names:
        name, number = f"{stem}-{number}", number + 1
    return name


def overwritten(paths: Iterable[str], targets: Iterable[Path]) -> str | None:
    """The first of `paths` that is also a target, by whatever name; None when no file would be lost."""
    written = {os.path.realpath(target) for target in targets}
    return next((path for path in paths if os.path.realpath(path) in written), None)
