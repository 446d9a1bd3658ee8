"""How the names of KataGo's files end. Apart from the reader, so that to ask for it costs a start nothing."""

from pathlib import Path

BINARY, TEXT = ".bin.gz", ".txt.gz"
CONVERTED = ".kata.onnx"


def recognizes(path: Path) -> bool:
    """Is this a file of KataGo, by its name?"""
    return path.name.lower().endswith((BINARY, TEXT))


def is_converted(path: Path) -> bool:
    """Is this an ONNX file made from one, by its name?"""
    return path.name.lower().endswith(CONVERTED)
