"""How strong are the levels? Plays them against their neighbours and GNU Go, rates all together, and writes the tables of the documents.

    .venv/bin/python docs/figures/measure_levels.py --size 9 --games 20 --output games/levels
    .venv/bin/python docs/figures/measure_levels.py --size 9 --games 20 --jobs 20 --ray auto --output games/levels
    .venv/bin/python docs/figures/measure_levels.py --output games/levels --write      no games: only the tables of what has been played

A resumed run goes on where the last one ended, and more games make it more certain. GNU Go must be installed (`apt-get install gnugo`).
"""

import argparse
import itertools
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY))

from gtp_engine.base.jobs.append_only import StoreError  # noqa: E402
from gtp_engine.base.jobs.job import PlaceError  # noqa: E402
from gtp_engine.base.jobs.place import JobPlace  # noqa: E402
from gtp_engine.cli.options.jobs import add_job_options, place_of  # noqa: E402
from gtp_engine.engine.player.levels.table import ALL, LEVELS, Level, level_of  # noqa: E402
from gtp_engine.tools.match.elo import Tally  # noqa: E402
from gtp_engine.tools.match.rating import Ratings, rate  # noqa: E402
from gtp_engine.tools.match.results import load_records  # noqa: E402
from gtp_engine.tools.match.runner import run_tournament  # noqa: E402
from gtp_engine.tools.match.standings import Standings  # noqa: E402
from gtp_engine.tools.match.tournament import Player, Tournament, TournamentError  # noqa: E402

PROGRAM = shutil.which("gnugo") or "/usr/games/gnugo"  # Debian's folder of games is not on every PATH
GNU_GO = {f"GNU Go {level}": (PROGRAM, "--mode", "gtp", "--chinese-rules", "--level", str(level)) for level in (1, 5, 10)}
ANCHOR, ANCHOR_ELO = "GNU Go 10", 1800.0
KOMI = 7.5

# Who plays everybody of the same group. Neighbours meet, and each group shares a player with the next, so that one rating holds for all.
Group = tuple[int | str, ...]
EVERY_LEVEL: tuple[Group, ...] = (
    (1, 2, 3, 4),
    (4, 5, 6, 7),
    (7, 8, 9, 10),
    (10, 11, 12, 13),
    (13, 14, 15, 16),
    (16, 17, 18, 19),
    (18, 19, 20),
    (11, 14, "GNU Go 1"),
    (14, 16, "GNU Go 5"),
    (15, 17, "GNU Go 10"),
)
SIZES = (9, 13)
VISITS = (4, 10, 20, 30, 40, 60, 80, 100)  # games of each pairing after each round through the groups: starting engines takes time
FEW_GAMES = 0.01  # of the rating's prior: levels meet only their like
SURE = 2.0  # standard deviations
MOST_AGAINST_GNU_GO = 20  # games of these pairings: they place the scale and tell no level from the next
ENOUGH = 10  # games of each pairing: with fewer, pairings won by one side alone make ratings that mean nothing
BEGIN, END = "<!-- made by docs/figures/measure_levels.py: {} -->\n", "<!-- end of {} -->\n"
DOCUMENT = REPOSITORY / "docs" / "levels.md"  # with a table for each board


def player_of(member: int | str) -> Player:
    """A level of ours, or one of GNU Go's."""
    if isinstance(member, str):
        return Player(member, GNU_GO[member])
    return Player(f"level {member}", (sys.executable, "-P", "-m", "gtp_engine", "--level", str(member)))


def tournament_of(group: Group, size: int, games: int, jobs: int) -> Tournament:
    """Everybody of the group against everybody."""
    return Tournament(
        tuple(player_of(member) for member in group), games=games, size=size, komi=KOMI, jobs=jobs, keep_engines=2 * len(group)
    )


def folder_of(output: Path, group: Group, size: int) -> Path:
    """Where the group's games are kept."""
    return output / f"{size}x{size}" / "-".join(str(member).replace(" ", "") for member in group)


def play(output: Path, size: int, games: int, place: JobPlace, levels: range) -> None:
    """Play until each pairing has `games` games, all groups going ahead together; only groups all of whose levels are in `levels`."""
    for visit in [*(each for each in VISITS if each < games), games]:
        for group in EVERY_LEVEL:
            if not all(member in levels for member in group if isinstance(member, int)):
                continue
            wanted = min(visit, MOST_AGAINST_GNU_GO) if any(isinstance(member, str) for member in group) else visit
            run_tournament(tournament_of(group, size, wanted, place.jobs), folder_of(output, group, size), ray=place.ray)
            print(f"{size}x{size}: {wanted} games a pairing of {', '.join(map(str, group))}", file=sys.stderr, flush=True)


def tallies_of(output: Path, size: int) -> dict[tuple[str, str], Tally]:
    """All games so far, each pairing once."""
    tallies: dict[tuple[str, str], Tally] = {}
    for group in EVERY_LEVEL:
        standings = Standings(tournament_of(group, size, 1, 1), load_records(folder_of(output, group, size)))
        for pairing, tally in standings.tallies.items():
            tallies[pairing] = tallies.get(pairing, Tally()) + tally
    return tallies


def faults_of(output: Path, size: int) -> int:
    """Games that were lost by an illegal move, a crash and the like."""
    return sum(bool(record.fault) for group in EVERY_LEVEL for record in load_records(folder_of(output, group, size)))


