"""Makes engines from settings, for every front end."""

from dataclasses import replace

from gtp_engine.engine.config.front_end import OUR_SEARCH, FrontEnd
from gtp_engine.engine.config.sources import Configuration
from gtp_engine.engine.network.human_profile import rank_profile
from gtp_engine.engine.player.engine import Engine, warn_on_stderr
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.levels.chooser import chooser_at
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.ranks.chooser import HumanChooser, RankChooser
from gtp_engine.engine.player.ranks.pace import Pace
from gtp_engine.engine.search.params import SMALLEST_MEMORY, SearchParams
from gtp_engine.go.rank_names import read_rank
from gtp_engine.go.rules import RULE_SETS


def build_engine(configuration: Configuration, evaluators: Evaluators | None = None) -> Engine:
    """The engine as configured, at the beginning of a game. `evaluators`: see Engine."""
    front_end = configuration.front_end()
    chooser = chooser_of(front_end)
    engine = Engine(configuration.search_params(), RULE_SETS[front_end.rules], front_end.komi, front_end.size, chooser, evaluators)
    engine.evaluators.human_network = front_end.human_network
    engine.pace = Pace() if front_end.human_time else None
    return engine


def chooser_of(front_end: FrontEnd) -> MoveChooser:
    """The chooser of moves: full strength, a level, a rank, or a player of the textbook."""
    if front_end.player != OUR_SEARCH or front_end.player_file:
        from gtp_engine.engine.player.textbook_chooser import TextbookChooser  # not above: few want the textbook

        return TextbookChooser(front_end.player, file=front_end.player_file)
    if front_end.human_rank:
        return HumanChooser(rank_profile(read_rank(front_end.human_rank)))
    return RankChooser(read_rank(front_end.rank)) if front_end.rank else chooser_at(front_end.level)


def engines_side_by_side(count: int, params: SearchParams, evaluators: Evaluators | None = None) -> list[Engine]:
    """So many engines for as many threads: together they take the memory of one, and they share its networks.

    `evaluators`: where evaluators come from, which others may share, too.
    """
    evaluators = evaluators or Evaluators(warn_on_stderr)
    shared = replace(params, memory=max(params.memory // count, SMALLEST_MEMORY))
    return [Engine(shared, evaluators=evaluators) for _ in range(count)]
