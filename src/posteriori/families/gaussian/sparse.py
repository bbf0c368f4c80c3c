"""Moments and log densities of Gaussian columns from the cells of a CSR block: absent ones are zeros."""

from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.families.class_sums import class_sums, present_weights, replaced
from posteriori.families.gaussian.variances import inverse, power_of_two
from posteriori.statistics.moments import Moments


def sparse_moments(columns: Any, codes: Codes, weights: Array, n_classes: int, size: int) -> Moments:
    """Give weight, mean and centred scatter by class and column; an explicit NaN is missing.

    The cells held are summed about the class mean; each of the others adds the mean squared.
    """
    gaps = np.isnan(columns.data)
    data = np.where(gaps, 0.0, columns.data)
    peak = np.zeros(columns.shape[1])
    np.maximum.at(peak, columns.indices, np.abs(data))
    scale = power_of_two(peak)
    scaled = data * inverse(scale)[columns.indices]

    def summed(cells: Array) -> Array:
        return class_sums(replaced(columns, cells), codes, weights, n_classes, size)

    weight = present_weights(columns, codes, weights, n_classes, size)
    centre = np.divide(summed(scaled), weight, out=np.zeros_like(weight), where=weight > 0)
    away = scaled - centre[np.repeat(codes, np.diff(columns.indptr)), columns.indices]
    scatter = summed(np.where(gaps, 0.0, away * away)) + (weight - summed((~gaps).astype(np.float64))) * centre**2
    return Moments(scale, weight, centre * np.where(scale > 0, scale, 1.0), np.maximum(scatter, 0.0))


def sparse_scores(columns: Any, scale: Array, centre: Array, root: Array, log_norm: Array) -> Array:
    """Give sum_j log_norm_kj - ((x_j / scale_j - centre_kj) root_kj)^2 / 2 over the cells present, (n, K).

    A row of zeros has a constant score; each cell held moves it by x (centre - x/2) root^2, in scaled units.
    """
    gaps = np.isnan(columns.data)
    scaled = np.where(gaps, 0.0, columns.data) * inverse(scale)[columns.indices]
    zeros = log_norm - 0.5 * (centre * root) ** 2
    slope, bend = root**2 * centre, root**2
    scores: Array = np.asarray(replaced(columns, scaled) @ slope.T) + zeros.sum(axis=1)
    scores -= 0.5 * np.asarray(replaced(columns, scaled**2) @ bend.T)
    if gaps.any():
        scores -= np.asarray(replaced(columns, gaps.astype(np.float64)) @ zeros.T)
    return scores


def sparse_linear_scores(columns: Any, scale: Array, origin: Array, coef: Array, cells: Array) -> Array:
    """Give sum_j coef_kj v_j + cells_kj over the cells present, v = x / scale - origin, (n, K)."""
    gaps = np.isnan(columns.data)
    scaled = np.where(gaps, 0.0, columns.data) * inverse(scale)[columns.indices]
    zeros = cells - coef * origin
    scores: Array = np.asarray(replaced(columns, scaled) @ coef.T) + zeros.sum(axis=1)
    if gaps.any():
        scores -= np.asarray(replaced(columns, gaps.astype(np.float64)) @ zeros.T)
    return scores
