"""`Block`: some rows of a table, the input of a sweep."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Indices
from posteriori.backends.backend import ARRAYS, Backend
from posteriori.backends.csr import is_sparse, to_dense


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows, with everything that belongs to them: sweeps read data in no other form.

    Parameters
    ----------
    features : (n, d) float64 array in C order, or a CSR matrix
    targets : (n,) class codes, or (n, K) class counts, or None when predicting
    weights : (n,) the total weight of each row, or None if each is 1; class counts already contain it
    offset : (n, q) added to the linear predictor, or None
    first_row : the number of the first row in the table
    tallied : (n, K) the targets as class counts, if they were computed before
    scratch : a cache for what a sweep computed from the features, if the table is a single block; else None
    backend : the kernels that sweeps use
    """

    features: Any
    targets: AnyArray | None
    weights: Array | None
    offset: Array | None
    first_row: int
    tallied: Array | None = None
    scratch: dict[str, Any] | None = field(default=None, compare=False, repr=False)
    backend: Backend = ARRAYS

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.features.shape[0])

    @property
    def is_sparse(self) -> bool:
        """Whether the features are a CSR matrix."""
        return is_sparse(self.features)

    def dense(self) -> Array:
        """Return the features as an array."""
        return to_dense(self.features)

    @property
    def is_grouped(self) -> bool:
        """Whether the targets are class counts, not one class per row."""
        return self.targets is not None and self.targets.ndim == 2

    def counts(self, n_classes: int) -> Array:
        """Return the weight of each row by class, (n, K): the form in which links take targets."""
        if self.tallied is not None:
            return self.tallied
        assert self.targets is not None
        return class_counts(self.targets, self.weights, n_classes)

    def codes(self) -> Codes:
        """Return the class of each row; with class counts, the class of the largest count."""
        assert self.targets is not None
        if self.targets.ndim == 2:
            return np.asarray(self.targets.argmax(axis=1), dtype=np.intp)
        return self.targets

    def picked(self, rows: Indices) -> "Block":
        """Return a copy of some of the rows."""
        per_row = (self.targets, self.weights, self.offset, self.tallied)
        targets, weights, offset, tallied = (None if values is None else values[rows] for values in per_row)
        return Block(self.features[rows], targets, weights, offset, self.first_row, tallied, None, self.backend)

    def own(self, values: Any) -> Any:
        """Return the part of an array over all rows of the table that belongs to these rows."""
        return values[self.first_row : self.first_row + self.n_rows]

    def row_weights(self) -> Array:
        """Return the weight of each row, 1 if there are no weights."""
        return np.ones(self.n_rows) if self.weights is None else self.weights


def class_counts(targets: AnyArray, weights: Array | None, n_classes: int) -> Array:
    """Return class codes as class counts, the weight of each row under its class; return class counts unchanged.

    >>> class_counts(np.array([1, 0]), np.array([2.0, 3.0]), 2).tolist()
    [[0.0, 2.0], [3.0, 0.0]]
    """
    if targets.ndim == 2:
        return targets
    counts: Array = np.eye(n_classes).take(targets, axis=0)
    if weights is not None:
        counts *= weights[:, None]
    return counts
