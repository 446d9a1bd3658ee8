"""A network's evaluation of a game's position, for people."""

from dataclasses import dataclass, field

import numpy as np

from gtp_engine.engine.network.details import Details
from gtp_engine.engine.network.form import OpenNetwork
from gtp_engine.engine.network.human_profile import HumanProfile
from gtp_engine.engine.search.answer import ANSWER
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, PASS, board_points


@dataclass(frozen=True)
class Look:
    """A network's evaluation of a position, from the side of the player to move."""

    policy: dict[int, float]  # the probability of each legal move, a point or PASS; together 1
    win_rate: float  # 0..1
    lead: float  # points, komi included
    ownership: dict[int, float] = field(default_factory=dict)  # of each point, -1..1, 1: own; empty if the network doesn't predict it
    details: Details | None = None  # what else the network predicts, if anything


@dataclass(frozen=True)
class Angle:
    """Options of an evaluation."""

    symmetry: int = 0  # 0..7: how the board is turned for the network, see turned_point; the answer is turned back
    players: HumanProfile | None = None  # the players, for human networks; None: unknown
    optimism: float | None = None  # share of the optimistic policy, 0..1, if the network has one; None: the search's share at its root


PLAIN = Angle()


def look(game: Game, komi: float, network: OpenNetwork, color: int, angle: Angle = PLAIN) -> Look:
    """Evaluate the game's position by the network with `color` to move. `komi`: points that White gets.

    Raises NetworkError if the network has no input for the players.
    """
    leaf, answer = leaf_of(game, color, komi), np.zeros(1, ANSWER)
    leaf["symmetry"] = angle.symmetry
    batch = network.backend.new_batch(game.size)
    if angle.players is not None:
        batch.tell_players(angle.players, color)
    network.features.encode(leaf, batch, 0)
    batch.run()
    network.decoding_with(angle.optimism).decode(leaf, batch, 0, answer)
    logits = answer["policy"][0].astype(np.float64)
    legal = {point: logits[place_of(point, game.size)] for point in [*game.legal_points(color), PASS]}
    highest = max(legal.values())
    weights = {point: float(np.exp(logit - highest)) for point, logit in legal.items()}
    total = sum(weights.values())
    policy = {point: weight / total for point, weight in weights.items()}
    details = None if network.details is None else network.details(leaf, batch, 0)
    return Look(policy, float(answer["win"][0]), float(answer["lead"][0]), ownership_of(answer[0], game.size, color), details)


def ownership_of(answer: np.void, size: int, color: int) -> dict[int, float]:
    """Look.ownership from the votes of an ANSWER."""
    votes, sign = int(answer["votes"]), 1 if color == BLACK else -1
    return {point: sign * int(answer["owners"][point]) / votes for point in board_points(size)} if votes else {}
