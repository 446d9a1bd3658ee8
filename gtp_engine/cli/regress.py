"""`gtp-engine regress`: test suites in the form of gogui-regress."""

import argparse
import datetime
import itertools
import math
import os
import time
from pathlib import Path

from gtp_engine.base.files import visible
from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.base.systems import join_command, split_command
from gtp_engine.cli.options.jobs import place_of
from gtp_engine.cli.options.shared import configuration_of, option_name
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.streams import silence_stdout
from gtp_engine.engine.config.sources import SETTINGS, ConfigError
from gtp_engine.tools.match.client import EngineFailure
from gtp_engine.tools.regression.batch import SuiteBatch
from gtp_engine.tools.regression.junit import as_junit
from gtp_engine.tools.regression.page import as_page
from gtp_engine.tools.regression.results import Changes, RegressionError, RegressionRun, Results, SuiteResult, write
from gtp_engine.tools.regression.runner import EngineCommand, introduce
from gtp_engine.tools.regression.suite import SuiteError, read_suites
from gtp_engine.tools.regression.table import as_table, one_line


def run(args: argparse.Namespace) -> int:
    """Run the suites; see the exit status above. Raises ConfigError for an invalid option of the engine."""
    words = engine_words(args)
    try:
        return make_display(args, words).run()
    except (SuiteError, RegressionError) as error:
        tell("regress", str(error))
        return 2


def make_display(args: argparse.Namespace, words: list[str]) -> "RunDisplay":
    """The requested run, with all requirements checked. Raises SuiteError and RegressionError."""
    suites = read_suites(args.files)
    results = Results(args.output) if args.output else None
    try:
        engine = introduce(words)
    except EngineFailure as failure:
        raise RegressionError(f"the engine {join_command(list(words))!r}: {failure}; try its command line in a terminal") from failure
    record = RegressionRun(engine, join_command(list(words)), datetime.datetime.now().isoformat(timespec="seconds"))
    named = [(results.name_of(suite.path) if results else str(suite.path), suite) for suite in suites]
    return RunDisplay(record, SuiteBatch(named, EngineCommand(words, args.timeout), place_of(args)), results, args.junit)


def engine_words(args: argparse.Namespace) -> list[str]:
    """The engine's command line: `--engine`, or ourselves with the same options. Raises ConfigError."""
    if args.engine is None:
        configuration = configuration_of(args)
        network = configuration.search_params().network  # reports an invalid value with its name
        return [*OWN_COMMAND, "gtp", *own_options(with_network(args, network))]
    own = own_options(args)
    if own:
        raise ConfigError(f"{own[0].partition('=')[0]} is an option of this engine: put those of another one into --engine")
    try:
        words = split_command(args.engine)
    except ValueError as error:
        raise ConfigError(f"--engine {args.engine!r}: {error}") from error
    if not words:
        raise ConfigError("--engine is empty: give a command line")
    if os.sep in words[0]:
        words[0] = os.path.abspath(words[0])  # the engine runs in the folder of each suite
    return words


def with_network(args: argparse.Namespace, network: str) -> argparse.Namespace:
    """The options with an absolute path of the network's file, because the engine runs in the folder of each suite."""
    if not network or not Path(network).exists():
        return args  # a name in the user's folder of networks, or a path below the home, means the same everywhere
    return argparse.Namespace(**{**vars(args), "network": os.path.abspath(network)})


def own_options(args: argparse.Namespace) -> list[str]:
    """The engine's options as given, for another process."""
    words = [f"--config={Path(args.config).resolve()}"] if args.config else []
    words += [f"--set={assignment}" for assignment in args.set]
    for name in SETTINGS:
        if hasattr(args, name):
            value = getattr(args, name)
            option = option_name(name)
            words.append(f"{option}={value}" if not isinstance(value, bool) else option if value else option.replace("--", "--no-", 1))
    return words


class RunDisplay:
    """The run with its output: progress on stderr, the table on stdout, results in their folder, XML in the file `junit`."""

    def __init__(self, record: RegressionRun, batch: SuiteBatch, results: Results | None, junit: Path | None = None) -> None:
        self.record = record
        self.batch = batch
        self.results = results
        self.junit = junit

    def run(self) -> int:
        """Run the batch and report; returns the exit status. Raises RegressionError if the results can't be written any more."""
        status = 0
        try:
            self.run_batch()
        except KeyboardInterrupt:
            status = INTERRUPTED
        changes = self.keep()
        self.write_junit()
        try:
            print(visible(as_table(self.record, changes)), flush=True)
        except BrokenPipeError:
            silence_stdout()  # the exit status is still about the tests
        if self.results:
            tell("regress", f"see {self.results.page}")
        return status or (0 if self.record.is_good else 1)

    def run_batch(self) -> None:
        """Run with a bar or a line for each suite; keep the results after each."""
        started = time.monotonic()
        total = sum(suite.tests for _, suite in self.batch.suites)
        done = itertools.count(1)
        with ProgressLine("regress", math.inf) as progress:

            def on_suite(result: SuiteResult) -> None:
                """Handle the end of a suite."""
                progress.show(one_line(result), is_news=True)
                self.record.seconds = time.monotonic() - started
                self.keep()

            self.batch.on_test = lambda name, _: progress.count(next(done), total, "tests", Path(name).stem)
            self.batch.on_suite = on_suite
            try:
                self.batch.run()
            finally:
                self.record.seconds = time.monotonic() - started

    def write_junit(self) -> None:
        """Write the XML file, if requested. Raises RegressionError if it can't be written."""
        if self.junit is not None:
            write(self.junit, as_junit(self.record))

    def keep(self) -> Changes:
        """Update the results and write them, if requested; returns the changes."""
        self.record.suites = self.batch.in_order()
        if self.results is None:
            return Changes()
        changes = self.results.changes(self.record)
        self.results.keep(self.record)
        write(self.results.page, as_page(self.record, changes))
        return changes
