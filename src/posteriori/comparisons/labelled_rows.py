"""The rows of a comparison: features in their original container, labels as codes."""

from dataclasses import dataclass
from typing import Any

import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from posteriori.arrays import Indices
from posteriori.checks.sparse import checked_indices
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.input.targets import read_targets
from posteriori.messages.errors import DataError, DataTypeError


@dataclass(frozen=True)
class LabelledRows:
    """Features and labels of n rows.

    Parameters
    ----------
    X : (n, d) array, sparse matrix or frame, in its original container, without the target column
    codes : (n,) indices of the rows' classes in `classes`
    classes : (K,) all classes, sorted
    library : the frame library of X, or None
    """

    X: Any
    codes: Indices
    classes: NDArray[Any]
    library: str | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    def features(self, rows: Indices) -> Any:
        """Return some rows of X, as the same kind of container."""
        frame = as_frame(self.X) if self.library is not None else None
        if frame is None:
            return _safe_indexing(self.X, rows)
        return frame[rows, :].to_native()

    def labels(self, rows: Indices) -> NDArray[Any]:
        """Return the labels of some rows."""
        labels: NDArray[Any] = self.classes[self.codes[rows]]
        return labels


def read_rows(X: Any, y: Any) -> LabelledRows:
    """Check X and y; y may be the name of a column of X, which is then not a feature."""
    frame, library = as_frame(X), None
    if frame is not None:
        if isinstance(y, str):
            labels = pick(frame, y)
            frame = frame.drop(y)
            X, y = frame.to_native(), labels
        n_rows, library = len(frame), str(frame.implementation.value)
    elif isinstance(y, str):
        raise DataTypeError(f"y={y!r} names a column, but X is not a frame: pass the classes.")
    else:
        X = checked_indices(X).tocsr() if sp.issparse(X) else X
        n_rows = _length(X)
    if n_rows == 0:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required: X has no rows.")
    targets = read_targets(y if frame is None else aligned(X, y, "y"), n_rows)
    codes: Any = targets.codes
    return LabelledRows(X, codes, targets.classes, library)


def _length(X: Any) -> int:
    """Return the number of rows of an array or a list of rows."""
    shape = getattr(X, "shape", None)
    if shape is None and isinstance(X, list | tuple):
        return len(X)
    if not shape:
        raise DataTypeError(f"X must be an array, a sparse matrix or a frame in memory; got {type(X).__name__}.")
    if len(shape) != 2:
        raise DataError(f"Expected 2D array, got X of shape {tuple(shape)} instead.")
    return int(shape[0])
