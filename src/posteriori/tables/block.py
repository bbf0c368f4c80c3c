"""`Block`: some rows of a table, the input of a sweep."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import AnyArray, Array, Codes, Indices, Integers
from posteriori.backends.backend import ARRAYS, Backend
from posteriori.backends.csr import is_sparse, to_dense

#: What a block has per row besides its features.
PER_ROW = ("targets", "weights", "offset", "tallied", "given_weights", "log_coefficients", "groups", "extra")
#: All of it, in this order.
OF_ROWS = attrgetter(*PER_ROW)


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows, with everything that belongs to them: sweeps read data in no other form.

    Parameters
    ----------
    features : (n, d) float64 array in C order, or a CSR matrix
    targets : (n,) class codes, or (n, K) class counts, or None when predicting
    weights : (n,) the total weight of each row, or None if each is 1; class counts already contain it
    offset : (n, q) added to the linear predictor, or None
    first_row : the number of the first row in the table; numbers of rows are unique and increase, and need not be dense
    tallied : (n, K) the targets as class counts, if they were computed before
    scratch : a cache for what a sweep computed from the features, if the table is a single block; else None
    backend : the kernels that sweeps use
    given_weights : (n,) the weights of the rows as the user passed them, or None
    log_coefficients : (n,) the logs of the multinomial coefficients of the class counts, or None if all are zero
    groups : (n,) codes of the groups of dependent rows, or None
    extra : (n, e) additional columns, or None
    """

    features: Any
    targets: AnyArray | None = None
    weights: Array | None = None
    offset: Array | None = None
    first_row: int = 0
    tallied: Array | None = None
    scratch: dict[str, Any] | None = field(default=None, compare=False, repr=False)
    backend: Backend = ARRAYS
    given_weights: Array | None = None
    log_coefficients: Array | None = None
    groups: Integers | None = None
    extra: Array | None = None

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

    def per_row(self) -> dict[str, Any]:
        """Return everything but the features that has one value per row, by name; None where there is none."""
        return dict(zip(PER_ROW, OF_ROWS(self), strict=True))

    def picked(self, rows: Indices) -> "Block":
        """Return a copy of some of the rows."""
        return replace(self, features=self.features[rows], scratch=None, **selected(self.per_row(), rows))

    def weighted(self, factor: Array) -> "Block":
        """Return the same rows with their weights multiplied by factors (n,)."""
        weights = factor if self.weights is None else self.weights * factor
        targets = self.targets
        if targets is not None and targets.ndim == 2:
            targets = targets * factor[:, None]
        return replace(self, targets=targets, weights=weights, tallied=None, scratch=None)

    def row_weights(self) -> Array:
        """Return the weight of each row, 1 if there are no weights."""
        return np.ones(self.n_rows) if self.weights is None else self.weights


def selected(per_row: dict[str, Any], rows: slice | Indices) -> dict[str, Any]:
    """Return the values of some rows, by name."""
    return {name: None if values is None else values[rows] for name, values in per_row.items()}


def stacked(blocks: Sequence[Block]) -> Block:
    """Return the rows of several blocks as one block.

    >>> both = stacked([Block(np.array([[1.0]])), Block(np.array([[2.0]]), first_row=1)])
    >>> both.features.tolist(), both.targets
    ([[1.0], [2.0]], None)
    """
    if len(blocks) == 1:
        return blocks[0]
    features = [block.features for block in blocks]
    whole = sp.vstack(features, format="csr") if blocks[0].is_sparse else np.concatenate(features)
    values = zip(PER_ROW, zip(*map(OF_ROWS, blocks), strict=True), strict=True)
    joined: dict[str, Any] = {name: None if parts[0] is None else np.concatenate(parts) for name, parts in values}
    return replace(blocks[0], features=whole, scratch=None, **joined)


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
