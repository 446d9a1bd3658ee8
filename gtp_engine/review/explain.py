"""One position as different players see it: at random, greedy, light and heavy rollouts, the heavy policy and the tree.

A rollout player tries every move a few times and the most promising ones often, each move by playouts alone: what it prefers shows
how much the tree adds. See chapter 4 of any text on game-tree search: flat Monte Carlo, then UCT.
"""

import json
from dataclasses import asdict, dataclass

from gtp_engine.go.game import Game
from gtp_engine.go.points import to_color_name, to_vertex
from gtp_engine.player.game_state import GameState
from gtp_engine.playout.explain import explain as policy_suggestions
from gtp_engine.playout.policy import playout_policy
from gtp_engine.review.records import GameRecord
from gtp_engine.review.rollouts import Rollouts, Shares, greedy_shares, random_shares, sensible_moves
from gtp_engine.review.tree_top import TreeTop, search_tree
from gtp_engine.search.params import SearchParams

PLAYERS = ("random", "greedy", "light", "heavy", "tree")


@dataclass(frozen=True)
class ExplainSettings:
    """How much to spend on one position."""

    first_look: int = 24  # playouts for every move: enough to drop the hopeless ones
    favorites: int = 5  # moves of each player that are looked at closely
    rollouts: int = 400  # playouts for each of these: a win rate is then within 5 % of the truth
    simulations: int = 5000  # of the tree: some seconds on 19x19
    seed: int = 1  # when the user gives none


@dataclass(frozen=True)
class MoveView:
    """One move as each player sees it, from the side of the player to move."""

    vertex: str
    random: float  # how likely a random player chooses it
    greedy: float  # the same of a greedy one
    policy: float  # how likely a heavy playout begins with it for the reason below
    reason: str  # empty: for none
    light: float  # win rate in light playouts
    light_lead: float  # points
    heavy: float
    heavy_lead: float
    tree: float | None  # win rate in the tree; None: it never went there
    tree_lead: float | None
    visits: int  # of the tree


@dataclass(frozen=True)
class Explanation:
    """What the players make of a position."""

    number: int  # of the move to come
    color: int
    played: str  # the vertex of the game's move; empty after the last
    views: list[MoveView]  # those that anybody likes, by the tree's visits
    preferences: dict[str, str]  # player -> vertex; several equals in a row with spaces between
    settings: ExplainSettings
    picture: str  # the top of the tree as SVG

    def as_json(self) -> str:
        """JSON text, without the picture."""
        document = {name: value for name, value in asdict(self).items() if name != "picture"}
        return json.dumps(document | {"color": to_color_name(self.color)}, indent=1) + "\n"


def explain(record: GameRecord, number: int, params: SearchParams, settings: ExplainSettings) -> Explanation:
    """Look at the position before move `number`, or after the last move when there are not so many."""
    game = record.position(number)
    number = min(number, len(record.moves) + 1)
    played = record.moves[number - 1] if number <= len(record.moves) else None
    color = played[0] if played else game.to_play
    game.positions[0]["to_play"] = color
    komi = white_points(record, game)
    seed = params.seed or settings.seed
    top = search_tree(game, color, komi, params, settings.simulations, seed)
    moves = sensible_moves(game, color)
    shares = {"random": random_shares(moves), "greedy": greedy_shares(game, color, moves)}
    arms = {policy: try_all(game, color, moves, policy, komi, settings, seed) for policy in ("light", "heavy")}
    points = favorites(shares["greedy"], arms, top, settings, played[1] if played else None)
    for policy, rollouts in arms.items():
        for point in points:
            arm = rollouts.setdefault(point, Rollouts(game, color, point, policy, seed))
            arm.run(max(settings.rollouts - arm.count, 0), komi)
    views = [view_of(point, shares, arms, top, policy_reasons(game, params)) for point in points]
    vertex = to_vertex(played[1]) if played else ""
    picture = top.picture(game, komi, f"Move {number}, {to_color_name(color)} to play: the top of the tree")
    return Explanation(number, color, vertex, views, preferences(shares, arms, top, points), settings, picture)


def white_points(record: GameRecord, game: Game) -> float:
    """All that White gets beside the board."""
    state = GameState(record.size, record.rules, record.komi, warn=print)
    state.set_game(game)
    return state.white_points()


