"""The record with the review written into it: comments, win rates, marks for mistakes, better variations as branches.

What stands in the record stays: its own comments come first, its own variations stay where they are. Added are, in each node with a
move of the main line, `C` and the properties below; and after each mistake a branch with what would have been better.

`SBKV` and `SBKS` are Sabaki's: Black's win rate in percent and Black's lead in points after the move, which its graph shows. `V` is
SGF's own for the score, `BM`, `DO` and `TE` its marks for bad, doubtful and good moves, `HO` marks what is worth a look (FF[4]); Sabaki
shows them all. KaTrain shows the comments as notes; how it stores its own analysis is documented nowhere, so nothing imitates that.
"""

from collections.abc import Sequence

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, PASS, WHITE, opponent, to_color_name, to_vertex
from gtp_engine.go.rule_names import rules_title
from gtp_engine.sgf.nodes import MainLine, SgfNode, main_line
from gtp_engine.sgf.values import escaped, letters_of
from gtp_engine.tools.review.model import NAMES, Evaluation, GameReview, MoveReview
from gtp_engine.tools.review.moments import moments
from gtp_engine.tools.review.reach import within_reach
from gtp_engine.tools.review.record_text import Edits
from gtp_engine.tools.review.settings import BLUNDER, INACCURACY, MISTAKE, SIZES, counted
from gtp_engine.tools.review.words import doubt_text, points_text, verdict_text

MARKS = {INACCURACY: {"DO": ""}, MISTAKE: {"BM": "1"}, BLUNDER: {"BM": "2", "HO": "1"}}
EVEN = 0.5  # points: who leads by less can't be told
LINE_MOVES = 6  # of a line in a comment: more can't be followed without a board
MOVE_MARKS = ("BM", "DO", "IT", "TE")  # at most one of them may stand in a node


def annotated_record(review: GameReview) -> str:
    """The text of the record with the review in it, to be written in UTF-8."""
    text = review.record.text
    line = main_line(text)
    edits = Edits(text)
    annotate_root(edits, line.nodes[0], review)
    moves = [node for node in line.nodes if node.color_name][: len(review.moves)]  # further ones can't be played
    for node, move, evaluation in zip(moves, review.moves, review.evaluations[1:], strict=True):
        annotate_move(edits, node, move, evaluation)
    for node, move in reversed(list(zip(moves, review.moves, strict=True))):
        if move.is_mistake and move.best is not None:
            add_branch(edits, line, node, variation_text(move, move.best, review.record.size))
    return edits.result()


def annotate_root(edits: Edits, root: SgfNode, review: GameReview) -> None:
    """Say in the root's comment what was done and how the players did."""
    lines = [f"Reviewed by gtp_engine, a Go program. {rules_title(review.rules)} rules, komi {review.komi:g}."]
    for color in (BLACK, WHITE):
        summary = review.summary(color)
        mistakes = ", ".join(counted(summary.mistakes[size], size) for size in SIZES)
        name = to_color_name(color).capitalize()
        own = f"{summary.agreement:.0%} of the moves are the engine's choice"
        lines.append(f"{name}: {summary.mean_loss:.1f} points lost per move; {own}; {mistakes}.")
    if decisive := moments(review.moves):
        lines.append(f"What cost the most winning chances: {numbered(decisive)}.")
    if avoidable := within_reach(review.moves):
        lines.append(f"Study these first, since players a little stronger would often have played better: {numbered(avoidable)}.")
    if review.in_doubt or not review.settings.share:
        lines.append(f"{effort_text(review)}.")
    lines += [review.notes] if review.notes else []
    add_comment(edits, root, "\n".join(lines))


def numbered(moves: Sequence[MoveReview]) -> str:
    """`Black's move 8 at C2, White's move 9 at B4`."""
    return ", ".join(f"{NAMES[move.color]}'s move {move.number} at {to_vertex(move.point)}" for move in moves)


