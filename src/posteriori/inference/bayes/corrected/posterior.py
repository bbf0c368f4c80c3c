"""`CorrectedPosterior`: mean, covariance and skewness of a posterior where Laplace's Gaussian is not accurate."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.linalg.scaled_products import in_powers
from posteriori.storable import storable

#: Numbers laid out at a time.
CELLS = 2**21
#: What the cumulants may have been computed from.
METHODS = {
    "series": "Laplace's approximation and the first terms beyond it (mean, covariance, skewness)",
    "series, too short": "Laplace's approximation and the first terms beyond it (mean, covariance, skewness), too few "
    "terms for accurate intervals here",
    "draws": "the mean, covariance and skewness of draws from the posterior",
}


@storable
@dataclass(frozen=True)
class CorrectedPosterior:
    """The first three cumulants of the coefficients given the rows, from which follow those of any combination.

    The distribution of a combination is taken to be Pearson's type III (a shifted gamma) with its mean, standard
    deviation and skewness.

    Parameters
    ----------
    gaussian : with the mean and covariance of the posterior, in place of mode and inverse curvature
    third : (r (r + 1) (r + 2) / 6,) third cumulants with i <= j <= k, in coordinates z, w = mean + B'z, of covariance 1
    method : one of `METHODS`
    moved : (m,) the most that a bound of a 95 % interval was moved, in Laplace's standard deviations
    log_evidence : as Laplace's, corrected; None where the prior is flat
    """

    gaussian: GaussianPosterior
    third: Array
    method: str
    moved: Array
    log_evidence: float | None

    def skewness(self, change: Array) -> Array:
        """Return the skewness of combinations (k, m) of coefficients in the units of X, (k,)."""
        return self.skewness_along(self.gaussian.in_root(change))

    def skewness_along(self, directions: Array) -> Array:
        """Return the skewness along directions (k, r) of z, (k,)."""
        directions, _ = in_powers(directions)  # skewness has no unit, and cubes would leave the range of floats
        cubes = np.einsum("ijk,nk->nij", self._tensor, directions, optimize=True)
        cubed = np.einsum("nij,ni,nj->n", cubes, directions, directions, optimize=True)
        length = np.linalg.norm(directions, axis=1)
        found: Array = cubed / np.maximum(length, 1e-300) ** 3
        return np.where(length > 0, found, 0.0)

    def standard_cumulants(self, directions: Array) -> Array:
        """Return the third cumulants of K combinations (n, K, r) of z per row, standardised, (n, K, K, K).

        The combinations are multiplied by the symmetric root of the pseudo-inverse of their covariance.
        """
        n, K, r = directions.shape
        values, vectors = np.linalg.eigh(directions @ directions.transpose(0, 2, 1))
        seen = values > 1e-12 * np.maximum(values[:, -1:], 1e-300)
        shrink = np.where(seen, 1.0 / np.sqrt(np.where(seen, values, 1.0)), 0.0)
        unit = (vectors * shrink[:, None, :]) @ (vectors.transpose(0, 2, 1) @ directions)
        found, step = np.empty((n, K, K, K)), max(CELLS // max(K * r * r, 1), 1)
        for first in range(0, n, step):
            some = unit[first : first + step]
            by_first = (some.reshape(-1, r) @ self._tensor.reshape(r, r * r)).reshape(-1, K, r, r)
            found[first : first + step] = some[:, None] @ by_first @ some.transpose(0, 2, 1)[:, None]
        return found

    @cached_property
    def _tensor(self) -> Array:
        r = len(self.gaussian.root)
        tensor = np.zeros((r, r, r))
        i, j, k = ordered(r)
        for a, b, c in ((i, j, k), (i, k, j), (j, i, k), (j, k, i), (k, i, j), (k, j, i)):
            tensor[a, b, c] = self.third
        return tensor


def ordered(r: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return all i <= j <= k below r."""
    i, j = np.triu_indices(r)
    pair = np.repeat(np.arange(len(i)), r - j)
    k = np.concatenate([np.arange(low, r) for low in j]) if r else np.zeros(0, dtype=np.intp)
    return i[pair], j[pair], k
