"""`Means`: weight and mean of sufficient statistics, class by class."""

from dataclasses import dataclass

from posteriori.arrays import Array
from posteriori.statistics.base import ClassStatistics
from posteriori.statistics.merged_means import merge_means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Means(ClassStatistics):
    """Mean of T(x) in each class: all that maximum likelihood in an exponential family needs of the rows.

    Book: [Jordan] §7.2.3.

    Parameters
    ----------
    weight : (K, p) sums of weights of the cells that are not missing
    mean : (K, p) weighted means of the p statistics
    """

    weight: Array
    mean: Array

    def merge(self, other: "Means") -> "Means":
        """Combine two sets of rows: m = m_a + (w_b / w) (m_b - m_a)."""
        merged = merge_means((self.weight, other.weight), (self.mean, other.mean))
        return Means(merged.weight, merged.mean)
