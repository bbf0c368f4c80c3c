"""The sweep of everything but the features: class sizes, weights, class counts, offsets."""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from posteriori.arrays import Array
from posteriori.statistics.curvature import Total
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.row_summary import RowSummary
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block
from posteriori.tables.table import UNCOUNTED

_NO_OFFSET = np.empty(0)


@dataclass(frozen=True)
class RowSweep(Sweep):
    """Rows and weight per class, sums of weights, likelihood constants of class counts, the range of the offset."""

    n_classes: int

    def __call__(self, block: Block) -> RowSummary:
        """Return the `RowSummary` of a block."""
        rows, weights = self._by_class(block)
        n = block.n_rows
        user_weights = block.given_weights
        total = float(n) if block.weights is None else float(block.weights.sum())
        copies = float(n) if user_weights is None else float(user_weights.sum())
        weighted = 0.0 if user_weights is None else float(n)
        sums, trials = (total, copies, 0.0, weighted, 0.0, 0.0), float(n)
        if block.is_grouped:
            counts = block.counts(self.n_classes)
            of_row = counts.sum(axis=1)
            saturated = float((xlogy(counts, counts).sum(axis=1) - xlogy(of_row, of_row)).sum())
            sums = (float(counts.sum()), copies, float(n), weighted, saturated, _arrangements(block))
            trials = float((of_row if user_weights is None else of_row / user_weights).sum())
        offset = block.offset
        if offset is None:
            return RowSummary(rows, weights, *sums, trials, _NO_OFFSET, _NO_OFFSET, _NO_OFFSET)
        mean = (offset / n).sum(axis=0)  # the sum of offsets near 1e308 overflows
        return RowSummary(rows, weights, *sums, trials, offset.min(axis=0), offset.max(axis=0), mean)

    def _by_class(self, block: Block) -> tuple[Array, Array]:
        if block.targets is None:
            rows = np.zeros(self.n_classes)
            rows[0] = block.n_rows
            return rows, rows
        rows = np.bincount(block.codes(), minlength=self.n_classes).astype(np.float64)
        if block.is_grouped:
            return rows, np.asarray(block.targets.sum(axis=0), dtype=np.float64)
        if block.weights is None:
            return rows, rows
        return rows, np.bincount(block.targets, block.weights, minlength=self.n_classes).astype(np.float64)


@dataclass(frozen=True)
class LengthSweep(Sweep):
    """The number of rows of each partition of a table that numbers its rows by partition."""

    n_partitions: int

    def __call__(self, block: Block) -> Total:
        """Return the number of rows of a block, at its partition."""
        lengths = np.zeros(self.n_partitions)
        lengths[block.first_row // UNCOUNTED] = block.n_rows
        return Total(lengths)


@dataclass(frozen=True)
class FractionalSweep(Sweep):
    """The weights that are not whole numbers, as invalid cells of one column."""

    def __call__(self, block: Block) -> InvalidCells:
        """Return those of a block."""
        assert block.given_weights is not None
        weights = block.given_weights[:, None]
        return InvalidCells.of(
            np.abs(weights - np.rint(weights)) > 1e-7 * np.maximum(weights, 1.0), weights, block.first_row
        )


def _arrangements(block: Block) -> float:
    logs, weights = block.log_coefficients, block.given_weights
    if logs is None:
        return 0.0
    return float(logs.sum() if weights is None else weights @ logs)
