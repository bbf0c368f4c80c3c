"""`Means`: weight and mean of sufficient statistics, class by class."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Means(Statistics):
    """Mean of T(x) in each class: all that maximum likelihood in an exponential family asks of the rows.

    Book: [Jordan] §7.2.3.

    Parameters
    ----------
    weight : (K, p) sums of weights of the cells that are not missing
    mean : (K, p) weighted means of the p statistics
    """

    weight: Array
    mean: Array

    def merge(self, other: "Means") -> "Means":
        """Join two sets of rows: m = m_a + (w_b / w) (m_b - m_a)."""
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        moved = self.mean + share * (other.mean - self.mean)
        mean = np.where(self.weight == 0, other.mean, np.where(other.weight == 0, self.mean, moved))
        return Means(weight, mean)

    def zero(self) -> "Means":
        """Give the means of no rows."""
        return Means(np.zeros_like(self.weight), np.zeros_like(self.mean))
