"""Options of `gtp-engine networks`."""

import argparse
from pathlib import Path

HELP = "list networks, and time them on this machine"
DESCRIPTION = """List networks: those in your folder, those of an installed KaTrain, KataGo, Sabaki or Lizzie, and the included ones;
or the given files. Only `networks get` downloads anything, and it asks first.

With --convert, write a KataGo network as an ONNX file instead. It loads without conversion, in the precision of the file.
"""
EXAMPLES = """examples:
  gtp-engine networks                  your networks and ours
  gtp-engine networks --folder models  those in another folder
  gtp-engine networks b6c96.bin.gz     one file
  gtp-engine networks b6c96.bin.gz --convert b6c96-int8.kata.onnx
                                       write it in int8; --network b6c96-int8.kata.onnx plays with that file
  gtp-engine networks --time           how fast each one is on this machine, in each precision; `--precision auto` remembers it
  gtp-engine networks get              list public networks to download
  gtp-engine networks get strong       the strongest without a graphics card; then: gtp-engine --network strong
  gtp-engine networks get human --yes  another network, without a question
  gtp-engine networks get https://...  any other network file
  gtp-engine networks get strong --from katrain-1.20.0-py3-none-any.whl   from a file, without internet

A network in your own folder, which the first line names, needs no path: gtp-engine --network b6c96.bin.gz
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="networks (default: all on this machine); or `get` and a name or a URL (./get: a file)"
    )
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where your networks are (default: your own folder)")
    parser.add_argument("--time", action="store_true", help="time each network with each backend and precision, about a second each")
    parser.add_argument("--convert", type=Path, metavar="OUTPUT", help="write the network FILE, one of KataGo's, as OUTPUT, NAME.kata.onnx")
    parser.add_argument(
        "--precision", choices=("int8", "f32"), default="int8", help="precision of the file that --convert writes (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list instead")
    parser.add_argument("--yes", action="store_true", help="with `get`: download without asking")
    parser.add_argument(
        "--from", dest="brought", type=Path, metavar="FILE", help="with `get`: take the network from this file, without internet"
    )
