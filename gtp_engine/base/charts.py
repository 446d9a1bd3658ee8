"""Line charts, such as of a game's win rate or a network's training: as SVG without a library, as PNG with matplotlib (extra `plots`)."""

import importlib.util
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

COLORS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b")  # of curves without their own color
INK, GRAY, GRID = "#1f2937", "#9aa5b1", "#e3e7eb"
FONT_SIZE = 12  # all lengths are pixels of the SVG file
LETTER = 6.6  # average width of a letter of this size
LEFT, RIGHT, BOTTOM, LEGEND, TITLE = 62.0, 16.0, 44.0, 24.0, 30.0  # space around a panel, for its legend, and for the chart's title
MARK = 3.0  # radius
MOST_TICKS = 6
MARGIN = 0.05  # of the range, around the values
DOTS_AN_INCH = 150  # of PNG files; charts are drawn at PIXELS_AN_INCH
PIXELS_AN_INCH = 100
MARKS = {"": "", "dot": "o", "cross": "x"}  # as matplotlib calls them
LAST_LETTER = 0x52F  # matplotlib's included font has Latin, Greek and Cyrillic letters up to here

Range = tuple[float, float]


@dataclass(frozen=True)
class Curve:
    """Points, joined by a line of this width (0: not joined), each marked by a "dot" or a "cross" ("": not marked)."""

    points: Sequence[tuple[float, float]]
    label: str = ""  # in the legend; "": none
    color: str = INK
    width: float = 1.5
    mark: str = ""


@dataclass(frozen=True)
class Panel:
    """Axes with curves. A range of None includes all values."""

    curves: Sequence[Curve]
    y_label: str
    x_label: str = ""
    x_range: Range | None = None
    y_range: Range | None = None
    even: float | None = None  # a line is drawn at this y, and the first curve is filled to it: dark above, light below
    whole_x: bool = False  # True: only whole numbers at the x-axis


@dataclass(frozen=True)
class Chart:
    """Rows of panels, all of one size."""

    rows: Sequence[Sequence[Panel]]
    title: str = ""
    width: float = 900.0
    height: float = 500.0


# ---------------------------------------------------------------- axes


def ranges(panel: Panel) -> tuple[Range, Range]:
    """The ranges of the x-axis and the y-axis."""
    points = [point for curve in panel.curves for point in curve.points]
    values = [y for _, y in points] + ([] if panel.even is None else [panel.even])
    return panel.x_range or around([x for x, _ in points]), panel.y_range or around(values)


def around(values: Sequence[float]) -> Range:
    """A range that includes all values, with a margin."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    margin = (high - low) * MARGIN or 1.0
    return low - margin, high + margin


def ticks(shown: Range, whole: bool = False) -> list[float]:
    """Round numbers within a range, at most MOST_TICKS; `whole`: whole numbers only."""
    low, high = shown
    exponent = math.floor(math.log10((high - low) / MOST_TICKS))
    steps = (digit * 10.0**power for power in (exponent, exponent + 1) for digit in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step < MOST_TICKS)
    step = max(step, 1.0) if whole else step
    return [number * step for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


# ---------------------------------------------------------------- SVG


@dataclass(frozen=True)
class Frame:
    """The place and the ranges of a panel's axes in the picture."""

    left: float
    top: float
    right: float
    bottom: float
    x_range: Range
    y_range: Range

    def x(self, value: float) -> float:
        """The x coordinate of a value."""
        low, high = self.x_range
        return self.left + (value - low) / (high - low) * (self.right - self.left)

    def y(self, value: float) -> float:
        """The y coordinate of a value."""
        low, high = self.y_range
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)

    def path(self, points: Sequence[tuple[float, float]]) -> str:
        """Points in SVG's form."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)


def as_svg(chart: Chart) -> bytes:
    """The chart as an SVG file; the same chart gives the same bytes."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {chart.width:g} {chart.height:g}" width="{chart.width:g}" '
        f'height="{chart.height:g}" font-family="sans-serif" font-size="{FONT_SIZE}" fill="{INK}">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    if chart.title:
        lines.append(text(chart.width / 2, 20, chart.title, "middle"))
    top = TITLE if chart.title else 0.0
    height = (chart.height - top) / len(chart.rows)
    for row, panels in enumerate(chart.rows):
        width = chart.width / len(panels)
        for column, panel in enumerate(panels):
            left, above = column * width, top + row * height
            frame = Frame(left + LEFT, above + LEGEND, left + width - RIGHT, above + height - BOTTOM, *ranges(panel))
            lines += [*axes(panel, frame), *fills(panel, frame), *curves(panel, frame), *legend(panel, frame)]
    return "\n".join([*lines, "</svg>", ""]).encode("utf-8", "replace")


