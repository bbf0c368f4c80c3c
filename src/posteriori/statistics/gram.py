"""`Gram`: class weights, class means, and the centred cross products of the columns."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.linalg.powers_of_two import nonzero
from posteriori.statistics.base import ClassStatistics, check_scale
from posteriori.statistics.merged_means import merge_means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Gram(ClassStatistics):
    """The within-class scatter matrices, pooled into one or one per class.

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
        """Whether one matrix is the sum over all classes."""
        return bool(self.scatter.shape[0] == 1) and self.weight.shape[0] > 1

    @property
    def by_class(self) -> tuple[str, ...]:
        """The arrays whose first axis is the class."""
        return ("weight", "mean") if self.pooled else super().by_class

    def merge(self, other: "Gram") -> "Gram":
        """Combine two sets of rows: S = S_a + S_b + sum_k (w_a w_b / w)(m_b - m_a)(m_b - m_a)'."""
        scale = np.maximum(self.scale, other.scale)
        unit = nonzero(scale)
        merged = merge_means((self.weight, other.weight), (self.mean, other.mean), unit)
        shift = merged.shift * np.sqrt(self.weight[:, None] * merged.proportion)
        between = (shift.T @ shift)[None] if self.pooled else shift[:, :, None] * shift[:, None, :]
        mine, yours = self.scale / unit, other.scale / unit
        scatter = self.scatter * np.outer(mine, mine) + other.scatter * np.outer(yours, yours) + between
        return Gram(scale, merged.weight, merged.mean, scatter)

    def check(self, where: str) -> None:
        """Raise unless there is one scatter matrix for all classes, or one for each."""
        check_scale(self.mean, self.scale, where)
        if len(self.scatter) not in (1, len(self.weight)):
            fail(f"{where}.scatter", f"has shape {self.scatter.shape} for {len(self.weight)} classes")
        own = self.weight.sum(keepdims=True) if self.pooled else self.weight
        if (np.abs(self.scatter) / 256.0 > own[:, None, None]).any():
            fail(f"{where}.scatter", "is larger than the weights allow")
        require.covariances(self.scatter, f"{where}.scatter")
