"""Frames collections of problems: a record for each problem, and a suite that tests for the moves that the records call right."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gtp_engine.base.record_files import free_name, gtp_stem
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.search import Limits
from gtp_engine.engine.solver.problem import Problem, problems_in, read_records
from gtp_engine.sgf.variations import right_moves
from gtp_engine.tools.problems.brought import Framed, FrameError, framed, framed_record, suite_test
from gtp_engine.tools.problems.even_komi import judge_engine, searched_komi


class Framer:
    """Frames the problems of one file after the other and writes them into a folder.

    margin, threats, seed -- see framed
    playouts -- of each search for the komi; 0: komi by counting points
    refuse -- called with a sentence for each problem that can't be framed
    """

    def __init__(self, folder: Path, margin: int, threats: int, seed: int, playouts: int, refuse: Callable[[str], None]) -> None:
        self.folder, self.refuse, self.playouts = folder, refuse, playouts
        self.frame = (margin, threats, seed)
        self.names: set[str] = set()  # of the written records
        self.tests: list[str] = []
        self._engines: dict[int, Engine] = {}  # by board size: making one takes longer than finding a komi

    def frame_file(self, path: str) -> None:
        """Frame every problem in a file. Raises OSError if nothing can be written."""
        for problem in problems_in(path, self.refuse, read_records):
            try:
                frame = framed(problem, *self.frame)
            except FrameError as error:
                self.refuse(f"{path}{problem.name.removeprefix(Path(path).name)}: {error}")
                continue
            self._write(problem, self._with_searched_komi(frame) if self.playouts else frame, gtp_stem(path))

    def _write(self, problem: Problem, frame: Framed, stem: str) -> None:
        """Write one record; keep its test, if it has one."""
        name = free_name(stem, self.names)
        (self.folder / f"{name}.sgf").write_text(framed_record(problem, frame), encoding="utf-8")
        self.names.add(name)
        right = right_moves(problem.record)
        if right:
            self.tests.append(suite_test(name, 10 * (len(self.tests) + 1), frame, right))

    def _with_searched_komi(self, frame: Framed) -> Framed:
        """The same frame with the komi that searches find."""
        size = frame.game.size
        if size not in self._engines:
            self._engines[size] = judge_engine(size)
        return replace(frame, komi=searched_komi(frame, self._engines[size], Limits(self.playouts, None, early_stop=False)))
