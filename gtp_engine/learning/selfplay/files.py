"""Record files of self-play: games in the compact form of learning/training/records.py, with the results of full searches and the owners.

Beside moves, lengths, winner, margin and komi, for G games on boards of S lines:

- `size`: S;
- `owners` int8 [G, S * S]: who owned each point at the end, +1 Black, -1 White, 0 nobody; OWNER_UNKNOWN in a game that was resigned;
- `searched` int64 [N]: the indices into `moves`, over all games, of the moves before which there was a full search, ascending;
- `visit_starts` int64 [N + 1], `visit_moves` uint16 [K], `visit_counts` uint16 [K]: the pruned visits of searched position n are the
  entries visit_starts[n] .. visit_starts[n + 1] - 1;
- `root_values` float16 [N]: the win rate of the side to move there;
- `rules` uint8 [G]: the rules of each game, an index into RULES_NAMES. Older files don't have this: the first rules hold for all games.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.files import write_arrays
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.selfplay.play import TOO_LONG
from gtp_engine.learning.training.record_checks import RULES
from gtp_engine.learning.training.records import OWNER_UNKNOWN

BYTES_SIZE = 9  # lines of the board whose moves are uint8; on other boards they are uint16
Arrays = dict[str, np.ndarray]
MOST_COUNT = 65_535  # the most visits that an entry can hold
RULES_NAMES = tuple(rules.name for rules in RULES)


def game_arrays(size: int, games: Sequence[dict[str, Any]]) -> Arrays:
    """The arrays of a record file; `games`: PlayedSelf.as_values. Games without a result are left out.

    A full search after the last move, at which the game ended instead, is also left out.
    """
    finished = [game for game in games if game["end"] != TOO_LONG]
    unknown = [OWNER_UNKNOWN] * (size * size)
    starts = np.cumsum([0, *(len(game["moves"]) for game in finished)])
    positions = [
        (start + search[0], search)
        for start, game in zip(starts[:-1], finished, strict=True)
        for search in game["searched"]
        if search[0] < len(game["moves"])
    ]
    return {
        "size": np.array(size),
        "moves": joined([game["moves"] for game in finished], np.uint8 if size == BYTES_SIZE else np.uint16),
        "lengths": np.array([len(game["moves"]) for game in finished], np.uint16),
        "winner": np.array([game["winner"] for game in finished], np.int8),
        "margin": np.array([game["margin"] for game in finished], np.float32),
        "komi": np.array([game["komi"] for game in finished], np.float32),
        "owners": np.array([game["owners"] or unknown for game in finished], np.int8).reshape(len(finished), size * size),
        "rules": np.array([RULES_NAMES.index(game.get("rules", CHINESE.name)) for game in finished], np.uint8),
        "searched": np.array([index for index, _ in positions], np.int64),
        **search_arrays([search for _, search in positions]),
    }


def search_arrays(searches: Sequence[Sequence[Any]]) -> Arrays:
    """The arrays of a record file with the results of full searches, FullSearch.as_values; visits are limited to MOST_COUNT."""
    return {
        "visit_starts": np.cumsum([0, *(len(moves) for _, moves, _, _ in searches)]).astype(np.int64),
        "visit_moves": joined([moves for _, moves, _, _ in searches], np.uint16),
        "visit_counts": np.minimum(joined([counts for _, _, counts, _ in searches], np.int64), MOST_COUNT).astype(np.uint16),
        "root_values": np.array([value for *_, value in searches], np.float16),
    }


def joined(lists: Sequence[Sequence[int]], kind: type[np.generic]) -> np.ndarray:
    """All lists one after the other."""
    return np.array([item for part in lists for item in part], kind)


def write_games(path: Path, size: int, games: Sequence[dict[str, Any]]) -> None:
    """Write a record file, whole or not at all. Raises SelfplayError if no game has a result or none a full search; OSError."""
    arrays = game_arrays(size, games)
    if not len(arrays["lengths"]):
        raise SelfplayError(f"none of {len(games)} games came to an end, so there is nothing to write into {path}")
    if not len(arrays["searched"]):
        raise SelfplayError(f"no position of {len(games)} games was searched in full, so there is nothing to learn from")
    write_arrays(path, arrays)


def read_games(path: Path) -> Arrays:
    """The arrays of a record file. Raises SelfplayError if it can't be read."""
    try:
        with np.load(path) as archive:
            arrays = {name: archive[name] for name in archive.files}
            return {"rules": np.zeros(len(arrays["lengths"]), np.uint8)} | arrays
    except Exception as error:  # np.load raises many kinds of errors
        raise SelfplayError(f"{path} is not a record file of self-play: it is missing, or damaged") from error


def merged(parts: Sequence[Arrays]) -> Arrays:
    """The games of all parts together; `parts` isn't empty. Raises SelfplayError if they aren't all on the same board."""
    if len({int(part["size"]) for part in parts}) > 1:
        raise SelfplayError("the games of these generations are on boards of several sizes; choose another folder for each")
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0] if name not in ("size", "visit_starts")}
    moves_before = np.cumsum([0, *(len(part["moves"]) for part in parts)])
    visits_before = np.cumsum([0, *(len(part["visit_moves"]) for part in parts)])
    searched = [part["searched"] + before for part, before in zip(parts, moves_before[:-1], strict=True)]
    starts = [part["visit_starts"][:-1] + before for part, before in zip(parts, visits_before[:-1], strict=True)]
    joined_starts = np.concatenate([*starts, visits_before[-1:]]).astype(np.int64)
    return {"size": parts[0]["size"], **arrays, "searched": np.concatenate(searched), "visit_starts": joined_starts}


def with_games(arrays: Arrays, chosen: np.ndarray, searched: np.ndarray | None = None) -> Arrays:
    """The games where `chosen`, [G] booleans, is true. `searched`, [N] booleans: if given, their full searches that are kept."""
    each_move = np.repeat(chosen, arrays["lengths"])
    chosen_searches = each_move[arrays["searched"]]
    if searched is not None:
        chosen_searches &= searched
    counts = np.diff(arrays["visit_starts"])
    each_visit = np.repeat(chosen_searches, counts)
    places = np.cumsum(each_move) - 1
    return {
        "size": arrays["size"],
        "moves": arrays["moves"][each_move],
        **{name: arrays[name][chosen] for name in ("lengths", "winner", "margin", "komi", "owners", "rules")},
        "searched": places[arrays["searched"][chosen_searches]],
        "visit_starts": np.concatenate(([0], np.cumsum(counts[chosen_searches]))).astype(np.int64),
        "visit_moves": arrays["visit_moves"][each_visit],
        "visit_counts": arrays["visit_counts"][each_visit],
        "root_values": arrays["root_values"][chosen_searches],
    }
