"""`SphericalGaussian`: one variance for all columns."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.families.gaussian.diagonal import DiagonalGaussian, own_scatter
from posteriori.families.gaussian.variances import lost_degrees, ratios
from posteriori.linalg.powers_of_two import inverse
from posteriori.linalg.quotients import quotient
from posteriori.statistics.moments import Moments
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class SphericalGaussian(DiagonalGaussian):
    """Gaussian columns of one variance: p(x | k) = N(x; mu_k, sigma_k^2 I).

    A class of zero variance takes the variance pooled over the classes. Unbiased divides by d(N_k - 1), or by
    d(N - K) where the classes share it. At the mode under a prior (`NormalInverseGamma`, whose scale is here the
    mean of the columns') it is (2 scale + sum_j S_kj + …) / (2 shape + d N_k + d + 2).

    Book: [Jordan] §7.2.1 and 7.3: the family of one parameter.

    Parameters
    ----------
    shared : whether all classes have the same variance
    """

    name = "spherical"

    def variances(self, statistics: Moments) -> Array:
        """Return the variance of every class and column in units of the column's scale."""
        weight, scatter, ratio = statistics.weight, own_scatter(statistics), ratios(statistics.scale)
        prior = self.prior(statistics)
        if prior is not None:
            squares = prior.squares(weight, statistics.mean * inverse(statistics.scale), scatter)
            mode = prior.single if self.shared else prior.by_class
            return np.broadcast_to(mode(weight, squares, statistics.scale), weight.shape) * (prior.scale > 0).any()
        total = (scatter * ratio**2).sum(axis=1)
        divisor = (weight - lost_degrees(self.estimate_by) * (weight > 0)).sum(axis=1)
        pooled = quotient(total.sum(keepdims=True), divisor.sum(keepdims=True))
        own = quotient(total, divisor)
        variance = np.broadcast_to(pooled, own.shape) if self.shared else np.where(own > 0, own, pooled)
        # dividing twice: the square of a ratio below 1e-154 would vanish
        return variance[:, None] / ratio / ratio

    def _borrowed(self, statistics: Moments) -> Mask:
        constant = ~(own_scatter(statistics) > 0).any(axis=1, keepdims=True)
        has_rows = statistics.weight.any(axis=1, keepdims=True)
        return np.broadcast_to(constant & has_rows & (not self.shared), statistics.weight.shape)

    def _free(self, n_classes: int, n_columns: int) -> int:
        return 1 if self.shared else n_classes
