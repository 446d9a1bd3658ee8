"""What the shipped network sees of a dozen positions, pinned: whoever changes a heuristic of the playouts, the move model or a plane
changes the network's input, and must train it again or leave its features as they were.

After an intended change, with a new FEATURES_VERSION and a new network, `python tests/test_network_input.py` writes the new values.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hand_made import HandMade

from gtp_engine.engine.network.features import MOVE_MODEL
from gtp_engine.engine.network.look import look
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS

FILE = Path(__file__).parent / "golden" / "network_input" / "planes.json"
POSITIONS = [(size, moves) for size in (5, 9, 13, 19) for moves in (6, 20, 60)]


def seen_of(size: int, moves: int) -> np.ndarray:
    """[PLANES, S, S] of the position after a seeded game of random moves, passes where there is no other."""
    game, random = Game(size), np.random.default_rng([size, moves])
    for _ in range(moves):
        points = game.legal_points(game.to_play)
        game.play(game.to_play, int(random.choice(points)) if points else PASS)
    seen: list[np.ndarray] = []

    def note(planes: np.ndarray) -> float:
        seen.append(planes.copy())
        return 0.0

    look(game, 6.5, HandMade(value=note).network(), game.to_play)
    return seen[0]


def summary(planes: np.ndarray) -> dict[str, object]:
    """A digest of every plane but the move model's, whose logarithms may differ in the last digit from machine to machine: its sum."""
    others = np.delete(planes, MOVE_MODEL, axis=0)
    return {"digest": hashlib.sha256(others.tobytes()).hexdigest()[:16], "move_model": round(float(planes[MOVE_MODEL].sum()), 3)}


@pytest.mark.parametrize(("size", "moves"), POSITIONS)
def test_the_network_sees_what_it_learned_to_see(size: int, moves: int) -> None:
    known = json.loads(FILE.read_text(encoding="utf-8"))[f"{size} {moves}"]
    found = summary(seen_of(size, moves))
    assert found["digest"] == known["digest"]
    assert found["move_model"] == pytest.approx(known["move_model"], abs=0.002)


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps({f"{s} {m}": summary(seen_of(s, m)) for s, m in POSITIONS}, indent=1) + "\n", encoding="utf-8")
