"""FrontEnd: everything that can be set besides the search: the game's defaults, our name, and what clients are offered."""

from dataclasses import dataclass, fields

from gtp_engine import __version__
from gtp_engine.go.points import MAX_SIZE, MIN_SIZE
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.parameters import check_value, parameter

AUTOMATIC_LOG = "auto"  # the value of `log` that means a file of our own choice
OUR_SEARCH = "mcts"  # the player that is no textbook player
HIGHEST_LEVEL = 20
PLAYERS = (OUR_SEARCH, "random", "greedy", "minimax", "alphabeta", "textbook-mcts")


@dataclass(frozen=True)
class FrontEnd:
    """Settings of the process rather than of its search. Raises ValueError, naming the field, for a value outside its bounds."""

    rules: str = parameter("chinese", "", "the rule set, until the client sets one", choices=tuple(RULE_SETS))
    komi: float = parameter(7.5, "points", "White's points, until the client sets them", -1_000.0, 1_000.0)
    size: int = parameter(MAX_SIZE, "lines", "of the board, until the client sets them", MIN_SIZE, MAX_SIZE)
    player: str = parameter(
        OUR_SEARCH, "", f"who chooses the moves: {OUR_SEARCH}, our search, or a player from the textbook", choices=PLAYERS
    )
    level: int = parameter(
        0, "", f"how strong to play, from 1 for beginners to {HIGHEST_LEVEL}; 0: as strong as the limits allow", 0, HIGHEST_LEVEL
    )
    gtp_name: str = parameter("gtp_engine", "", "the answer to `name`, for clients that expect a known engine")
    gtp_version: str = parameter(__version__, "", "the answer to `version`; old Lizzies want two numbers, the second at least 15: 0.17")
    kgs_chat: bool = parameter(False, "", "offer kgs-chat, which answers `winrate` in chat; kgsGtp from 3.5.20 on breaks when it is listed")
    chat_variation: bool = parameter(False, "", "print each move's win rate and variation on stderr, in the form that gtp2ogs reads")
    live_graphics: bool = parameter(False, "", "print what the search thinks on stderr while it does, as GoGui's live graphics")
    log: str = parameter(
        "", "file", f"write what passes over GTP to this file; a name alone lies in the log folder; {AUTOMATIC_LOG}: gtp.log there"
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            check_value(item.name, item.metadata, getattr(self, item.name))


# They would change the game behind the client's back when they lie forgotten in a shell's profile.
NOT_FROM_ENVIRONMENT = ("rules", "komi", "size", "player", "level")
