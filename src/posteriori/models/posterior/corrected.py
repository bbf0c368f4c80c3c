"""`CorrectedPosterior`: mean, covariance and skewness of a posterior where Laplace's Gaussian is not accurate."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.cached_property import cached_property
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.linalg.scaled_products import in_powers
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.pearson import quantile
from posteriori.storable import storable

#: Numbers in memory at a time.
CELLS = 2**21
#: Sources of the cumulants.
METHODS = {
    "series": "Laplace's approximation and the first terms beyond it (mean, covariance, skewness)",
    "series, too short": "Laplace's approximation and the first terms beyond it (mean, covariance, skewness), too few "
    "terms for accurate intervals here",
    "draws": "the mean, covariance and skewness of draws from the posterior",
}


@storable
@dataclass(frozen=True)
class CorrectedPosterior:
    """The first three cumulants of the posterior of the coefficients, which determine those of any combination.

    The distribution of a combination is approximated by Pearson's type III (a shifted gamma) with its mean, standard
    deviation and skewness.

    Parameters
    ----------
    gaussian : with the mean and covariance of the posterior, in place of mode and inverse curvature
    third : (r (r + 1) (r + 2) / 6,) third cumulants with i <= j <= k, in coordinates z, w = mean + B'z, of covariance 1
    method : one of `METHODS`
    moved : (m,) the larger shift of the bounds of a 95 % interval, in Laplace's standard deviations
    log_evidence : that of Laplace, corrected; None where the prior is flat
    """

    gaussian: GaussianPosterior
    third: Array
    method: str
    moved: Array
    log_evidence: float | None

    def skewness(self, combinations: Array) -> Array:
        """Return the skewness of combinations (k, m) of coefficients in the units of X, (k,)."""
        return self.skewness_along(self.gaussian.in_root(combinations))

    def skewness_along(self, directions: Array) -> Array:
        """Return the skewness along directions (k, r) of z, (k,)."""
        directions, _ = in_powers(directions)  # skewness has no unit, and cubes would leave the range of floats
        cubes = np.einsum("ijk,nk->nij", self._tensor, directions, optimize=True)
        cubed = np.einsum("nij,ni,nj->n", cubes, directions, directions, optimize=True)
        length = np.linalg.norm(directions, axis=1)
        return np.where(length > 0, cubed / np.maximum(length, 1e-300) ** 3, 0.0)

    def standard_cumulants(self, directions: Array) -> Array:
        """Return the third cumulants of K combinations (n, K, r) of z per row, standardised, (n, K, K, K).

        The combinations are multiplied by the symmetric root of the pseudo-inverse of their covariance.
        """
        n, K, r = directions.shape
        values, vectors = np.linalg.eigh(directions @ directions.transpose(0, 2, 1))
        positive = values > 1e-12 * np.maximum(values[:, -1:], 1e-300)
        scale = np.where(positive, 1.0 / np.sqrt(np.where(positive, values, 1.0)), 0.0)
        unit = (vectors * scale[:, None, :]) @ (vectors.transpose(0, 2, 1) @ directions)
        third, step = np.empty((n, K, K, K)), max(CELLS // max(K * r * r, 1), 1)
        for first in range(0, n, step):
            some = unit[first : first + step]
            by_first = (some.reshape(-1, r) @ self._tensor.reshape(r, r * r)).reshape(-1, K, r, r)
            third[first : first + step] = some[:, None] @ by_first @ some.transpose(0, 2, 1)[:, None]
        return third

    @cached_property
    def _tensor(self) -> Array:
        r = len(self.gaussian.root)
        tensor = np.zeros((r, r, r))
        i, j, k = ordered(r)
        for places in permutations((i, j, k)):
            tensor[places] = self.third
        return tensor

    def check(self, where: str) -> None:
        """Raise unless there is a third cumulant for each three directions of the Gaussian."""
        r, m = self.gaussian.root.shape
        if len(self.third) != r * (r + 1) * (r + 2) // 6:
            fail(f"{where}.third", f"has {len(self.third)} cumulants for {r} directions")
        # NaN where columns of 1e150 leave the range
        require.Numbers(0.0, message="a negative number").check(np.nan_to_num(self.moved), (m,), f"{where}.moved")
        if self.method not in METHODS:
            fail(f"{where}.method", f"is none of {', '.join(METHODS)}")


def ordered(r: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return all i <= j <= k below r."""
    i, j = np.triu_indices(r)
    pair = np.repeat(np.arange(len(i)), r - j)
    k = np.concatenate([np.arange(low, r) for low in j]) if r else np.zeros(0, dtype=np.intp)
    return i[pair], j[pair], k


def interval_shifts(before: GaussianPosterior, after: CorrectedPosterior) -> Array:
    """Return the larger shift of the bounds of the 95 % interval of each coefficient, in Laplace's sd, (m,)."""
    return shifts_of(before, after, np.eye(before.w.size))


def shifts_of(before: GaussianPosterior, after: CorrectedPosterior, combinations: Array) -> Array:
    """Return the larger shift of the bounds of combinations (k, m) of the coefficients, (k,)."""
    skewness, laplace = after.skewness(combinations), before.sd_of(combinations)
    sd = np.maximum(laplace, 1e-300)
    shift, new_sd = combinations @ (after.gaussian.mean - before.mean), after.gaussian.sd_of(combinations)
    bounds = [np.abs(shift + quantile(p, skewness) * new_sd - quantile(p, 0 * sd) * sd) for p in (0.025, 0.975)]
    return np.where(laplace > 0, np.maximum(*bounds) / sd, 0.0)
