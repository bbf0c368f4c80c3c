"""`Moments`: weight, mean and centred scatter of each column, class by class."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Moments(Statistics):
    """Weight, mean and sum of squared deviations of each column in each class.

    Held about the mean, never as raw sums of squares, and merged by the update of Chan, Golub and LeVeque
    (1983). The scatter is in units of ``scale`` squared, a power of two per column, so that columns of
    size 1e160 or 1e-170 neither overflow nor vanish; ``mean`` is in the units of the data.

    Parameters
    ----------
    scale : (d,) powers of two, 0 where nothing but zeros was seen
    weight : (K, d) sums of weights of the cells that are not missing
    mean : (K, d)
    scatter : (K, d) sums of weights times ((x - mean) / scale)^2
    """

    scale: Array
    weight: Array
    mean: Array
    scatter: Array

    def merge(self, other: "Moments") -> "Moments":
        """Join two sets of rows: S = S_a + S_b + (w_a w_b / w) (m_b - m_a)^2."""
        scale = np.maximum(self.scale, other.scale)
        unit = np.where(scale > 0, scale, 1.0)
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        shift = other.mean / unit - self.mean / unit
        shift[(self.weight == 0) | (other.weight == 0)] = 0.0
        mean = np.where(self.weight == 0, other.mean, self.mean + share * shift * unit)
        scatter = (
            self.scatter * (self.scale / unit) ** 2
            + other.scatter * (other.scale / unit) ** 2
            + self.weight * share * shift**2
        )
        return Moments(scale, weight, mean, scatter)

    def zero(self) -> "Moments":
        """Give the moments of no rows."""
        nothing = np.zeros_like(self.weight)
        return Moments(np.zeros_like(self.scale), nothing, nothing, nothing)
