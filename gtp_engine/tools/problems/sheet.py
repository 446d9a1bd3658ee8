"""Problems on paper: sheets of boards with questions, and answers at the foot, as PDF or SVG. Needs matplotlib, the extra `plots`."""

import importlib.util
import io
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gtp_engine.base.files import write_file
from gtp_engine.go.points import BLACK, WHITE, row_and_column, to_color_name, to_vertex
from gtp_engine.tools.problems.natural import SIZE, BookProblem, grade_of, problem_near

COLUMNS, ROWS = 3, 4  # boards on a page
PAGE = 8.27, 11.69  # inches: A4
RATINGS = {"very easy": 700.0, "easy": 950.0, "medium": 1200.0, "hard": 1450.0, "very hard": 1700.0}  # of generated problems, by grade
STARS = ((3, 3), (3, 7), (7, 3), (7, 7), (5, 5))
FORMATS = ("pdf", "svg")


class SheetError(ValueError):
    """A sheet that can't be made; str() is one sentence for the user that says what to do."""


def draw_problems(seed: int, count: int, grades: Sequence[str]) -> list[BookProblem]:
    """So many problems, with the grades in turn; the same seed gives the same problems."""
    rng = random.Random(seed)
    problems: list[BookProblem] = []
    while len(problems) < count:
        problem = problem_near(RATINGS[grades[len(problems) % len(grades)]], rng)
        if all(problem.sgf() != other.sgf() for other in problems):
            problems.append(problem)
    return problems


def check_sheet(path: Path) -> None:
    """Raise SheetError if such a file can't be made."""
    if path.suffix.lower().lstrip(".") not in FORMATS:
        raise SheetError(f"a sheet is a .pdf or .svg file, and {path.name} is none")
    if importlib.util.find_spec("matplotlib") is None:
        raise SheetError('sheets need matplotlib: pip install "gtp-engine[plots]"')


def write_sheet(path: Path, problems: Sequence[BookProblem]) -> list[Path]:
    """Write the sheet; returns the files: one PDF, or for each page an SVG file, `work.svg`, `work-2.svg` ... Raises OSError."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages

    per_page = COLUMNS * ROWS
    pages = [problems[i : i + per_page] for i in range(0, len(problems), per_page)]
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "gtp_engine", "font.size": 8}):
        figures = [page_of(page, number * per_page + 1) for number, page in enumerate(pages)]
        if path.suffix.lower() == ".svg":
            paths = [path if number == 0 else path.with_stem(f"{path.stem}-{number + 1}") for number in range(len(pages))]
            for target, figure in zip(paths, figures, strict=True):
                text = io.BytesIO()
                figure.savefig(text, format="svg", metadata={"Date": None})
                write_file(target, text.getvalue())
            return paths

        data = io.BytesIO()
        with PdfPages(data, metadata={"CreationDate": None}) as pdf:
            for figure in figures:
                pdf.savefig(figure)
    write_file(path, data.getvalue())
    return [path]


def page_of(problems: Sequence[BookProblem], first: int) -> Any:
    """A page as a figure; its problems are numbered from `first` on."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=PAGE)
    boards = figure.subplots(ROWS, COLUMNS)
    figure.subplots_adjust(left=0.06, right=0.94, top=0.95, bottom=0.09, hspace=0.22, wspace=0.12)
    for axes in boards.flat:
        axes.set_axis_off()
    for number, (axes, problem) in enumerate(zip(boards.flat, problems, strict=False), first):
        draw_board(axes, problem)
        goal = problem.trial().goal
        axes.set_title(
            f"{number}. {to_color_name(problem.game.to_play).capitalize()} to play: {goal} ({grade_of(problem.rating)})", fontsize=6.5
        )
    answers = [f"{number}: {' or '.join(map(to_vertex, problem.report.moves))}" for number, problem in enumerate(problems, first)]
    figure.text(0.5, 0.035, "   ".join(answers), ha="center", fontsize=6, rotation=180)
    figure.text(
        0.5, 0.015, "Made and proved by gtp-engine problems --sheet; turn the page upside down for the answers.", ha="center", fontsize=6
    )
    return figure


def draw_board(axes: Any, problem: BookProblem) -> None:
    """Draw the board of a problem, with triangles on the stones in question."""
    from matplotlib.patches import Circle

    axes.set_aspect("equal")
    axes.set(xlim=(0.2, SIZE + 0.8), ylim=(0.2, SIZE + 0.8))
    for line in range(1, SIZE + 1):
        axes.plot((1, SIZE), (line, line), color="black", linewidth=0.5, zorder=1)
        axes.plot((line, line), (1, SIZE), color="black", linewidth=0.5, zorder=1)
        axes.text(line, 0.25, "ABCDEFGHJ"[line - 1], ha="center", va="center", fontsize=5)
        axes.text(0.25, line, str(line), ha="center", va="center", fontsize=5)
    for row, column in STARS:
        axes.add_patch(Circle((column, row), 0.09, color="black", zorder=2))
    for color, fill, mark in ((BLACK, "black", "white"), (WHITE, "white", "black")):
        for point in problem.game.stones(color):
            row, column = row_and_column(point)
            axes.add_patch(Circle((column, row), 0.46, facecolor=fill, edgecolor="black", linewidth=0.6, zorder=3))
            if point in problem.targets:
                axes.plot(column, row, marker="^", color=mark, markersize=3.2, zorder=4)
