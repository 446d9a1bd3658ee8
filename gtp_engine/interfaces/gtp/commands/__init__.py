"""The GTP commands, grouped by what they are about. A new command is one `cmd_` method in one of these classes."""

from gtp_engine.engine.config.front_end import FrontEnd
from gtp_engine.interfaces.gtp.commands.analysis import AnalysisCommands
from gtp_engine.interfaces.gtp.commands.board import BoardCommands
from gtp_engine.interfaces.gtp.commands.clocks import ClockCommands
from gtp_engine.interfaces.gtp.commands.gogui import GoguiCommands
from gtp_engine.interfaces.gtp.commands.information import InformationCommands
from gtp_engine.interfaces.gtp.commands.katago import KatagoCommands
from gtp_engine.interfaces.gtp.commands.kgs import ChatCommands, KgsCommands
from gtp_engine.interfaces.gtp.commands.parameters import LevelCommands, ParameterCommands
from gtp_engine.interfaces.gtp.commands.play import PlayCommands
from gtp_engine.interfaces.gtp.commands.record import RecordCommands
from gtp_engine.interfaces.gtp.commands.rules import RulesCommands
from gtp_engine.interfaces.gtp.commands.solving import SolvingCommands
from gtp_engine.interfaces.gtp.commands.tournament import TournamentCommands
from gtp_engine.interfaces.gtp.dispatcher import Dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.gtp.inbox import Inbox, ended_inbox

__all__ = ["make_dispatcher"]

ENGINE_GROUPS = (
    BoardCommands,
    PlayCommands,
    RecordCommands,
    RulesCommands,
    ClockCommands,
    TournamentCommands,
    KgsCommands,
    AnalysisCommands,
    GoguiCommands,
    ParameterCommands,
    KatagoCommands,
    LevelCommands,
    SolvingCommands,
)


def make_dispatcher(
    loader: EngineLoader, name: str, version: str, inbox: Inbox | None = None, front_end: FrontEnd | None = None
) -> Dispatcher:
    """Every command there is, over the engine that `loader` loads. `name` and `version` are what the commands so called answer.

    inbox -- the session's; without one the conversation counts as ended, and analysis ends where it begins
    front_end -- which optional commands and reports there are; by default none
    """
    front_end = front_end or FrontEnd()
    dispatcher = Dispatcher(board_size=lambda: loader.engine().game.size)
    dispatcher.add(InformationCommands(dispatcher.methods, name, version))
    groups = [*ENGINE_GROUPS, ChatCommands] if front_end.kgs_chat else ENGINE_GROUPS
    for group in groups:
        dispatcher.add(group(loader, inbox or ended_inbox(), front_end))
    return dispatcher
