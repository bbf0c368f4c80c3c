"""The rows of a comparison: features in their original container, labels as codes."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from posteriori.arrays import Indices
from posteriori.input.frames.native import as_frame, native_of
from posteriori.input.labelled_data import read_labelled_data
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
        frame = None if self.library is None else as_frame(self.X)
        return _safe_indexing(self.X, rows) if frame is None else frame[rows, :].to_native()

    def labels(self, rows: Indices) -> NDArray[Any]:
        """Return the labels of some rows."""
        labels: NDArray[Any] = self.classes[self.codes[rows]]
        return labels


def read_rows(X: Any, y: Any) -> LabelledRows:
    """Check X and y; y may be the name of a column of X, which is then not a feature."""
    library = native_of(X)
    if library is None and not isinstance(X, list | tuple):
        shape = getattr(X, "shape", None)
        if not shape:
            raise DataTypeError(f"X must be an array, a sparse matrix or a frame in memory; got {type(X).__name__}.")
        if len(shape) != 2:
            raise DataError(f"Expected 2D array, got X of shape {tuple(shape)} instead.")
    data = read_labelled_data(X, y)
    targets = read_targets(data.y, data.n_rows)
    codes: Any = targets.codes
    return LabelledRows(data.X, codes, targets.classes, library)
