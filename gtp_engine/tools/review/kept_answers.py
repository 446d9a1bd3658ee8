"""A review's results so far, in a file beside its output: after Ctrl-C or a power cut the same command continues from there."""

import base64
import json
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from gtp_engine.base.files import write_file
from gtp_engine.engine.search.result import Candidate
from gtp_engine.tools.review.examiner import SearchedPosition
from gtp_engine.tools.review.model import Evaluation
from gtp_engine.tools.review.output import OutputError


class KeptAnswers(dict[SearchedPosition, Evaluation]):
    """Answers by question. Each that is added is written to the file at once, a line of JSON."""

    def __init__(self, path: Path, digest: str) -> None:
        """Read what `path` holds, if it belongs to `digest`, a name for all that the answers depend on, and take the rest out of it.

        Raises OutputError; what the file held is still there then.
        """
        super().__init__(read_answers(path, digest))
        self._path = path
        lines = [{"digest": digest}, *(as_line(question, evaluation) for question, evaluation in self.items())]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, b"".join(map(encoded, lines)))  # a process that is killed here must not lose hours of searches
            self._file: BinaryIO = path.open("ab")
        except OSError as error:
            raise OutputError(f"cannot write to {path}: {error.strerror}") from error

    def __setitem__(self, question: SearchedPosition, evaluation: Evaluation) -> None:
        super().__setitem__(question, evaluation)
        try:
            self._file.write(encoded(as_line(question, evaluation)))
            self._file.flush()
        except OSError as error:
            raise OutputError(f"cannot write to {self._path}: {error.strerror}") from error

    def close(self) -> None:
        """Leave the file for the next time."""
        self._file.close()

    def remove(self) -> None:
        """The review is written: the file isn't needed any more."""
        self.close()
        self._path.unlink(missing_ok=True)


def read_answers(path: Path, digest: str) -> Iterator[tuple[SearchedPosition, Evaluation]]:
    """The answers in the file. It may be missing or of another review, and end in the middle of a line."""
    try:
        lines = path.read_bytes().split(b"\n")
        if json.loads(lines[0]) != {"digest": digest}:
            return
        for line in lines[1:]:
            yield from_line(json.loads(line))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return


def encoded(line: dict[str, Any]) -> bytes:
    """A line of the file."""
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def as_line(question: SearchedPosition, evaluation: Evaluation) -> dict[str, Any]:
    """An answer for JSON. Candidates lose their ownership, which no review shows."""
    return {
        "question": astuple(question),
        "to_play": evaluation.to_play,
        "win_rate": evaluation.win_rate,
        "lead": evaluation.lead,
        "ownership": base64.b64encode(evaluation.ownership.astype("<f4").tobytes()).decode(),
        "candidates": [
            [
                candidate.point,
                candidate.visits,
                candidate.win_rate,
                candidate.score,
                candidate.variation,
                candidate.variation_visits,
                candidate.prior,
                candidate.lower_bound,
            ]
            for candidate in evaluation.candidates
        ],
        "unvisited": evaluation.unvisited,
        "simulations": evaluation.simulations,
    }


def from_line(line: dict[str, Any]) -> tuple[SearchedPosition, Evaluation]:
    """The answer that `as_line` wrote. Raises ValueError, KeyError, TypeError or IndexError for something else."""
    evaluation = Evaluation(
        int(line["to_play"]),
        float(line["win_rate"]),
        float(line["lead"]),
        np.frombuffer(base64.b64decode(line["ownership"]), "<f4"),
        [Candidate(*fields) for fields in line["candidates"]],
        [(int(move), float(prior)) for move, prior in line["unvisited"]],
        int(line["simulations"]),
    )
    return SearchedPosition(*line["question"]), evaluation
