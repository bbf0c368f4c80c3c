"""`Units`: the centre and scale in which a fit works, and the way back to the user's own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Units:
    """z = (x - centre) / scale, with or without an intercept.

    Coefficients are (q, p), the intercept first: eta = b + z'w here is eta = b_x + x'w_x in the user's units,
    with w_x = w / scale and b_x = b - w_x'centre.

    Parameters
    ----------
    centre, scale : (d,)
    intercept : whether the first coefficient is an intercept; without one nothing is centred
    """

    centre: Array
    scale: Array
    intercept: bool

    @property
    def n_coefficients(self) -> int:
        """How many coefficients a score has (p)."""
        return len(self.scale) + self.intercept

    def to_data(self, w: Array) -> tuple[Array, Array]:
        """Give the intercepts (q,) and weights (q, d) in the user's units."""
        weights = (w[:, 1:] if self.intercept else w) / self.scale
        lead = w[:, 0] - weights @ self.centre if self.intercept else np.zeros(len(w))
        return lead, weights

    def from_data(self, intercept: Array, weights: Array) -> Array:
        """Give coefficients (q, p) in these units of a model in the user's."""
        scaled = weights * self.scale
        if not self.intercept:
            return scaled
        return np.column_stack([intercept + weights @ self.centre, scaled])

    def jacobian(self) -> Array:
        """Give T with (b_x, w_x) = T (b, w) for one score, (p, p)."""
        if not self.intercept:
            return np.diag(1.0 / self.scale)
        T = np.diag(np.concatenate([[1.0], 1.0 / self.scale]))
        T[0, 1:] = -self.centre / self.scale
        return T
