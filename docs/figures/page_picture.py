"""A picture of a review's page, taken by a headless Chromium: how docs/review.png was made.

scripts/gtp-engine review docs/game.sgf --playouts 200 --output review
.venv/bin/python docs/figures/page_picture.py review/game/game.html --move 8 --output docs/review.png
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

WINDOW = "1280,900"  # pixels
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-background-networking")
SECONDS = 60


def main() -> None:
    """Read the command line and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--move", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("review.png"))
    parser.add_argument("--chromium", default="chromium")
    arguments = parser.parse_args()
    address = f"{arguments.page.resolve().as_uri()}#move={arguments.move}"
    with tempfile.TemporaryDirectory() as folder:
        flags = [*FLAGS, f"--user-data-dir={folder}", f"--window-size={WINDOW}", f"--screenshot={arguments.output.resolve()}"]
        subprocess.run([arguments.chromium, *flags, address], check=True, timeout=SECONDS, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
