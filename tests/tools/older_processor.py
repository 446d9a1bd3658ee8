"""A program with an onnxruntime that finds an older processor than this one: without AVX-512 and 8-bit instructions, or without any AVX.

onnxruntime can't be told to leave instructions out. So a copy of it is changed: each `cpuid` becomes an illegal instruction, which a small
library answers (older_processor.c). The real processor computes, at its real speed. Needs gcc and objdump, Linux on x86-64.
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = {"avx2": "AVX2 and no 8-bit instructions, as most processors from 2013 to 2019", "sse": "no AVX at all, as those of before 2011"}
CPUID, ILLEGAL = b"\x0f\xa2", b"\x0f\x0b"
SITE = re.compile(r"^\s*([0-9a-f]+):\s+cpuid\b", re.MULTILINE)  # in what objdump prints
SEGMENT = re.compile(r"^\s*LOAD\s+0x(\w+)\s+0x(\w+)\s+0x\w+\s+0x(\w+)", re.MULTILINE)  # in what readelf prints: offset, address, size

EXAMPLES = """example:
  .venv/bin/python tests/tools/older_processor.py avx2 .venv/bin/python -P -m gtp_engine networks --time
"""


def output(*words: str) -> str:
    """What a program prints. Raises CalledProcessError."""
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def copy_changed(folder: Path) -> None:
    """Put the changed copy of onnxruntime into `folder`. Raises SystemExit without it, CalledProcessError, OSError."""
    spec = importlib.util.find_spec("onnxruntime")
    if spec is None or spec.origin is None:
        sys.exit("older_processor: onnxruntime is not installed")
    shutil.copytree(Path(spec.origin).parent, folder / "onnxruntime")
    (library,) = (folder / "onnxruntime" / "capi").glob("onnxruntime_pybind11_state*.so")
    data = bytearray(library.read_bytes())
    segments = [tuple(int(number, 16) for number in found) for found in SEGMENT.findall(output("readelf", "-lW", str(library)))]
    for site in SITE.findall(output("objdump", "-d", "--no-show-raw-insn", str(library))):
        address = int(site, 16)
        place = next(offset + address - start for offset, start, size in segments if start <= address < start + size)
        assert data[place : place + 2] == CPUID
        data[place : place + 2] = ILLEGAL
    library.write_bytes(data)


def main() -> int:
    """Run the program of the command line; its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS, help="; ".join(f"{kind}: {text}" for kind, text in KINDS.items()))
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="the program and its arguments")
    args = parser.parse_args()
    if not args.command:
        parser.error("expected a command")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_changed(folder)
        answers = folder / "answers.so"
        output("gcc", "-O2", "-shared", "-fPIC", "-o", str(answers), str(Path(__file__).with_suffix(".c")))
        path = os.pathsep.join([name, *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = os.environ | {"KIND": args.kind, "LD_PRELOAD": str(answers), "PYTHONPATH": path, "XDG_CACHE_HOME": name}
        return subprocess.run(args.command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
