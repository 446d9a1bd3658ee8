"""Charts: what the axes show, the SVG file point by point, and the PNG file where matplotlib is installed."""

import sys
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.base.charts import INK, Chart, Curve, Panel, as_png, as_svg, can_draw_png, ranges, ticks

SVG = "{http://www.w3.org/2000/svg}"
RISING = Curve([(0.0, 10.0), (1.0, 20.0), (2.0, 90.0)], "rising", "#123456", mark="dot")


def drawn(*panels: Panel, title: str = "") -> ElementTree.Element:
    """The chart's SVG, read back."""
    return ElementTree.fromstring(as_svg(Chart([panels], title)))


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.booleans())
def test_ticks_are_few_and_round_and_within_the_range(low: float, size: float, whole: bool) -> None:
    found = ticks((low, low + size), whole)
    assert len(found) <= 7
    assert all(low - size * 1e-6 <= tick <= low + size * (1 + 1e-6) for tick in found)
    assert not whole or all(tick == round(tick) for tick in found)


def test_ticks_of_the_usual_ranges() -> None:
    assert ticks((0.0, 100.0)) == [0, 20, 40, 60, 80, 100]
    assert ticks((0.0, 2.0), whole=True) == [0, 1, 2]
    assert ticks((-3.0, 12.0)) == [0, 5, 10]


def test_a_range_shows_all_values_and_the_even_line() -> None:
    x_range, y_range = ranges(Panel([RISING], "percent", even=150.0))
    assert x_range[0] < 0 < 2 < x_range[1]
    assert y_range[0] < 10 < 150 < y_range[1]
    assert ranges(Panel([Curve([])], "nothing")) == ((-0.05, 1.05), (-0.05, 1.05))


def test_points_are_where_the_axes_say() -> None:
    root = drawn(Panel([RISING], "percent", y_range=(0.0, 100.0), x_range=(0.0, 2.0)))
    line = next(each for each in root.iter(f"{SVG}polyline") if each.get("stroke") == "#123456")
    places = [tuple(map(float, place.split(","))) for place in line.get("points", "").split()]
    numbers = {each.text: float(each.get("y", "")) - 4 for each in root.iter(f"{SVG}text") if each.get("text-anchor") == "end"}
    assert places[0][1] == pytest.approx((numbers["20"] + numbers["0"]) / 2, abs=0.2)
    assert places[1][1] == pytest.approx(numbers["20"], abs=0.2)
    marks = [(float(each.get("cx", "")), float(each.get("cy", ""))) for each in root.iter(f"{SVG}circle")]
    assert marks[: len(places)] == places or marks[-len(places) :] == places


def test_who_is_ahead_is_filled_on_both_sides_of_the_even_line() -> None:
    root = drawn(Panel([RISING], "percent", even=50.0))
    fills = list(root.iter(f"{SVG}polygon"))
    assert len(fills) == 2 and fills[0].get("fill") == INK
    assert {fill.get("points") for fill in fills} == {fills[0].get("points")}


@pytest.mark.parametrize("name", ["Anna", "<b>&", "$a_{$", "\u5433\u6e05\u6e90", "a\x00b", "\ud800"])
def test_every_name_can_be_drawn(name: str) -> None:
    """Also what XML forbids, and what matplotlib takes for a formula or has no letters for."""
    chart = Chart([[Panel([RISING], "percent")]], name)
    assert ElementTree.fromstring(as_svg(chart)).find(f"{SVG}text") is not None
    assert as_svg(chart) == as_svg(chart)
    if can_draw_png():
        assert as_png(chart).startswith(b"\x89PNG")


def test_a_chart_without_a_value_is_still_a_chart() -> None:
    panel = Panel([Curve([]), Curve([], "nobody", mark="cross")], "percent", even=0.0)
    assert drawn(panel).tag == f"{SVG}svg"
    if can_draw_png():
        assert as_png(Chart([[panel]])).startswith(b"\x89PNG")


def test_without_matplotlib_there_are_no_png_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not can_draw_png()
