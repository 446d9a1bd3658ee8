"""Atomic updates of one field of a record, for a search tree shared by threads.

numba has no atomics for processors, so three small intrinsics emit LLVM's own instructions. With NUMBA_DISABLE_JIT=1 plain Python is used
instead, which the interpreter runs one thread at a time.
"""

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def field_pointer(context, builder, record, record_value, name):
    """LLVM pointer to field `name` of a record argument."""
    base = builder.bitcast(record_value, ir.IntType(8).as_pointer())
    address = builder.gep(base, [ir.Constant(ir.IntType(32), record.offset(name))])
    return builder.bitcast(address, context.get_data_type(record.typeof(name)).as_pointer())


def field_update(record, field, emit, values=1, returns=None):
    """Signature and code of an intrinsic with arguments (record, field, *values); `emit(builder, pointer, values)` makes its instructions.

    returns -- the type of its result; None: that of the field
    """
    if not isinstance(field, types.StringLiteral):
        return None
    name = field.literal_value
    field_type = record.typeof(name)

    def codegen(context, builder, signature, arguments):
        """The instructions, see numba.extending.intrinsic."""
        return emit(builder, field_pointer(context, builder, record, arguments[0], name), arguments[2:])

    return (returns or field_type)(record, field, *values * [field_type]), codegen


@intrinsic
def compiled_atomic_add(typing_context, record, field, value):
    """atomic_add as LLVM's `atomicrmw add`, or `fadd` for floats."""

    def emit(builder, pointer, values):
        """The old value."""
        operation = "add" if isinstance(values[0].type, ir.IntType) else "fadd"
        return builder.atomic_rmw(operation, pointer, values[0], "monotonic")

    return field_update(record, field, emit)


@intrinsic
def compiled_atomic_exchange(typing_context, record, field, value):
    """atomic_exchange as LLVM's `atomicrmw xchg`."""
    return field_update(record, field, lambda builder, pointer, values: builder.atomic_rmw("xchg", pointer, values[0], "seq_cst"))


@intrinsic
def compiled_atomic_claim(typing_context, record, field, expected, value):
    """atomic_claim as LLVM's `cmpxchg`."""

    def emit(builder, pointer, values):
        """1 if the field held `expected`."""
        result = builder.cmpxchg(pointer, *values, "seq_cst", "seq_cst")
        return builder.zext(builder.extract_value(result, 1), ir.IntType(32))

    return field_update(record, field, emit, 2, types.int32)


def interpreted_atomic_add(record, field, value):
    """atomic_add for the interpreter."""
    old = record[field]
    record[field] = old + value
    return old


def interpreted_atomic_exchange(record, field, value):
    """atomic_exchange for the interpreter."""
    old = record[field]
    record[field] = value
    return old


def interpreted_atomic_claim(record, field, expected, value):
    """atomic_claim for the interpreter."""
    if record[field] != expected:
        return 0
    record[field] = value
    return 1


_interpreted = bool(numba.config.DISABLE_JIT)

# atomic_add(record, "field", value): adds and returns the old value
atomic_add = interpreted_atomic_add if _interpreted else compiled_atomic_add
# atomic_exchange(record, "field", value): stores, after all earlier stores of this thread, and returns the old value
atomic_exchange = interpreted_atomic_exchange if _interpreted else compiled_atomic_exchange
# atomic_claim(record, "field", expected, value): stores only if the field holds `expected`; returns 1 if it did, else 0
atomic_claim = interpreted_atomic_claim if _interpreted else compiled_atomic_claim
