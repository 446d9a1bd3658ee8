"""The GTP commands, grouped by what they are about. A new command is one `cmd_` method in one of these classes."""

from gtp_engine.gtp.commands.board import BoardCommands
from gtp_engine.gtp.commands.clocks import ClockCommands
from gtp_engine.gtp.commands.information import InformationCommands
from gtp_engine.gtp.commands.play import PlayCommands
from gtp_engine.gtp.commands.record import RecordCommands
from gtp_engine.gtp.commands.rules import RulesCommands
from gtp_engine.gtp.commands.tournament import TournamentCommands
from gtp_engine.gtp.dispatcher import Dispatcher
from gtp_engine.gtp.engine_loader import EngineLoader

ENGINE_GROUPS = (BoardCommands, PlayCommands, RecordCommands, RulesCommands, ClockCommands, TournamentCommands)


def make_dispatcher(loader: EngineLoader, name: str, version: str) -> Dispatcher:
    """Every command there is, over the engine that `loader` loads. `name` and `version` are what the commands so called answer."""
    dispatcher = Dispatcher(board_size=lambda: loader.engine().game.size)
    dispatcher.add(InformationCommands(dispatcher.methods, name, version))
    for group in ENGINE_GROUPS:
        dispatcher.add(group(loader))
    return dispatcher
