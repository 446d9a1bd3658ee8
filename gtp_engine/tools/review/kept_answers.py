"""Keep a review's answers in a file beside its output. After Ctrl-C or a power cut the same command continues from there."""

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
    """Evaluations by searched position. Each new one is written to the file at once, as a line of JSON."""

    def __init__(self, path: Path, digest: str) -> None:
        """Read the answers in `path` if they belong to `digest`, which names everything they depend on. Other content is removed.

        Raises OutputError if the file can't be written. Its content is unchanged then.
        """
        super().__init__(read_answers(path, digest))
        self._path = path
        lines = [{"digest": digest}, *(as_line(question, evaluation) for question, evaluation in self.items())]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, b"".join(map(encoded, lines)))  # atomic: a process that is killed here must not lose hours of searches
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
        """Close the file and keep it for the next run."""
        self._file.close()

    def remove(self) -> None:
        """Delete the file, after the review is written."""
        self.close()
        self._path.unlink(missing_ok=True)


def read_answers(path: Path, digest: str) -> Iterator[tuple[SearchedPosition, Evaluation]]:
    """Yield the answers in the file. The file may be missing, belong to another review, or end in the middle of a line."""
    try:
        lines = path.read_bytes().split(b"\n")
        if json.loads(lines[0]) != {"digest": digest}:
            return
        for line in lines[1:]:
            yield from_line(json.loads(line))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return


def encoded(line: dict[str, Any]) -> bytes:
    """Return a line of the file."""
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def as_line(question: SearchedPosition, evaluation: Evaluation) -> dict[str, Any]:
    """Return an answer for JSON. Candidates lose their ownership, which no review shows."""
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
    """Return the answer that `as_line` wrote. Raises ValueError, KeyError, TypeError or IndexError for other data."""
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
