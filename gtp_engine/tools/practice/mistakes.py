"""The book of a person's own mistakes, which grows with every review."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from gtp_engine.tools.practice.notebook import MISTAKE, Notebook, now


def keep_lessons(notebook: Notebook, lessons: Iterable[Mapping[str, Any]], colors: Collection[str]) -> int:
    """Add the lessons of a review that are about mistakes of these colors, `black` and `white`. How many are new.

    lessons -- see tools/review/lessons.py. Raises OSError.
    """
    wanted = [lesson for lesson in lessons if lesson["color"] in colors]
    if not wanted:
        return 0
    with notebook.change() as notes:
        return sum(notes.add(lesson["name"], MISTAKE, lesson["sgf"], lesson["facts"], now()) for lesson in wanted)
