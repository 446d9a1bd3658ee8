"""`gtp-engine bench`: the engine's speed on this machine."""

import argparse
import json
import sys

from gtp_engine.base.files import visible
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.tools.setup.benchmark import BenchReport, measure


def run(args: argparse.Namespace) -> int:
    """Measure and print; 130 after Ctrl-C, else 0. Raises ConfigError for a network that can't be used."""
    try:
        report = measure(args.seconds, args.threads, say, args.network, args.cold)
    except NetworkError as error:
        raise ConfigError(str(error)) from error
    except KeyboardInterrupt:
        return INTERRUPTED
    print(json.dumps(report.as_dict()) if args.json else as_table(report))
    return 0


def say(text: str) -> None:
    """Print on stderr what is being measured."""
    print(f"gtp-engine bench: {visible(text)}", file=sys.stderr, flush=True)


def as_table(report: BenchReport) -> str:
    """The report for people."""
    columns = {
        "light playouts/s": report.light_playouts_per_s,
        "heavy playouts/s": report.heavy_playouts_per_s,
        "UCT, light": report.simulations_per_s,
        "as it plays": report.heavy_simulations_per_s,
        f"with {report.threads} threads": report.heavy_simulations_per_s_all_threads,
    }
    if report.network:
        columns["network"] = report.network_simulations_per_s
    rows = [f"{'board':<8}" + "".join(f"{title:>18}" for title in columns)]
    for size in report.light_playouts_per_s:
        rows.append(f"{size + 'x' + size:<8}" + "".join(f"{values[size]:>18,.0f}" for values in columns.values()))
    rows += [
        f"first start, kernels compiled: {first_start_text(report)}",
        f"later starts:                  {report.warm_start_s:.2f} s to the first move",
        f"network:                       {report.network or 'none'}",
        f"backend and precision:         {report.network_choice or 'none'}",
        f"solver:                        {report.solver_nodes_per_s:,.0f} nodes/s, one thread",
        f"peak memory of this run:       {report.peak_memory_mb:.0f} MB",
        f"signature:                     {report.signature}",
        f"signature with the network:    {report.network_signature or 'none'}",
    ]
    return "\n".join(rows)


def first_start_text(report: BenchReport) -> str:
    """The time of a first start, if it was measured."""
    if report.cold_compile_s is None:
        return "not measured; --cold does"
    return f"{report.cold_compile_s:.1f} s to the first move, {report.entries} functions; the yardstick took {report.yardstick_s:.1f} s"
