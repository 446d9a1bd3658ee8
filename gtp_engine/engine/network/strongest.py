"""`--network strong`: the best network that is here and fast enough on this machine."""

from pathlib import Path

from gtp_engine.engine.network.choice import recall
from gtp_engine.engine.network.clients import client_networks
from gtp_engine.engine.network.folder import networks_in, user_folder
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.session import NetworkError

# The kinds of KataGo's networks, strongest first, as its releases and KaTrain's list of them say; not measured here.
STRONGEST_FIRST = (
    *("b11c768", "b10c512", "b28c512", "b10c384", "b18c384", "b60c320", "b40c256", "b30c320", "b20c256", "b15c192", "b10c128", "b6c96"),
)
ENOUGH = 5.0  # evaluations a second on 19x19 in one thread: with fewer a search hardly goes beyond what the network thinks at once
GUESS = 400.0  # megabytes times evaluations a second, for a network that was not timed here: of those that were, the slow ones


def strongest_network() -> tuple[Path, str]:
    """The file, and why it is this one, in a few words. Raises NetworkError when there is none, which says how to get one."""
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
    """All networks in the user's folder and those of other programs, each once."""
    own = networks_in(user_folder()) if user_folder().is_dir() else []
    return list({path.resolve(): path for path in [*client_networks(), *own]}.values())


def is_player(path: Path) -> bool:
    """Can it be opened, and does it play as well as it can? Human networks play like people."""
    try:
        return not format_of(path).summarize(path).knows_players
    except NetworkError:
        return False


def speed_of(path: Path) -> tuple[float, str]:
    """(evaluations a second, where that comes from)."""
    speeds = recall(path)
    if speeds:
        return max(speeds.values()), "timed here"
    return GUESS / (path.stat().st_size / 1e6), "guessed by its size"


def strength_place(path: Path) -> tuple[int, int]:
    """Its place in the order, unknown kinds behind, the larger ones of a kind first."""
    place = next((number for number, kind in enumerate(STRONGEST_FIRST) if kind in path.name), len(STRONGEST_FIRST))
    return place, -path.stat().st_size
