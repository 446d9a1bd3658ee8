"""The files of the board's page, including those that all pages share."""

import json
from functools import cache
from importlib.resources import files

from gtp_engine.base.pages import read_shared
from gtp_engine.engine.network.clients import known_networks
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.interfaces.browser.opponent import RANKS
from gtp_engine.interfaces.browser.play import SIZES

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'"
)
SHARED = ("base.css", "board.js", "graph.js")
TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
INDEX = "index.html"


@cache
def part_names() -> frozenset[str]:
    """The names of all files of the page."""
    return frozenset(file.name for file in (files("gtp_engine.interfaces.browser") / "static").iterdir()) | frozenset(SHARED)


def networks() -> list[str]:
    """The names of all networks on this machine."""
    return list(dict.fromkeys(path.name for path in known_networks()))


def part_of_page(name: str) -> tuple[str, bytes] | None:
    """The type and the content of a file, by default of the page itself; None if there is no such file."""
    name = name or INDEX
    if name not in part_names():
        return None
    text = read_shared(name) if name in SHARED else (files("gtp_engine.interfaces.browser") / "static" / name).read_text(encoding="utf-8")
    if name == INDEX:
        choices = {"ranks": RANKS, "sizes": SIZES, "rules": list(RULE_SETS), "networks": networks()}
        text = text.replace("/*CHOICES*/", json.dumps(choices).replace("<", "\\u003c"))  # file names may contain anything
    return TYPES[name.rpartition(".")[2]], text.encode()
