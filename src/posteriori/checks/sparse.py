"""Sparse matrices as CSR with checked indices, since compiled code reads and writes memory at these indices."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import AnyArray
from posteriori.checks.memory import shortage, shown_bytes
from posteriori.messages.errors import DataError, DataTypeError

#: Formats that are checked directly; others are converted to coordinates first.
CHECKED = ("csr", "csc", "bsr", "coo")
#: Bytes of a column in a fit without its values: its name and kind, its centre, scale and coefficients.
COLUMN_BYTES = 300
#: Bytes below which the available memory is not checked.
SMALL = 2**28
REMEDY = (
    "scipy does not check these when it loads a file or receives arrays; build the matrix from "
    "(values, (rows, columns))."
)


def checked_indices(X: Any) -> Any:
    """Return a sparse matrix if all its indices are valid; else raise a `DataError`.

    One pass over the indices. The matrix is returned unchanged, or in coordinates if its format has no indices.
    """
    if X.ndim != 2:
        raise DataError(
            f"Expected 2D array, got a sparse array of {X.ndim} dimension(s): X is rows of columns, (n, d)."
        )
    _check_parts(X)
    _check_columns(X.shape[1])
    if X.format == "dia":
        _check_length(X.offsets, X.data, "diagonal")
    try:
        X = X if X.format in CHECKED else X.tocoo()
    except (ValueError, IndexError, TypeError) as error:
        raise DataError(f"the sparse matrix X ({X.format}) is malformed: {error}. {REMEDY}") from None
    if X.format == "coo":
        for indices, size, word in ((X.row, X.shape[0], "row"), (X.col, X.shape[1], "column")):
            _check_length(indices, X.data, word)
            _check_range(indices, size, word)
    else:
        _check_compressed(X)
    return X


def _check_parts(X: Any) -> None:
    """Raise if values or indices are not plain arrays but lists, None or masked arrays."""
    for name in ("data", "indices", "indptr", "coords"):
        part = getattr(X, name, None)
        for array in part if name == "coords" and isinstance(part, tuple) else (part,):
            if hasattr(X, name) and (not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray)):
                raise _malformed(f"its {name} contain a {type(array).__name__}, not a plain array")
    if X.format == "coo" and len(X.coords) != 2:
        raise _malformed(f"it has {len(X.coords)} array(s) of coordinates, not 2")


def _check_columns(n_columns: int) -> None:
    """Raise if there are too many columns for the available memory, however few of their values are stored."""
    available = shortage(COLUMN_BYTES * n_columns, SMALL)
    if available is not None:
        raise DataError(
            f"X has {n_columns:,} columns, most of them without any value: a model of them takes about "
            f"{shown_bytes(COLUMN_BYTES * n_columns)}, and {shown_bytes(available)} are available. Keep the columns "
            "that hold values: X[:, np.unique(X.nonzero()[1])]."
        )


def csr_rows(X: Any) -> Any:
    """Return a sparse matrix as CSR with float64 values, one per cell, in the order of the columns.

    Duplicate entries are summed in a copy; the user's matrix does not change.
    """
    _check_parts(X)
    if X.dtype.kind not in "fiub":
        word = "Complex data not supported" if X.dtype.kind == "c" else "could not convert to float"
        raise DataTypeError(f"{word}: the sparse matrix X has values of type {X.dtype}, and a model takes numbers.")
    rows = sp.csr_array(checked_indices(X)).astype(np.float64, copy=False)
    if not rows.has_canonical_format:  # computed for a new array; X may have a wrong flag
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def _check_compressed(X: Any) -> None:
    """Raise if the indices of CSR, CSC or BSR are invalid; check pointers first, since they delimit the indices."""
    by_row = X.format != "csc"
    major, minor = X.shape if by_row else X.shape[::-1]
    if X.format == "bsr":
        major, minor = (size // block for size, block in zip((major, minor), X.blocksize, strict=True))
    word, across = ("row", "column") if by_row else ("column", "row")
    pointers = np.asarray(X.indptr)
    if pointers.dtype.kind not in "iu" or pointers.shape != (major + 1,):
        raise _malformed(f"its indptr is {pointers.dtype} of shape {pointers.shape}, not {major + 1} whole numbers")
    backwards = pointers[1:] < pointers[:-1]
    if pointers[0] != 0 or backwards.any():
        first = int(backwards.argmax()) if backwards.any() else 0
        raise _malformed(f"its indptr must start at 0 and never decrease, which fails at {word} {first}")
    _check_length(X.indices, X.data, across)
    if pointers[-1] > len(X.indices):
        raise _malformed(f"its indptr ends at {int(pointers[-1])}, and it has {len(X.indices)} entries")
    _check_range(np.asarray(X.indices)[: int(pointers[-1])], minor, across)


def _check_length(indices: Any, data: Any, word: str) -> None:
    if np.ndim(indices) != 1 or np.asarray(indices).dtype.kind not in "iu":
        raise _malformed(f"its {word} indices are not a vector of whole numbers")
    if len(indices) != len(data):
        raise _malformed(f"it has {len(data)} values and {len(indices)} {word} indices")


def _check_range(indices: AnyArray, size: int, word: str) -> None:
    if not len(indices) or (indices.min() >= 0 and indices.max() < size):
        return
    outside = (indices < 0) | (indices >= size)
    first = int(indices[outside.argmax()])
    raise _malformed(
        f"{int(outside.sum())} of its {len(indices)} {word} indices lie outside 0 to {size - 1}, the first is {first}"
    )


def _malformed(what: str) -> DataError:
    return DataError(f"the sparse matrix X is malformed: {what}. {REMEDY}")
