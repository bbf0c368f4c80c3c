"""`LowRankGaussian`: covariances of few common directions plus each column's own variance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.families.degenerate_notes import borrowed, crowded, without_spread
from posteriori.families.gaussian.extreme_rows import overflowed
from posteriori.families.gaussian.factor_analysis import Factors, fit_factors
from posteriori.families.gaussian.full import FullGaussian, FullParameters
from posteriori.families.gaussian.variances import LOG_2PI, inverse
from posteriori.messages.notes import Note
from posteriori.statistics.gram import Gram
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class LowRankParameters(FullParameters):
    """What `FullParameters` hold, and the parts of the covariance L L' + Psi.

    Parameters
    ----------
    noise : (m, d) the diagonal of Psi, in the units of the data
    loadings : (m, d, q) L, in the units of the data
    narrow : (m, d) Psi^(-1/2) in units of scale, 0 for a column without spread
    directions : (m, d, q) orthonormal U of Psi^(-1/2) S Psi^(-1/2) = I + U (Theta - I) U'
    sizes : (m, q) Theta
    """

    noise: Array
    loadings: Array
    narrow: Array
    directions: Array
    sizes: Array


@storable
@dataclass(frozen=True)
class LowRankGaussian(FullGaussian):
    """Gaussian classes with S = L L' + Psi: q common factors and a variance of its own for every column.

    Fitted to the correlations within classes by its likelihood, so that units change nothing. Distances are
    (x - mu)'S^-1 (x - mu) = |a - U U'a|^2 + |Theta^(-1/2) U'a|^2 with a = Psi^(-1/2) (x - mu): Woodbury's
    identity in d q steps a row, without its subtraction. log|S| = log|Psi| + log|Theta|.

    Book: [Jordan] §7.3: families between m and m^2 parameters.

    Notes
    -----
    Every column keeps at least a ten-thousandth of its variance for itself; without a bound the likelihood may have
    no maximum. From rank d - 1 on, every regular covariance is of this form.

    Parameters
    ----------
    shared, estimate_by : as in `FullGaussian`; ml or unbiased
    rank : q; more than d - 1 is the same as d - 1
    """

    rank: int = 1

    name: ClassVar[str] = "low-rank"

    def estimate(self, statistics: Gram) -> LowRankParameters:
        """Give means and covariances of all classes."""
        scale = np.where(statistics.scale > 0, statistics.scale, 1.0)
        mean, d = self.means(statistics), len(scale)
        q = min(self.rank, max(d - 1, 0))
        parts = [_laid_out(matrix, factors, q) for matrix, factors in self.factors(statistics)]
        sd, noise, directions, sizes = (np.stack([part[i] for part in parts]) for i in range(4))
        narrow = np.divide(1.0, sd * np.sqrt(noise), out=np.zeros_like(sd), where=sd > 0)
        wide = sd * np.sqrt(noise)
        loadings = wide[:, :, None] * directions * np.sqrt(sizes - 1.0)[:, None, :]
        covariance = np.einsum("mij,mkj->mik", loadings, loadings)
        covariance[:, np.arange(d), np.arange(d)] += wide**2
        free = (sd > 0).sum(axis=1)
        log_scale = np.array([np.log((wide[m] * scale)[sd[m] > 0]).sum() for m in range(len(sd))])
        with np.errstate(over="ignore", under="ignore"):  # 1e160 squared is infinite in the data's units
            natural = covariance * scale * scale[:, None], (wide * scale) ** 2, loadings * scale[:, None]
        return LowRankParameters(
            mean,
            natural[0],
            statistics.scale,
            mean / scale,
            _root(narrow, directions, sizes**-0.5),
            _root(wide, directions, sizes**0.5),
            -0.5 * (free * LOG_2PI + np.log(sizes).sum(axis=1)) - log_scale,
            natural[1],
            natural[2],
            narrow,
            directions,
            sizes,
        )

    def factors(self, statistics: Gram) -> list[tuple[Array, Factors]]:
        """Fit the factors of each covariance: the matrix in units of scale, and its correlations' factors."""
        found = []
        for matrix in self.covariances(statistics):
            spread = np.diagonal(matrix) > 0
            sd = np.sqrt(np.diagonal(matrix)[spread])
            correlation = matrix[np.ix_(spread, spread)] / sd / sd[:, None]
            found.append((matrix, fit_factors(correlation, min(self.rank, max(len(sd) - 1, 0)))))
        return found

    def distances(self, parameters: LowRankParameters, columns: Array, size: int) -> Array:  # type: ignore[override]
        """Give the squared Mahalanobis distance of each row to each class mean, (n, K)."""
        p = parameters
        scaled = columns * inverse(p.scale)
        result = np.empty((len(columns), len(p.centre)))
        for k, centre in enumerate(p.centre):
            m = 0 if len(p.narrow) == 1 else k
            rows = (scaled - centre) * p.narrow[m]
            along = rows @ p.directions[m]
            rows -= along @ p.directions[m].T
            result[:, k] = np.einsum("ij,ij->i", rows, rows) + (along**2) @ (1.0 / p.sizes[m])
        return overflowed(result, columns)

    def n_parameters(self, parameters: LowRankParameters) -> int:  # type: ignore[override]
        """Count K d means, and d + d q - q(q-1)/2 for each covariance: factors turn without changing it."""
        (m, d, q), n_means = parameters.loadings.shape, parameters.mean.size
        return int(n_means + m * (d + d * q - q * (q - 1) // 2))

    def notes(self, statistics: Gram, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Name columns without spread, classes that took pooled variances, and columns left with next to nothing."""
        fitted = self.factors(statistics)
        notes = without_spread(np.max([np.diagonal(matrix) for matrix, _ in fitted], axis=0) <= 0, names)
        if not self.shared:
            notes += borrowed(self._borrowed(statistics), names, classes)
        tight = np.zeros((len(fitted), len(names)), dtype=bool)
        for m, (matrix, factors) in enumerate(fitted):
            tight[m, np.flatnonzero(np.diagonal(matrix) > 0)[factors.bounded]] = True
        return notes + crowded(tight, [factors.converged for _, factors in fitted], names, classes)


def _laid_out(matrix: Array, factors: Factors, q: int) -> tuple[Array, Array, Array, Array]:
    """Give standard deviations (0 without spread), shares of noise, directions (d, q) and sizes (q,)."""
    d, spread = len(matrix), np.diagonal(matrix) > 0
    noise, directions, sizes = np.ones(d), np.zeros((d, q)), np.ones(q)
    found = factors.directions.shape[1]
    noise[spread] = factors.noise
    directions[np.ix_(np.flatnonzero(spread), np.arange(found))] = factors.directions
    sizes[:found] = factors.sizes
    return np.sqrt(np.where(spread, np.diagonal(matrix), 0.0)), noise, directions, sizes


def _root(width: Array, directions: Array, sizes: Array) -> Array:
    """Give diag(width) (I + U (sizes - 1) U'), (m, d, d)."""
    d = width.shape[1]
    inner = np.eye(d) + np.einsum("miq,mq,mjq->mij", directions, sizes - 1.0, directions)
    root: Array = width[:, :, None] * inner
    return root
