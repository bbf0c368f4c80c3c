"""Class-wise sums and densities of a block, in numpy.

All functions take cells in the units of the data and `unit`, a power of two per column by which they are
multiplied first, so that no square leaves the range of float64. A missing cell (NaN) adds nothing.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array, Codes, Mask
from posteriori.linalg.quotients import quotient


def peaks(columns: Array) -> Array:
    """Return the largest |x| of each column, (d,); 0 if all cells are missing."""
    top = np.abs(np.fmax(np.fmax.reduce(columns, axis=0), -np.fmin.reduce(columns, axis=0)))
    return np.where(np.isnan(top), 0.0, top)


def moments(columns: Array, unit: Array, codes: Codes, weights: Array, n_classes: int) -> tuple[Array, Array, Array]:
    """Return weight, mean and centred scatter (K, d) of every class and column, in scaled units.

    Cells are summed as differences from the first cell of the column, so that an offset of 1e9 costs no digits.
    """
    present = ~np.isnan(columns)
    whole = bool(present.all())
    pivot = columns[present.argmax(axis=0), np.arange(columns.shape[1])] * unit
    pivot[np.isnan(pivot)] = 0.0
    away = columns * unit
    away -= pivot
    by_class = _sums(codes, weights, n_classes)
    if whole:
        total = class_weights(codes, weights, n_classes)
        weight = np.repeat(total[:, None], columns.shape[1], axis=1)
    else:
        away[~present] = 0.0
        weight = by_class @ present.astype(np.float64)
    average = quotient(by_class @ away, weight)
    away -= average[codes]
    if not whole:
        away[~present] = 0.0
    np.square(away, out=away)
    return weight, average + pivot, by_class @ away


def means(columns: Array, unit: Array, codes: Codes, weights: Array, n_classes: int) -> tuple[Array, Array]:
    """Return weight and mean (K, d) of every class and column, in scaled units."""
    scaled = columns * unit
    missing = np.isnan(scaled)
    by_class = _sums(codes, weights, n_classes)
    if missing.any():
        scaled[missing] = 0.0
        weight: Array = by_class @ (~missing).astype(np.float64)
    else:
        weight = np.repeat(class_weights(codes, weights, n_classes)[:, None], columns.shape[1], axis=1)
    return weight, quotient(by_class @ scaled, weight)


def sums(columns: Array, codes: Codes, weights: Array, n_classes: int) -> Array:
    """Sum the weighted cells by class and column, (K, d); a missing cell makes its sum NaN."""
    total: Array = _sums(codes, weights, n_classes) @ columns
    return total


def sparse_sums(
    data: Array, indices: Codes, pointers: Codes, codes: Codes, weights: Array, n_classes: int, n_columns: int
) -> Array:
    """Sum the weighted cells of a CSR block by class and column, (K, d); a missing cell makes its sum NaN."""
    filled = np.diff(pointers)
    place = np.repeat(codes, filled) * n_columns + indices
    total = np.bincount(place, np.repeat(weights, filled) * data, n_classes * n_columns)
    return total.reshape(n_classes, n_columns).astype(np.float64, copy=False)  # of no cells bincount makes integers


def centred(columns: Array, unit: Array, codes: Codes, weights: Array, n_classes: int) -> tuple[Array, Array, Array]:
    """Return class weights (K,), class means (K, d) and rows sqrt(w) (x - m_k), in scaled units; no cell is missing."""
    pivot = columns[0] * unit
    rows = columns * unit
    rows -= pivot
    weight = class_weights(codes, weights, n_classes)
    average = quotient(_sums(codes, weights, n_classes) @ rows, weight[:, None])
    rows -= average[codes]
    if not (weights == 1.0).all():
        rows *= np.sqrt(weights)[:, None]
    return weight, average + pivot, rows


def scores(columns: Array, unit: Array, centre: Array, root: Array, log_norm: Array) -> Array:
    """Return sum_j log_norm_kj - ((x_j unit_j - centre_kj) root_kj)^2 / 2 over the cells present, (n, K)."""
    scaled = columns * unit
    missing = np.isnan(scaled)
    whole = not missing.any()
    result = np.empty((columns.shape[0], centre.shape[0]))
    for k in range(centre.shape[0]):
        away = (scaled - centre[k]) * root[k]
        if whole:
            result[:, k] = log_norm[k].sum() - 0.5 * np.einsum("ij,ij->i", away, away)
        else:
            result[:, k] = np.where(missing, 0.0, log_norm[k] - 0.5 * away * away).sum(axis=1)
    return result


def cell_counts(
    columns: Array, starts: Codes, sizes: Codes, codes: Codes, weights: Array, n_classes: int, n_cells: int
) -> Array:
    """Sum the weights of every category of every column by class, (K, cells); column j has its cells from starts[j]."""
    counts = np.zeros((n_classes, n_cells))
    for j in range(columns.shape[1]):
        known = _is_code(columns[:, j], sizes[j])
        place = codes[known] * sizes[j] + columns[known, j].astype(np.intp)
        table = np.bincount(place, weights[known], n_classes * sizes[j])
        counts[:, starts[j] : starts[j] + sizes[j]] = table.reshape(n_classes, sizes[j])
    return counts


def cell_scores(columns: Array, starts: Codes, sizes: Codes, table: Array, outside: float) -> Array:
    """Sum the rows of `table` (cells, K) of a row's categories; an unknown category adds `outside`."""
    result = np.zeros((columns.shape[0], table.shape[1]))
    for j in range(columns.shape[1]):
        column = columns[:, j]
        known = _is_code(column, sizes[j])
        if known.all():
            result += table[starts[j] + column.astype(np.intp)]
        else:
            result[known] += table[starts[j] + column[known].astype(np.intp)]
            result[~known & ~np.isnan(column)] += outside
    return result


def small_levels(columns: Array, limit: int) -> tuple[Mask, Mask]:
    """Mark the whole numbers below `limit` in each column, (d, limit), and the columns without other values, (d,)."""
    occurs = np.zeros((columns.shape[1], limit), dtype=np.bool_)
    plain = np.ones(columns.shape[1], dtype=np.bool_)
    for j in range(columns.shape[1]):
        column = columns[:, j]
        small = _is_code(column, limit)
        occurs[j, column[small].astype(np.intp)] = True
        plain[j] = bool((small | np.isnan(column)).all())
    return occurs, plain


def all_counts(cells: Array) -> bool:
    """Return whether all cells are whole numbers from zero up: none missing, infinite, negative or fractional."""
    return bool(((cells >= 0) & (cells < np.inf) & (cells == np.floor(cells))).all())


def class_weights(codes: Codes, weights: Array, n_classes: int) -> Array:
    """Return the weight of each class, (K,)."""
    return np.bincount(codes, weights, n_classes).astype(np.float64, copy=False)


def _is_code(column: Array, size: int) -> Mask:
    """Mark the cells that are one of the codes 0 … size - 1."""
    return np.asarray((column >= 0) & (column < size) & (column == np.floor(column)))


def _sums(codes: Codes, weights: Array, n_classes: int) -> Any:
    """Return the (K, n) matrix that sums weighted rows by class."""
    return sp.csc_array((weights, codes, np.arange(len(codes) + 1)), shape=(n_classes, len(codes)))
