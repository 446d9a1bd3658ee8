"""The engine's own search: on boards of several sizes, and beside a game that goes on."""

import threading

from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, from_vertex


class WatchedGame(Game):
    """A game that notes which threads look at its stones."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.readers: set[str] = set()

    def colors(self) -> list[int]:
        """See Game."""
        self.readers.add(threading.current_thread().name)
        return super().colors()


def search_of(size: int, **settings: object) -> OwnSearch:
    """A search for boards of this size; what it would warn of goes nowhere."""
    params = SearchParams(threads=1, memory=16, backend="onnxruntime", precision="f32", **settings)  # type: ignore[arg-type]
    return OwnSearch(params, size, Evaluators(lambda text: None))


def test_a_fresh_search_on_a_small_board_leaves_the_large_one_its_network() -> None:
    search, networks = search_of(19, evaluator="network"), []
    for size in (19, 9, 19):
        with search.afresh(1):
            search.run(Turn(Game(size), BLACK, 7.5), Limits(simulations=2))
            networks.append(search._search._evaluator.network)  # type: ignore[attr-defined]
    assert networks[0] is networks[2]
    assert networks[0] is not networks[1]


def test_pondering_reads_a_copy_of_the_game() -> None:
    """GTP's `play` changes the game itself, and ends no pondering."""
    game, search = WatchedGame(9), search_of(9, evaluator="playouts")
    game.play(BLACK, from_vertex("E5", 9))
    search.ponder(Turn(game, WHITE, 7.5))
    search.forget_tree()  # waits until the thread has read and searched
    assert game.readers <= {threading.current_thread().name}
