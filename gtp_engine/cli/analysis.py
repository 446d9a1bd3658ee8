"""`gtp-engine analysis`: KataGo's JSON analysis engine on stdin and stdout, for KaTrain and other programs."""

import argparse
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from gtp_engine.base.processors import processors
from gtp_engine.base.systems import take_standard_input
from gtp_engine.cli.gtp import end_when_nobody_is_there, take_standard_output
from gtp_engine.cli.options.shared import configuration_of
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.streams import end_process
from gtp_engine.engine.config.katago_file import read_katago_file, read_pairs
from gtp_engine.engine.config.sources import DEFAULT, ConfigError, Configuration
from gtp_engine.engine.network.formats import FORMATS
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.factory import engines_side_by_side
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.interfaces.analysis.overrides import Overrides, read_overrides
from gtp_engine.interfaces.analysis.pool import Pool
from gtp_engine.interfaces.analysis.protocol import LineWriter, Refusal
from gtp_engine.interfaces.analysis.query import ReportOptions
from gtp_engine.interfaces.analysis.searcher import Searcher
from gtp_engine.interfaces.analysis.service import Identity, Service

FAILED = 1
DIVISION = {"numAnalysisThreads": "positions", "numSearchThreads": "threads", "numSearchThreadsPerAnalysisThread": "threads"}
READY = "ready for queries"


@dataclass(frozen=True)
class Setup:
    """The settings from the options and KataGo's files."""

    params: SearchParams
    report: ReportOptions
    positions: int  # searched at once
    is_timed: bool  # True: `seconds` also limits queries with their own visits
    version: str
    human_network: str = ""  # for humanSLProfile


def run(args: argparse.Namespace) -> int:
    """Answer until the input ends and all is done. Never returns: ends the process with 0, 1 after an error, or 130 after Ctrl-C.

    It ends by end_process, like `gtp` and for the same reason.
    """
    setup = read_setup(args, configuration_of(args))
    source, sink = take_standard_input(), take_standard_output()
    threading.Thread(target=end_when_nobody_is_there, args=(source, sink), name="analysis watch", daemon=True).start()
    status = 0
    try:
        serve(setup, source, sink, args.quit_without_waiting)
    except BrokenPipeError:
        pass  # the client has gone
    except KeyboardInterrupt:
        status = INTERRUPTED
    end_process(status)


def serve(setup: Setup, source: BinaryIO, sink: BinaryIO, quits_at_once: bool) -> None:
    """Load everything, then answer until the input ends. Raises BrokenPipeError if nobody reads any more."""
    writer = LineWriter(sink)
    engines = make_engines(setup)
    pool = Pool([Searcher(engine, setup.is_timed) for engine in engines], writer.send, end_broken)
    print(f"gtp_engine: {READY}, {setup.positions} at a time with {setup.params.threads} threads each", file=sys.stderr, flush=True)
    service = Service(pool, writer.send, Identity(setup.version, engines[0].evaluators.models(setup.params)), setup.report)
    service.run(source)
    if quits_at_once:
        pool.abandon()
    else:
        pool.finish()


def make_engines(setup: Setup) -> list[Engine]:
    """An engine for each simultaneous position. Together they use the memory of one, and they share a network."""
    engines = engines_side_by_side(setup.positions, setup.params)
    engines[0].evaluators.human_network = setup.human_network  # which they also share
    engines[0].warm_up()
    return engines


def end_broken(error: BaseException) -> None:
    """End the process from a thread that can't continue: nobody reads any more, or there was an error."""
    if not isinstance(error, BrokenPipeError):
        print(f"gtp_engine: analysis: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    end_process(0 if isinstance(error, BrokenPipeError) else FAILED)


# ---------------------------------------------------------------- settings


def read_setup(args: argparse.Namespace, configuration: Configuration) -> Setup:
    """The settings, ours and KataGo's. Raises ConfigError. Unused parameters of KataGo's are listed on stderr."""
    katago = read_katago_file(args.katago_config) if args.katago_config else {}
    for text in args.override_config:
        katago |= read_pairs(text)
    try:
        overrides = read_overrides({name: value for name, value in katago.items() if name not in DIVISION})
    except Refusal as refusal:
        raise ConfigError(str(refusal)) from refusal
    tell_unused(overrides)
    division = read_division({**katago}, processors())
    positions = args.positions or division.get("positions") or processors()
    if positions < 1:
        raise ConfigError("--positions must be 1 or more")
    params = replace(configuration.search_params(), **overrides.settings)
    threads = params.threads or division.get("threads") or max(processors() // positions, 1)
    report = ReportOptions(
        overrides.perspective or 0,
        overrides.variation_length or ReportOptions.variation_length,
        overrides.symmetries or 1,
        players=overrides.players,
    )
    is_timed = configuration.settings["seconds"].source != DEFAULT or "seconds" in overrides.settings
    params = replace(params, threads=threads, network=network_of(args.model, params.network))
    front_end = configuration.front_end()
    human = network_of(args.human_model, front_end.human_network)
    return Setup(params, report, positions, is_timed, front_end.gtp_version, human)


def read_division(katago: Mapping[str, str], most: int) -> dict[str, int]:
    """`positions` and `threads` from a KataGo file, limited by the processors, because these files are for graphics cards."""
    division = {}
    for name, ours in DIVISION.items():
        if name in katago:
            text = katago[name]
            if not (text.isascii() and text.isdigit() and int(text[:9]) >= 1):
                raise ConfigError(f"{name} must be a whole number from 1 on, not {text[:20]}")
            division[ours] = min(int(text[:9]), most)
    if "positions" in division and "threads" in division:
        division["threads"] = min(division["threads"], max(most // division["positions"], 1))
    return division


def tell_unused(overrides: Overrides) -> None:
    """List on stderr the parameters that KataGo has and we don't."""
    unused = [*overrides.unsupported, *overrides.unknown]
    if unused:
        print(f"gtp_engine: these parameters of KataGo's are not used: {', '.join(unused)}", file=sys.stderr, flush=True)


def network_of(model: Path | None, configured: str) -> str:
    """The network's file: `model` if we support its kind, otherwise, with a warning, the one in the settings."""
    if model is None:
        return configured
    if any(form.recognizes(model) for form in FORMATS):
        return str(model)
    print(f"gtp_engine: {model} is no network that can be used here; using our own", file=sys.stderr, flush=True)
    return configured
