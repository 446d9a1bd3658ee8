"""`--network strong`: the strongest network on this machine that is fast enough."""

from pathlib import Path

from gtp_engine.engine.network.choice import recall
from gtp_engine.engine.network.clients import client_networks
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.folder import networks_in, user_folder
from gtp_engine.engine.network.formats import format_of

# KataGo's networks, strongest first, according to its releases and KaTrain's list; not measured here.
STRONGEST_FIRST = (
    *("b11c768", "b10c512", "b28c512", "b10c384", "b18c384", "b60c320", "b40c256", "b30c320", "b20c256", "b15c192", "b10c128", "b6c96"),
)
SPECIALIST = "kata9x9"  # its name also contains a kind above, but it was trained further for 9x9 and is weaker elsewhere
ENOUGH = 5.0  # evaluations a second on 19x19 in one thread: with fewer, a search hardly improves on the network's own policy
GUESS = 400.0  # megabytes times evaluations a second of slow timed networks, to estimate the speed of others


def strongest_network() -> tuple[Path, str]:
    """The file, and the reason for it in a few words. Raises NetworkError if there is none, which says how to get one."""
    candidates = [path for path in here() if is_player(path)]
    if not candidates:
        raise NetworkError(
            f"no strong network is here: `gtp-engine networks get strong` fetches one (38 MB, asked first), or put one into {user_folder()}"
        )
    speeds = {path: speed_of(path) for path in candidates}
    quick = [path for path in candidates if speeds[path][0] >= ENOUGH] or [max(candidates, key=lambda path: speeds[path][0])]
    best = min(quick, key=strength_place)
    speed, how = speeds[best]
    return best, f"about {speed:.0f} evaluations a second on 19x19 in one thread, {how}"


def here() -> list[Path]:
    """All networks in the user's folder and of other programs, each once."""
    own = networks_in(user_folder()) if user_folder().is_dir() else []
    return list({path.resolve(): path for path in [*client_networks(), *own]}.values())


def is_player(path: Path) -> bool:
    """True if it can be opened and isn't a human network."""
    try:
        return not format_of(path).summarize(path).knows_players
    except NetworkError:
        return False


def speed_of(path: Path) -> tuple[float, str]:
    """(evaluations a second, source of this number)."""
    speeds = recall(path)
    if speeds:
        return max(speeds.values()), "timed here"
    return GUESS / (path.stat().st_size / 1e6), "guessed by its size"


def strength_place(path: Path) -> tuple[int, int]:
    """A sort key: strongest kinds first, unknown kinds and networks for one size last, larger files of a kind first."""
    kinds = STRONGEST_FIRST if SPECIALIST not in path.name else ()
    place = next((number for number, kind in enumerate(kinds) if kind in path.name), len(STRONGEST_FIRST))
    return place, -path.stat().st_size
