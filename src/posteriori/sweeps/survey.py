"""The first sweep: moments of the columns and invalid cells, before anything is fitted."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.backends.csr import column_peaks, stored_cells
from posteriori.linalg.powers_of_two import nonzero, power_of_two
from posteriori.statistics.base import Joined
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.moments import Moments
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

#: Stands for weights of one each in the kernels.
_ONES = np.empty(0)


@dataclass(frozen=True)
class Survey(Sweep):
    """Means and variances of the columns, with the cells that are not finite."""

    def __call__(self, block: Block) -> Joined:
        """Return the `InvalidCells` and the `Moments` of all columns as one class."""
        if block.is_sparse:
            return self._sparse(block)
        X = block.features
        weights = _ONES if block.weights is None else block.weights
        survey = block.backend.survey.column_survey
        peaks, total, mean, scatter = survey(X, weights, np.ones(X.shape[1]))
        scale = power_of_two(peaks)
        unit = nonzero(scale)
        if np.isfinite(mean).all() and _moderate(peaks):
            return Joined((InvalidCells.none(X.shape[1]), _moments(scale, total, mean, scatter / unit**2)))
        _, total, mean, scatter = survey(X, weights, 1.0 / unit)  # in these units no square overflows or underflows
        return Joined((_not_finite(block), _moments(scale, total, mean * unit, scatter)))

    def _sparse(self, block: Block) -> Joined:
        """Return the same for CSR: absent cells are zeros."""
        X, weights = block.features, block.row_weights()
        d = X.shape[1]
        scale = power_of_two(column_peaks(X))
        unit = nonzero(scale)
        rows = np.repeat(weights, np.diff(X.indptr))
        scaled = X.data / unit[X.indices]
        total = float(weights.sum())
        mean = np.bincount(X.indices, rows * scaled, minlength=d) / total
        stored = np.bincount(X.indices, rows, minlength=d)
        absent = np.where(np.bincount(X.indices, minlength=d) < X.shape[0], total - stored, 0.0)
        deviation = scaled - mean[X.indices]
        scatter = np.bincount(X.indices, rows * deviation * deviation, minlength=d) + absent * mean * mean
        return Joined((_not_finite(block), _moments(scale, total, mean * unit, scatter)))


@dataclass(frozen=True)
class FiniteSweep(Sweep):
    """The cells that are not finite, by column."""

    def __call__(self, block: Block) -> InvalidCells:
        """Return those of a block."""
        return _not_finite(block)


def _not_finite(block: Block) -> InvalidCells:
    X = block.features
    if np.isfinite(stored_cells(X)).all():
        return InvalidCells.none(X.shape[1])
    dense = block.dense()
    return InvalidCells.of(~np.isfinite(dense), dense, block.first_row)


def _moderate(peaks: Array) -> bool:
    """Return whether squares of values of these sizes are far from overflow and underflow."""
    return bool(((peaks == 0) | ((peaks > 1e-100) & (peaks < 1e100))).all())


def _moments(scale: Array, total: float, mean: Array, scatter: Array) -> Moments:
    return Moments(scale, np.full((1, len(scale)), total), mean[None], scatter[None])
