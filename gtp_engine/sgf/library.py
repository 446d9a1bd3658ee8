"""sgfmill's records, imported in silence: Python 3.12 and later warn of a docstring there when they compile it."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from sgfmill import sgf

__all__ = ["sgf"]
