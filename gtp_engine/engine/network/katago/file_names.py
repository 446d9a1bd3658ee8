"""The extensions of KataGo's network files. A separate module, because it is quick to import."""

from pathlib import Path

BINARY, TEXT = ".bin.gz", ".txt.gz"
CONVERTED = ".kata.onnx"
INT8_SUFFIX = "-int8"  # before the extension of a converted network: the original's name has no such suffix


def recognizes(path: Path) -> bool:
    """True if this is a KataGo network file, by its name."""
    return path.name.lower().endswith((BINARY, TEXT))


def is_converted(path: Path) -> bool:
    """True if this is an ONNX file converted from one, by its name."""
    return path.name.lower().endswith(CONVERTED)


def original_of(path: Path) -> Path | None:
    """The KataGo file, in the same folder, from which a converted file was made; None if it isn't there."""
    name = path.name.removesuffix(CONVERTED).removesuffix(INT8_SUFFIX)
    original = path.with_name(name + BINARY)
    return original if is_converted(path) and original.exists() else None
