"""Matches answers with regular expressions, in a separate process if that might take forever.

Python's `re` tries every way to divide a text among repetitions: `(a+)+$` takes twice as long for each further letter, and nothing can
interrupt it inside its process.
"""

import json
import re
import subprocess
import sys

HARMLESS = re.compile(r"[^*+?{(]*")  # a pattern without these characters never backtracks
PROGRAM = """
import json, re, sys
pattern, flags, text = json.load(sys.stdin)
print(int(re.compile(pattern, flags).fullmatch(text) is not None))
"""


class MatchTimeout(Exception):
    """A pattern that couldn't be matched in time; str() is one sentence."""


def fits(pattern: re.Pattern[str], text: str, patience: float) -> bool:
    """True if `pattern` matches all of `text`. Raises MatchTimeout after `patience` seconds."""
    if HARMLESS.fullmatch(pattern.pattern):
        return pattern.fullmatch(text) is not None
    question = json.dumps([pattern.pattern, pattern.flags, text])
    command = [sys.executable, "-I", "-S", "-c", PROGRAM]
    try:
        process = subprocess.run(command, input=question, capture_output=True, text=True, timeout=patience, check=True)
    except subprocess.TimeoutExpired as error:
        raise MatchTimeout(f"the pattern could not be compared with the answer within {patience:g} s; write it simpler") from error
    return bool(int(process.stdout))
