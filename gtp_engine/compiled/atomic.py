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


@intrinsic
def compiled_atomic_add(typing_context, record, field, value):
    """atomic_add as LLVM's `atomicrmw add`, or `fadd` for floats."""
    if not isinstance(field, types.StringLiteral):
        return None
    name = field.literal_value
    field_type = record.typeof(name)

    def codegen(context, builder, signature, arguments):
        """The instructions, see numba.extending.intrinsic."""
        pointer = field_pointer(context, builder, record, arguments[0], name)
        operation = "fadd" if isinstance(field_type, types.Float) else "add"
        return builder.atomic_rmw(operation, pointer, arguments[2], "monotonic")

    return field_type(record, field, field_type), codegen


@intrinsic
def compiled_atomic_exchange(typing_context, record, field, value):
    """atomic_exchange as LLVM's `atomicrmw xchg`."""
    if not isinstance(field, types.StringLiteral):
        return None
    name = field.literal_value
    field_type = record.typeof(name)

    def codegen(context, builder, signature, arguments):
        """The instructions, see numba.extending.intrinsic."""
        pointer = field_pointer(context, builder, record, arguments[0], name)
        return builder.atomic_rmw("xchg", pointer, arguments[2], "seq_cst")

    return field_type(record, field, field_type), codegen


@intrinsic
def compiled_atomic_claim(typing_context, record, field, expected, value):
    """atomic_claim as LLVM's `cmpxchg`."""
    if not isinstance(field, types.StringLiteral):
        return None
    name = field.literal_value
    field_type = record.typeof(name)

    def codegen(context, builder, signature, arguments):
        """The instructions, see numba.extending.intrinsic."""
        pointer = field_pointer(context, builder, record, arguments[0], name)
        result = builder.cmpxchg(pointer, arguments[2], arguments[3], "seq_cst", "seq_cst")
        return builder.zext(builder.extract_value(result, 1), context.get_data_type(types.int32))

    return types.int32(record, field, field_type, field_type), codegen


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
