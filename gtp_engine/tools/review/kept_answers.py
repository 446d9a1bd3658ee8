"""Keep a review's answers in a file beside its output. After Ctrl-C or a power cut the same command continues from there."""

import base64
import contextlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.jobs.append_only import AppendOnlyFile
from gtp_engine.engine.search.result import Candidate
from gtp_engine.tools.review.examiner import SearchedPosition
from gtp_engine.tools.review.model import Evaluation

KEPT_FIELDS = [item.name for item in fields(Candidate) if item.name != "ownership"]  # which no review shows


class KeptAnswers(dict[SearchedPosition, Evaluation]):
    """Evaluations by searched position. Each new one is written to the file at once, as a line of JSON; see base/jobs/append_only.py."""

    def __init__(self, path: Path, digest: str) -> None:
        """Read the answers in `path` if they belong to `digest`, which names everything they depend on. Other content is removed.

        Raises StoreError if the file is in use or can't be written.
        """
        self._file = AppendOnlyFile(path)
        header, lines = encoded({"digest": digest}), self._file.lines()
        try:
            if next(lines, b"") == header:
                super().__init__(answers_in(lines))
            else:
                self._file.clear()
                self._file.append(header)
        except BaseException:
            self._file.close()
            raise

    def __setitem__(self, position: SearchedPosition, evaluation: Evaluation) -> None:
        super().__setitem__(position, evaluation)
        self._file.append(encoded(as_line(position, evaluation)))

    def close(self) -> None:
        """Close the file and keep it for the next run."""
        self._file.close()

    def remove(self) -> None:
        """Delete the closed file, after the review is written."""
        self._file.path.unlink(missing_ok=True)


def answers_in(lines: Iterable[bytes]) -> Iterator[tuple[SearchedPosition, Evaluation]]:
    """Yield the answers in these lines. Damaged lines are skipped."""
    for line in lines:
        with contextlib.suppress(ValueError, KeyError, TypeError, IndexError):
            yield from_line(json.loads(line))


def encoded(line: dict[str, Any]) -> bytes:
    """Return a line of the file."""
    return json.dumps(line, separators=(",", ":")).encode()


def as_line(position: SearchedPosition, evaluation: Evaluation) -> dict[str, Any]:
    """Return an answer for JSON."""
    return {
        "position": astuple(position),
        "to_play": evaluation.to_play,
        "win_rate": evaluation.win_rate,
        "lead": evaluation.lead,
        "ownership": base64.b64encode(evaluation.ownership.astype("<f4").tobytes()).decode(),
        "candidates": [[getattr(candidate, name) for name in KEPT_FIELDS] for candidate in evaluation.candidates],
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
        [Candidate(*values) for values in line["candidates"]],
        [(int(move), float(prior)) for move, prior in line["unvisited"]],
        int(line["simulations"]),
    )
    return SearchedPosition(*line["position"]), evaluation