def try_all(
    game: Game, color: int, moves: list[int], policy: str, komi: float, settings: ExplainSettings, seed: int
) -> dict[int, Rollouts]:
    """A first look at every move by playouts alone."""
    arms = {point: Rollouts(game, color, point, policy, seed + rank) for rank, point in enumerate(moves)}
    for arm in arms.values():
        arm.run(settings.first_look, komi)
    return arms


def favorites(
    greedy: Shares, arms: dict[str, dict[int, Rollouts]], top: TreeTop, settings: ExplainSettings, played: int | None
) -> list[int]:
    """The moves that anybody likes, and the one that was played: by the tree's visits, then by heavy playouts."""
    liked = {point for point, _ in sorted(greedy.items(), key=lambda item: -item[1])[: settings.favorites]}
    for rollouts in arms.values():
        liked |= set(sorted(rollouts, key=lambda point: -rollouts[point].win_rate)[: settings.favorites])
    liked |= set(top.best_moves(settings.favorites)) | ({played} if played is not None else set())
    heavy = arms["heavy"]
    return sorted(liked, key=lambda point: (-top.visits(point), -heavy[point].win_rate if point in heavy else 0.0, point))


def policy_reasons(game: Game, params: SearchParams) -> dict[int, tuple[float, str]]:
    """What a heavy playout would begin with: point -> (probability, the likeliest reason)."""
    found: dict[int, list[tuple[float, str]]] = {}
    for suggestion in policy_suggestions(game, playout_policy(params)):
        found.setdefault(suggestion.point, []).append((suggestion.probability, suggestion.reason))
    return {point: (sum(probability for probability, _ in each), max(each)[1]) for point, each in found.items()}


def view_of(
    point: int, shares: dict[str, Shares], arms: dict[str, dict[int, Rollouts]], top: TreeTop, reasons: dict[int, tuple[float, str]]
) -> MoveView:
    """One move as everybody sees it."""
    light, heavy = arms["light"][point], arms["heavy"][point]
    probability, reason = reasons.get(point, (0.0, ""))
    return MoveView(
        to_vertex(point),
        shares["random"].get(point, 0.0),
        shares["greedy"].get(point, 0.0),
        probability,
        reason,
        light.win_rate,
        light.lead,
        heavy.win_rate,
        heavy.lead,
        top.win_rate(point),
        top.lead(point),
        top.visits(point),
    )


def preferences(shares: dict[str, Shares], arms: dict[str, dict[int, Rollouts]], top: TreeTop, points: list[int]) -> dict[str, str]:
    """What each player would choose; of those who choose by lot, everything that they might, if it is not too much."""
    chosen = {name: " ".join(map(to_vertex, sorted(each))) if len(each) <= 4 else "any" for name, each in shares.items()}
    for policy, rollouts in arms.items():
        chosen[policy] = to_vertex(max(points, key=lambda point: rollouts[point].win_rate))
    return chosen | {"tree": to_vertex(top.best_moves(1)[0])}


def as_table(explanation: Explanation) -> str:
    """The explanation for the terminal."""
    color = to_color_name(explanation.color)
    titles = f"{'move':<7}{'random':>8}{'greedy':>8}  {'first in a heavy playout':<26}{'light':>14}{'heavy':>14}{'tree':>14}{'visits':>8}"
    lines = [f"before move {explanation.number}, {color} to play; win rates and leads are {color}'s", titles]
    for view in explanation.views:
        reason = f"{view.policy:.0%} {view.reason}" if view.reason else "-"
        tree = "-" if view.tree is None or view.tree_lead is None else f"{view.tree:.0%} {view.tree_lead:+.1f}"
        name = view.vertex + ("*" if view.vertex == explanation.played else "")
        rollouts = f"{f'{view.light:.0%} {view.light_lead:+.1f}':>14}{f'{view.heavy:.0%} {view.heavy_lead:+.1f}':>14}"
        lines.append(f"{name:<7}{view.random:>8.1%}{view.greedy:>8.0%}  {reason:<26}{rollouts}{tree:>14}{view.visits:>8}")
    chosen = "; ".join(f"{player} {explanation.preferences[player]}" for player in PLAYERS)
    return "\n".join([*lines, f"preferred: {chosen}", *(["* was played"] if explanation.played else [])])
