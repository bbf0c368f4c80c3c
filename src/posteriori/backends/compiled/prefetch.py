"""Prefetch rows, so that memory is read while earlier rows are processed."""

from typing import Any

import numba.core.cgutils
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from posteriori.backends.compiled.compiler import njit

#: Values of eight bytes in a cache line.
LINE = 8
#: LLVM's arguments of a prefetch: to read, into the second-level cache (the first is full of rows in use), of data.
_READ, _SECOND_LEVEL, _DATA = 0, 2, 1

cgutils: Any = numba.core.cgutils  # without type hints


def _line_of(typing: Any, array: Any, row: Any, column: Any) -> Any:
    """Prefetch the cache line of array[row, column], without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        values = context.make_array(kind)(context, builder, arguments[0])
        cell = cgutils.get_item_pointer(context, builder, kind, values, arguments[1:], wraparound=False)
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        hint = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")
        settings = [ir.Constant(number, setting) for setting in (_READ, _SECOND_LEVEL, _DATA)]
        builder.call(hint, [builder.bitcast(cell, byte), *settings])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), generate


_fetch: Any = intrinsic(_line_of)


@njit(nogil=True, cache=True)
def fetch_rows(X: Any, first: int, last: int) -> None:
    """Prefetch rows `first` to `last` of X, as far as they exist."""
    for i in range(first, min(last, X.shape[0])):
        for j in range(0, X.shape[1], LINE):
            _fetch(X, i, j)
