"""`Moments`: weight, mean and centred scatter of each column, class by class."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.requirements import fail
from posteriori.linalg.powers_of_two import nonzero
from posteriori.statistics.base import ClassStatistics, check_scale
from posteriori.statistics.merged_means import merge_means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Moments(ClassStatistics):
    """Weight, mean and sum of squared deviations of each column in each class.

    Squares are summed about the mean, never about zero, and merged by the update of Chan, Golub and LeVeque
    (1983). The scatter is in units of ``scale`` squared, a power of two per column, so that columns of
    size 1e160 or 1e-170 neither overflow nor vanish; ``mean`` is in the units of the data.

    Parameters
    ----------
    scale : (d,) powers of two, 0 for a column of zeros
    weight : (K, d) sums of weights of the cells that are not missing
    mean : (K, d)
    scatter : (K, d) sums of weights times ((x - mean) / scale)^2
    """

    scale: Array
    weight: Array
    mean: Array
    scatter: Array

    def merge(self, other: "Moments") -> "Moments":
        """Combine two sets of rows: S = S_a + S_b + (w_a w_b / w) (m_b - m_a)^2."""
        scale = np.maximum(self.scale, other.scale)
        unit = nonzero(scale)
        merged = merge_means((self.weight, other.weight), (self.mean, other.mean), unit)
        scatter = (
            self.scatter * (self.scale / unit) ** 2
            + other.scatter * (other.scale / unit) ** 2
            + self.weight * merged.proportion * merged.shift**2
        )
        return Moments(scale, merged.weight, merged.mean, scatter)

    def check(self, where: str) -> None:
        """Raise unless sums of squares are those of rows in units of the scale."""
        check_scale(self.mean, self.scale, where)
        if (self.scatter / 256.0 > self.weight).any():
            fail(f"{where}.scatter", "is larger than the weights allow")
