"""The sweep that looks at triggers: which columns occur with which class, and what a noisy-OR cannot explain."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array, Integers, Mask
from posteriori.messages.errors import DataError
from posteriori.statistics.base import Joined
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.positive_cells import PositiveCells
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class TriggerSweep(Sweep):
    """Negative cells by column, rows of class 1 without any trigger, and the presence of columns in both classes."""

    def __call__(self, block: Block) -> Joined:
        """Return the negative cells, the causeless rows (as cells of a single column), and the `PositiveCells`."""
        X, counts = block.features, block.counts(2)
        causeless = (counts[:, 1] > 0) & ~has_trigger(X)
        return Joined((
            negative_cells(block),
            InvalidCells.of(causeless[:, None], counts[:, 1:], block.first_row),
            _stacked([_presence(X[counts[:, k] > 0]) for k in range(2)]),
        ))  # fmt: skip


def negative_cells(block: Block) -> InvalidCells:
    """InvalidCells the cells of a block that are below zero."""
    X = block.features
    stored = X if isinstance(X, np.ndarray) else X.data
    if not stored.size or stored.min() >= 0:
        return InvalidCells.none(X.shape[1])
    dense = X if isinstance(X, np.ndarray) else X.toarray()
    return InvalidCells.of(dense < 0, dense, block.first_row)


def has_trigger(X: Any) -> Mask:
    """Say which rows have a positive cell, (n,)."""
    if isinstance(X, np.ndarray):
        return np.asarray((X > 0).any(axis=1))
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    return np.bincount(rows, X.data > 0, minlength=X.shape[0]) > 0


def _presence(X: Any) -> tuple[Integers, Array]:
    """Give, of some rows, how many are positive in each column, and the least positive cell."""
    d = X.shape[1]
    if not sp.issparse(X):
        return (X > 0).sum(axis=0), np.where(X > 0, X, np.inf).min(axis=0, initial=np.inf)
    filled = X.data > 0
    columns, least = X.indices[filled], np.full(d, np.inf)
    np.minimum.at(least, columns, X.data[filled])
    return np.bincount(columns, minlength=d), least


def _stacked(parts: list[tuple[Integers, Array]]) -> PositiveCells:
    rows, least = zip(*parts, strict=True)
    return PositiveCells(np.array(rows, dtype=np.int64), np.array(least))


class NegativeError(DataError):
    """Rows to score hold cells below zero; `tally` says which."""

    def __init__(self, tally: InvalidCells) -> None:
        super().__init__("rows to score hold cells below zero")
        self.tally = tally
