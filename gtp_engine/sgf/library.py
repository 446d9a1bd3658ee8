"""sgfmill's records, imported without the warning that Python 3.12 and later give about a docstring there."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from sgfmill import sgf

__all__ = ["sgf"]
