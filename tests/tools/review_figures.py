"""Figures about reviews that were made: how the losses add up, and whether another engine's blunders were found.

.venv/bin/python tests/tools/review_figures.py OURS [--against THEIRS] [--points 10] [--searched 600]

OURS and THEIRS are folders that `gtp-engine review GAMES --output FOLDER` has written, THEIRS with `--network FILE --playouts 500`, say.
Games are told apart by the names of their folders. Printed are

- the sum of both players' losses, divided by the total variation of the lead's curve, smoothed over five moves;
- quiet moves, which are the network's first choice and take nothing: how far the lead that is shown goes from before them to after them;
- how long the searches took;
- at how many moves the lead changes by two points or more though no move lost them, because the next search finds something else;
- how many mistakes have a reason, by its kind;
- with --searched: how far the leads that are shown at the first FIRST moves lie from new searches of so many simulations, and how often the
  win rate is even (EVEN) where one side leads by AHEAD points;
- of THEIRS' moves that lost more than so many points, how many OURS calls a mistake or a blunder;
- false alarms: moves that OURS calls a blunder, and that by THEIRS lost less than half of these points;
- how far the leads and the losses of the two differ, and how many of THEIRS' --largest losses of a game OURS calls an inaccuracy or worse.
"""

import argparse
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.rules import CHINESE
from gtp_engine.sgf.reader import DEFAULT_KOMI
from gtp_engine.tools.review.examiner import to_evaluation
from gtp_engine.tools.review.records import read_record, read_sources

WINDOW = 5  # moves
DRIFT = 2.0  # points
FIRST = 10  # moves
EVEN, AHEAD = (0.35, 0.65), 4.0  # win rates, points
EMPTY = 0  # a color in the page's changes of the board
SERIOUS = ("mistake", "blunder")


