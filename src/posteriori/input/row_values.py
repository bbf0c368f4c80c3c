"""Values per row that a user passes besides targets: groups, further columns, new weights, offsets."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.numbers import read_numbers
from posteriori.input.classes.missing_labels import missing_marks
from posteriori.input.weights import read_offset, read_weights
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.tables.memory import MemoryTable
from posteriori.tables.table import Table


def with_groups(table: Table, groups: Any) -> Table:
    """Check group labels, one per row of the user's data, and return the table with their codes."""
    if groups is None:
        raise DataError("a cluster covariance needs groups=, the group of each row.")
    try:
        labels = np.asanyarray(groups)  # so that a mask is not lost
    except ValueError as error:  # sequences of several lengths
        raise DataTypeError(f"groups must hold one label for each row: {error}.") from None
    memory = _in_memory(table, "groups")
    n_rows = memory.features.n_rows
    if labels.shape != (n_rows,):
        raise DataError(f"groups has shape {labels.shape}, expected {(n_rows,)}: the group of each row.")
    missing = missing_marks(labels)
    if missing.any():
        raise DataError(
            f"groups: {int(missing.sum())} are missing, the first in row {int(missing.argmax())}. Put each row that "
            "belongs to no group into a group of its own, or fit without those rows."
        )
    try:
        _, codes = np.unique(np.asarray(labels), return_inverse=True)
    except TypeError as error:
        raise DataTypeError(f"groups must be labels of one type, text or numbers: {error}.") from None
    return replace(memory, groups=codes.astype(np.int64))


def read_extra(extra: Any, table: Table) -> Array:
    """Check further columns, one line per row of the user's data, and return those of the rows of positive weight."""
    dense = extra.toarray() if hasattr(extra, "toarray") else extra
    values = read_numbers(dense, "score_test: extra")
    values = values[:, None] if values.ndim == 1 else values
    memory = _in_memory(table, "extra")
    if values.ndim != 2 or len(values) != memory.features.n_rows or not values.shape[1]:
        raise DataError(
            f"score_test: extra has shape {values.shape}, expected one or more columns of {memory.features.n_rows} "
            "rows."
        )
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values).all(axis=1)))
        raise DataError(f"score_test: extra has values that are not finite, the first in row {row}.")
    return values if memory.positive_rows is None else values[memory.positive_rows]


def with_extra(table: Table, extra: Array) -> Table:
    """Return the table with further columns of its rows of positive weight."""
    return replace(_in_memory(table, "extra"), extra=table.in_user_rows(extra, 0.0))


def with_weights(table: Table, sample_weight: Any) -> Table:
    """Return rows to predict with weights, without the rows of weight zero."""
    memory = _in_memory(table, "sample_weight")
    weights: NDArray[np.float64] | None = read_weights(sample_weight, memory.features.n_rows)
    assert weights is not None
    return replace(memory, weights=weights, positive_rows=None if weights.all() else np.flatnonzero(weights))


def with_offset(table: Table, offset: Any, n_scores: int) -> Table:
    """Check the offset of rows to predict, (n,) or (n, K), and return the table with it."""
    if offset is None:
        return table
    memory = _in_memory(table, "offset")
    return replace(memory, offset=read_offset(offset, memory.features.n_rows, n_scores))


def _in_memory(table: Table, name: str) -> MemoryTable:
    if not isinstance(table, MemoryTable):
        raise DataError(f"{name}= has one value per row, so the rows must be in memory, not in a {table.kind}.")
    return table
