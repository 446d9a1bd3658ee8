"""Is the lead of a position the same wherever it is asked for?

.venv/bin/python tests/tools/same_lead.py GAMES --positions 100 --seed 1 --output leads.jsonl

GAMES is a folder of records, from which positions are drawn. OUTPUT keeps what was found, and the same command goes on where it was
stopped. The lead and Black's win rate are asked for in
five places, from nothing each time: `final_score` over GTP (`Engine.lead`, no win rate), the analysis engine, a review, the board in the
browser, the library. What a search's result is worth is seen by SEEDS searches with different random numbers: the interval is their mean
and WIDTH standard deviations of one search to either side, at least STEP; by Student's t another search lies outside in 3 of 1000 cases.
Printed are the positions where a lead or a win rate lies outside, and how many have all inside.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.points import BLACK, to_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.interfaces.browser.findings import findings_of
from gtp_engine.interfaces.library.engine import GoEngine
from gtp_engine.sgf.reader import DEFAULT_KOMI
from gtp_engine.tools.review.examiner import Examiner, SearchedPosition, to_evaluation
from gtp_engine.tools.review.model import Evaluation
from gtp_engine.tools.review.records import GameRecord, find_files, read_record, read_sources

SEEDS = 12
WIDTH = 4.0  # the 99.87 % quantile of Student's t with SEEDS - 1 degrees of freedom, times the root of 1 + 1 / SEEDS
STEP = 0.3  # points: what is shown is rounded, and two places may round to either side
RATE_STEP = 0.03
VISITS = 150


def main() -> None:
    """Ask everywhere and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--visits", type=int, default=VISITS)
    parser.add_argument("--seed", type=int, default=1, help="which positions are drawn (default: %(default)s)")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    wanted = positions(args.games, args.positions, args.seed)
    done = len(args.output.read_text().splitlines()) if args.output.exists() else 0
    if done < len(wanted):
        compare(wanted[done:], args.visits, args.output)
    report([json.loads(line) for line in args.output.read_text().splitlines()])


def positions(folder: Path, count: int, seed: int) -> list[tuple[GameRecord, int]]:
    """(record, moves played) of so many positions."""
    records = [read_record(source, CHINESE, DEFAULT_KOMI) for path in find_files([folder]) for source in read_sources(path)]
    chance = random.Random(seed)
    drawn = [chance.choice(records) for _ in range(count)]
    return [(record, chance.randrange(1, len(record.moves))) for record in drawn]


def compare(wanted: list[tuple[GameRecord, int]], visits: int, output: Path) -> None:
    """Ask about each position, and add a line for it to the output."""
    params = SearchParams(threads=1, seed=1)
    evaluators = Evaluators(print)
    engine = Engine(params, evaluators=evaluators)
    others = [Engine(SearchParams(threads=1, seed=seed), evaluators=evaluators) for seed in range(2, SEEDS + 2)]
    examiner = Examiner(params, evaluators)
    analysis = Analysis(visits)
    for record, number in wanted:
        found = ask(record, number, visits, engine, examiner, analysis)
        spread = [searched(each, record, number, visits) for each in others]
        line = {"game": record.source.title, "moves": number, "size": record.size, "found": found, "searched": spread}
        with output.open("a") as file:
            file.write(json.dumps(line) + "\n")
    analysis.close()


def report(lines: list[dict[str, Any]]) -> None:
    """Print what lies outside its interval, and the counts."""
    agreed = {"lead": 0, "win rate": 0}
    for line in lines:
        for column, (name, least) in enumerate((("lead", STEP), ("win rate", RATE_STEP))):
            spread = np.array(line["searched"])[:, column]
            values = {place: pair[column] for place, pair in line["found"].items() if pair[column] is not None}
            middle, width = spread.mean(), max(WIDTH * spread.std(ddof=1), least)
            is_inside = all(abs(value - middle) <= width for value in values.values())
            agreed[name] += is_inside
            if not is_inside:
                shown = ", ".join(f"{place} {value:.2f}" for place, value in values.items())
                print(f"{line['game']} after {line['moves']} moves, {name}: {middle:.2f} +- {width:.2f}; {shown}")
    print(f"{len(lines)} positions: the same lead in {agreed['lead']}, the same win rate in {agreed['win rate']}")


Pair = tuple[float, float | None]  # Black's lead and win rate


def ask(record: GameRecord, number: int, visits: int, engine: Engine, examiner: Examiner, analysis: "Analysis") -> dict[str, Pair]:
    """What each place says, by its name."""
    game = record.position(number + 1)
    engine.state.set_rules(record.rules)
    engine.state.komi = record.komi
    engine.state.set_game(game)
    engine.forget_tree()
    found: dict[str, Pair] = {"final_score": (engine.lead(), None), "analysis": analysis.ask(record, number)}
    reviewed: list[Evaluation] = []
    examiner.examine(record, [SearchedPosition(number, visits)], lambda _, evaluation: reviewed.append(evaluation))
    found["review"] = reviewed[0].lead, reviewed[0].win_rate
    engine.forget_tree()
    result = engine.examine(game.to_play, Limits(visits))
    page = findings_of(to_evaluation(result, game.to_play), game.size)
    found["page"] = page.lead, page.win_rate
    library = GoEngine(size=record.size, komi=record.komi, rules=record.rules.name, visits=visits, threads=1, seed=1)
    for color, point in record.moves[:number]:
        library.play("B" if color == BLACK else "W", to_vertex(point))
    said = library.analyze()
    sign = 1 if game.to_play == BLACK else -1
    found["library"] = sign * said.lead, said.win_rate if sign == 1 else 1.0 - said.win_rate
    return found


def searched(engine: Engine, record: GameRecord, number: int, visits: int) -> tuple[float, float]:
    """A search from nothing with the engine's own random numbers."""
    game = record.position(number + 1)
    engine.state.set_rules(record.rules)
    engine.state.komi = record.komi
    engine.state.set_game(game)
    engine.forget_tree()
    evaluation = to_evaluation(engine.examine(game.to_play, Limits(visits)), game.to_play)
    return evaluation.lead, evaluation.win_rate


class Analysis:
    """`gtp-engine analysis`, a process of its own."""

    def __init__(self, visits: int) -> None:
        command = [sys.executable, "-P", "-m", "gtp_engine", "analysis", "--seed", "1"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._visits = visits

    def ask(self, record: GameRecord, number: int) -> Pair:
        """Black's lead and win rate."""
        assert self._process.stdin is not None and self._process.stdout is not None
        query = {
            "id": "1",
            "moves": [["B" if color == BLACK else "W", to_vertex(point)] for color, point in record.moves[:number]],
            "rules": record.rules.name,
            "komi": record.komi,
            "boardXSize": record.size,
            "boardYSize": record.size,
            "maxVisits": self._visits,
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
        }
        self._process.stdin.write(json.dumps(query) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "rootInfo" not in answer:
            raise SystemExit(str(answer))
        return answer["rootInfo"]["scoreLead"], answer["rootInfo"]["winrate"]

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


if __name__ == "__main__":
    main()
