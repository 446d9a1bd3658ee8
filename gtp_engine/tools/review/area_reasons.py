"""Find the area of the board in which a mistake lost its points, by comparing ownership after the better move and after the played move.

Other reasons are facts on the board. This one is an opinion of the search, and the text says so. It needs two long searches.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.count import empty_regions, neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, board_points, opponent, row_and_column, to_vertex
from gtp_engine.tools.review.model import NAMES, Evaluation, GameReview, MoveReview, Reason

LEAST_DIFFERENCE = 0.2  # in ownership, at each point of an area
LEAST_CHANGE = 0.8  # in ownership, at one point of an area or more
LEAST_MEAN = 0.4  # mean change in ownership of an area: with less, the area hardly changes
CHANGES_HANDS = 1.3  # change in ownership of one point or more, in an area that the opponent gets
LEAST_POINTS = 1.5  # points that the better move gains in the area
LEAST_PART = 0.4  # part of all points that the better move gains, and of the points that the mistake cost
NEAR = 2  # most rows plus columns between the better move and its area: changes farther away are chance, or follow much later
LARGEST_PART = 0.4  # of the board: a larger change is no area, though it may be a fight
LARGEST_FIGHT = 0.6  # of the board, where stones are lost or captured
MINE, THEIRS = 0.4, -0.4  # mean ownership from which an area belongs to a player: the search gives it to them in 70 of 100 cases
SMALL = 8  # most points of an area that is named by one vertex
MIDDLE_THIRD = (0.38, 0.62)  # bounds of the middle third, as a part of the board from edge to edge
OPEN = -0.1  # mean ownership from which an area is not yet the opponent's
SEVERAL = 2  # stones: a single stone may be a sacrifice
CAPTURED, LOST, TAKEN, GAINED = "captured", "lost", "taken", "gained"  # the claims about an area, see claims()
MOST_EXCESS, MOST_EXCESS_OF_FIGHT = 3.0, 4.0  # times the mistake's cost: an area that gains more is part of a trade


@dataclass(frozen=True)
class Expected:
    """The results of two searches, after the better move and after the played move, from the side of the player who moved."""

    best: np.ndarray  # [P] ownership after the better move: 1 is certainly the player's, -1 certainly the opponent's
    after: np.ndarray  # [P] ownership after the played move
    loss: float = 0.0  # points that the mistake cost
    answers_to_best: list[Candidate] = field(default_factory=list)  # the opponent's moves after the better move, the best first
    answers: list[Candidate] = field(default_factory=list)  # the opponent's moves after the played move, the best first


def expected(color: int, loss: float, best: Evaluation | None, after: Evaluation, least: int) -> Expected | None:
    """Compare the searches after the better move of `color` and after its played move, which cost `loss`.

    Returns None if one of them is missing or has fewer than `least` simulations.
    """
    if best is None or min(best.simulations, after.simulations) < least:
        return None
    sign = 1 if color == BLACK else -1
    return Expected(sign * best.ownership, sign * after.ownership, loss, best.candidates, after.candidates)


def expected_in(review: GameReview, move: MoveReview) -> Expected | None:
    """Compare the review's searches after a mistake and after the better move; None if one is missing or too short."""
    best, after = review.after_better.get(move.number), review.evaluations[move.number]
    return expected(move.color, move.lead_before - move.lead_after, best, after, review.settings.opinion)


@dataclass(frozen=True)
class Area:
    """A connected part of the board in which the better move gains points."""

    points: list[int]  # ascending
    owners: Expected

    @property
    def gain(self) -> float:
        """Points that the better move gains in the area."""
        return float((self.owners.best - self.owners.after)[self.points].sum())

    @property
    def largest_change(self) -> float:
        """The largest difference in ownership of one point."""
        return float((self.owners.best - self.owners.after)[self.points].max())

    def mean(self, which: Literal["best", "after"], points: list[int]) -> float:
        """Return the mean ownership of `points` after the better move ("best") or after the played move ("after")."""
        owned: np.ndarray = getattr(self.owners, which)
        return float(owned[points].mean())


def lost_area(game: Game, color: int, owners: Expected, moves: tuple[int, int], may_be_vague: bool = True) -> Reason | None:
    """Return a reason that names the area in which the better move gains most of its points; None if no area stands out.

    game -- before the move
    moves -- the played move and the better one
    may_be_vague -- False: only an area that is captured, lost or taken counts
    """
    area = largest_area(game.size, owners, moves[1])
    claim = weightiest_claim(game, color, area) if area is not None else None
    if area is None or claim is None or (claim == GAINED and not may_be_vague):
        return None
    return Reason("area", area_text(game, color, area, claim, moves))


def weightiest_claim(game: Game, color: int, area: Area) -> str | None:
    """Return the weightiest claim about the area that is consistent with the cost of the mistake, or None."""
    owners, size = area.owners, game.size
    everywhere = np.maximum(owners.best - owners.after, 0.0)[list(board_points(size))].sum()
    if area.gain < max(LEAST_POINTS, LEAST_PART * everywhere, LEAST_PART * owners.loss):
        return None
    for claim, points in claims(game, color, area).items():
        is_fight = claim in (CAPTURED, LOST)
        part, excess = (LARGEST_FIGHT, MOST_EXCESS_OF_FIGHT) if is_fight else (LARGEST_PART, MOST_EXCESS)
        if len(area.points) > part * size**2 or area.gain > excess * owners.loss:
            return None
        if is_fight:
            return None if len(points) > owners.loss else claim  # many stones for few points are a trade
        least_change = CHANGES_HANDS if claim == TAKEN else LEAST_CHANGE
        if area.gain >= LEAST_MEAN * len(area.points) and area.largest_change >= least_change:
            return claim
    return None


