"""A game record judged move by move: annotated SGF, tables, plots and a page to click through.

`settings.py` says how, `records.py` finds the games in files, `judge.py` judges them, `batch.py` goes through many; what comes out is
written by `annotate.py`, `tables.py`, `plot.py` and `html_page.py`. `index.py` lists the games of a folder.
`judged_by.py` names what judged.
"""

__all__ = [
    "batch",
    "development",
    "examiner",
    "html_page",
    "index",
    "judge",
    "judged_by",
    "lessons",
    "missed_move",
    "model",
    "moments",
    "output",
    "progress",
    "rank_of_moves",
    "reach",
    "reasons",
    "records",
    "settings",
    "tables",
    "words",
]
