"""What a job costs beyond its work, and whether the driver's memory grows with the number of jobs.

.venv/bin/python tests/tools/job_overhead.py [JOBS [PROCESSES [RAY]]], RAY as for --ray: prints milliseconds a job for a tenth of
the jobs and for the rest, and the driver's largest memory after each. Exit status 0 below 5 ms a job (15 ms with Ray) and 5 MB of
growth, else 1.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from gtp_engine.base.jobs.job import JobDescription
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.jobs.run import run_missing
from gtp_engine.base.jobs.store import JobStore

LIMIT, RAY_LIMIT = 5.0, 15.0  # ms a job
MOST_GROWTH = 5.0  # MB
DEFAULT_JOBS = 100_000


def jobs(first: int, end: int) -> Iterator[JobDescription]:
    """Jobs that need no time: two numbers compared."""
    for number in range(first, end):
        yield JobDescription(str(number), "operator:lt", number, 0)


def main() -> int:
    """Run and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_JOBS
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count() or 1
    ray = sys.argv[3] if len(sys.argv) > 3 else ""
    times, peaks = [], []
    with tempfile.TemporaryDirectory() as folder, JobPlace(processes, ray).runner(1) as runner:
        store = JobStore(Path(folder) / "store", {})
        list(runner.results(jobs(0, processes)))  # starts them
        for first, end in ((0, count // 10), (count // 10, count)):
            began = time.monotonic()
            for _ in run_missing(jobs(first, end), end - first, runner, store):
                pass
            times.append(1000 * (time.monotonic() - began) / (end - first))
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        store.close()
    print(f"{count} jobs, {processes} processes: {times[0]:.3f} ms a job for the first tenth, {times[1]:.3f} for the rest")
    print(f"largest memory of the driver: {peaks[0]:.1f} MB after the first tenth, {peaks[1]:.1f} MB at the end")
    return 0 if max(times) < (RAY_LIMIT if ray else LIMIT) and peaks[1] - peaks[0] < MOST_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
