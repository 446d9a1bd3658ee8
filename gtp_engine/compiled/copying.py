"""copy_record: one record over another, as fast as memory allows.

`records[i] = records[j]` means the same, but numba makes it one load and one store of the whole record, which LLVM splits into bytes:
seconds of compile time at every place, and machine code twice as slow. This emits LLVM's memcpy.
"""

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

BYTE_ALIGNMENT = 1


@intrinsic
def compiled_copy_record(typing_context, target, source):
    """copy_record as LLVM's memcpy."""
    if not isinstance(target, types.Record) or target != source:
        return None

    def codegen(context, builder, signature, arguments):
        """The instruction, see numba.extending.intrinsic."""
        size = ir.Constant(ir.IntType(64), target.size)
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, BYTE_ALIGNMENT)
        return context.get_dummy_value()

    return types.void(target, source), codegen


def interpreted_copy_record(target, source):
    """copy_record for the interpreter."""
    for name in source.dtype.names:
        target[name] = source[name]


# copy_record(target, source): copy `source` to `target`, records of one dtype that don't overlap
copy_record = interpreted_copy_record if numba.config.DISABLE_JIT else compiled_copy_record
