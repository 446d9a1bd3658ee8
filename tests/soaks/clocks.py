"""Games on the clock beside other programs: absolute time, byo-yomi, Canadian and Fischer time, changed during every other game.

The network player plays a random one, see tests/tools/clock_games.py, which keeps the clocks.
"""

import multiprocessing
import os
import sys
import threading
from pathlib import Path

import clock_games
from clock_games import COMPILING, SYSTEMS, play_game, spin
from gtp_process import GtpProcess, GtpProcessError

from soaks.tally import OURS, Tally

COUNT = 400  # a quarter of them for each time system
LOAD = 3  # programs beside, that do nothing but compute
JOBS = 1  # games at once: each is a program beside the others
OPTIONS = ("load", "jobs")
ENGINE = [*OURS, "gtp", "--no-resign"]
OPPONENT = [sys.executable, str(Path(clock_games.__file__).with_name("random_player.py"))]


def run(count: int, seed: int, load: int | None, jobs: int | None) -> Tally:
    """Play `count` games, `jobs` at once, with `load` programs beside. `seed` is of no use: no two games on the clock are alike."""
    tally, loads = Tally(), [os.getloadavg()[0]]
    with GtpProcess(ENGINE) as engine:
        engine.ask("genmove black", COMPILING)  # so that nothing is compiled when it counts
    beside = [multiprocessing.Process(target=spin, daemon=True) for _ in range(LOAD if load is None else load)]
    for process in beside:
        process.start()
    wanted = [(name, number) for number in range(-(-count // len(SYSTEMS))) for name in SYSTEMS][:count]
    games = {name: clock_games.Tally() for name in SYSTEMS}
    players = [threading.Thread(target=play, args=(wanted, games, tally)) for _ in range(jobs or JOBS)]
    try:
        for player in players:
            player.start()
        for player in players:
            while player.is_alive():
                player.join(10.0)
                loads.append(os.getloadavg()[0])
                tally.progress(count)
    finally:
        wanted.clear()
        for process in beside:
            process.terminate()
    tally.notes += [clock_games.summary(name, found) for name, found in games.items()]
    load_text = f"the machine's load was {min(loads):.1f} to {max(loads):.1f}, {sum(loads) / len(loads):.1f} on average"
    tally.notes.append(f"{jobs or JOBS} games at once, {len(beside)} busy programs beside; {load_text}, on {os.cpu_count()} processors")
    return tally


def play(wanted: list[tuple[str, int]], games: dict[str, clock_games.Tally], tally: Tally) -> None:
    """Play what is still wanted, a game after the other, and count. For a thread of its own."""
    while wanted:
        with GtpProcess(ENGINE) as engine, GtpProcess(OPPONENT) as opponent:
            try:
                engine.ask("genmove black", COMPILING)  # loads everything, which is not what is timed here
                play_with(engine, opponent, wanted, games, tally)
            except GtpProcessError as error:
                tally.fault(f"the engine failed: {error}")


def play_with(
    engine: GtpProcess, opponent: GtpProcess, wanted: list[tuple[str, int]], games: dict[str, clock_games.Tally], tally: Tally
) -> None:
    """Play with these two. Raises GtpProcessError, and goes on to the next game when one is lost on time."""
    while wanted:
        name, number = wanted.pop(0)
        found = clock_games.Tally()
        tally.done += 1
        play_game(name, number, found, engine, opponent, tells_time=number % 8 < 4)
        games[name].add(found)
        if found.lost:
            tally.fault(f"{name}, game {number + 1}: lost on time, slowest move {found.slowest:.2f} s")
