"""What families ask of a block of cells, the same for an array and for a CSR matrix, whose absent cells are zeros."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array, Codes, Mask
from posteriori.backends.arrays.classwise import class_weights
from posteriori.backends.select import classwise
from posteriori.families.gaussian.variances import inverse, power_of_two


def stored(columns: Any) -> Array:
    """Give the cells that are held: all of an array, those that are not absent of a CSR matrix."""
    cells: Array = columns.data if sp.issparse(columns) else columns
    return cells


def dense(columns: Any) -> Array:
    """Give the cells as an array."""
    cells: Array = columns.toarray() if sp.issparse(columns) else columns
    return cells


def rows_with(marks: Mask, columns: Any) -> Mask:
    """Mark the rows (n,) that have one of the marked cells among those held."""
    if not sp.issparse(columns):
        found: Mask = np.any(marks, axis=1)
        return found
    rows = np.zeros(columns.shape[0], dtype=np.bool_)
    if marks.any():
        rows[np.repeat(np.arange(len(rows)), np.diff(columns.indptr))[marks]] = True
    return rows


def missing_rows(columns: Any) -> Mask:
    """Mark the rows (n,) with a gap."""
    if not np.isnan(stored(columns).sum()):
        return np.zeros(columns.shape[0], dtype=np.bool_)
    return rows_with(np.isnan(stored(columns)), columns)


def replaced(columns: Any, cells: Array) -> Any:
    """Give the same cells with other values in those held."""
    if not sp.issparse(columns):
        return cells
    same = sp.csr_array(columns.shape)  # filled in place: the constructor would check the indices again
    same.data, same.indices, same.indptr = cells, columns.indices, columns.indptr
    return same


def class_sums(columns: Any, codes: Codes, weights: Array, n_classes: int, size: int) -> Array:
    """Sum the weighted cells by class, (K, d); one that is missing makes its sum so."""
    if sp.issparse(columns):
        held = (columns.data, columns.indices, columns.indptr)
        sums: Array = classwise(size).sparse_sums(*held, codes, weights, n_classes, columns.shape[1])
        return sums
    total: Array = classwise(size).sums(columns, codes, weights, n_classes)
    return total


def class_means(columns: Any, codes: Codes, weights: Array, n_classes: int, size: int) -> tuple[Array, Array]:
    """Give weight and mean (K, d) of the cells that are not missing, by class and column."""
    if not sp.issparse(columns):
        scale = power_of_two(classwise(size).peaks(columns))
        weight, mean = classwise(size).means(columns, inverse(scale), codes, weights, n_classes)
        return weight, mean * np.where(scale > 0, scale, 1.0)  # in units, so that no sum leaves the floats
    weight = present_weights(columns, codes, weights, n_classes, size)
    whole = replaced(columns, np.where(np.isnan(columns.data), 0.0, columns.data))
    sums = class_sums(whole, codes, weights, n_classes, size)
    return weight, np.divide(sums, weight, out=np.zeros_like(sums), where=weight > 0)


def present_weights(columns: Any, codes: Codes, weights: Array, n_classes: int, size: int) -> Array:
    """Give the weight (K, d) of the cells of a CSR matrix that are not missing: absent ones are zeros, not gaps."""
    weight = np.repeat(class_weights(codes, weights, n_classes)[:, None], columns.shape[1], axis=1)
    gaps = np.isnan(columns.data)
    if gaps.any():
        weight -= class_sums(replaced(columns, gaps.astype(np.float64)), codes, weights, n_classes, size)
    return weight
