"""Finds the method for a command's name, and turns its result or error into one well-formed response."""

import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from gtp_engine.base.gtp_protocol import Command, GtpError, failure, head, reply_text, success
from gtp_engine.interfaces.gtp.arguments import Words, read_arguments

PREFIX = "cmd_"
ERROR_LENGTH = 200  # characters of an internal error that are worth a line

Method = TypeVar("Method", bound=Callable[..., Any])


def named(name: str) -> Callable[[Method], Method]:
    """Decorator for a `cmd_` method whose GTP name is no Python name: `@named("gg-undo")`."""

    def mark(method: Method) -> Method:
        method.__dict__["gtp_name"] = name
        return method

    return mark


class Dispatcher:
    """Answers commands by the `cmd_` methods of the groups added to it.

    A method returns its response's text (None: empty), raises GtpError for a `?` response, or is a generator whose lines are
    sent as they come (live analysis). Any other exception is answered as an internal error and leaves the process alive.
    board_size -- the size of the board in use; called only for commands with vertices among their arguments.
    """

    def __init__(self, board_size: Callable[[], int]) -> None:
        self.board_size = board_size
        self.methods: dict[str, Callable[..., Any]] = {}

    def add(self, group: object) -> None:
        """Make every `cmd_` method of `group` a command. Raises ValueError for a name that is already taken."""
        for attribute in dir(type(group)):
            if attribute.startswith(PREFIX):
                method = getattr(group, attribute)
                name = getattr(method, "gtp_name", attribute.removeprefix(PREFIX))
                if name in self.methods:
                    raise ValueError(f"two methods for the command {name}")
                self.methods[name] = method

    def answer(self, command: Command) -> Iterator[str]:
        """The pieces of the one response to `command`; several only when the command streams its lines."""
        begun = False
        try:
            result = self.call(command)
            if not isinstance(result, Iterator):
                yield success(command.id, "" if result is None else result)
                return
            for line in result:
                yield ("" if begun else head("=", command.id)) + reply_text(line) + "\n"
                begun = True
            yield "\n" if begun else success(command.id)
        except GtpError as error:
            yield "\n" if begun else failure(command.id, str(error))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            text = f"internal error: {type(error).__name__}: {error}".replace("\n", " ")[:ERROR_LENGTH]
            yield "\n" if begun else failure(command.id, text)

    def call(self, command: Command) -> Any:
        """Call the command's method with the command's arguments."""
        method = self.methods.get(command.name)
        if method is None:
            raise GtpError("unknown command")
        return method(*read_arguments(method, Words(command.arguments, self.board_size, command.rest)))
