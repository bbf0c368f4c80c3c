"""`Gram`: class weights, class means, and the centred cross products of the columns."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Gram(Statistics):
    """The within-class scatter matrices, pooled into one or kept for each class.

    S_k = sum over class k of w (x - m_k)(x - m_k)', in units of ``scale`` (a power of two per column, see
    `Moments`); pooled, the sum of the S_k, which is all that a shared covariance needs.

    Book: [Bishop] Eq. 4.28 and 4.40, §4.1.4-4.1.6; [Jordan] §7.2.1.

    Parameters
    ----------
    scale : (d,) powers of two
    weight : (K,) sums of weights
    mean : (K, d) class means, in the units of the data
    scatter : (1, d, d) when pooled, else (K, d, d)
    """

    scale: Array
    weight: Array
    mean: Array
    scatter: Array

    @property
    def pooled(self) -> bool:
        """Whether one matrix stands for all classes."""
        return bool(self.scatter.shape[0] == 1) and self.weight.shape[0] > 1

    def merge(self, other: "Gram") -> "Gram":
        """Join two sets of rows: S = S_a + S_b + sum_k (w_a w_b / w)(m_b - m_a)(m_b - m_a)'."""
        scale = np.maximum(self.scale, other.scale)
        unit = np.where(scale > 0, scale, 1.0)
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        shift = other.mean / unit - self.mean / unit
        shift[(self.weight == 0) | (other.weight == 0)] = 0.0
        mean = np.where(self.weight[:, None] == 0, other.mean, self.mean + share[:, None] * shift * unit)
        tilted = shift * np.sqrt(self.weight * share)[:, None]
        between = (tilted.T @ tilted)[None] if self.pooled else tilted[:, :, None] * tilted[:, None, :]
        mine, yours = self.scale / unit, other.scale / unit
        scatter = self.scatter * np.outer(mine, mine) + other.scatter * np.outer(yours, yours) + between
        return Gram(scale, weight, mean, scatter)

    def zero(self) -> "Gram":
        """Give the scatter of no rows."""
        return Gram(
            np.zeros_like(self.scale),
            np.zeros_like(self.weight),
            np.zeros_like(self.mean),
            np.zeros_like(self.scatter),
        )
