"""`gtp-engine rank`: estimates the ranks of players from game records."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gtp_engine import sgf
from gtp_engine.base.files import visible
from gtp_engine.base.progress import tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.loading import NetworkLoader
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, WHITE, to_color_name, to_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.tools.review.judge import Judge
from gtp_engine.tools.review.rank_of_moves import BOARD, FEWEST, RankTeller, played_rank, rows_of
from gtp_engine.tools.review.reach import within_reach
from gtp_engine.tools.review.records import GameRecord, GameSource, find_files, read_record, read_sources
from gtp_engine.tools.review.settings import ReviewSettings
from gtp_engine.tools.review.words import verdict_text

USUAL_KOMI = 7.5  # of a record without komi


def run(args: argparse.Namespace) -> int:
    """Estimate and print; 1 if a record can't be used. Raises ConfigError if none can."""
    network, rows_by_player, failed = open_network(), dict[str, "list[np.ndarray]"](), 0
    for record, problem in records_of(args.games):
        if record is None:
            failed += 1
            tell("rank", problem)
            continue
        for color, name in ((BLACK, "black"), (WHITE, "white")):
            player = record.players.get(color) or name
            if args.player.lower() in ("", name, player.lower()):
                rows = rows_of(record, color, network)
                print(visible(f"{record.source.title}: {who(name, player)}: {sentence(rows)}"), flush=True)
                rows_by_player.setdefault(player, []).append(rows)
        if args.mistakes:
            print_mistakes(record, args.player)
    if not rows_by_player:
        raise ConfigError("nothing to judge: no game on 9x9 " + (f"with a player {args.player}" if args.player else "was found"))
    print_totals(rows_by_player)
    return int(failed > 0)


def print_mistakes(record: GameRecord, player: str) -> None:
    """Print the mistakes of a game that players of the rank can avoid, most valuable first."""
    review = Judge(SearchParams(), ReviewSettings()).review(record)
    RankTeller().tell(review)
    for move in within_reach(review.moves):
        color = to_color_name(move.color)
        if player.lower() in ("", color, record.players.get(move.color, "").lower()):
            print(f"  move {move.number}, {color} {to_vertex(move.point)}: {verdict_text(move)}", flush=True)


def open_network() -> OpenNetwork:
    """The network with an input for ranks. Raises ConfigError if there is none."""
    try:
        return NetworkLoader().ranks_network(SearchParams())
    except NetworkError as error:
        raise ConfigError(str(error)) from error


def records_of(paths: list[Path]) -> Iterator[tuple[GameRecord | None, str]]:
    """Each usable game, or None and a sentence that says why not."""
    for path in find_files(paths):
        try:
            sources = read_sources(path)
        except sgf.SgfError as error:
            yield None, f"{path}: {error}"
            continue
        yield from map(usable, sources)


def usable(source: GameSource) -> tuple[GameRecord | None, str]:
    """The game, or None and a sentence that says why it can't be used."""
    try:
        record = read_record(source, CHINESE, USUAL_KOMI)
    except sgf.SgfError as error:
        return None, f"{source.title}: {error}"
    if record.size != BOARD:
        return None, f"{source.title}: a game on {record.size}x{record.size}; ranks are estimated on {BOARD}x{BOARD} only"
    return record, ""


def sentence(rows: np.ndarray) -> str:
    """The estimate from these moves in a sentence."""
    if len(rows) < FEWEST:
        return f"{len(rows)} moves, too few for an estimate"
    estimate = played_rank(rows)
    return f"{estimate.rank}, {estimate.interval:.0%} between {estimate.low} and {estimate.high}, {estimate.moves} moves"


def who(color: str, player: str) -> str:
    """`black`, or `black (Judit)`."""
    return color if player == color else f"{color} ({player})"


def print_totals(rows_by_player: dict[str, list[np.ndarray]]) -> None:
    """Print the estimates from all games for everybody with several games."""
    for player, games in rows_by_player.items():
        if len(games) > 1:
            print(f"{len(games)} games of {player} together: {sentence(np.concatenate(games))}")
