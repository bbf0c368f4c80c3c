"""Moments and log densities of Gaussian columns from the stored cells of a CSR block; absent cells are zeros."""

from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.backends.csr import column_peaks, with_cells
from posteriori.families.class_sums import class_sums, present_weights
from posteriori.linalg.powers_of_two import inverse, nonzero, power_of_two
from posteriori.linalg.quotients import quotient
from posteriori.statistics.moments import Moments


def sparse_moments(columns: Any, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Moments:
    """Return weight, mean and centred scatter by class and column; a stored NaN is missing.

    Stored cells are summed about the class mean; each absent cell adds the mean squared.
    """
    scale = power_of_two(column_peaks(columns))
    missing, scaled = _scaled(columns, scale)

    def by_class(cells: Array) -> Array:
        return class_sums(with_cells(columns, cells), codes, weights, n_classes, backend)

    weight = present_weights(columns, codes, weights, n_classes, backend)
    centre = quotient(by_class(scaled), weight)
    deviation = scaled - centre[np.repeat(codes, np.diff(columns.indptr)), columns.indices]
    scatter = by_class(np.where(missing, 0.0, deviation**2))
    scatter += (weight - by_class((~missing).astype(np.float64))) * centre**2
    return Moments(scale, weight, centre * nonzero(scale), np.maximum(scatter, 0.0))


def sparse_scores(columns: Any, scale: Array, centre: Array, root: Array, log_norm: Array) -> Array:
    """Return sum_j log_norm_kj - ((x_j / scale_j - centre_kj) root_kj)^2 / 2 over the cells present, (n, K).

    A row of zeros has a constant score; each stored cell adds x (centre - x/2) root^2, in scaled units.
    """
    missing, scaled = _scaled(columns, scale)
    zeros = log_norm - 0.5 * (centre * root) ** 2
    scores = _sums(columns, scaled, missing, root**2 * centre, zeros)
    scores -= 0.5 * np.asarray(with_cells(columns, scaled**2) @ (root**2).T)
    return scores


def sparse_linear_scores(columns: Any, scale: Array, origin: Array, coef: Array, cells: Array) -> Array:
    """Return sum_j coef_kj v_j + cells_kj over the cells present, v = x / scale - origin, (n, K)."""
    missing, scaled = _scaled(columns, scale)
    return _sums(columns, scaled, missing, coef, cells - coef * origin)


def _scaled(columns: Any, scale: Array) -> tuple[Mask, Array]:
    """Return which stored cells are missing, and the cells over their scale with 0 for those."""
    missing = np.isnan(columns.data)
    return missing, np.where(missing, 0.0, columns.data) * inverse(scale)[columns.indices]


def _sums(columns: Any, scaled: Array, missing: Mask, coef: Array, zeros: Array) -> Array:
    """Return sum_j coef_kj x_j over the stored cells plus `zeros` (K, d) over all that are not missing, (n, K)."""
    scores: Array = np.asarray(with_cells(columns, scaled) @ coef.T) + zeros.sum(axis=1)
    if missing.any():
        scores -= np.asarray(with_cells(columns, missing.astype(np.float64)) @ zeros.T)
    return scores
