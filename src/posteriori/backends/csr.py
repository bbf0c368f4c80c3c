"""Blocks of cells as an array or a CSR matrix, whose absent cells are zeros: the only place that distinguishes them."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array, Mask


def is_sparse(X: Any) -> bool:
    """Return whether the cells are a sparse matrix."""
    return bool(sp.issparse(X))


def to_dense(X: Any) -> Array:
    """Return the cells as an array."""
    return np.asarray(X.toarray()) if sp.issparse(X) else np.asarray(X)


def stored_cells(X: Any) -> Array:
    """Return the stored cells: all cells of an array, those that are not absent of a CSR matrix."""
    return np.asarray(X.data if sp.issparse(X) else X)


def with_cells(X: Any, cells: Array) -> Any:
    """Return a block of the same shape with other values in its stored cells."""
    return csr(X.shape, cells, X.indices, X.indptr) if sp.issparse(X) else cells


def csr(shape: tuple[int, ...], data: Array, indices: Any, pointers: Any) -> Any:
    """Return a CSR matrix of these arrays without checks: the constructor of scipy would read all indices again."""
    matrix = sp.csr_array(shape)
    matrix.data, matrix.indices, matrix.indptr = data, indices, pointers
    return matrix


def row_numbers(X: Any) -> Any:
    """Return the row of each stored cell of a CSR matrix."""
    return np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))


def rows_with(marks: Mask, X: Any) -> Mask:
    """Mark the rows (n,) that have a marked cell among those stored."""
    if not sp.issparse(X):
        return np.asarray(marks.any(axis=1))
    rows = np.zeros(X.shape[0], dtype=np.bool_)
    if marks.any():
        rows[row_numbers(X)[marks]] = True
    return rows


def missing_rows(X: Any) -> Mask:
    """Mark the rows (n,) with a missing cell."""
    cells = stored_cells(X)
    if not np.isnan(cells.sum()):
        return np.zeros(X.shape[0], dtype=np.bool_)
    return rows_with(np.isnan(cells), X)


def column_peaks(X: Any) -> Array:
    """Return the largest |x| among the stored cells of each column of a CSR matrix, (d,); missing ones count as 0."""
    peaks = np.zeros(X.shape[1])
    np.maximum.at(peaks, X.indices, np.abs(np.where(np.isnan(X.data), 0.0, X.data)))
    return peaks
