"""Positions in which to observe a network's activations: games that the network plays against itself without a search.

Some moves are random, and the komi varies, because searches also reach bad moves and games that are won or lost. The rank for a human
network varies, too.
"""

from typing import Any

import numpy as np

from gtp_engine.base.processors import processors
from gtp_engine.engine.network.human_profile import STRONGEST, WEAKEST
from gtp_engine.engine.network.katago.inputs import encode_leaf
from gtp_engine.engine.network.katago.model import GLOBALS, PLANES, Header
from gtp_engine.engine.network.katago.observed import Observations, Observed
from gtp_engine.engine.network.katago.players import players_of_rank
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.katago.transformer import TOKENS
from gtp_engine.engine.network.session import open_session
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of
from gtp_engine.go.points import PASS

GAMES = ((9, 50), (9, 50), (13, 60), (19, 100))  # lines of the board, moves
KOMI, SEED = 7.0, 1
KOMI_SPREAD = 8.0  # points, a standard deviation
ANY_MOVE = 0.1  # share of moves that are random legal ones


def observe(content: bytes, header: Header, games: tuple[tuple[int, int], ...] = GAMES) -> Observed:
    """The observed activations of a network in these games; `content`: its graph from graph.build_watched, as a file.

    The same on every run on one kind of processor. Raises NetworkError.
    """
    session = open_session(header.name, content, processors())
    random, observer = np.random.default_rng(SEED), Observations()
    for size, moves in games:
        play(session, header, size, moves, random, observer)
    return observer.result()


def play(session: Any, header: Header, size: int, moves: int, random: np.random.Generator, observer: Observations) -> None:
    """Observe a game of so many moves. After two passes a new game begins."""
    scratch = np.zeros(1, SCRATCH)
    scratch["suicide"] = header.safe_with_suicide
    tokens = [item.name for item in session.get_outputs() if item.name.startswith(TOKENS)]
    game = Game(size)
    for _ in range(moves):
        if game.passes() == 2:
            game = Game(size)
        komi = KOMI + round(KOMI_SPREAD * random.standard_normal())
        inputs = shown(leaf_of(game, game.to_play, komi), scratch)
        if header.has_metadata:
            inputs["metadata"] = players_of_rank(int(random.integers(WEAKEST, STRONGEST + 1)), size * size)[None]
        policy, ranges, *outputs = session.run(["policy", "ranges", *tokens], inputs)
        observer.see(ranges, outputs)
        game.play(game.to_play, drawn_move(game, policy[0, 0], random))


def shown(leaf: np.ndarray, scratch: np.ndarray) -> dict[str, np.ndarray]:
    """The inputs for this leaf, [1] LEAF; `scratch` [1] SCRATCH."""
    size = int(leaf["position"]["board_size"][0])
    planes, numbers = np.zeros((1, PLANES, size, size), np.float32), np.zeros((1, GLOBALS), np.float32)
    encode_leaf(leaf, scratch, planes[0], numbers[0])
    return {"planes": planes, "globals": numbers}


def drawn_move(game: Game, logits: np.ndarray, random: np.random.Generator) -> int:
    """A legal move, or PASS, drawn with the network's probabilities, or any."""
    legal = [*game.legal_points(game.to_play), PASS]
    if random.random() < ANY_MOVE:
        return legal[int(random.integers(len(legal)))]
    weights = np.array([logits[place_of(point, game.size)] for point in legal], np.float64)
    weights = np.exp(weights - weights.max())
    return legal[int(random.choice(len(legal), p=weights / weights.sum()))]
