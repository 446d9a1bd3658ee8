"""What a soak did, and how its programs are started."""

import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

OURS = [sys.executable, "-P", "-m", "gtp_engine"]
REPOSITORY = Path(__file__).parent.parent.parent
PATIENCE = 300.0  # seconds: kernels may have to be compiled
REPORT_EVERY = 30.0  # seconds between two lines about how far it is


def environment(**more: str) -> dict[str, str]:
    """For programs of ours, wherever they run. They write no `.pyc`: on a full disk Python 3.11 leaves half of one, and no start works."""
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1", **more}


@dataclass
class Tally:
    """How much was done, what went wrong, and what was measured."""

    done: int = 0
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    reported: float = field(default_factory=time.monotonic)

    def fault(self, text: str) -> None:
        """Say and keep a fault."""
        self.faults.append(text)
        print(f"FAULT: {text[:600]}", flush=True)

    def progress(self, count: int) -> None:
        """Now and then a line about how far it is."""
        if time.monotonic() > self.reported + REPORT_EVERY:
            self.reported = time.monotonic()
            print(f"{self.done} of {count}, {len(self.faults)} faults", flush=True)
