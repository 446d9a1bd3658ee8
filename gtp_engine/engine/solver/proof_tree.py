"""A proof as a game record: for every move of the loser, the move that refutes it."""

from collections.abc import Iterator

from gtp_engine.engine.solver.fixpoint import UNREACHED
from gtp_engine.engine.solver.graph import PASS_MOVE
from gtp_engine.engine.solver.question import Answer, Question
from gtp_engine.engine.solver.report import Solution
from gtp_engine.engine.solver.status import Report, best_child
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.sgf.values import escaped, letters_of

MOST_MOVES = 3_000  # in a record; programs still show that many well


class ProofTree:
    """Writes the proof of one report. It is cut at positions that were shown before and after MOST_MOVES moves, and says so."""

    def __init__(self, solution: Solution, report: Report) -> None:
        self.solution, self.report = solution, report
        self.question: Question = solution.solver.question(report.shown_by)
        self.distances = self.question.distances(report.answer)
        self.winner = self.question.prover if report.answer is Answer.YES else 1 - self.question.prover
        self.shown: set[int] = set()
        self.moves = 0

    def text(self) -> str:
        """The whole record: set-up, marked targets, the outcome as a comment, and the tree."""
        game, region = self.solution.problem.game, self.solution.region
        size = game.size
        stones = "".join(
            f"{name}[{']['.join(letters_of(point, size) for point in game.stones(color))}]"
            for name, color in (("AB", BLACK), ("AW", 3 - BLACK))
            if game.stones(color)
        )
        targets = [point for i, point in enumerate(region.points) if region.targets >> i & 1]
        color = "B" if region.color(self.report.side) == BLACK else "W"
        marks = "".join(f"[{letters_of(point, size)}]" for point in targets)
        comment = escaped(self.solution.outcome_text(self.report))
        head = f"(;GM[1]FF[4]CA[UTF-8]AP[gtp_engine]SZ[{size}]{stones}PL[{color}]TR{marks}C[{comment}]"
        start = self.question.start(self.report.side)
        return head + self.below(start) + ")\n"

    def below(self, start: int) -> str:
        """Everything after a node, as SGF. Not recursive, because proofs may be deeper than Python's stack."""
        parts: list[str] = []
        waiting: list[tuple[str, int]] = [("", start)]  # text to write, or a node whose moves follow
        while waiting:
            text, node = waiting.pop()
            if text:
                parts.append(text)
                continue
            moves = self.moves_to_show(node)
            if moves is None:
                parts.append("C[shown elsewhere, or cut here]")
                continue
            side = self.question.side_to_play(node)
            branches = len(moves) > 1
            for point, child in reversed(moves):
                waiting += [(")", -1)] if branches else []
                waiting.append(("", child))
                waiting.append(((("(" if branches else "") + self.move_text(side, point)), -1))
        return "".join(parts)

    def moves_to_show(self, node: int) -> list[tuple[int, int]] | None:
        """The winner's move, or all moves of the loser; None where the tree is cut."""
        children = self.question.children(node)
        if not children:
            return []
        if node in self.shown or self.moves >= MOST_MOVES:
            return None
        self.shown.add(node)
        if self.question.side_to_play(node) == self.winner:
            best = best_child(self.question, node, self.distances, self.report.answer)
            moves = [best] if best is not None else []
        else:
            moves = sorted(children, key=lambda child: -min(int(self.distances[child[1]]), UNREACHED))
        self.moves += len(moves)
        return moves

    def move_text(self, side: int, point: int) -> str:
        """`;B[cd]`."""
        color = "B" if self.solution.region.color(side) == BLACK else "W"
        return f";{color}[{'' if point == PASS_MOVE else letters_of(point, self.solution.region.size)}]"


def proofs_of(solution: Solution) -> Iterator[tuple[int, str]]:
    """(color that plays first, record of the proof) for each color whose question is answered."""
    for color in (BLACK, WHITE):
        report = solution.report(color)
        if report is not None and report.answer is not Answer.UNKNOWN:
            yield color, ProofTree(solution, report).text()
