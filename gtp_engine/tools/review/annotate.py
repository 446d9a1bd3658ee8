"""Write a review into its SGF record: comments, win rates, marks for mistakes, and better variations as branches.

The record keeps everything that it contains. Its own comments come first, and its own variations stay in place. The review adds `C` and
the properties below to each node with a move of the main line. It adds a branch with the better variation beside each mistake.

`SBKV` and `SBKS` are Sabaki's properties: Black's win rate in percent and Black's lead in points after the move. Sabaki's graph shows
them. `V` is the score in SGF (FF[4]). `BM`, `DO` and `TE` mark bad, doubtful and good moves, and `HO` marks interesting positions. Sabaki
shows all of them. KaTrain shows the comments as notes. KaTrain's format for its own analysis is undocumented, so it isn't written.
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
EVEN = 0.5  # points: a smaller lead is called even
LINE_MOVES = 6  # moves of a line in a comment: a longer line can't be followed without a board
MOVE_MARKS = ("BM", "DO", "IT", "TE")  # a node may have one of them at most


def annotated_record(review: GameReview) -> str:
    """Return the text of the record with the review in it. The text must be written in UTF-8."""
    text = review.record.text
    line = main_line(text)
    edits = Edits(text)
    annotate_root(edits, line.nodes[0], review)
    moves = [node for node in line.nodes if node.color_name][: len(review.moves)]  # the record's later moves can't be played
    for node, move, evaluation in zip(moves, review.moves, review.evaluations[1:], strict=True):
        annotate_move(edits, node, move, evaluation)
    for node, move in reversed(list(zip(moves, review.moves, strict=True))):
        if move.is_mistake and move.best is not None:
            add_branch(edits, line, node, variation_text(move, move.best, review.record.size))
    return edits.result()


def annotate_root(edits: Edits, root: SgfNode, review: GameReview) -> None:
    """Add the settings of the review and a summary of both players to the root's comment."""
    lines = [f"Reviewed by gtp_engine, a Go program. {rules_title(review.rules)} rules, komi {review.komi:g}."]
    for color in (BLACK, WHITE):
        summary = review.summary(color)
        mistakes = ", ".join(counted(summary.mistakes[size], size) for size in SIZES)
        name = to_color_name(color).capitalize()
        agreement_text = f"{summary.agreement:.0%} of the moves are the engine's choice"
        lines.append(f"{name}: {summary.mean_loss:.1f} points lost per move; {agreement_text}; {mistakes}.")
    if decisive := moments(review.moves):
        lines.append(f"What cost the most winning chances: {numbered(decisive)}.")
    if avoidable := within_reach(review.moves):
        what, better = ("these moves", "better ones") if len(avoidable) > 1 else ("this move", "a better one")
        lines.append(f"Study {what} first; a slightly stronger player would often have found {better}: {numbered(avoidable)}.")
    if review.in_doubt or not review.settings.share:
        lines.append(f"{effort_text(review)}.")
    lines += [review.notes] if review.notes else []
    add_comment(edits, root, "\n".join(lines))


def numbered(moves: Sequence[MoveReview]) -> str:
    """Return `Black's move 8 at C2, White's pass at move 9`."""
    return ", ".join(map(move_name, moves))


def move_name(move: MoveReview) -> str:
    """Return `Black's move 8 at C2` or `White's pass at move 9`."""
    what = f"pass at move {move.number}" if move.point == PASS else f"move {move.number} at {to_vertex(move.point)}"
    return f"{NAMES[move.color]}'s {what}"


def effort_text(review: GameReview) -> str:
    """Return a sentence, without its full stop, that says how thorough the review is."""
    if not review.settings.share:
        return "This is only a first look"
    return doubt_text(review.in_doubt) if review.in_doubt else "The engine looked longer where the lead changes a lot"


def annotate_move(edits: Edits, node: SgfNode, move: MoveReview, after: Evaluation) -> None:
    """Write the judgement of a move into its node. Marks that the node already has are kept."""
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
    """Append `text` to the node's comment, or create the comment."""
    if "C" in node.properties:
        edits.insert(node.properties["C"].end - 1, escaped(f"\n\n{text}"))
    else:
        edits.insert(node.end, f"C[{escaped(text)}]")


def move_comment(move: MoveReview, after: Evaluation) -> str:
    """Return the comment on a move: the verdict, the better line, the opponent's best answer and Black's chances, one on each line."""
    size = f" ({move.size})" if move.is_mistake else ""
    lines = [f"{move_name(move)}{size}: {verdict_text(move)}"]
    if move.is_mistake and move.best is not None:
        lines.append(f"Better: {line_text(move.color, move.best.variation)}")
    if move.refutation:
        lines.append(f"{NAMES[opponent(move.color)]}'s best answer: {line_text(opponent(move.color), move.refutation)}")
    lines.append(f"Black's chances: {after.win_rate:.0%}. {lead_text(after.lead)}")
    return "\n".join(lines)


def line_text(color: int, line: Sequence[int]) -> str:
    """Return the first moves of a line that `color` begins: `White D4, Black C3, White passes`."""
    colors = (NAMES[color], NAMES[opponent(color)])
    return ", ".join(f"{colors[i % 2]} {'passes' if point == PASS else to_vertex(point)}" for i, point in enumerate(line[:LINE_MOVES]))


def lead_text(lead: float) -> str:
    """Return a sentence that states Black's lead."""
    tenths = round(abs(lead), 1)
    if tenths < EVEN:
        return "The score is about even."
    return f"{'Black' if lead > 0 else 'White'} leads by {tenths:g} point{'' if tenths == 1 else 's'}."


def variation_text(move: MoveReview, best: Candidate, size: int) -> str:
    """Return the SGF nodes of a better variation."""
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
    """Add a variation beside `node`. Call it for later nodes first, because inner parentheses close before outer ones."""
    tree = line.trees[line.nodes.index(node)]
    if node is line.nodes[0]:
        return  # the root has no siblings
    if node.begins_tree:
        edits.insert(line.closings[tree] + 1, f"({branch})")
    else:
        edits.insert(node.start, "(")
        edits.insert(line.closings[tree], f")({branch})")
