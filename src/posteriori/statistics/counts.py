"""`Counts`: how much weight each class, or each class and cell, has."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.statistics.base import Statistics
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Counts(Statistics):
    """Sums of weights, of any fixed shape; the first axis is the class.

    Book: [Mitchell] Eq. 6 and 8, §2.3: # of rows with X_i = j and Y = k.
    """

    values: NDArray[np.float64]

    def merge(self, other: "Counts") -> "Counts":
        """Add the counts; a sum above all floats is infinite."""
        with np.errstate(over="ignore"):
            return Counts(self.values + other.values)

    def zero(self) -> "Counts":
        """Count nothing."""
        return Counts(np.zeros_like(self.values))
