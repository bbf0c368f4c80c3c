"""Class-wise sums and densities of a block, compiled: `backends.arrays.classwise` without temporaries.

`FAST` lets the compiler regroup sums into vector instructions; NaN and infinity keep their meaning.
"""

import numpy as np

from posteriori.arrays import Array, Codes, Mask
from posteriori.backends.compiled.compiler import njit

FAST = {"reassoc", "contract", "nsz"}


@njit(nogil=True, cache=True)
def peaks(columns: Array) -> Array:
    """Return the largest |x| of each column, (d,); 0 if all cells are missing."""
    n, d = columns.shape
    top = np.zeros(d)
    for i in range(n):
        for j in range(d):
            size = abs(columns[i, j])
            top[j] = size if size > top[j] else top[j]
    return top


@njit(nogil=True, cache=True)
def _pivots(columns: Array, unit: Array) -> Array:
    n, d = columns.shape
    pivot = np.zeros(d)
    for j in range(d):
        for i in range(n):
            if not np.isnan(columns[i, j]):
                pivot[j] = columns[i, j] * unit[j]
                break
    return pivot


@njit(nogil=True, cache=True)
def _averages(
    columns: Array, unit: Array, pivot: Array, codes: Codes, weights: Array, n_classes: int
) -> tuple[Array, Array]:
    """Return weight and mean of the scaled cells minus the pivot of their column, (K, d)."""
    n, d = columns.shape
    weight = np.zeros((n_classes, d))
    average = np.zeros((n_classes, d))
    for i in range(n):
        k, w = codes[i], weights[i]
        for j in range(d):
            away = columns[i, j] * unit[j] - pivot[j]
            present = not np.isnan(away)
            weight[k, j] += w if present else 0.0
            average[k, j] += w * away if present else 0.0
    for k in range(n_classes):
        for j in range(d):
            if weight[k, j] > 0.0:
                average[k, j] /= weight[k, j]
    return weight, average


@njit(nogil=True, cache=True)
def moments(columns: Array, unit: Array, codes: Codes, weights: Array, n_classes: int) -> tuple[Array, Array, Array]:
    """Return weight, mean and centred scatter (K, d) of every class and column, in scaled units."""
    pivot = _pivots(columns, unit)
    weight, average = _averages(columns, unit, pivot, codes, weights, n_classes)
    scatter = np.zeros_like(average)
    for i in range(columns.shape[0]):
        k, w = codes[i], weights[i]
        for j in range(columns.shape[1]):
            away = columns[i, j] * unit[j] - pivot[j] - average[k, j]
            scatter[k, j] += w * away * away if not np.isnan(away) else 0.0
    return weight, average + pivot, scatter


@njit(nogil=True, cache=True)
def means(columns: Array, unit: Array, codes: Codes, weights: Array, n_classes: int) -> tuple[Array, Array]:
    """Return weight and mean (K, d) of every class and column, in scaled units."""
    weight, average = _averages(columns, unit, np.zeros(columns.shape[1]), codes, weights, n_classes)
    return weight, average


@njit(nogil=True, cache=True)
def sums(columns: Array, codes: Codes, weights: Array, n_classes: int) -> Array:
    """Sum the weighted cells by class and column, (K, d); a missing cell makes its sum NaN."""
    n, d = columns.shape
    total = np.zeros((n_classes, d))
    for i in range(n):
        k, w = codes[i], weights[i]
        for j in range(d):
            total[k, j] += w * columns[i, j]
    return total


@njit(nogil=True, cache=True)
def sparse_sums(
    data: Array, indices: Codes, pointers: Codes, codes: Codes, weights: Array, n_classes: int, n_columns: int
) -> Array:
    """Sum the weighted cells of a CSR block by class and column, (K, d); a missing cell makes its sum NaN."""
    total = np.zeros((n_classes, n_columns))
    for i in range(len(codes)):
        k, w = codes[i], weights[i]
        for p in range(pointers[i], pointers[i + 1]):
            total[k, indices[p]] += w * data[p]
    return total


