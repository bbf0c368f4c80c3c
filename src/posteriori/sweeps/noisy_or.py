"""The sweep of a noisy-OR model: positive cells by column and class, and rows that the model cannot explain."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array, Indices, Integers, Mask
from posteriori.backends.csr import is_sparse, rows_with, stored_cells
from posteriori.statistics.base import Joined
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.positive_cells import PositiveCells
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class TriggerSweep(Sweep):
    """Negative cells by column, rows of class 1 without any positive cell, and the positive cells of both classes."""

    def __call__(self, block: Block) -> Joined:
        """Return the negative cells, the rows without a cause (as cells of one column), and the `PositiveCells`."""
        X, counts = block.features, block.counts(2)
        causeless = (counts[:, 1] > 0) & ~has_trigger(X)
        return Joined((
            negative_cells(block),
            InvalidCells.of(causeless[:, None], counts[:, 1:], block.first_row),
            _stacked([_presence(X[counts[:, k] > 0]) for k in range(2)]),
        ))  # fmt: skip


def negative_cells(block: Block) -> InvalidCells:
    """Return the cells of a block that are below zero."""
    X = block.features
    if stored_cells(X).min(initial=0.0) >= 0:
        return InvalidCells.none(X.shape[1])
    dense = block.dense()
    return InvalidCells.of(dense < 0, dense, block.first_row)


def has_trigger(X: Any) -> Mask:
    """Mark the rows (n,) that have a positive cell."""
    return rows_with(stored_cells(X) > 0, X)


def unexplained(block: Block) -> Mask:
    """Mark the rows of class 1 that have no positive cell."""
    return np.asarray((block.counts(2)[:, 1] > 0) & ~has_trigger(block.features))


@dataclass(frozen=True)
class HasTrigger:
    """Whether a row has a positive cell in some of the columns."""

    columns: Indices

    def __call__(self, block: Block) -> Mask:
        """Mark the rows of a block."""
        return np.asarray(has_trigger(block.features[:, self.columns]))


@dataclass(frozen=True)
class Uncovered:
    """Whether a row of class 1 has neither an offset nor a positive cell in some of the columns."""

    columns: Indices

    def __call__(self, block: Block) -> Mask:
        """Mark the rows of a block."""
        assert block.offset is not None
        bare = (block.counts(2)[:, 1] > 0) & (block.offset[:, 0] == 0)
        return np.asarray(bare & ~has_trigger(block.features[:, self.columns]))


def _presence(X: Any) -> tuple[Integers, Array]:
    """Return the number of positive cells in each column, and the smallest of them."""
    d = X.shape[1]
    if not is_sparse(X):
        return (X > 0).sum(axis=0), np.where(X > 0, X, np.inf).min(axis=0, initial=np.inf)
    filled = X.data > 0
    columns, least = X.indices[filled], np.full(d, np.inf)
    np.minimum.at(least, columns, X.data[filled])
    return np.bincount(columns, minlength=d), least


def _stacked(parts: list[tuple[Integers, Array]]) -> PositiveCells:
    rows, least = zip(*parts, strict=True)
    return PositiveCells(np.array(rows, dtype=np.int64), np.array(least))
