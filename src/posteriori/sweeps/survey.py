"""The first sweep: what the columns hold, before anything is fitted."""

from dataclasses import dataclass

import numpy as np

from posteriori.backends.select import linear
from posteriori.statistics.base import Joined
from posteriori.statistics.invalid_cells import Tally
from posteriori.statistics.moments import Moments
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

_ONES = np.empty(0)


@dataclass(frozen=True)
class Survey(Sweep):
    """Means and spreads of the columns, with a tally of the cells that are not finite.

    `size` is rows times columns of the table, by which the kernel is chosen.
    """

    size: int

    def __call__(self, block: Block) -> Joined:
        """Give a `Tally` of cells that are not finite and the `Moments` of all columns as one class."""
        X = block.features
        if not isinstance(X, np.ndarray):
            return self._sparse(block)
        weights = _ONES if block.weights is None else block.weights
        survey, plain = linear(self.size).column_survey, np.ones(X.shape[1])
        peaks, total, mean, scatter = survey(X, weights, plain)
        scale, unit = powers_of_two(peaks)
        tally = Tally.none(X.shape[1])
        if np.isfinite(mean).all() and _moderate(peaks):
            return Joined((tally, _moments(scale, total, mean, scatter / unit**2)))
        bad = ~np.isfinite(X)
        if bad.any():
            tally = Tally.of(bad, X, block.first_row)
        _, total, mean, scatter = survey(X, weights, 1.0 / unit)  # in units: no square leaves the range of floats
        return Joined((tally, _moments(scale, total, mean * unit, scatter)))

    def _sparse(self, block: Block) -> Joined:
        """Do the same for CSR: absent cells are zeros."""
        X, weights = block.features, block.row_weights()
        d = X.shape[1]
        bad = ~np.isfinite(X.data)
        tally = Tally.none(d)
        if bad.any():
            dense = X.toarray()
            tally = Tally.of(~np.isfinite(dense), dense, block.first_row)
        peaks = np.zeros(d)
        np.maximum.at(peaks, X.indices, np.abs(X.data))
        scale, unit = powers_of_two(peaks)
        rows = np.repeat(weights, np.diff(X.indptr))
        scaled = X.data / unit[X.indices]
        total = float(weights.sum())
        mean = np.bincount(X.indices, rows * scaled, minlength=d) / total
        filled = np.bincount(X.indices, rows, minlength=d)
        absent = np.where(np.bincount(X.indices, minlength=d) < X.shape[0], total - filled, 0.0)
        off = scaled - mean[X.indices]
        scatter = np.bincount(X.indices, rows * off * off, minlength=d) + absent * mean * mean
        return Joined((tally, _moments(scale, total, mean * unit, scatter)))


def _moderate(peaks: np.ndarray) -> bool:
    """Say whether squares of values of these sizes are far from overflow and underflow."""
    return bool(((peaks == 0) | ((peaks > 1e-100) & (peaks < 1e100))).all())


def _moments(scale: np.ndarray, total: float, mean: np.ndarray, scatter: np.ndarray) -> Moments:
    return Moments(scale, np.full((1, len(scale)), total), mean[None], scatter[None])


def powers_of_two(peaks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the power of two at or above each peak (0 for 0), and the same with 1 for 0 to divide by.

    >>> powers_of_two(np.array([0.0, 3.0]))
    (array([0., 4.]), array([1., 4.]))
    """
    finite = np.where(np.isfinite(peaks), peaks, 1.0)
    exponent = np.minimum(np.frexp(finite)[1], 1023)
    scale = np.where(finite > 0, np.ldexp(1.0, exponent), 0.0)
    return scale, np.where(scale > 0, scale, 1.0)
