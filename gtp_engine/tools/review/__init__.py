"""Reviews judge a game record move by move and write annotated SGF, tables, plots and an HTML page.

`settings.py` holds the settings, `records.py` reads the games from files, `judge.py` judges one game and `batch.py` many.
`annotate.py`, `tables.py`, `plot.py` and `html_page.py` write the results. `index.py` lists the games of a folder.
`judged_by.py` names the network or the playouts that judged the positions.
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
