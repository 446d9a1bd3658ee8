"""Checks whether an ONNX file is safe for onnxruntime: only operators and kinds of data that our own files have are allowed.

ONNX files can refer to other files, contain loops and call functions, and onnxruntime would do all that. Whatever isn't in the tables below
is refused. The format is protobuf: a message consists of fields, each with a number, a kind and a value; see onnx.proto of the ONNX project
for the numbers.
"""

from collections.abc import Iterator
from math import prod
from pathlib import Path

from gtp_engine.engine.network.errors import NetworkFileError

# The operators of networks from katago/graph.py.
OPERATORS = frozenset(
    """
    Add BatchNormalization Cast Concat Conv Cos DequantizeLinear Div Exp Flatten Gemm GlobalAveragePool GlobalMaxPool
    Identity MatMul Min Mul QuantizeLinear Range ReduceMax ReduceMean ReduceMin ReduceProd Relu Reshape Shape Sigmoid
    SimplifiedLayerNormalization Sin Slice Softmax Split Sqrt Squeeze Sub Tanh Tile Transpose Unsqueeze
    """.split()
)
MICROSOFT_OPERATORS = frozenset(["MatMulIntegerToFloat", "QuickGelu", "RotaryEmbedding"])  # of katago/int8_transformer.py
DOMAINS = {"": OPERATORS, "ai.onnx": OPERATORS, "com.microsoft": MICROSOFT_OPERATORS}
LONGEST_NAME = 40  # characters of an operator's or a domain's name
MOST_FIELDS = 1_000_000  # of a file; the largest known network has some 100,000
LONGEST_VARINT = 10  # bytes
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # kinds of fields
FIXED_SIZES = {FIXED64: 8, FIXED32: 4}

Value = int | memoryview
Kinds = dict[int, tuple[int, ...]]  # of each allowed field, by its number

MODEL: Kinds = {1: (VARINT,), 2: (BYTES,), 3: (BYTES,), 4: (BYTES,), 5: (VARINT,), 6: (BYTES,), 7: (BYTES,), 8: (BYTES,), 14: (BYTES,)}
GRAPH: Kinds = {1: (BYTES,), 2: (BYTES,), 5: (BYTES,), 10: (BYTES,), 11: (BYTES,), 12: (BYTES,), 13: (BYTES,)}
NODE: Kinds = {number: (BYTES,) for number in range(1, 8)}
ATTRIBUTE: Kinds = {
    1: (BYTES,),  # name
    2: (FIXED32,),  # f
    3: (VARINT,),  # i
    4: (BYTES,),  # s
    7: (FIXED32, BYTES),  # floats
    8: (VARINT, BYTES),  # ints
    13: (BYTES,),  # doc_string
    20: (VARINT,),  # type
}
TENSOR: Kinds = {
    1: (VARINT, BYTES),  # dims
    2: (VARINT,),  # data_type
    4: (FIXED32, BYTES),  # float_data
    5: (VARINT, BYTES),  # int32_data
    7: (VARINT, BYTES),  # int64_data
    8: (BYTES,),  # name
    9: (BYTES,),  # raw_data
    12: (BYTES,),  # doc_string
    14: (VARINT,),  # data_location
}
TEXTS: Kinds = {1: (BYTES,), 2: (BYTES,)}
MODEL_METADATA, MODEL_GRAPH, GRAPH_NODE, GRAPH_CONSTANT = 14, 7, 1, 5
NODE_OPERATOR, NODE_ATTRIBUTE, NODE_DOMAIN = 4, 5, 7
TENSOR_DIMS, TENSOR_DATA, TENSOR_PLACE, IN_THE_FILE = 1, (4, 5, 7, 9), 14, 0


def check_onnx(path: Path, content: bytes) -> dict[str, str]:
    """The metadata of an ONNX file. Raises NetworkFileError unless the file consists of what our own files have.

    Its weights, inputs and outputs are not checked. `path` is only used in the message.
    """
    try:
        return Checker().model(memoryview(content))
    except Refused as error:
        raise NetworkFileError(f"{path}: expected a network in ONNX form, but {error}") from error


class Refused(Exception):
    """A refused file; str() says what is wrong, to follow "but"."""


