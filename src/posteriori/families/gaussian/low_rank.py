"""`LowRankGaussian`: covariances of few common factors plus each column's own variance."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray, Array
from posteriori.backends.backend import Backend
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.base import Names, Notes
from posteriori.families.degenerate_notes import borrowed, heywood, left_out
from posteriori.families.gaussian.extreme_rows import with_overflow
from posteriori.families.gaussian.factor_analysis import Factors, fit_factors
from posteriori.families.gaussian.full import FullGaussian
from posteriori.families.gaussian.full_parameters import FullParameters
from posteriori.families.gaussian.variances import LOG_2PI
from posteriori.linalg.powers_of_two import inverse, nonzero
from posteriori.linalg.quotients import quotient
from posteriori.statistics.gram import Gram
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class LowRankParameters(FullParameters):
    """The fields of `FullParameters`, and the parts of the covariance L L' + Psi.

    Parameters
    ----------
    noise : (m, d) the diagonal of Psi, in the units of the data
    loadings : (m, d, q) L, in the units of the data
    precision_root : (m, d) Psi^(-1/2) in units of scale, 0 for a constant column
    directions : (m, d, q) orthonormal U of Psi^(-1/2) S Psi^(-1/2) = I + U (Theta - I) U'
    sizes : (m, q) Theta
    """

    noise: Array
    loadings: Array
    precision_root: Array
    directions: Array
    sizes: Array

    def _log_norm(self, unit: Array) -> Array:
        """Return the log density at the mean, (m,), on the range of each covariance."""
        used = self.precision_root > 0
        logs: Array = np.log(np.where(used, self.precision_root / unit, 1.0)).sum(axis=1)
        logs -= 0.5 * (np.log(self.sizes).sum(axis=1) + LOG_2PI * used.sum(axis=1))
        return logs

    def check(self, where: str) -> None:
        """Raise unless the parts make up the covariance and its inverse."""
        super().check(where)
        if (self.sizes < 1.0 - 1e-9).any():
            fail(f"{where}.sizes", "contains an eigenvalue below 1")
        precision = self.whiten @ np.swapaxes(self.whiten, -1, -2)
        shrunk = self.directions * (1.0 / self.sizes - 1.0)[:, None, :]
        inner = np.eye(precision.shape[-1]) + shrunk @ np.swapaxes(self.directions, -1, -2)
        require.close(self.precision_root[:, :, None] * inner * self.precision_root[:, None, :], precision,
                    f"{where}.directions", "do not follow from the covariance", rtol=1e-6, atol=1e-9)  # fmt: skip
        if np.isfinite(self.covariance).all():
            sd = nonzero(np.sqrt(np.diagonal(self.covariance, axis1=-2, axis2=-1)))
            loadings, noise = self.loadings / sd[:, :, None], self.noise / sd / sd
            total = loadings @ np.swapaxes(loadings, -1, -2) + np.eye(sd.shape[1]) * noise[:, None, :]
            require.close(total, self.covariance / sd[:, :, None] / sd[:, None, :], f"{where}.loadings",
                        "do not follow from the covariance", atol=1e-7)  # fmt: skip


@storable
@dataclass(frozen=True)
class LowRankGaussian(FullGaussian):
    """Gaussian classes with S = L L' + Psi: q common factors and a variance of its own for every column.

    Fitted to the within-class correlations by maximum likelihood, so that units do not matter. Distances are
    (x - mu)'S^-1 (x - mu) = |a - U U'a|^2 + |Theta^(-1/2) U'a|^2 with a = Psi^(-1/2) (x - mu): Woodbury's
    identity in d q steps per row, without its subtraction. log|S| = log|Psi| + log|Theta|.

    Book: [Jordan] §7.3: families between m and m^2 parameters.

    Notes
    -----
    The own variance of a column is at least a ten-thousandth of its total; without a bound the likelihood may have no
    maximum. From rank d - 1 on, every regular covariance is of this form.

    Parameters
    ----------
    shared, estimate_by : as in `FullGaussian`; ml or unbiased
    rank : q; more than d - 1 is the same as d - 1
    """

    rank: int = 1

    name = "low-rank"
    parameters_type = LowRankParameters
    estimates = ("ml", "unbiased")
    conjugate_prior = None

    def estimate(self, statistics: Gram) -> LowRankParameters:
        """Return means and covariances of all classes."""
        scale = nonzero(statistics.scale)
        mean, d = self.means(statistics), len(scale)
        q = min(self.rank, max(d - 1, 0))
        parts = [_over_all_columns(matrix, factors, q) for matrix, factors in self.factors(statistics)]
        sd, noise, directions, sizes = (np.stack([part[i] for part in parts]) for i in range(4))
        noise_sd = sd * np.sqrt(noise)
        precision_root = quotient(1.0, noise_sd)
        loadings = noise_sd[:, :, None] * directions * np.sqrt(sizes - 1.0)[:, None, :]
        covariance = np.einsum("mij,mkj->mik", loadings, loadings)
        covariance[:, np.arange(d), np.arange(d)] += noise_sd**2
        rank = (sd > 0).sum(axis=1)
        log_scale = np.array([np.log((noise_sd[m] * scale)[sd[m] > 0]).sum() for m in range(len(sd))])
        with np.errstate(over="ignore", under="ignore"):  # a variance of 1e320 is infinite in the data's units
            natural = covariance * scale * scale[:, None], (noise_sd * scale) ** 2, loadings * scale[:, None]
        return LowRankParameters(
            mean,
            natural[0],
            statistics.scale,
            mean / scale,
            _root(precision_root, directions, sizes**-0.5),
            _root(noise_sd, directions, sizes**0.5),
            -0.5 * (rank * LOG_2PI + np.log(sizes).sum(axis=1)) - log_scale,
            natural[1],
            natural[2],
            precision_root,
            directions,
            sizes,
        )

    def factors(self, statistics: Gram) -> list[tuple[Array, Factors]]:
        """Fit each covariance: return the matrix in units of scale, and the factors of its correlations."""
        fitted = []
        for matrix in self.covariances(statistics):
            varies = np.diagonal(matrix) > 0
            sd = np.sqrt(np.diagonal(matrix)[varies])
            correlation = matrix[np.ix_(varies, varies)] / sd / sd[:, None]
            fitted.append((matrix, fit_factors(correlation, min(self.rank, max(len(sd) - 1, 0)))))
        return fitted

    def distances(self, parameters: LowRankParameters, columns: Array, backend: Backend) -> Array:  # type: ignore[override]
        """Return the squared Mahalanobis distance of each row to each class mean, (n, K)."""
        p = parameters
        scaled = columns * inverse(p.scale)
        result = np.empty((len(columns), len(p.centre)))
        for k, centre in enumerate(p.centre):
            m = 0 if len(p.precision_root) == 1 else k
            rows = (scaled - centre) * p.precision_root[m]
            along = rows @ p.directions[m]
            rows -= along @ p.directions[m].T
            result[:, k] = np.einsum("ij,ij->i", rows, rows) + (along**2) @ (1.0 / p.sizes[m])
        return with_overflow(result, columns)

    def n_parameters(self, parameters: LowRankParameters) -> int:  # type: ignore[override]
        """Count K d means, and d + d q - q(q-1)/2 for each covariance, as factors are unique up to rotation."""
        (m, d, q), n_means = parameters.loadings.shape, parameters.mean.size
        return int(n_means + m * (d + d * q - q * (q - 1) // 2))

    def notes(self, statistics: Gram, names: Names, classes: AnyArray) -> Notes:
        """Name constant columns, classes that took pooled variances, and columns whose own variance is at its bound."""
        fitted = self.factors(statistics)
        notes = left_out(np.max([np.diagonal(matrix) for matrix, _ in fitted], axis=0) <= 0, names)
        if not self.shared:
            notes += borrowed(self._borrowed(statistics), names, classes)
        bounded = np.zeros((len(fitted), len(names)), dtype=bool)
        for m, (matrix, factors) in enumerate(fitted):
            bounded[m, np.flatnonzero(np.diagonal(matrix) > 0)[factors.bounded]] = True
        return notes + heywood(bounded, [factors.converged for _, factors in fitted], names, classes)


def _over_all_columns(matrix: Array, factors: Factors, q: int) -> tuple[Array, Array, Array, Array]:
    """Return standard deviations (0 for constant columns), relative noise, directions (d, q) and sizes (q,)."""
    d, varies = len(matrix), np.diagonal(matrix) > 0
    noise, directions, sizes = np.ones(d), np.zeros((d, q)), np.ones(q)
    n_factors = factors.directions.shape[1]
    noise[varies] = factors.noise
    directions[np.ix_(np.flatnonzero(varies), np.arange(n_factors))] = factors.directions
    sizes[:n_factors] = factors.sizes
    return np.sqrt(np.where(varies, np.diagonal(matrix), 0.0)), noise, directions, sizes


def _root(width: Array, directions: Array, sizes: Array) -> Array:
    """Return diag(width) (I + U (sizes - 1) U'), (m, d, d)."""
    d = width.shape[1]
    inner = np.eye(d) + np.einsum("miq,mq,mjq->mij", directions, sizes - 1.0, directions)
    return np.asarray(width[:, :, None] * inner)
