"""`Counts`: the weight of each class, or of each class and cell."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.statistics.base import ClassStatistics
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Counts(ClassStatistics):
    """Sums of weights, of any fixed shape; the first axis is the class.

    Book: [Mitchell] Eq. 6 and 8, §2.3: # of rows with X_i = j and Y = k.

    >>> Counts(np.array([3.0, 5.0])).with_classes(np.array([0, 2]), 3).values.tolist()
    [3.0, 0.0, 5.0]
    """

    values: Array

    @property
    def width(self) -> int:
        """The number of cells."""
        return int(self.values.shape[1])

    def merge(self, other: "Counts") -> "Counts":
        """Add the counts; a sum above all floats is infinite."""
        with np.errstate(over="ignore"):
            return Counts(self.values + other.values)

    def check(self, where: str) -> None:
        """Raise unless counts of any shape are finite and not negative."""
        require.FINITE_NOT_NEGATIVE.check(self.values, self.values.shape, f"{where}.values")
