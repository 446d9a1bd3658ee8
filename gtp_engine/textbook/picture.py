"""Draw a search tree from left to right as plain SVG, for light and dark backgrounds, without any library.

A triangle that points up is a position where the first player moves. One that points down is another player's, and a circle is chance's.
A square is a finished game or the end of the search. The label is the move and its value. The line of best moves is thick, and moves
that were never searched are grey. The tooltip shows the position.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from gtp_engine.textbook.game import CHANCE, FIRST
from gtp_engine.textbook.search_tree import MOST_BRANCHES, Branch

ROW, MARGIN, HEAD = 20, 16, 88  # height of a leaf, space around, space for the title; all lengths are in pixels
LETTER = 7.3  # width of a character at most
SHAPE = 6  # half the width of a shape
GAP = 32  # for the curve to a child

LEGEND = "▲ first player, ▼ another player, ● chance, ■ the end, grey: never looked at"
STYLE = """
  text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1c2733 }
  .title { font-weight: bold; font-size: 14px }
  .paper { fill: #ffffff }
  path { fill: none; stroke: #8a94a0; stroke-width: 1 }
  .best { stroke: #b3541e; stroke-width: 2.5 }
  .shape { fill: #dfe7f0; stroke: #1c2733 }
  .second .shape { fill: #f3dfd3 }
  path.untried { stroke-dasharray: 3 3; stroke: #c3c9d0 }
  .untried text { fill: #7d8792 }
  .untried .shape { fill: none; stroke: #c3c9d0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8ebef }
    .paper { fill: #14191f }
    path { stroke: #7c8792 }
    .best { stroke: #f09a5b }
    .shape { fill: #2b3a4a; stroke: #e8ebef }
    .second .shape { fill: #4a3427 }
    path.untried, .untried .shape { stroke: #48525c }
    .untried text { fill: #98a2ad }
  }
"""


@dataclass
class Place:
    """The place where a branch is drawn."""

    branch: Branch
    level: int
    y: float
    children: list["Place"]


def draw(root: Branch, title: str, subtitle: str = "") -> str:
    """Return the tree as the text of an SVG file. Raises ValueError for a tree with more than MOST_BRANCHES branches."""
    size = root.count()
    if size > MOST_BRANCHES:
        raise ValueError(f"a tree of {size} positions is too large for a picture of at most {MOST_BRANCHES}: look less deep")
    leaves = iter(range(size))
    tree = place(root, 0, leaves)
    columns = left_edges(tree)
    height = HEAD + ROW * next(leaves) + MARGIN
    width = max(columns[-1], 2 * MARGIN + LETTER * max(1.2 * len(title), len(subtitle), len(LEGEND)))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        f'<text class="title" x="{MARGIN}" y="24">{escape(title)}</text>',
        f'<text x="{MARGIN}" y="44">{escape(subtitle)}</text>',
        f'<text x="{MARGIN}" y="64">{LEGEND}</text>',
        *edges(tree, columns),
        *nodes(tree, columns),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def place(branch: Branch, level: int, leaves: Iterator[int]) -> Place:
    """Return the places: leaves one below the other in the order of the search, and other branches in the middle of their children."""
    children = [place(child, level + 1, leaves) for child in branch.children]
    y = (children[0].y + children[-1].y) / 2 if children else HEAD + ROW * (next(leaves) + 0.5)
    return Place(branch, level, y, children)


def left_edges(tree: Place) -> list[float]:
    """Return the x of each level's shapes, and as the last item the right edge of the picture."""
    longest: list[int] = []
    for node in everything(tree):
        longest.extend([0] * (node.level + 1 - len(longest)))
        longest[node.level] = max(longest[node.level], len(label(node.branch)))
    edges = [float(MARGIN + SHAPE)]
    for letters in longest:
        edges.append(edges[-1] + 2 * SHAPE + LETTER * (letters + 1) + GAP + SHAPE)
    edges[-1] += MARGIN - GAP - SHAPE
    return edges


def everything(tree: Place) -> Iterator[Place]:
    """Yield the place and all places below it, parents first."""
    yield tree
    for child in tree.children:
        yield from everything(child)


def edges(tree: Place, columns: list[float]) -> Iterator[str]:
    """Yield a curve from each label to each child's shape, the thin curves first."""
    curves: list[tuple[bool, str]] = []
    for parent in everything(tree):
        start = columns[parent.level] + 2 * SHAPE + LETTER * len(label(parent.branch))
        for child in parent.children:
            end = columns[child.level] - SHAPE - 2
            line = f"M{start:.1f} {parent.y:.1f}H{end - GAP:.1f}C{end - GAP / 2:.1f} {parent.y:.1f} {end - GAP / 2:.1f} {child.y:.1f} "
            kind = "untried" if child.branch.value is None else "best" if child.branch.is_best else "tried"
            curves.append((child.branch.is_best, f'<path class="{kind}" d="{line}{end:.1f} {child.y:.1f}"/>'))
    yield from (curve for _, curve in sorted(curves, key=lambda pair: pair[0]))


def nodes(tree: Place, columns: list[float]) -> Iterator[str]:
    """Yield a shape and a label for each branch."""
    for node in everything(tree):
        x, branch = columns[node.level], node.branch
        kind = "untried" if branch.value is None else "first" if branch.position.next_player == FIRST else "second"
        yield (
            f'<g class="{kind}"><title>{escape(str(branch.position))}</title>{shape(branch, x, node.y)}'
            f'<text x="{x + 2 * SHAPE:.1f}" y="{node.y + 4:.1f}">{escape(label(branch))}</text></g>'
        )


def shape(branch: Branch, x: float, y: float) -> str:
    """Return the shape for the player to move, for chance, or for the end of the game or of the search."""
    position, is_end = branch.position, not branch.children and branch.visits is None
    if position.next_player == CHANCE and not position.is_over():
        return f'<circle class="shape" cx="{x:.1f}" cy="{y:.1f}" r="{SHAPE}"/>'
    if position.is_over() or is_end:
        return f'<rect class="shape" x="{x - SHAPE + 1:.1f}" y="{y - SHAPE + 1:.1f}" width="{2 * SHAPE - 2}" height="{2 * SHAPE - 2}"/>'
    up = SHAPE if position.next_player == FIRST else -SHAPE
    return f'<polygon class="shape" points="{x - SHAPE:.1f},{y + up:.1f} {x + SHAPE:.1f},{y + up:.1f} {x:.1f},{y - up:.1f}"/>'


def label(branch: Branch) -> str:
    """Return the move and the value: `b2: ≤ -1`, or `b2: 54% of 812` for win rates and rounds."""
    if branch.value is None:
        return branch.move
    move = f"{branch.move}: " if branch.move else ""
    if branch.visits is not None:
        return f"{move}{100 * branch.value:.0f}% of {branch.visits}"
    if branch.values:
        return move + ", ".join(f"{value:.3g}" for value in branch.values)
    return f"{move}{branch.relation + ' ' if branch.relation else ''}{branch.value:.3g}"
