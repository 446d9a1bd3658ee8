"""Writes ONNX files: the part of the format (protobuf messages, see onnx.proto of the ONNX project) that a network needs.

The package `onnx` can do this too, but only training and tests use it; playing needs onnxruntime, which reads the files.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

VARINT, BYTES, FIXED32 = 0, 2, 5  # kinds of protobuf fields
ELEMENTS = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}  # ONNX's numbers of element types
FLOAT = ELEMENTS["float32"]
OPERATORS_VERSION, FORM_VERSION = 17, 8
ATTRIBUTE_FLOAT, ATTRIBUTE_INT, ATTRIBUTE_INTS = 1, 2, 7
SMALLEST_NORMAL = np.finfo(
    np.float32
).tiny  # trained networks have smaller weights; Intel's processors take a hundred times as long with them
MICROSOFT, MICROSOFT_VERSION = "com.microsoft", 1  # the domain of onnxruntime's own operators

Attribute = int | float | Sequence[int]
Shape = Sequence[int | str]  # a name for a free size


def varint(value: int) -> bytes:
    """An integer in bytes of seven bits, lowest first; negative ones as 64 bits."""
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    """A field that holds an integer."""
    return varint(field << 3 | VARINT) + varint(value)


def block(field: int, content: bytes | str) -> bytes:
    """A field that holds bytes, a text or a message."""
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | BYTES) + varint(len(content)) + content


def attribute(name: str, value: Attribute) -> bytes:
    """An AttributeProto."""
    if isinstance(value, float):
        bits = np.float32(value).tobytes()
        return block(1, name) + varint(2 << 3 | FIXED32) + bits + number(20, ATTRIBUTE_FLOAT)
    if isinstance(value, int):
        return block(1, name) + number(3, value) + number(20, ATTRIBUTE_INT)
    return block(1, name) + b"".join(number(8, item) for item in value) + number(20, ATTRIBUTE_INTS)


def tensor(name: str, array: np.ndarray) -> bytes:
    """A TensorProto of one of the types in ELEMENTS."""
    kind = ELEMENTS[str(array.dtype)]
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return b"".join(number(1, size) for size in array.shape) + number(2, kind) + block(8, name) + block(9, little.tobytes())


def value_info(name: str, shape: Shape) -> bytes:
    """A ValueInfoProto of float32."""
    sizes = b"".join(block(1, block(2, size) if isinstance(size, str) else number(1, size)) for size in shape)
    return block(1, name) + block(2, block(1, number(1, FLOAT) + block(2, sizes)))


class OnnxGraph:
    """A growing graph; values are identified by name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._small: dict[tuple[str, tuple[int, ...], bytes], str] = {}  # constants by content, so that equal ones are stored once
        self._has_microsoft = False

    def input(self, name: str, shape: Shape) -> str:
        """Add an input of float32; returns its name."""
        self._inputs.append(value_info(name, shape))
        return name

    def constant(self, array: np.ndarray | Sequence[int] | float) -> str:
        """Add an array as float32 without subnormal numbers, or as int64 for integers; returns its name."""
        array = np.asarray(array)
        if array.dtype.kind in "iu":
            return self.typed(array.astype(np.int64))
        array = array.astype(np.float32)
        return self.typed(np.where(np.abs(array) < SMALLEST_NORMAL, np.float32(0.0), array))

    def typed(self, array: np.ndarray) -> str:
        """Add an array of its own type, which must be one of ELEMENTS; returns its name."""
        key = str(array.dtype), array.shape, array.tobytes()
        if key not in self._small:
            self._small[key] = name = f"c{len(self._small)}"
            self._constants.append(tensor(name, array))
        return self._small[key]

    def apply(self, operator: str, inputs: Iterable[str], outputs: int, /, **attributes: Attribute) -> list[str]:
        """Add a node; returns the names of its `outputs` outputs."""
        return self._node(operator, "", inputs, outputs, attributes)

    def op(self, operator: str, /, *inputs: str, **attributes: Attribute) -> str:
        """Add a node with one output; returns the output's name."""
        return self.apply(operator, inputs, 1, **attributes)[0]

    def microsoft(self, operator: str, /, *inputs: str, **attributes: Attribute) -> str:
        """Add a node with one output, of an operator that only onnxruntime has; returns the output's name."""
        self._has_microsoft = True
        return self._node(operator, MICROSOFT, inputs, 1, attributes)[0]

    def _node(self, operator: str, domain: str, inputs: Iterable[str], outputs: int, attributes: Mapping[str, Attribute]) -> list[str]:
        """See apply."""
        names = [f"n{len(self._nodes)}_{i}" for i in range(outputs)]
        message = b"".join(block(1, name) for name in inputs) + b"".join(block(2, name) for name in names)
        message += block(3, f"{operator}_{len(self._nodes)}") + block(4, operator)
        message += b"".join(block(5, attribute(name, value)) for name, value in attributes.items())
        self._nodes.append(message + (block(7, domain) if domain else b""))
        return names

    def output(self, name: str, value: str, shape: Shape) -> None:
        """Make a value an output with this name."""
        self._nodes.append(block(1, value) + block(2, name) + block(3, f"out_{name}") + block(4, "Identity"))
        self._outputs.append(value_info(name, shape))

    def file(self, metadata: Mapping[str, str]) -> bytes:
        """The whole file, a ModelProto."""
        graph = b"".join(block(1, node) for node in self._nodes) + block(2, self._name)
        graph += b"".join(block(5, constant) for constant in self._constants)
        graph += b"".join(block(11, item) for item in self._inputs) + b"".join(block(12, item) for item in self._outputs)
        properties = b"".join(block(14, block(1, key) + block(2, value)) for key, value in metadata.items())
        operators = block(8, block(1, "") + number(2, OPERATORS_VERSION))
        if self._has_microsoft:
            operators += block(8, block(1, MICROSOFT) + number(2, MICROSOFT_VERSION))
        return number(1, FORM_VERSION) + block(2, "gtp-engine") + block(7, graph) + operators + properties
