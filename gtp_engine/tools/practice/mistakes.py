"""A person's own mistakes and games, collected from reviews."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from gtp_engine.tools.practice.notebook import MISTAKE, Notebook, now


def keep_review(
    notebook: Notebook, lessons: Iterable[Mapping[str, Any]], tallies: Mapping[str, dict[str, Any]], colors: Collection[str]
) -> int:
    """Add the lessons and tallies of a review for these colors, `black` and `white`; returns the number of new lessons.

    lessons -- see review/lessons.py
    tallies -- of the same colors, for JSON: see review/development.py

    Raises OSError.
    """
    own_lessons = [lesson for lesson in lessons if lesson["color"] in colors]
    if not own_lessons and not tallies:
        return 0
    with notebook.change() as notes:
        notes.add_games(tallies)
        return sum(notes.add(lesson["name"], MISTAKE, lesson["sgf"], lesson["facts"], now()) for lesson in own_lessons)
