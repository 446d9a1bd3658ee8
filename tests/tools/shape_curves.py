"""Compares training runs of networks of several shapes at equal numbers of positions, by their logs.

.venv/bin/python tests/tools/shape_curves.py FOLDER... [--at 100000,300000,1000000] [--board TITLE] [--picture FILE.svg]

FOLDER: one of `gtp-engine train distill ... --measure-every 5m`. Prints a Markdown table with a row for each: nats over the teacher's and
the error of the win rate at these numbers of positions, between two measurements on the line through them; empty where a run has none.
"""

import argparse
import json
import sys
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.charts import COLORS, Chart, Panel, as_svg
from gtp_engine.learning.training.katago.report import curve_of
from gtp_engine.learning.training.run import LOG

COLUMNS = {"nats": "nats", "win_error": "win"}
MOST_COLUMNS = 4  # if no positions are named


def log_of(folder: Path) -> list[dict[str, Any]]:
    """The measurements of a run, in the order of positions."""
    return [json.loads(line) for line in (folder / LOG).read_text(encoding="utf-8").splitlines()]


def value_at(log: list[dict[str, Any]], title: str, name: str, positions: int) -> str:
    """A figure at so many positions; empty outside of the measurements."""
    learned = [line["positions"] for line in log]
    if not learned[0] <= positions <= learned[-1]:
        return ""
    return f"{np.interp(positions, learned, [line['held_out'][title][name] for line in log]):.3f}"


def table(logs: dict[str, list[dict[str, Any]]], title: str, at: list[int]) -> str:
    """The Markdown table."""
    names = [f"{positions:,}: {column}" for positions in at for column in COLUMNS.values()]
    rows = ["| run | " + " | ".join(names) + " | positions a second |", "|---" * (len(names) + 2) + "|"]
    for run, log in logs.items():
        values = [value_at(log, title, name, positions) for positions in at for name in COLUMNS]
        speed = log[-1]["positions"] / max(log[-1]["seconds"], 1)
        rows.append(f"| {run} | " + " | ".join(values) + f" | {speed:.1f} |")
    return "\n".join(rows)


def draw(path: Path, logs: dict[str, list[dict[str, Any]]], title: str) -> None:
    """Write a panel for each figure, with a line for each run."""
    panels = []
    for name, label in (("nats", "nats over the teacher's"), ("win_error", "error of the win rate")):
        runs = zip(logs.items(), cycle(COLORS), strict=False)
        curves = [replace(curve_of(log, title, name, 1.0, color), label=run) for (run, log), color in runs]
        panels.append(Panel(curves, label, "positions"))
    path.write_bytes(as_svg(Chart([panels], height=350.0)))


def main() -> int:
    """The table, and perhaps the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--at", help="numbers of positions, such as 100000,300000 (default: four up to the shortest run's)")
    parser.add_argument("--board", help="the source and board to compare, as in the log (default: the first)")
    parser.add_argument("--picture", type=Path)
    args = parser.parse_args()
    logs = {folder.name: log_of(folder) for folder in args.folders}
    title = args.board or next(iter(next(iter(logs.values()))[0]["held_out"]))
    shortest = min(log[-1]["positions"] for log in logs.values())
    at = [int(part) for part in args.at.split(",")] if args.at else [shortest * i // MOST_COLUMNS for i in range(1, MOST_COLUMNS + 1)]
    print(table(logs, title, at))
    if args.picture:
        draw(args.picture, logs, title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