class Checker:
    """Checks one file. The methods raise Refused."""

    def __init__(self) -> None:
        self._left = MOST_FIELDS

    def _fields(self, message: memoryview, allowed: Kinds, message_name: str) -> Iterator[tuple[int, Value]]:
        """The fields of a message, number and value; `message_name` is the message's name."""
        at = 0
        while at < len(message):
            self._left -= 1
            if self._left < 0:
                raise Refused(f"it has more than {MOST_FIELDS:,} parts")
            key, at = read_varint(message, at)
            number, kind = key >> 3, key & 7
            if kind not in allowed.get(number, ()):
                raise Refused(f"its {message_name} has something that such networks don't have")
            value: Value
            value, at = read_varint(message, at) if kind == VARINT else read_block(message, at, FIXED_SIZES.get(kind))
            yield number, value

    def model(self, message: memoryview) -> dict[str, str]:
        """The metadata of a ModelProto."""
        has_graph, metadata = False, {}
        for number, value in self._fields(message, MODEL, "file"):
            if number == MODEL_GRAPH:
                has_graph = True
                self._graph(block_of(value))
            elif number == MODEL_METADATA:
                texts = {field: text_of(text) for field, text in self._fields(block_of(value), TEXTS, "metadata")}
                metadata[texts.get(1, "")] = texts.get(2, "")
        if not has_graph:
            raise Refused("the file is truncated or something else")
        return metadata

    def _graph(self, message: memoryview) -> None:
        """A GraphProto."""
        for number, value in self._fields(message, GRAPH, "graph"):
            if number == GRAPH_NODE:
                self._node(block_of(value))
            elif number == GRAPH_CONSTANT:
                self._tensor(block_of(value))

    def _node(self, message: memoryview) -> None:
        """A NodeProto."""
        operator, domain, attributes = "", "", []
        for number, value in self._fields(message, NODE, "node"):
            if number == NODE_OPERATOR:
                operator = text_of(block_of(value)[:LONGEST_NAME])
            elif number == NODE_DOMAIN:
                domain = text_of(block_of(value)[:LONGEST_NAME])
            elif number == NODE_ATTRIBUTE:
                attributes.append(block_of(value))
        if domain not in DOMAINS:
            raise Refused("it uses operators that are neither ONNX's own nor onnxruntime's")
        if operator not in DOMAINS[domain]:
            raise Refused(f"it uses {operator!r}, which such networks don't use")
        for attribute in attributes:
            for _ in self._fields(attribute, ATTRIBUTE, "attribute"):
                pass

    def _tensor(self, message: memoryview) -> None:
        """A TensorProto, which must contain its data and be no larger than that."""
        sizes: list[int] = []
        data = 0
        for number, value in self._fields(message, TENSOR, "tensor"):
            if number == TENSOR_DIMS:
                sizes += [value] if isinstance(value, int) else self._varints(value)
            elif number == TENSOR_PLACE and value != IN_THE_FILE:
                raise Refused("some of its data are in another file")
            elif number in TENSOR_DATA:
                data += 1 if isinstance(value, int) else len(value)
        if prod(sizes) > data:  # a number has at least one byte; a negative size is a large one here
            raise Refused("a tensor is larger than its data")

    def _varints(self, packed: memoryview) -> Iterator[int]:
        """A sequence of integers."""
        at = 0
        while at < len(packed):
            self._left -= 1
            if self._left < 0:
                raise Refused(f"it has more than {MOST_FIELDS:,} parts")
            value, at = read_varint(packed, at)
            yield value


def block_of(value: Value) -> memoryview:
    """The bytes of a field of the kind BYTES."""
    assert isinstance(value, memoryview)
    return value


def text_of(value: Value) -> str:
    """The text in such a field; invalid characters are replaced."""
    return bytes(block_of(value)).decode("utf-8", "replace")


def read_varint(message: memoryview, at: int) -> tuple[int, int]:
    """The integer that begins at `at`, and the index of its end. Raises Refused."""
    value = 0
    for place, byte in enumerate(message[at : at + LONGEST_VARINT]):
        value |= (byte & 127) << 7 * place
        if byte < 128:
            return value, at + place + 1
    raise Refused("the file is truncated or something else")


def read_block(message: memoryview, at: int, size: int | None) -> tuple[memoryview, int]:
    """The bytes that begin at `at`, and the index of their end. If `size` is None, their number comes first. Raises Refused."""
    if size is None:
        size, at = read_varint(message, at)
    if size > len(message) - at:
        raise Refused("the file is truncated or something else")
    return message[at : at + size], at + size
