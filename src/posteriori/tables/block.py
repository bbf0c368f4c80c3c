"""`Block`: some rows on their way through a sweep."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Indices


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows; the only way data travels.

    Parameters
    ----------
    features : (n, d) float64 array in row order, or a CSR matrix
    targets : (n,) class codes, or (n, K) class counts, or None when predicting
    weights : (n,) the total weight of each row, or None for one each; counts have it in them already
    offset : (n, q) added to the linear predictor, or None
    first_row : the number of the first of these rows in the table
    tallied : (n, K) the targets as class counts, where they were laid out before
    scratch : where a table of a single block keeps what a sweep made of its features, for the next sweep
    """

    features: Any
    targets: AnyArray | None
    weights: Array | None
    offset: Array | None
    first_row: int
    tallied: Array | None = None
    scratch: dict[str, Any] | None = field(default=None, compare=False, repr=False)

    @property
    def n_rows(self) -> int:
        """How many rows are here."""
        return int(self.features.shape[0])

    def counts(self, n_classes: int) -> Array:
        """Weigh each row into its class: (n, K), the form in which links take targets."""
        if self.tallied is not None:
            return self.tallied
        assert self.targets is not None
        return class_counts(self.targets, self.weights, n_classes)

    def codes(self) -> Codes:
        """Give each row's class; of counts, the class counted most."""
        assert self.targets is not None
        if self.targets.ndim == 2:
            return np.asarray(self.targets.argmax(axis=1), dtype=np.intp)
        return self.targets

    def picked(self, rows: Indices) -> "Block":
        """Give some of the rows, copied."""
        return Block(
            self.features[rows],
            None if self.targets is None else self.targets[rows],
            None if self.weights is None else self.weights[rows],
            None if self.offset is None else self.offset[rows],
            self.first_row,
            None if self.tallied is None else self.tallied[rows],
        )

    def row_weights(self) -> Array:
        """Give each row's weight: 1 where none was given."""
        return np.ones(self.n_rows) if self.weights is None else self.weights


def class_counts(targets: AnyArray, weights: Array | None, n_classes: int) -> Array:
    """Lay class codes out as counts, each row's weight under its class; counts are given back as they are.

    >>> class_counts(np.array([1, 0]), np.array([2.0, 3.0]), 2).tolist()
    [[0.0, 2.0], [3.0, 0.0]]
    """
    if targets.ndim == 2:
        return targets
    counts: Array = np.eye(n_classes).take(targets, axis=0)
    if weights is not None:
        counts *= weights[:, None]
    return counts
