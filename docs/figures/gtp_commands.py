"""Writes docs/gtp-commands.md from the docstrings of the commands.

    .venv/bin/python docs/figures/gtp_commands.py            prints the page
    .venv/bin/python docs/figures/gtp_commands.py --write    writes it

A test compares the page with the docstrings.
"""

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gtp_engine.interfaces.gtp.arguments import Color, Move, Vertex
from gtp_engine.interfaces.gtp.commands import ENGINE_GROUPS
from gtp_engine.interfaces.gtp.commands.information import InformationCommands
from gtp_engine.interfaces.gtp.commands.kgs import ChatCommands
from gtp_engine.interfaces.gtp.dispatcher import PREFIX

PAGE = Path(__file__).resolve().parent.parent / "gtp-commands.md"
GROUPS: tuple[type, ...] = (InformationCommands, *ENGINE_GROUPS, ChatCommands)
NAMES = {"Gogui": "GoGui", "Kgs": "KGS", "Katago": "KataGo's", "Chat": "Chat on KGS"}  # of groups whose classes can't be called so
KINDS = {Color: "COLOR", Vertex: "VERTEX", Move: "COLOR VERTEX"}  # of arguments that GTP has words for; others go by their names
NEW_PARAGRAPH = "\n\n"  # behind it, a docstring is for those who read the code
HEAD = """# GTP commands

This page lists every command of the engine; in a GTP session, `help` prints the same. It is made from the docstrings in
`gtp_engine/interfaces/gtp/commands/` by `.venv/bin/python docs/figures/gtp_commands.py --write`.

COLOR is `black` or `white` (`b`, `w`); VERTEX is a point such as `D4`, or `pass`. An argument in brackets is optional; with `...` it
may be repeated. The comment `# interrupt` ends a running search at once.
"""


def main() -> int:
    """Print or write."""
    parser = argparse.ArgumentParser(description="Make docs/gtp-commands.md from the commands' docstrings.")
    parser.add_argument("--write", action="store_true", help="write the page instead of printing it")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
    return 0


def page() -> str:
    """The whole document."""
    return HEAD + "".join(section(group) for group in GROUPS)


def section(group: type) -> str:
    """The heading, the group's docstring and the table of its commands."""
    name = group.__name__.removesuffix("Commands")
    rows = "".join(f"| `{call}` | {text} |\n" for call, text in commands(group))
    about = (inspect.getdoc(group) or "").partition(NEW_PARAGRAPH)[0]
    return f"\n## {NAMES.get(name, name)}\n\n{about}\n\n| command | what it does |\n|---|---|\n{rows}"


def commands(group: type) -> Iterator[tuple[str, str]]:
    """(name with arguments, docstring on one line) of each command, in the order of the source."""
    for attribute, method in vars(group).items():
        if attribute.startswith(PREFIX):
            text = " ".join((inspect.getdoc(method) or "").split())
            yield " ".join([name_of(attribute, method), *arguments(method)]), text.replace("|", "\\|")


def name_of(attribute: str, method: Callable[..., Any]) -> str:
    """What GTP calls the command."""
    return str(getattr(method, "gtp_name", attribute.removeprefix(PREFIX)))


def arguments(method: Callable[..., Any]) -> Iterator[str]:
    """What follows the command's name."""
    for parameter in list(inspect.signature(method).parameters.values())[1:]:
        word = KINDS.get(parameter.annotation, parameter.name.upper())
        if parameter.kind is parameter.VAR_POSITIONAL:
            yield f"[{word}]..."
        else:
            yield word if parameter.default is parameter.empty else f"[{word}]"


if __name__ == "__main__":
    sys.exit(main())
