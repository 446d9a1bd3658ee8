"""What a network says of a game's position, for people to look at, and the planes that it is shown."""

from dataclasses import dataclass, field

import numpy as np

from gtp_engine.engine.network.features import PLANES
from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.formats.own_kernels import see_leaf
from gtp_engine.engine.network.human_profile import HumanProfile
from gtp_engine.engine.search.arrays import SearchArrays, new_arrays, recent_moves, seed_workspaces, set_root
from gtp_engine.engine.search.params import SMALLEST_MEMORY, SearchParams
from gtp_engine.engine.search.symmetry import turned_point
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, PASS, board_points


@dataclass(frozen=True)
class Look:
    """What a network says of a position, from the side of the player to move."""

    policy: dict[int, float]  # the probability of each legal move, a point or PASS; together 1
    win_rate: float  # 0..1
    lead: float  # points, komi included
    ownership: dict[int, float] = field(default_factory=dict)  # of each point, -1..1, 1: own; empty where the network tells nothing of it


@dataclass(frozen=True)
class Angle:
    """From where a network is asked to look."""

    symmetry: int = 0  # 0..7, how the board is turned before it is shown: see turned_point; the answer is turned back
    players: HumanProfile | None = None  # who plays, for a network that is told; None: nobody knows
    optimism: float | None = None  # share of the optimistic policy, 0..1, where the network has one; None: the search's at its root


PLAIN = Angle()


def look(game: Game, komi: float, network: OpenNetwork, color: int, angle: Angle = PLAIN) -> Look:
    """Ask the network about the game's position, as it stands on the board, with `color` to move. `komi`: points that White gets.

    Raises NetworkError when the network can't be told who plays.
    """
    symmetry = angle.symmetry
    seen = turned_game(game, symmetry) if symmetry else game
    arrays = arrays_at(seen, komi, color)
    batch = network.backend.new_batch(game.size)
    if angle.players is not None:
        batch.tell_players(angle.players, color)
    network.features.encode(arrays, 0, batch, 0)
    batch.run()
    network.decoding_with(angle.optimism).decode(arrays, 0, batch, 0)
    workspace = arrays.workspaces[0]
    answer = workspace["answer"]
    logits = answer["policy"].astype(np.float64)
    at = {point: turned_point(point, game.size, symmetry) for point in [*board_points(game.size), PASS]}
    legal = {point: logits[place_of(at[point], game.size)] for point in [*game.legal_points(color), PASS]}
    highest = max(legal.values())
    weights = {point: float(np.exp(logit - highest)) for point, logit in legal.items()}
    total = sum(weights.values())
    policy = {point: weight / total for point, weight in weights.items()}
    return Look(policy, float(answer["win"]), float(answer["lead"]), ownership_of(workspace, at))


def arrays_at(game: Game, komi: float, color: int) -> SearchArrays:
    """The arrays of a search whose first workspace stands at the game's position with `color` to move, seen as it is."""
    params = SearchParams(memory=SMALLEST_MEMORY, symmetry=False, playout_share=0.0)
    arrays = new_arrays(params, 1)
    set_root(arrays, game, color, params, komi, {})
    arrays.workspaces["position"] = arrays.shared["root"]
    arrays.workspaces["recent_moves"] = recent_moves(game)
    return arrays


def ownership_of(workspace: np.void, at: dict[int, int]) -> dict[int, float]:
    """Look.ownership from the votes of an answer; `at`: where each point stands in the workspace's position."""
    votes = int(workspace["votes"])
    if votes == 0:
        return {}
    sign = 1 if workspace["position"]["to_play"] == BLACK else -1
    return {point: sign * int(workspace["owners"][turned]) / votes for point, turned in at.items() if point != PASS}


def planes_of(game: Game, komi: float, color: int, seed: int = 1) -> np.ndarray:
    """float32 [PLANES, S, S]: what our own networks see of the game's position with `color` to move, see features.py; row 0 is the top one.

    `komi`: points that White gets. `seed`: of the playouts, of which the last three planes tell.
    """
    arrays = arrays_at(game, komi, color)
    seed_workspaces(arrays, seed)
    planes = np.zeros((PLANES, game.size, game.size), np.float32)
    see_leaf(arrays.shared, arrays.workspaces, 0, planes)
    return planes


def turned_game(game: Game, symmetry: int) -> Game:
    """The same game on the turned board, with the same ko and history."""
    size = game.size
    twin = Game(size, game.rules)
    to_play = game.moves[0][0] if game.moves else game.to_play
    twin.set_up([(color, turned_point(point, size, symmetry)) for color, point in game.setup_stones], to_play)
    twin.handicap = game.handicap
    for color, point in game.moves:
        twin.play(color, turned_point(point, size, symmetry))
    return twin