def ratings_of(tallies: Mapping[tuple[str, str], Tally]) -> Ratings:
    """Everybody who has played, on the scale of the anchor."""
    played = {name for pairing, tally in tallies.items() if tally.games for name in pairing}
    names = [name for name in [*(f"level {number}" for number in range(1, len(LEVELS) + 1)), *GNU_GO] if name in played]
    met = {pairing: tally for pairing, tally in tallies.items() if tally.games}
    return rate(names, met, {ANCHOR: ANCHOR_ELO} if ANCHOR in played else None, prior_games=FEW_GAMES)


def sight_of(level: Level) -> str:
    """The cells of the table that say what a level is."""
    view = "all | " if level.view == ALL else f"{level.view:g} | {level.eye:g}"
    return f"{level.simulations:,} | {view} | {'yes' if level.model_bonus else ''}"


def table_lines(tallies: Mapping[tuple[str, str], Tally]) -> Iterator[str]:
    """The table: a line for each player, strongest last, with the step from the level below."""
    ratings = ratings_of(tallies)
    yield "| player | simulations | moves in view | eye | move model | Elo | 95 % | step up, in standard deviations | games |"
    yield "|---|---|---|---|---|---|---|---|---|"
    previous = ""
    for rating in ratings.players:
        games = sum(tally.games for pairing, tally in tallies.items() if rating.name in pairing)
        low, high = rating.interval
        interval = "anchor" if rating.is_anchor else f"{low:.0f} .. {high:.0f}"
        sight, step = " |  |  | ", ""
        if rating.name not in GNU_GO:
            sight = sight_of(level_of(int(rating.name.removeprefix("level "))))
            if previous:
                elo, sigma = ratings.difference(rating.name, previous)
                step = f"{elo:+.0f}, {elo / sigma:.1f}"
            previous = rating.name
        yield f"| {rating.name} | {sight} | {rating.elo:.0f} | {interval} | {step} | {games} |"


def summary(tallies: Mapping[tuple[str, str], Tally], faults: int) -> str:
    """How sure the order is."""
    ratings = ratings_of(tallies)
    names = [rating.name for rating in ratings.players if rating.name not in GNU_GO]
    steps = [ratings.difference(upper, lower) for lower, upper in itertools.pairwise(names)]
    upward = sum(elo > 0 for elo, _ in steps)
    sure = sum(elo > SURE * sigma for elo, sigma in steps)
    games = sum(tally.games for tally in tallies.values())
    return (
        f"{games:,} games, {faults} lost by a fault. Of {len(steps)} steps from a level to the next, {upward} go up, {sure} of them "
        f"by more than {SURE:g} standard deviations."
    )


def is_measured(tallies: Mapping[tuple[str, str], Tally]) -> bool:
    """Has every pairing enough games to be published?"""
    return min(tally.games for tally in tallies.values()) >= ENOUGH


def section(output: Path, size: int) -> str:
    """What the document says about a board."""
    tallies = tallies_of(output, size)
    if not any(tally.games for tally in tallies.values()):
        return ""
    return "\n".join([summary(tallies, faults_of(output, size)), "", *table_lines(tallies), ""])


def write_section(path: Path, name: str, text: str) -> None:
    """Replace what stands between the marks of this name."""
    document = path.read_text(encoding="utf-8")
    begin, end = BEGIN.format(name), END.format(name)
    before, rest = document.split(begin)
    path.write_text(before + begin + text + end + rest.split(end)[1], encoding="utf-8")


def main() -> int:
    """Play what is missing, then print and write the tables; 130 after Ctrl-C, 2 for what can't be played."""
    parser = argparse.ArgumentParser(description="Measure the levels.")
    parser.add_argument("--output", type=Path, required=True, help="the folder of the games")
    parser.add_argument("--size", type=int, choices=SIZES, default=9, help="lines of the board (default: 9)")
    parser.add_argument("--games", type=int, default=0, help="of each pairing (default: play none)")
    parser.add_argument("--lowest", type=int, default=1, help="play only groups from this level up (default: 1)")
    parser.add_argument("--highest", type=int, default=len(LEVELS), help="and up to this one: low levels are fast (default: %(default)s)")
    add_job_options(parser, "games at once")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {DOCUMENT.relative_to(REPOSITORY)}")
    args = parser.parse_args()
    args.output = args.output.resolve()
    os.chdir(REPOSITORY)  # where `python -m gtp_engine` finds this engine
    try:
        if args.games:
            play(args.output, args.size, args.games, place_of(args), range(args.lowest, args.highest + 1))
    except KeyboardInterrupt:
        return 130
    except (TournamentError, StoreError, PlaceError) as error:
        print(f"measure_levels.py: {error}", file=sys.stderr)
        return 2
    text = section(args.output, args.size)
    if args.write and not is_measured(tallies_of(args.output, args.size)):
        print(f"measure_levels.py: not written: a pairing has fewer than {ENOUGH} games; play more", file=sys.stderr)
        return 2
    if args.write:
        write_section(DOCUMENT, f"{args.size}x{args.size}", text)
    show(text or f"no games on {args.size}x{args.size} in {args.output} yet")
    return 0


def show(text: str) -> None:
    """Print it; nothing is wrong when whoever read has gone."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what Python still holds back must not fail at its exit


if __name__ == "__main__":
    sys.exit(main())