def largest_area(size: int, owners: Expected, better: int) -> Area | None:
    """Return the connected area near the better move in which this move gains most, or None if it gains nothing there."""
    gained = {point for point in board_points(size) if owners.best[point] - owners.after[point] >= LEAST_DIFFERENCE}
    colors = {point: EMPTY if point in gained else BLACK for point in board_points(size)}
    areas = [
        Area(sorted(region.points), owners)
        for region in empty_regions(colors, size)
        if any(distance(point, better) <= NEAR for point in region.points)
    ]
    return max(areas, key=lambda area: area.gain, default=None)


def claims(game: Game, color: int, area: Area, slack: float = 0.0) -> dict[str, list[int]]:
    """Return the claims that hold for the area with the points that each is about, the weightiest claim first.

    game -- before the move
    slack -- the amount by which ownership may miss the thresholds, for a second judge of the same area
    """
    own_stones, opponent_stones = (
        [point for point in area.points if game.color_at(point) == stone_color] for stone_color in (color, opponent(color))
    )
    owned_level, lost_level = MINE - slack, THEIRS + slack
    claimed: dict[str, list[int]] = {}
    if (
        len(opponent_stones) >= SEVERAL
        and len(opponent_stones) >= len(own_stones)
        and area.mean("best", opponent_stones) >= owned_level
        and area.mean("after", opponent_stones) <= slack
    ):
        claimed[CAPTURED] = opponent_stones
    if len(own_stones) >= SEVERAL and area.mean("after", own_stones) <= lost_level and area.mean("best", own_stones) >= owned_level:
        claimed[LOST] = own_stones
    if area.mean("after", area.points) <= lost_level and area.mean("best", area.points) >= OPEN - slack:
        claimed[TAKEN] = area.points
    return {**claimed, GAINED: area.points}


def distance(first: int, second: int) -> int:
    """Return the number of rows plus columns between two points."""
    (row, column), (other_row, other_column) = row_and_column(first), row_and_column(second)
    return abs(row - other_row) + abs(column - other_column)


def area_text(game: Game, color: int, area: Area, claim: str, moves: tuple[int, int]) -> str:
    """Return one or two sentences that state a claim about the area. `moves`: the played move and the better one."""
    name, opponent_name, (played, better) = NAMES[color], NAMES[opponent(color)], map(to_vertex, moves)
    points = claims(game, color, area)[claim]
    if claim == CAPTURED:
        return f"After {better}, {stones_at(points, opponent_name, game.size)} would probably have been lost."
    if claim == LOST:
        return f"After {played}, {stones_at(points, name, game.size)} will probably be lost; {better} would have saved them."
    where = place_text(area, moves[1], game.size)
    if claim == TAKEN:
        kept = f"kept it for {name}" if area.mean("best", points) >= MINE else "prevented that"
        return f"After {played}, {opponent_name} will probably get the territory {where}; {better} would have {kept}."
    return f"{better} would probably have gained points {where}."


def place_text(area: Area, better: int, size: int) -> str:
    """Return the place of most of the area's gain: `around D4` for a small area, `in the upper left` for a larger one.

    better -- the better move; the text for an area on the opposite side is `as far as the upper left`
    """
    if len(area.points) <= SMALL:
        return f"around {to_vertex(middle_of(area.points, size))}"
    weights = (area.owners.best - area.owners.after)[area.points]
    row, column = np.average(np.array([row_and_column(point) for point in area.points]), axis=0, weights=weights)
    thirds = [third_of(float(middle), size) for middle in (row, column)]
    own_thirds = [third_of(line, size) for line in row_and_column(better)]
    is_opposite = any(abs(third - own) == 2 for third, own in zip(thirds, own_thirds, strict=True))
    if thirds == [1, 1]:
        return "in the center"
    vertical, horizontal = ("lower", "", "upper")[thirds[0]], ("left", "", "right")[thirds[1]]
    if vertical and horizontal:
        return f"{'as far as' if is_opposite else 'in'} the {vertical} {horizontal}"
    return f"{'as far as' if is_opposite else 'on'} the {vertical or horizontal} side"


def third_of(line: float, size: int) -> int:
    """Return the third of the board that a line lies in: 0, 1 or 2 from the bottom or from the left. The middle third is the narrowest."""
    part = (line - 0.5) / size
    return 0 if part < MIDDLE_THIRD[0] else 1 if part <= MIDDLE_THIRD[1] else 2


def stones_at(stones: list[int], name: str, size: int) -> str:
    """`White's 3 stones at D4`."""
    return f"{name}'s {len(stones)} stones at {to_vertex(middle_of(stones, size))}"


def middle_of(area: list[int], size: int) -> int:
    """Return the point with the most neighbors in the area. Among several such points it is the middle one of the list."""
    inside = {point: sum(neighbor in area for neighbor in neighbors(point, size)) for point in area}
    best = [point for point in area if inside[point] == max(inside.values())]
    return best[len(best) // 2]
