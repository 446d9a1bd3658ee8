"""label_cost.py NETWORK RECORDS...: processor time that a label takes beside the network: choosing, replaying, encoding, packing."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import platformdirs

from gtp_engine.engine.network.katago.backend import KataBatch
from gtp_engine.learning.training.katago.choice import ChoiceParams
from gtp_engine.learning.training.katago.label_job import LabelSpec, LabelWorker, Teacher, unpacked

JOBS = 4


def main() -> None:
    """A line for each record file."""
    network, *records = sys.argv[1:]
    cache = str(Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False)) / "records")
    KataBatch.run = lambda self: None  # type: ignore[method-assign]  # the network says nothing, at once
    for path in records:
        spec, worker = LabelSpec(Teacher(network), (path,), (9, 13, 19), cache, (), ChoiceParams(), 0), LabelWorker(None)
        worker(spec, 1)  # compiles, and reads the records
        began = time.process_time()
        labels = sum(len(unpacked(worker(replace(spec, number=number), 1))["win"]) for number in range(1, JOBS + 1))
        print(f"{path}: {1000 * (time.process_time() - began) / labels:.2f} ms for each of {labels} labels")


if __name__ == "__main__":
    main()
