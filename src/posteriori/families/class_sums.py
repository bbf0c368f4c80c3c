"""Sums and means of a block's cells by class, the same for an array and for a CSR matrix."""

from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.backends.arrays.classwise import class_weights
from posteriori.backends.backend import Backend
from posteriori.backends.csr import is_sparse, with_cells
from posteriori.linalg.powers_of_two import inverse, nonzero, power_of_two
from posteriori.linalg.quotients import proportions, quotient


def class_sums(columns: Any, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Array:
    """Sum the weighted cells by class, (K, d); a missing cell makes its sum NaN."""
    if is_sparse(columns):
        stored = (columns.data, columns.indices, columns.indptr)
        return np.asarray(backend.classwise.sparse_sums(*stored, codes, weights, n_classes, columns.shape[1]))
    return np.asarray(backend.classwise.sums(columns, codes, weights, n_classes))


def class_means(columns: Any, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> tuple[Array, Array]:
    """Return weight and mean (K, d) of the cells that are not missing, by class and column."""
    if not is_sparse(columns):
        scale = power_of_two(backend.classwise.peaks(columns))
        weight, mean = backend.classwise.means(columns, inverse(scale), codes, weights, n_classes)
        return weight, mean * nonzero(scale)  # in units of the scale, so that no sum overflows
    weight = present_weights(columns, codes, weights, n_classes, backend)
    filled = with_cells(columns, np.where(np.isnan(columns.data), 0.0, columns.data))
    return weight, quotient(class_sums(filled, codes, weights, n_classes, backend), weight)


def present_weights(columns: Any, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Array:
    """Return the weight (K, d) of the cells of a CSR matrix that are not missing; absent cells are zeros."""
    weight = np.repeat(class_weights(codes, weights, n_classes)[:, None], columns.shape[1], axis=1)
    missing = np.isnan(columns.data)
    if missing.any():
        weight -= class_sums(with_cells(columns, missing.astype(np.float64)), codes, weights, n_classes, backend)
    return weight


def fill_empty_classes(weight: Array, mean: Array) -> Array:
    """Return class means (K, d) in which a class without rows takes the mean of all rows, which favours no class."""
    return np.where(weight > 0, mean, (proportions(weight) * mean).sum(axis=0))


def centred_rows(
    columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend
) -> tuple[Array, Array, Array, Array]:
    """Return scale (d,), class weights (K,), class means (K, d) and the rows sqrt(w) (x - m_k) / scale, (n, d)."""
    kernel = backend.classwise
    scale = power_of_two(kernel.peaks(columns))
    weight, centre, rows = kernel.centred(columns, inverse(scale), codes, weights, n_classes)
    return scale, weight, centre * nonzero(scale), rows
