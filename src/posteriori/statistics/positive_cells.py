"""`Presence`: in how many rows of each class a column is not zero, and the least it then is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class Presence(Statistics):
    """Rows of each class in which a column is positive.

    Parameters
    ----------
    rows : (K, d) how many
    least : (K, d) the least positive cell in them, infinite where there is none
    """

    rows: NDArray[np.int64]
    least: NDArray[np.float64]

    def merge(self, other: "Presence") -> "Presence":
        """Add the rows, keep the lesser cells."""
        return Presence(self.rows + other.rows, np.minimum(self.least, other.least))

    def zero(self) -> "Presence":
        """Give the presence in no rows."""
        return Presence(np.zeros_like(self.rows), np.full_like(self.least, np.inf))
