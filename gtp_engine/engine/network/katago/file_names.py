"""The extensions of KataGo's network files. A module of its own, which is quick to import."""

from pathlib import Path

BINARY, TEXT = ".bin.gz", ".txt.gz"
CONVERTED = ".kata.onnx"


def recognizes(path: Path) -> bool:
    """Is this a file of KataGo, by its name?"""
    return path.name.lower().endswith((BINARY, TEXT))


def is_converted(path: Path) -> bool:
    """Is this an ONNX file made from one, by its name?"""
    return path.name.lower().endswith(CONVERTED)