def text(x: float, y: float, words: str, anchor: str, turned: bool = False) -> str:
    """A line of text."""
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    printable = "".join(letter if letter.isprintable() else " " for letter in words)
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{escape(printable)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    """A thin line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def axes(panel: Panel, frame: Frame) -> Iterator[str]:
    """The grid, and numbers and labels of both axes."""
    for value in ticks(frame.y_range):
        yield line(frame.left, frame.y(value), frame.right, frame.y(value), GRID)
        yield text(frame.left - 6, frame.y(value) + 4, f"{value:g}", "end")
    for value in ticks(frame.x_range, panel.whole_x):
        yield line(frame.x(value), frame.bottom, frame.x(value), frame.bottom + 4, GRAY)
        yield text(frame.x(value), frame.bottom + 18, f"{value:,.10g}", "middle")
    yield line(frame.left, frame.top, frame.left, frame.bottom, GRAY)
    yield line(frame.left, frame.bottom, frame.right, frame.bottom, GRAY)
    yield text(frame.left - LEFT + 16, (frame.top + frame.bottom) / 2, panel.y_label, "middle", turned=True)
    yield text((frame.left + frame.right) / 2, frame.bottom + 36, panel.x_label, "middle")


def fills(panel: Panel, frame: Frame) -> Iterator[str]:
    """The area between the first curve and the even line."""
    points = panel.curves[0].points if panel.even is not None else []
    if panel.even is None or not points:
        return
    name = f"{frame.left:.0f}-{frame.top:.0f}"
    area = frame.path([(points[0][0], panel.even), *points, (points[-1][0], panel.even)])
    middle = frame.y(panel.even)
    for side, above, below, color in (("above", frame.top, middle, INK), ("below", middle, frame.bottom, GRAY)):
        height = max(below - above, 0.0)
        yield f'<clipPath id="{side}-{name}"><rect x="0" y="{above:.1f}" width="100%" height="{height:.1f}"/></clipPath>'
        yield f'<polygon points="{area}" fill="{color}" opacity="0.25" clip-path="url(#{side}-{name})"/>'
    yield line(frame.left, middle, frame.right, middle, GRAY)


def curves(panel: Panel, frame: Frame) -> Iterator[str]:
    """The curves, then all marks on top."""
    for curve in panel.curves:
        if curve.width and curve.points:
            yield f'<polyline points="{frame.path(curve.points)}" fill="none" stroke="{curve.color}" stroke-width="{curve.width:g}"/>'
    for curve in panel.curves:
        for x, y in curve.points:
            yield from mark(curve, frame.x(x), frame.y(y))


def mark(curve: Curve, x: float, y: float) -> Iterator[str]:
    """A curve's mark at a place of the picture."""
    if curve.mark == "dot":
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{MARK:g}" fill="{curve.color}"/>'
    elif curve.mark == "cross":
        for side in (-MARK, MARK):
            yield line(x - MARK, y - side, x + MARK, y + side, curve.color)


def legend(panel: Panel, frame: Frame) -> Iterator[str]:
    """The curves' names in a row above the axes."""
    x, y = frame.left + 4, frame.top - 8
    for curve in panel.curves:
        if curve.label:
            yield line(x, y - 4, x + 18, y - 4, curve.color) if curve.width else ""
            yield from mark(curve, x + 9, y - 4)
            yield text(x + 24, y, curve.label, "start")
            x += 40 + LETTER * len(curve.label)


# ---------------------------------------------------------------- PNG


def can_draw_png() -> bool:
    """True if matplotlib is installed."""
    try:
        return importlib.util.find_spec("matplotlib") is not None
    except ValueError:
        return False  # sys.modules marks it as missing


def as_png(chart: Chart) -> bytes:
    """The chart as a PNG file. Needs matplotlib, which takes a second or two to load the first time."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"font.size": 9.0}):
        figure = Figure(figsize=(chart.width / PIXELS_AN_INCH, chart.height / PIXELS_AN_INCH), layout="constrained")
        figure.suptitle(drawable(chart.title), fontsize=11)
        subplots = figure.subplots(len(chart.rows), len(chart.rows[0]), squeeze=False)
        for panels, places in zip(chart.rows, subplots, strict=True):
            for panel, place in zip(panels, places, strict=True):
                draw_panel(panel, place)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=DOTS_AN_INCH)
        return file.getvalue()


def draw_panel(panel: Panel, place: Any) -> None:
    """A panel in matplotlib's axes `place`."""
    if panel.even is not None and panel.curves[0].points:
        xs, ys = zip(*panel.curves[0].points, strict=True)
        for color, where in ((INK, [y >= panel.even for y in ys]), (GRAY, [y <= panel.even for y in ys])):
            place.fill_between(xs, ys, panel.even, where=where, color=color, alpha=0.25, interpolate=True, linewidth=0)
        place.axhline(panel.even, color=GRAY, linewidth=0.8)
    for curve in panel.curves:
        if curve.points:
            style = {"marker": MARKS[curve.mark], "linestyle": "-" if curve.width else "", "label": curve.label or None}
            place.plot(*zip(*curve.points, strict=True), color=curve.color, linewidth=curve.width, markersize=5, **style)
    x_range, y_range = ranges(panel)
    place.set(xlim=x_range, ylim=y_range, xlabel=panel.x_label, ylabel=panel.y_label)
    place.set_xticks(ticks(x_range, panel.whole_x))
    place.grid(axis="y", linewidth=0.3)
    place.spines[["top", "right"]].set_visible(False)
    if any(curve.label and curve.points for curve in panel.curves):
        place.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(panel.curves), frameon=False)


def drawable(text: str) -> str:
    """Text that matplotlib doesn't read as a formula, without letters missing in its font, such as Chinese ones."""
    return "".join(letter for letter in text if letter.isprintable() and ord(letter) <= LAST_LETTER).replace("$", r"\$")
