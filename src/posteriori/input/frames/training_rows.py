"""`TrainingRows`: the rows of a frame that a fit uses, read in batches, with their labels, weights and offsets."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.input.frames.batches import Batch, Batches, Frame, located
from posteriori.input.frames.row_selection import filter_rows, missing_labels
from posteriori.input.weights import refuse_weights


class Incomplete(Protocol):
    """Which rows of a frame have missing values in the columns used."""

    def __call__(self, frame: Frame) -> NDArray[np.bool_]:
        """Return a mask of the rows, (n,)."""


@dataclass(frozen=True)
class TrainingRows(Batches):
    """The rows of positive weight, without the columns of the target, the weights and the offset.

    Parameters
    ----------
    source : all rows and columns
    target, weight, offset : names of columns, or None
    incomplete : which rows are left out for missing values, besides those without a label; None for none
    """

    source: Batches
    target: str | None
    weight: str | None = None
    offset: str | None = None
    incomplete: Incomplete | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [name for name in self.source.names if name not in (self.target, self.weight, self.offset)]

    @property
    def library(self) -> str | None:
        """The library of the batches."""
        return self.source.library

    @property
    def n_partitions(self) -> int:
        """The number of partitions of the source."""
        return self.source.n_partitions

    def batches(self, partition: int) -> Iterator[Batch]:
        """Read one partition; add to errors in later batches where their rows are."""
        for batch in self.source.batches(partition):
            with located(self.source, partition, batch):
                selected = self._selected(batch)
            yield selected

    def _selected(self, batch: Batch) -> Batch:
        weights, offset = (self._numbers(batch.frame, name) for name in (self.weight, self.offset))
        target = None if self.target is None else batch.frame[self.target]
        columns, n_dropped = batch.frame.select(self.names), 0
        counted = np.ones(len(columns), np.bool_) if weights is None else weights > 0
        if self.incomplete is not None:
            complete = ~(self.incomplete(columns) | missing_labels(target, len(columns)))
            n_dropped = int((counted & ~complete).sum())
            counted &= complete
        if counted.all():
            return Batch(columns, weights, batch.first_row, None, n_dropped, target, offset)
        return Batch(
            filter_rows(columns, counted),
            None if weights is None else weights[counted],
            batch.first_row,
            np.flatnonzero(counted),
            n_dropped,
            None if target is None else target.filter(counted.tolist()),
            None if offset is None else offset[counted],
        )

    def _numbers(self, frame: Frame, name: str | None) -> Array | None:
        """Return the weights or offsets of a batch, checked."""
        if name is None:
            return None
        values: Any = read_numbers(frame[name].to_native(), "sample_weight" if name == self.weight else "offset")
        if name == self.weight:
            refuse_weights(values)
        return np.asarray(values, dtype=np.float64)

    def origin(self, partition: int, row: int) -> str:
        """Return where a row of the source is."""
        return self.source.origin(partition, row)

    def origin_of_selected(self, partition: int, row: int) -> str:
        """Return where a row is by its number among the selected rows of a partition; this reads them again."""
        for batch in self.batches(partition):
            if row < len(batch.frame):
                return self.origin(partition, batch.first_row + (row if batch.rows is None else int(batch.rows[row])))
            row -= len(batch.frame)
        raise IndexError(row)
