"""The extensions of KataGo's network files. A module of its own, which is quick to import."""

from pathlib import Path

BINARY, TEXT = ".bin.gz", ".txt.gz"
CONVERTED = ".kata.onnx"
INT8_SUFFIX = "-int8"  # before the extension of a converted network: the original's name has no such suffix


def recognizes(path: Path) -> bool:
    """Is this a file of KataGo, by its name?"""
    return path.name.lower().endswith((BINARY, TEXT))


def is_converted(path: Path) -> bool:
    """Is this an ONNX file made from one, by its name?"""
    return path.name.lower().endswith(CONVERTED)


def original_of(path: Path) -> Path | None:
    """The file of KataGo's beside a converted one that it was made from; None where there is none."""
    name = path.name.removesuffix(CONVERTED).removesuffix(INT8_SUFFIX)
    original = path.with_name(name + BINARY)
    return original if is_converted(path) and original.exists() else None
