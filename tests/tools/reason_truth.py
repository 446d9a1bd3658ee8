"""Are the reasons of mistakes true? A strong network looks at the same moves.

.venv/bin/python tests/tools/reason_truth.py GAMES --network FILE --output FOLDER [--visits 60] [--count 40] [--seed 1]

GAMES is a folder of records. They are reviewed as `gtp-engine review` does it with one thread; of all reasons COUNT are drawn at random.
Each is checked by two searches of the strong network, without proofs, after the better move and after the move that was played:

- area: by the strong network, the better move gains at least half as much in this area, and what is said of its owners holds with SLACK;
- sente: the answer to the better move is near it and a point better than others, also than the opponent's free move in a third search,
  and the move that was played is not answered;
- point: the opponent's move on this point, or near it where that is said, is at most a point worse than the best;
- all others are proved on the board; of these it is asked whether the move lost at least half of what the review says.

Printed are how many mistakes have a reason, the reasons that do not hold, with the board, and how many hold, by kind. OUTPUT keeps all
searches, and the same command goes on where it was stopped.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, opponent, to_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.interfaces.gtp.diagram import draw
from gtp_engine.sgf.reader import DEFAULT_KOMI
from gtp_engine.tools.review.area_reasons import GAINED, Area, Expected, claims, distance, expected_in, largest_area, weightiest_claim
from gtp_engine.tools.review.examiner import SearchedPosition, to_evaluation
from gtp_engine.tools.review.judge import Judge
from gtp_engine.tools.review.kept_answers import KeptAnswers
from gtp_engine.tools.review.missed_move import missed_move_of
from gtp_engine.tools.review.model import Evaluation, GameReview, MoveReview, Reason
from gtp_engine.tools.review.records import GameRecord, find_files, read_record, read_sources
from gtp_engine.tools.review.reply_reasons import CLOSE, NEAR, free_move
from gtp_engine.tools.review.settings import ReviewSettings

SLACK = 0.25  # of ownership: the strong network need not be as sure
HALF = 0.5
NEAR_BEST = 1.0  # points
FEWEST_VISITS = 4  # of a move whose result is compared
LEAST_LOSS = 0.5  # points


@dataclass(frozen=True)
class Case:
    """A reason to be checked."""

    name: str  # of the game
    move: MoveReview
    reason: Reason
    record: GameRecord
    ours: Expected | None


def main() -> None:
    """Review, check and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("--network", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--visits", type=int, default=60)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    reviews = list(all_reviews(args.games, args.output))
    mistakes = [move for _, _, review in reviews for move in review.moves if move.is_mistake]
    cases = [case for name, record, review in reviews for case in cases_of(name, record, review)]
    print(f"{sum(bool(move.reasons) for move in mistakes)} of {len(mistakes)} mistakes have reasons, {len(cases)} of them", flush=True)
    random.Random(args.seed).shuffle(cases)
    strong = Strong(args.network, args.visits, args.output)
    held: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for case in cases[: args.count]:
        asked[case.reason.kind] += 1
        fault = strong.fault(case)
        held[case.reason.kind] += not fault
        if fault:
            print(f"{case.name} {case.move.number} [{case.reason.kind}] {case.reason.text}\n  {fault}")
            print(draw(case.record.position(case.move.number)), flush=True)
    print(f"{held.total()} of {asked.total()} hold: " + ", ".join(f"{kind} {held[kind]} of {count}" for kind, count in asked.items()))


def all_reviews(games: Path, output: Path) -> Iterator[tuple[str, GameRecord, GameReview]]:
    """The games' names, records and reviews."""
    judge = Judge(SearchParams(threads=1, seed=1), ReviewSettings())
    for path in find_files([games]):
        for source in read_sources(path):
            record = read_record(source, CHINESE, DEFAULT_KOMI)
            answers = KeptAnswers(output / f"{source.stem}.review", source.digest())
            review = judge.review(record, answers=answers)
            answers.close()
            yield source.stem, record, review


def cases_of(name: str, record: GameRecord, review: GameReview) -> Iterator[Case]:
    """The reasons of one game."""
    for move in review.moves:
        if move.reasons:
            yield from (Case(name, move, reason, record, expected_in(review, move)) for reason in move.reasons)


class Strong:
    """The strong network, and what it found."""

    def __init__(self, network: str, visits: int, output: Path) -> None:
        self._engine = Engine(SearchParams(threads=1, seed=1, network=network, reading_share=0.0))
        self._visits, self._output = visits, output
        self._kept: dict[str, KeptAnswers] = {}

    def fault(self, case: Case) -> str:
        """What does not hold; empty where the reason does."""
        move = case.move
        assert move.best is not None
        missed = missed_move_of(case.record.position(move.number), move, [], None)
        assert missed is not None
        best = self._searched(case, missed.best, move.best.point)
        after = self._searched(case, missed.after, move.point)
        loss = best.lead_of(move.color) - after.lead_of(move.color)
        theirs = Expected(owned(best, move.color), owned(after, move.color), loss, best.candidates, after.candidates)
        if case.reason.kind == "sente" and case.ours is not None:
            free = free_move(case.ours)
            missed.best.play(opponent(move.color), free)
            ignored = self._searched(case, missed.best, move.best.point, free).lead_of(move.color) - best.lead_of(move.color)
            if ignored < NEAR_BEST:
                return f"To play {to_vertex(free)} instead of the answer costs {ignored:.1f}"
        text = {"area": area_fault, "sente": sente_fault, "point": point_fault}.get(case.reason.kind, loss_fault)(case, theirs)
        return text and f"{text}. Loss {move.loss:.1f}, by the strong network {loss:.1f}"

    def _searched(self, case: Case, game: Game, point: int, reply: int | None = None) -> Evaluation:
        """What is found of a position after a move on `point`, and one on `reply`."""
        if case.name not in self._kept:
            self._kept[case.name] = KeptAnswers(self._output / f"{case.name}.strong", case.record.source.digest())
        kept = self._kept[case.name]
        question = SearchedPosition(case.move.number, self._visits, point, reply)
        if question not in kept:
            engine = self._engine
            engine.state.set_rules(case.record.rules)
            engine.state.komi = case.record.komi
            engine.state.set_game(game)
            engine.forget_tree()
            kept[question] = to_evaluation(engine.examine(game.to_play, Limits(self._visits)), game.to_play)
        return kept[question]


def owned(evaluation: Evaluation, color: int) -> np.ndarray:
    """The ownership from the side of `color`."""
    return evaluation.ownership if color == BLACK else -evaluation.ownership


def area_fault(case: Case, theirs: Expected) -> str:
    """The area's gain, and what is said of it."""
    assert case.ours is not None
    game, color = case.record.position(case.move.number), case.move.color
    assert case.move.best is not None
    area = largest_area(game.size, case.ours, case.move.best.point)
    assert area is not None
    same = Area(area.points, theirs)
    what = weightiest_claim(game, color, area)
    if same.gain < HALF * min(area.gain, max(case.move.loss, LEAST_LOSS)):
        return f"The area gains {area.gain:.1f} points, by the strong network {same.gain:.1f}"
    if what != GAINED and what not in claims(game, color, same, SLACK):
        means = ", ".join(f"{same.mean(which, area.points):.2f}" for which in ("best", "after"))
        return f"It is not {what}: the strong network's means are {means} ({' '.join(map(to_vertex, area.points))})"
    return ""


def sente_fault(case: Case, theirs: Expected) -> str:
    """The answer, and the opponent's freedom."""
    assert case.move.best is not None
    better, (first, *others) = case.move.best.point, theirs.answers_to_best
    elsewhere = [each for each in others if each.visits >= FEWEST_VISITS and (each.point == PASS or distance(each.point, better) > NEAR)]
    if first.point == PASS or distance(first.point, better) > NEAR or any(each.score > first.score - NEAR_BEST for each in elsewhere):
        return f"The better move need not be answered: {' '.join(to_vertex(each.point) for each in (first, *elsewhere))}"
    free = theirs.answers[0].point
    if free != PASS and distance(free, case.move.point) <= NEAR:
        return f"The move that was played is answered at {to_vertex(free)}"
    return ""


def point_fault(case: Case, theirs: Expected) -> str:
    """The opponent's move on the point, or close to it."""
    assert case.move.best is not None
    better, reach = case.move.best.point, 0 if "Both players" in case.reason.text else CLOSE
    there = [each for each in theirs.answers if each.point != PASS and distance(each.point, better) <= reach]
    if not there or theirs.answers[0].score - max(each.score for each in there) > NEAR_BEST:
        return f"The opponent plays {to_vertex(theirs.answers[0].point)}"
    return ""


def loss_fault(case: Case, theirs: Expected) -> str:
    """The points lost."""
    return "" if theirs.loss >= HALF * case.move.loss else "The move did not lose that much"


if __name__ == "__main__":
    main()
