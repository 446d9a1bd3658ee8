"""A session as KaTrain has it with an engine, through KaTrain's own classes, without its windows. Prints what happened as one JSON object.

    python session.py custom COMMAND                  COMMAND as KaTrain's custom command
    python session.py local PROGRAM MODEL CONFIG      PROGRAM in the place of KataGo's

For the Python that KaTrain is installed in: see requirements.txt.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1", KIVY_HOME=tempfile.mkdtemp(), HOME=tempfile.mkdtemp())

from katrain.core.ai import generate_ai_move
from katrain.core.base_katrain import KaTrainBase
from katrain.core.constants import AI_DEFAULT, AI_HANDICAP, AI_POLICY
from katrain.core.engine import KataGoEngine
from katrain.core.game import Game
from pysgf import Move

SIZE = 9
PATIENCE = 240  # seconds
SETTINGS = {
    "max_visits": 40,
    "fast_visits": 10,
    "max_time": 8.0,
    "wide_root_noise": 0.04,
    "_enable_ownership": True,
    "allow_recovery": False,
}


class Silent(KaTrainBase):  # type: ignore[misc]  # KaTrain has no types
    """KaTrain without windows; keeps what it would log as errors."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        super().__init__(force_package_config=True, debug_level=0)

    def log(self, message: object, level: int = 0) -> None:
        """An error has the level -1."""
        if level == -1:
            self.errors.append(str(message))

    def __call__(self, *words: object) -> None:
        """What the windows are asked to show, such as the pop-up of an engine that died."""
        self.errors.append(" ".join(map(str, words)))


def wait(is_done: Callable[[], bool], what: str) -> None:
    """Return when it is done. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while not is_done():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.01)


def node_report(node: Any) -> dict[str, Any]:
    """What KaTrain knows of a position after its analysis."""
    best = node.candidate_moves[0]
    return {
        "visits": node.root_visits,
        "score": node.score,
        "best": best["move"],
        "points_lost": best["pointsLost"],
        "policy": len(node.policy),
        "ownership": len(node.ownership),
    }


def session(engine: Any, katrain: Silent) -> dict[str, Any]:
    """Play, analyze, ask for more, take back, stop; what came of it."""
    report: dict[str, Any] = {}
    game = Game(katrain, engine, game_properties={"SZ": SIZE, "KM": 7, "RU": "japanese"})
    for vertex, player in (("E5", "B"), ("E3", "W")):
        game.play(Move.from_gtp(vertex, player=player))
        game.current_node.analyze(engine)
    played = [generate_ai_move(game, AI_DEFAULT, {})[0].gtp() for _ in range(4)]
    report["played"] = played + [generate_ai_move(game, mode, katrain.config(f"ai/{mode}"))[0].gtp() for mode in (AI_POLICY, AI_HANDICAP)]
    wait(engine.is_idle, "the game's analysis")
    report["nodes"] = [node_report(node) for node in game.current_node.nodes_from_root]

    node = game.current_node
    tried = set(node.analysis["moves"])
    node.analyze(engine, find_alternatives=True)
    node.analyze(engine, region_of_interest=(0, 3, 0, 3))
    wait(engine.is_idle, "alternatives and a region")
    report["more_moves"] = len(set(node.analysis["moves"]) - tried)

    before = node.root_visits
    node.analyze(engine, ponder=True, time_limit=False)
    wait(lambda: node.root_visits > before, "pondering")
    engine.stop_pondering()
    wait(engine.is_idle, "the end of pondering")
    report["pondered"] = node.root_visits - before

    for _ in range(3):  # the old game's queries are given up in the middle
        engine.on_new_game()
        game = Game(katrain, engine, game_properties={"SZ": 19, "KM": 6.5, "RU": "chinese"})
    wait(lambda: game.root.analysis_complete, "a new game")
    report["new_game"] = node_report(game.root)
    report["is_alive"] = engine.check_alive()
    engine.shutdown(finish=False)
    report["errors"] = katrain.errors
    return report


def main() -> None:
    """Start the engine as the words say, and print the report."""
    kind, *words = sys.argv[1:]
    katrain = Silent()
    if kind == "custom":
        config = {**SETTINGS, "backend": "custom", "altcommand": words[0]}
    else:
        config = {**SETTINGS, "backend": "local", **dict(zip(("katago", "model", "config"), words, strict=True))}
    print(json.dumps(session(KataGoEngine(katrain, config), katrain)))


main()
