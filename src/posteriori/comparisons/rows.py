"""The rows that models are tried on: features as given, labels as codes, any part of them on demand."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from posteriori.checks.sparse import checked_indices
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.input.targets import read_targets
from posteriori.messages.errors import DataError, DataTypeError

Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Rows:
    """Features and labels of n rows.

    Parameters
    ----------
    X : (n, d) array, sparse matrix or frame, as the user gave it, without the column of the classes
    codes : (n,) places of the rows' classes in `classes`
    classes : (K,) all classes, sorted
    library : the frame library of X, or None
    """

    X: Any
    codes: Numbers
    classes: NDArray[Any]
    library: str | None = None

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.codes)

    def features(self, numbers: Numbers) -> Any:
        """Give some rows of X, as X is: a frame, an array, a matrix."""
        frame = as_frame(self.X) if self.library is not None else None
        if frame is None:
            return _safe_indexing(self.X, numbers)
        return frame[numbers, :].to_native()

    def labels(self, numbers: Numbers) -> NDArray[Any]:
        """Give the labels of some rows."""
        labels: NDArray[Any] = self.classes[self.codes[numbers]]
        return labels


def read_rows(X: Any, y: Any) -> Rows:
    """Check X and y: y may be the name of a column of X, which is then no feature."""
    frame = as_frame(X)
    if frame is not None:
        if isinstance(y, str):
            labels = pick(frame, y)
            frame = frame.drop(y)
            X, y = frame.to_native(), labels
        _refuse_none(len(frame))
        targets = read_targets(aligned(X, y, "y"), len(frame))
        return Rows(X, _codes(targets), targets.classes, str(frame.implementation.value))
    if isinstance(y, str):
        raise DataTypeError(f"y={y!r} names a column, but X is not a frame: give the classes themselves.")
    if sp.issparse(X):
        X = checked_indices(X).tocsr()
    n_rows = _length(X)
    _refuse_none(n_rows)
    targets = read_targets(y, n_rows)
    return Rows(X, _codes(targets), targets.classes)


def _codes(targets: Any) -> Numbers:
    codes: Numbers = targets.codes
    return codes


def _refuse_none(n_rows: int) -> None:
    if n_rows == 0:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required: X has no rows.")


def _length(X: Any) -> int:
    """Count the rows of an array or a list of rows."""
    shape = getattr(X, "shape", None)
    if shape is None and isinstance(X, list | tuple):
        return len(X)
    if not shape:
        raise DataTypeError(
            f"X must hold rows in memory, as an array, a sparse matrix or a frame; got {type(X).__name__}."
        )
    if len(shape) != 2:
        raise DataError(f"Expected 2D array, got X of shape {tuple(shape)} instead.")
    return int(shape[0])
