"""Rows with their labels, weights and offsets, passed as values or as names of columns of a frame."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import scipy.sparse as sp
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from posteriori.arrays import Mask
from posteriori.checks.sparse import checked_indices
from posteriori.input.formula.target import pick_target
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick, refuse_two_uses
from posteriori.input.frames.row_selection import filter_rows, filter_values
from posteriori.messages.errors import DataError, DataTypeError


@dataclass(frozen=True)
class LabelledData:
    """Rows of features with their labels, weights and offsets.

    Parameters
    ----------
    X : (n, d) array, CSR matrix or frame, without the columns of labels, weights and offsets
    y : (n,) labels, class counts, or None
    sample_weight, offset : (n,) values, or None
    extra : {name: values} for other arguments of a classifier's methods
    target : the name of y, or None
    n_rows : number of rows
    """

    X: Any
    y: Any
    sample_weight: Any = None
    offset: Any = None
    extra: dict[str, Any] = field(default_factory=dict)
    target: str | None = None
    n_rows: int = 0

    def select(self, rows: Mask) -> "LabelledData":
        """Return only the rows that are True in a mask."""
        return replace(
            self,
            X=select_rows(self.X, rows),
            y=filter_values(self.y, rows),
            sample_weight=filter_values(self.sample_weight, rows),
            offset=filter_values(self.offset, rows),
            extra={name: filter_values(value, rows) for name, value in self.extra.items()},
            n_rows=int(rows.sum()),
        )


def read_labelled_data(
    X: Any, y: Any, sample_weight: Any = None, offset: Any = None, extra: Mapping[str, Any] | None = None
) -> LabelledData:
    """Take labels, weights and offsets out of X if they are names, and align all values with the rows of X.

    Parameters
    ----------
    X : (n, d) array, sparse matrix or frame
    y, sample_weight, offset : (n,) values, or names of columns of X
    extra : {name: values}; pandas series are aligned with X, other values are unchanged

    Examples
    --------
    >>> import pandas as pd
    >>> data = read_labelled_data(pd.DataFrame({"x": [1.0, 2.0], "label": ["a", "b"]}), "label")
    >>> data.X.columns.tolist(), data.y.tolist(), data.target
    (['x'], ['a', 'b'], 'label')
    """
    frame = as_frame(X)
    values = {"y": y, "sample_weight": sample_weight, "offset": offset}
    columns = {name: value for name, value in values.items() if isinstance(value, str)}
    rows = checked_indices(X).tocsr() if sp.issparse(X) else X
    if columns and frame is None:
        name, column = next(iter(columns.items()))
        raise DataTypeError(f"{name}={column!r} names a column, but X is not a frame: pass the values.")
    if columns and frame is not None:
        refuse_two_uses(list(columns.values()))
        values |= {name: (pick_target if name == "y" else pick)(frame, column) for name, column in columns.items()}
        rows = frame.drop([column for column in columns.values() if column in frame.columns]).to_native()
    n_rows = int(_num_samples(X))
    if n_rows == 0:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required: X has no rows.")
    target = columns.get("y", getattr(y, "name", None))
    return LabelledData(
        rows,
        **{name: aligned(X, value, name) for name, value in values.items()},
        extra={name: aligned(X, value, name) for name, value in (extra or {}).items()},
        target=target if isinstance(target, str) and target else None,
        n_rows=n_rows,
    )


def select_rows(X: Any, rows: Mask) -> Any:
    """Return the rows of an array, a sparse matrix or a frame that are True in a mask, in the same container."""
    frame = None if hasattr(X, "iloc") else as_frame(X)  # narwhals would rename numbered columns of pandas
    if rows.all():
        return X
    return _safe_indexing(X, rows) if frame is None else filter_rows(frame, rows).to_native()