@njit(nogil=True, cache=True)
def centred(columns: Array, unit: Array, codes: Codes, weights: Array, n_classes: int) -> tuple[Array, Array, Array]:
    """Return class weights (K,), class means (K, d) and rows sqrt(w) (x - m_k), in scaled units; no cell is missing."""
    n, d = columns.shape
    pivot = np.empty(d)
    for j in range(d):
        pivot[j] = columns[0, j] * unit[j]
    weight = np.zeros(n_classes)
    average = np.zeros((n_classes, d))
    rows = np.empty((n, d))
    for i in range(n):
        k, w = codes[i], weights[i]
        weight[k] += w
        for j in range(d):
            away = columns[i, j] * unit[j] - pivot[j]
            rows[i, j] = away
            average[k, j] += w * away
    for k in range(n_classes):
        for j in range(d):
            if weight[k] > 0.0:
                average[k, j] /= weight[k]
    for i in range(n):
        k, root = codes[i], np.sqrt(weights[i])
        for j in range(d):
            rows[i, j] = (rows[i, j] - average[k, j]) * root
    for k in range(n_classes):
        for j in range(d):
            average[k, j] += pivot[j]
    return weight, average, rows


@njit(nogil=True, cache=True, fastmath=FAST)
def scores(columns: Array, unit: Array, centre: Array, root: Array, log_norm: Array) -> Array:
    """Return sum_j log_norm_kj - ((x_j unit_j - centre_kj) root_kj)^2 / 2 over the cells present, (n, K)."""
    n, d = columns.shape
    n_classes = centre.shape[0]
    result = np.empty((n, n_classes))
    scaled = np.empty(d)
    constant = np.zeros(n_classes)
    for k in range(n_classes):
        for j in range(d):
            constant[k] += log_norm[k, j]
    for i in range(n):
        total = 0.0
        for j in range(d):
            scaled[j] = columns[i, j] * unit[j]
            total += scaled[j]
        whole = abs(total) < np.inf  # isfinite subtracts, and regrouping would cancel that
        for k in range(n_classes):
            square = 0.0
            if whole:
                for j in range(d):
                    away = (scaled[j] - centre[k, j]) * root[k, j]
                    square += away * away
                result[i, k] = constant[k] - 0.5 * square
            else:
                norm = 0.0
                for j in range(d):
                    if not np.isnan(columns[i, j]):
                        away = (scaled[j] - centre[k, j]) * root[k, j]
                        square += away * away
                        norm += log_norm[k, j]
                result[i, k] = norm - 0.5 * square
    return result


@njit(nogil=True, cache=True)
def cell_counts(
    columns: Array, starts: Codes, sizes: Codes, codes: Codes, weights: Array, n_classes: int, n_cells: int
) -> Array:
    """Sum the weights of every category of every column by class, (K, cells); column j has its cells from starts[j]."""
    n, d = columns.shape
    counts = np.zeros((n_classes, n_cells))
    for i in range(n):
        k, w = codes[i], weights[i]
        for j in range(d):
            x = columns[i, j]
            if x >= 0.0 and x < sizes[j]:
                code = int(x)
                if code == x:
                    counts[k, starts[j] + code] += w
    return counts


@njit(nogil=True, cache=True)
def cell_scores(columns: Array, starts: Codes, sizes: Codes, table: Array, outside: float) -> Array:
    """Sum the rows of `table` (cells, K) of a row's categories; an unknown category adds `outside`."""
    n, d = columns.shape
    n_classes = table.shape[1]
    result = np.zeros((n, n_classes))
    for i in range(n):
        for j in range(d):
            x = columns[i, j]
            if x >= 0.0 and x < sizes[j] and x == np.floor(x):
                cell = starts[j] + int(x)
                for k in range(n_classes):
                    result[i, k] += table[cell, k]
            elif not np.isnan(x):
                for k in range(n_classes):
                    result[i, k] += outside
    return result


@njit(nogil=True, cache=True)
def small_levels(columns: Array, limit: int) -> tuple[Mask, Mask]:
    """Mark the whole numbers below `limit` in each column, (d, limit), and the columns without other values, (d,)."""
    n, d = columns.shape
    occurs = np.zeros((d, limit), dtype=np.bool_)
    plain = np.ones(d, dtype=np.bool_)
    for i in range(n):
        for j in range(d):
            x = columns[i, j]
            if x >= 0.0 and x < limit and x == np.floor(x):
                occurs[j, int(x)] = True
            elif not np.isnan(x):
                plain[j] = False
    return occurs, plain


@njit(nogil=True, cache=True)
def all_counts(cells: Array) -> bool:
    """Return whether all cells are whole numbers from zero up: none missing, infinite, negative or fractional."""
    flat = cells.ravel()
    wrong = 0
    for i in range(flat.size):
        x = flat[i]
        wrong += not (x >= 0.0 and x < np.inf and x == np.floor(x))
    return wrong == 0
