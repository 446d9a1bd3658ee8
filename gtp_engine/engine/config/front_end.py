"""FrontEnd: the settings besides those of the search: the game's defaults, the engine's name, and options for clients."""

from dataclasses import dataclass
from pathlib import Path

from gtp_engine import __version__
from gtp_engine.base.files import expanded
from gtp_engine.base.parameters import Parameters, parameter
from gtp_engine.go.points import MAX_SIZE, MIN_SIZE
from gtp_engine.go.rules import RULE_SETS

AUTOMATIC_LOG = "auto"  # the value of `log` that means the default file
LOG_FILE = "gtp.log"  # the default file
OUR_SEARCH = "mcts"  # the player that isn't from the textbook
HIGHEST_LEVEL = 20
PLAYERS = (OUR_SEARCH, "random", "greedy", "minimax", "alphabeta", "textbook-mcts")


@dataclass(frozen=True)
class FrontEnd(Parameters):
    """Settings of the process rather than of its search. Raises ValueError, naming the field, for a value outside its bounds."""

    rules: str = parameter("chinese", "", "the rules of the game, until the client sets them", choices=tuple(RULE_SETS))
    komi: float = parameter(7.5, "points", "points for White, until the client sets them", -1_000.0, 1_000.0)
    size: int = parameter(MAX_SIZE, "lines", "size of the board, until the client sets it", MIN_SIZE, MAX_SIZE)
    player: str = parameter(
        OUR_SEARCH,
        "",
        f"who chooses the moves: {OUR_SEARCH} is the engine itself, the others are simple players from docs/how-it-works.md",
        choices=PLAYERS,
    )
    player_file: str = parameter("", "file", "your own player: a Python file with a function choose_move(position, dice); docs/course")
    level: int = parameter(
        0, "", f"how strong to play, from 1 for beginners to {HIGHEST_LEVEL}; 0: as strong as the time allows", 0, HIGHEST_LEVEL
    )
    rank: str = parameter("", "rank", "play like a person of this rank, 20k to 3d (learned on 9x9); empty: at full strength")
    human_rank: str = parameter(
        "",
        "rank",
        "play like a person of this rank, 20k to 9d, by one of KataGo's human networks (`network`); empty: at full strength",
    )
    human_network: str = parameter(
        "", "file", "one of KataGo's human networks, in addition to `network`, for `human_rank` and for clients that set humanSLProfile"
    )
    human_time: bool = parameter(
        False, "", "with `rank` or `human_rank`, think about as long as a person would: a few seconds a move, and never until time runs out"
    )
    gtp_name: str = parameter("gtp_engine", "", "the answer to the command `name`, for clients that accept only certain engines")
    gtp_version: str = parameter(__version__, "", "the answer to the command `version`; old versions of Lizzie need 0.17 here")
    kgs_chat: bool = parameter(
        False, "", "offer the command kgs-chat, which answers `winrate` in chat; kgsGtp 3.5.20 and later fail when it is listed"
    )
    chat_variation: bool = parameter(
        False, "", "after each move, print its win rate and the expected moves on stderr, in the form that gtp2ogs reads"
    )
    live_graphics: bool = parameter(False, "", "during a search, print its state on stderr, in the form of GoGui's live graphics")
    log: str = parameter(
        "",
        "file",
        f"write all commands and answers to this file; a name without a folder goes into the log folder; {AUTOMATIC_LOG}: {LOG_FILE} there",
    )


def log_path(setting: str) -> Path:
    """The file of the setting `log`: an absolute path, or one relative to the platform's log folder. Raises OSError."""
    import platformdirs  # not above: most conversations are not logged

    folder = Path(platformdirs.user_log_dir("gtp_engine", appauthor=False))
    return folder / (LOG_FILE if setting == AUTOMATIC_LOG else expanded(setting))


# Forgotten in a shell's profile, they would change the game without the client's knowledge.
NOT_FROM_ENVIRONMENT = ("rules", "komi", "size", "player", "player_file", "level", "rank", "human_rank", "human_time")