def main() -> None:
    """Read the reviews and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--points", type=float, default=10.0)
    parser.add_argument("--largest", type=int, default=20)
    parser.add_argument("--searched", type=int, default=0, metavar="VISITS")
    arguments = parser.parse_args()
    ours = read_reviews(arguments.ours)
    losses = sum(sum(row["loss"] for row in review["moves"]) for review in ours.values())
    variation = sum(total_variation(smoothed(review["black_score_leads"])) for review in ours.values())
    print(f"{len(ours)} games, {sum(len(review['moves']) for review in ours.values())} moves")
    print(f"losses {losses:.0f} points, the lead's variation {variation:.0f}: ratio {losses / max(variation, 1e-9):.2f}")
    jumps = [jump for name, review in ours.items() for jump in quiet_jumps(review, page_data(arguments.ours / name / f"{name}.html"))]
    print(
        f"{len(jumps)} quiet moves: the lead changes by {sum(jumps) / max(len(jumps), 1):.2f} points, at most {max(jumps, default=0.0):.1f}"
    )
    print(f"seconds a game: {sum(review['seconds'] for review in ours.values()) / max(len(ours), 1):.1f}")
    drifts = [abs(row["drift"]) for review in ours.values() for row in review["moves"]]
    print(f"at {sum(drift >= DRIFT for drift in drifts)} of {len(drifts)} moves the lead changes by {DRIFT:g} points that no move lost")
    kinds = Counter(row["kind"] for review in ours.values() for row in review["moves"] if row["mistake"])
    print(f"{kinds.total() - kinds['other']} of {kinds.total()} mistakes with a reason: {dict(kinds)}")
    if arguments.searched:
        print_distances(arguments.ours, ours, arguments.searched)
    if arguments.against:
        theirs = read_reviews(arguments.against)
        print_agreement(ours, theirs, arguments.points)
        print_differences(ours, theirs, arguments.largest)


def read_reviews(folder: Path) -> dict[str, dict[str, Any]]:
    """The JSON documents of finished reviews by the names of their folders. Exits where there is none."""
    found = {
        path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*/*.json")) if path.stem == path.parent.name
    }
    if not found:
        raise SystemExit(f"{folder}: there is no review")
    return found


def smoothed(values: list[float]) -> list[float]:
    """Means over WINDOW values around each, fewer at the ends."""
    half = WINDOW // 2
    windows = [values[max(i - half, 0) : i + half + 1] for i in range(len(values))]
    return [sum(window) / len(window) for window in windows]


def total_variation(values: list[float]) -> float:
    """How far a curve goes up and down, all together."""
    return sum(abs(after - before) for before, after in pairwise(values))


def page_data(page: Path) -> dict[str, Any]:
    """What a review's page works on. Exits where there is no such page."""
    match = re.search(r'<script type="application/json" id="review">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    if match is None:
        raise SystemExit(f"{page}: this is no review's page")
    data: dict[str, Any] = json.loads(match[1])
    return data


def quiet_jumps(review: dict[str, Any], page: dict[str, Any]) -> list[float]:
    """By how many points the lead changes at each quiet move."""
    jumps = []
    for i, (before, after) in enumerate(pairwise(page["positions"])):
        priors = {each["vertex"]: each["prior"] for each in before["candidates"]}
        played = page["moves"][i]["vertex"]
        takes = EMPTY in after["changes"][1::2]
        if played != "pass" and not takes and priors and priors.get(played) == max(priors.values()):
            jumps.append(abs(review["black_score_leads"][i + 1] - review["black_score_leads"][i]))
    return jumps


def print_distances(folder: Path, ours: dict[str, dict[str, Any]], visits: int) -> None:
    """How far the leads at the beginning lie from new searches, and whether the win rates beside them fit."""
    engine = Engine(SearchParams(threads=1, seed=7))
    distances, misfits = [], 0
    for name, review in ours.items():
        record = read_record(read_sources(folder / name / f"{name}.sgf")[0], CHINESE, DEFAULT_KOMI)
        leads, rates = review["black_score_leads"][: FIRST + 1], review["black_win_rates"][: FIRST + 1]
        misfits += sum(abs(lead) >= AHEAD and EVEN[0] < rate < EVEN[1] for lead, rate in zip(leads, rates, strict=True))
        engine.state.set_rules(record.rules)
        engine.state.komi = record.komi
        for number, lead in enumerate(leads):
            engine.state.set_game(record.position(number + 1))
            engine.forget_tree()
            color = record.moves[number][0] if number < len(record.moves) else engine.state.game.to_play
            distances.append(abs(lead - to_evaluation(engine.examine(color, Limits(visits)), color).lead))
    print(f"first {FIRST} moves: {sum(distances) / len(distances):.2f} points from new searches, at most {max(distances):.1f};", end=" ")
    print(f"{misfits} of {len(distances)} even win rates beside a lead of {AHEAD:g} points")


def print_agreement(ours: dict[str, dict[str, Any]], theirs: dict[str, dict[str, Any]], points: float) -> None:
    """Which blunders of theirs are ours, in the games that both have."""
    games = sorted(ours.keys() & theirs.keys())
    blunders = found = alarms = 0
    for game in games:
        for own, other in zip(ours[game]["moves"], theirs[game]["moves"], strict=True):
            blunders += other["loss"] > points
            found += other["loss"] > points and own["mistake"] in SERIOUS
            alarms += own["mistake"] == "blunder" and other["loss"] < points / 2
    share = f"{found / blunders:.0%}" if blunders else "none to find"
    print(f"{len(games)} games in both: {found} of {blunders} losses above {points:g} points were found ({share})")
    print(f"false alarms: {alarms / max(len(games), 1):.1f} a game")


def print_differences(ours: dict[str, dict[str, Any]], theirs: dict[str, dict[str, Any]], largest: int) -> None:
    """How far leads and losses differ in the games that both have, and which of their largest losses are mistakes of any size in ours."""
    games = sorted(ours.keys() & theirs.keys())
    leads, losses, found, wanted = [], [], 0, 0
    for game in games:
        leads += [abs(a - b) for a, b in zip(ours[game]["black_score_leads"], theirs[game]["black_score_leads"], strict=True)]
        pairs = list(zip(ours[game]["moves"], theirs[game]["moves"], strict=True))
        losses += [abs(own["loss"] - other["loss"]) for own, other in pairs]
        worst = sorted(pairs, key=lambda pair: -pair[1]["loss"])[:largest]
        found += sum(bool(own["mistake"]) for own, _ in worst)
        wanted += len(worst)
    if not games:
        return
    print(f"{len(leads)} positions: the leads differ by {sum(leads) / len(leads):.1f} points on average, the losses of moves by", end=" ")
    print(f"{sum(losses) / len(losses):.2f}; of their {largest} largest losses a game {found} of {wanted} are mistakes of ours")


if __name__ == "__main__":
    main()
