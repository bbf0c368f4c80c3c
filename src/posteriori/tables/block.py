"""`Block`: some rows on their way through a sweep."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows; the only way data travels.

    Parameters
    ----------
    features : (n, d) float64 array in row order, or a CSR matrix
    targets : (n,) class codes, or (n, K) class counts, or None when predicting
    weights : (n,) or None for one each; already inside the counts where targets are counts
    offset : (n, q) added to the linear predictor, or None
    first_row : the number of the first of these rows in the table
    """

    features: Any
    targets: NDArray[Any] | None
    weights: Array | None
    offset: Array | None
    first_row: int

    @property
    def n_rows(self) -> int:
        """How many rows are here."""
        return int(self.features.shape[0])

    def counts(self, n_classes: int) -> Array:
        """Weigh each row into its class: (n, K), the form in which links take targets."""
        assert self.targets is not None
        if self.targets.ndim == 2:
            return self.targets
        counts = np.zeros((self.targets.shape[0], n_classes))
        counts[np.arange(self.targets.shape[0]), self.targets] = 1.0 if self.weights is None else self.weights
        return counts

    def codes(self) -> NDArray[np.intp]:
        """Give each row's class; of counts, the class counted most."""
        assert self.targets is not None
        if self.targets.ndim == 2:
            return self.targets.argmax(axis=1)
        return self.targets

    def row_weights(self) -> Array:
        """Give each row's weight: 1 where none was given, the total where targets are counts."""
        if self.weights is not None:
            return self.weights
        if self.targets is not None and self.targets.ndim == 2:
            total: Array = self.targets.sum(axis=1)
            return total
        return np.ones(self.n_rows)
