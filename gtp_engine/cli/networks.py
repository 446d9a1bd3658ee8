"""`gtp-engine networks`: which networks there are, and how fast they are here."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gtp_engine.config.sources import ConfigError

MEGABYTE = 1e6

DESCRIPTION = """List networks: those in your folder and those that are included, or the files that are named. Nothing is downloaded."""
EXAMPLES = """examples:
  gtp-engine networks                  your networks and ours
  gtp-engine networks --folder models  those in another folder
  gtp-engine networks b6c96.bin.gz     one file
  gtp-engine networks --time           how fast each one is on this machine, in each precision; `--precision auto` remembers it

A network in your own folder, which the first line names, needs no path: gtp-engine --network b6c96.bin.gz
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser(
        "networks", help="list networks, and time them on this machine", description=DESCRIPTION, epilog=EXAMPLES
    )
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="networks (default: all in the folder, and ours)")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where your networks are (default: your own folder)")
    parser.add_argument("--time", action="store_true", help="time each one with each backend and precision, about a second each")
    parser.add_argument("--json", action="store_true", help="print one JSON list instead")


def run(args: argparse.Namespace) -> int:
    """List and print; 1 when a network can't be used, else 0. Raises ConfigError for a folder that can't be read."""
    from gtp_engine.network.session import NetworkError

    rows, failed = [], 0
    for path in args.files or files_in(args.folder):
        try:
            rows.append(row_of(path, args.time))
        except NetworkError as error:
            failed += 1
            print(f"gtp-engine networks: {error}", file=sys.stderr, flush=True)
            continue
        if not args.json:
            print(text_of(rows[-1]), flush=True)
    if args.json:
        print(json.dumps(rows))
    return int(failed > 0)


def files_in(folder: Path | None) -> list[Path]:
    """What there is in the folder; in the user's own, and in the package, when none is named. Raises ConfigError."""
    from gtp_engine.network.folder import networks_in, user_folder
    from gtp_engine.network.loading import MODELS

    try:
        if folder:
            return networks_in(folder)
        own = networks_in(user_folder()) if user_folder().is_dir() else []
    except OSError as error:
        raise ConfigError(f"{error.filename}: {error.strerror}") from error
    print(f"your folder: {user_folder()}{'' if own else ', no networks there'}", file=sys.stderr, flush=True)
    return [*own, *networks_in(MODELS)]


def row_of(path: Path, is_timed: bool) -> dict[str, Any]:
    """What there is to say of a network: the keys of the JSON. Raises NetworkError."""
    from gtp_engine.network.choice import choose_any, known_speeds, recall
    from gtp_engine.network.formats import format_of
    from gtp_engine.search.params import SearchParams

    form, summary = format_of(path), format_of(path).summarize(path)
    speeds = known_speeds(path, SearchParams()) if is_timed else recall(path)
    return {
        "file": str(path),
        "format": form.name,
        **asdict(summary),
        "megabytes": round(path.stat().st_size / MEGABYTE, 2),
        "evaluations_per_s": {str(option): speed for option, speed in speeds.items()},
        "auto": str(choose_any(path, speeds)) if speeds else "",
    }


def text_of(row: dict[str, Any]) -> str:
    """The row for people: the file, what it is, and the speeds if they are known."""
    parts = [f"{row['format']} version {row['version']}", f"{row['blocks']} blocks of {row['channels']} channels", f"{row['megabytes']} MB"]
    parts += [row["name"]] * bool(row["name"]) + ["can be told who plays"] * row["knows_players"]
    lines = [row["file"], "  " + ", ".join(parts)]
    if row["evaluations_per_s"]:
        listed = "; ".join(f"{option} {speed:,.0f}" for option, speed in row["evaluations_per_s"].items())
        lines += [f"  evaluations/s on 19x19, one thread: {listed}", f"  auto: {row['auto']}"]
    return "\n".join(lines)
