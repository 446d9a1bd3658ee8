"""Openings: random ones from a seed, or the first moves of the SGF files in a folder. Both games of a pair begin with the same."""

import random
from dataclasses import dataclass
from pathlib import Path

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, point_at
from gtp_engine.go.rules import Rules
from gtp_engine.tools.match.tournament import Tournament, TournamentError

FIRST_LINES = {9: 3, 5: 2, 1: 1}  # the line from which random moves are allowed, by the smallest board size
SEED_STRIDE = 1_000_003  # between the openings of consecutive seeds, so that tournaments don't share them


@dataclass(frozen=True)
class Opening:
    """The moves on the board before the players begin, legal in this order."""

    name: str
    moves: tuple[tuple[int, int], ...]  # (color, point)
    to_play: int


@dataclass(frozen=True)
class Book:
    """The openings of a tournament, by pair of games."""

    tournament: Tournament
    from_files: tuple[Opening, ...]  # used in turn; empty: random ones

    def opening(self, pair: int) -> Opening:
        """The opening of both games of that pair."""
        if self.from_files:
            return self.from_files[pair % len(self.from_files)]
        length = self.tournament.random_moves or 0
        return random_opening(self.tournament.size, self.tournament.rule_set, length, self.tournament.seed * SEED_STRIDE + pair)


def open_book(tournament: Tournament) -> Book:
    """Read the openings of the tournament. Raises TournamentError for a missing folder, or one without a record of this board size."""
    if tournament.random_moves is not None:
        return Book(tournament, ())
    folder = Path(tournament.openings)
    return Book(tournament, tuple(folder_openings(folder, tournament.size, tournament.rule_set, tournament.opening_moves)))


def random_opening(size: int, rules: Rules, length: int, seed: int) -> Opening:
    """`length` legal random moves away from the edge, Black first; fewer if the board is too small."""
    dice, game = random.Random(seed), Game(size, rules)
    first_line = next(line for smallest, line in FIRST_LINES.items() if size >= smallest)
    lines = range(first_line, size + 2 - first_line)
    points = [point_at(row, column) for row in lines for column in lines]
    dice.shuffle(points)
    for point in points:
        if len(game.moves) == length:
            break
        if game.is_legal(game.to_play, point):
            game.play(game.to_play, point)
    return Opening(f"random {seed}", tuple(game.moves), game.to_play)


def folder_openings(folder: Path, size: int, rules: Rules, most_moves: int) -> list[Opening]:
    """The openings of the records in a folder, sorted by name, each position once. Records of other board sizes are left out.

    `most_moves` -- the number of moves of each; 0: all. Set-up stones are played first, one after the other. Raises TournamentError.
    """
    if not folder.is_dir():
        raise TournamentError(f"openings: {str(folder)!r} is neither random:N nor a folder of SGF files")
    openings: dict[tuple[tuple[int, int], ...], Opening] = {}
    for path in sorted(folder.rglob("*.sgf")):
        opening = _opening_of(path, size, rules, most_moves)
        if opening is not None:
            openings.setdefault(opening.moves, opening)
    if not openings:
        raise TournamentError(f"openings: there is no {size}x{size} record (*.sgf) in {folder}")
    return list(openings.values())


def _opening_of(path: Path, size: int, rules: Rules, most_moves: int) -> Opening | None:
    """The opening of a file; None for another board size."""
    try:
        game = sgf.load(path, most_moves + 1 if most_moves else None, rules).game
    except sgf.SgfError as error:
        raise TournamentError(f"openings: {path}: {error}") from error
    if game.size != size:
        return None
    played, to_play = list(game.moves), game.to_play
    while played and played[-1][1] == PASS:  # passes at the end of a record would end the game before it begins
        to_play = played.pop()[0]
    moves = (*game.setup_stones, *played)
    _check_legal(path, size, rules, moves)
    return Opening(path.stem, moves, to_play)


def _check_legal(path: Path, size: int, rules: Rules, moves: tuple[tuple[int, int], ...]) -> None:
    """Raise TournamentError if the moves can't be played one after the other under the tournament's rules."""
    game = Game(size, rules)
    for number, (color, point) in enumerate(moves, 1):
        if not game.is_legal(color, point):
            raise TournamentError(f"openings: {path}: move {number} is not legal under {rules.name} rules")
        game.play(color, point)