def effort_text(review: GameReview) -> str:
    """How thoroughly."""
    if not review.settings.share:
        return "This is only a first look"
    return doubt_text(review.in_doubt) if review.in_doubt else "The engine looked longer where the lead changes a lot"


def annotate_move(edits: Edits, node: SgfNode, move: MoveReview, after: Evaluation) -> None:
    """Write the judgement of a move into its node. Marks that stand there already are left alone."""
    properties = {"SBKV": f"{100 * after.win_rate:.2f}", "SBKS": f"{after.lead:.2f}", "V": f"{after.lead:.1f}"}
    if not any(mark in node.properties for mark in MOVE_MARKS):
        properties |= MARKS.get(move.size, {})
    text = ""
    for name, value in properties.items():
        if name not in node.properties:
            text += f"{name}[{value}]"
        elif name.startswith("SBK"):
            edits.replace_property(node.properties[name], f"{name}[{value}]")
    add_comment(edits, node, move_comment(move, after))
    edits.insert(node.end, text)


def add_comment(edits: Edits, node: SgfNode, text: str) -> None:
    """Add to the node's comment, or give it one."""
    if "C" in node.properties:
        edits.insert(node.properties["C"].end - 1, escaped(f"\n\n{text}"))
    else:
        edits.insert(node.end, f"C[{escaped(text)}]")


def move_comment(move: MoveReview, after: Evaluation) -> str:
    """What is to be said of a move, a line for each thing."""
    size = f" ({move.size})" if move.is_mistake else ""
    lines = [f"Move {move.number}{size}: {verdict_text(move)}"]
    if move.is_mistake and move.best is not None:
        lines.append(f"Better: {line_text(move.color, move.best.variation)}")
    if move.refutation:
        lines.append(f"{NAMES[opponent(move.color)]}'s best answer: {line_text(opponent(move.color), move.refutation)}")
    lines.append(f"Black's chances: {after.win_rate:.0%}. {lead_text(after.lead)}")
    return "\n".join(lines)


def line_text(color: int, line: Sequence[int]) -> str:
    """The first moves of a line that begins with `color`: `White D4, Black C3, White passes`."""
    colors = (NAMES[color], NAMES[opponent(color)])
    return ", ".join(f"{colors[i % 2]} {'passes' if point == PASS else to_vertex(point)}" for i, point in enumerate(line[:LINE_MOVES]))


def lead_text(lead: float) -> str:
    """Black's lead as a sentence."""
    tenths = round(abs(lead), 1)
    if tenths < EVEN:
        return "The score is about even."
    return f"{'Black' if lead > 0 else 'White'} leads by {tenths:g} point{'' if tenths == 1 else 's'}."


def variation_text(move: MoveReview, best: Candidate, size: int) -> str:
    """The nodes of a better variation."""
    color = move.color
    nodes = []
    for point in best.variation:
        nodes.append(f";{'B' if color == BLACK else 'W'}[{letters_of(point, size)}]")
        color = opponent(color)
    black_wins = best.win_rate if move.color == BLACK else 1.0 - best.win_rate
    lead = best.score if move.color == BLACK else -best.score
    comment = f"Better than {to_vertex(move.point)} by about {points_text(move.loss)}."
    nodes[0] += f"SBKV[{100 * black_wins:.2f}]SBKS[{lead:.2f}]V[{lead:.1f}]TE[1]C[{escaped(comment)}]"
    return "".join(nodes)


def add_branch(edits: Edits, line: MainLine, node: SgfNode, branch: str) -> None:
    """Add a variation beside `node`. To be called for the later nodes first: inner parentheses close before outer ones."""
    tree = line.trees[line.nodes.index(node)]
    if node is line.nodes[0]:
        return  # the move stands in the root: nothing can stand beside it
    if node.begins_tree:
        edits.insert(line.closings[tree] + 1, f"({branch})")
    else:
        edits.insert(node.start, "(")
        edits.insert(line.closings[tree], f")({branch})")
