"""`FullGaussian`: Gaussian classes with a covariance matrix."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Indices, Mask
from posteriori.backends.backend import Backend, backend_for
from posteriori.families.base import Levels, LinearPart, Names, Notes, Parameters
from posteriori.families.class_sums import centred_rows
from posteriori.families.degenerate_notes import borrowed, left_out, singular
from posteriori.families.gaussian.base import GaussianFamily
from posteriori.families.gaussian.extreme_rows import extreme_rows, extreme_scores, linear_scores, with_overflow
from posteriori.families.gaussian.full_parameters import FullParameters, marginal, stacked
from posteriori.families.gaussian.normal_inverse_wishart import MatrixPrior, NormalInverseWishart, weak_prior
from posteriori.families.gaussian.variances import ROUNDINGS, lost_degrees
from posteriori.families.gaussian.whitening import whiten
from posteriori.linalg.powers_of_two import inverse, nonzero
from posteriori.linalg.quotients import quotient
from posteriori.messages.errors import DataError
from posteriori.statistics.gram import Gram
from posteriori.statistics.within_scatter import WithinScatter
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class FullGaussian(GaussianFamily):
    """Gaussian classes, with one covariance for all or one per class.

    p(x | k) = N(x; mu_k, S_k). A singular covariance is inverted on its range, with ranks decided on the
    scale of correlations; a class of zero variance takes the pooled covariance.

    Book: [Bishop] Eq. 4.64-4.80, §4.2.1-4.2.2; [Jordan] Eq. 7.5 and 7.27, §7.2.1.

    Notes
    -----
    [Jordan] Eq. 7.5 should have (2 pi)^(m/2), and Eq. 7.28 lacks the 1/2 before mu'S^-1 mu that 7.27 has.

    Parameters
    ----------
    shared : whether all classes have the same covariance
    estimate_by : "ml" (divide by N, or N_k), "unbiased" (by N - K, or N_k - 1), "map" (the mode under a weak
        conjugate prior) or a `NormalInverseWishart`
    """

    shared: bool = True
    estimate_by: str | NormalInverseWishart = "ml"

    name = "full"
    parameters_type: ClassVar[type[Parameters]] = FullParameters
    statistics_type = Gram
    conjugate_prior: ClassVar[type | None] = NormalInverseWishart

    def invalid(self, columns: Array) -> Mask:
        """Mark cells that are infinite or missing."""
        return ~np.isfinite(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Gram:
        """Return the class means and the scatter about them."""
        if not self.shared:
            order = np.argsort(codes, kind="stable")
            columns, codes, weights = columns[order], codes[order], weights[order]
        scale, weight, mean, rows = centred_rows(columns, codes, weights, n_classes, backend)
        if self.shared:
            return Gram(scale, weight, mean, (rows.T @ rows)[None])
        ends = np.searchsorted(codes, np.arange(n_classes + 1))
        return Gram(scale, weight, mean, np.stack([rows[a:b].T @ rows[a:b] for a, b in pairwise(ends)]))

    def estimate(self, statistics: Gram) -> FullParameters:
        """Return means and covariances of all classes."""
        scale = nonzero(statistics.scale)
        mean = self.means(statistics)
        matrices = self.covariances(statistics)
        floor = rounding_variance(statistics)
        parts = [whiten(matrix, floor) for matrix in matrices]
        with np.errstate(over="ignore", under="ignore"):  # a variance of 1e320 is infinite in the data's units
            natural = matrices * scale * scale[:, None]
        return FullParameters(mean, natural, statistics.scale, mean / scale, *stacked(parts, scale))

    def prior(self, statistics: Gram) -> MatrixPrior | None:
        """Return the conjugate prior in units of scale, or None if the estimate has none."""
        scale = nonzero(statistics.scale)
        if isinstance(self.estimate_by, NormalInverseWishart):
            return self.estimate_by.for_columns(scale)
        if self.estimate_by != "map":
            return None
        variance = np.diagonal(self._pooled(statistics, 0.0))
        return weak_prior(statistics, statistics.mean / scale, variance)

    def covariances(self, statistics: Gram) -> Array:
        """Return the covariance matrices in units of scale, (1, d, d) or (K, d, d)."""
        prior, weight = self.prior(statistics), statistics.weight
        if prior is not None:
            scale = nonzero(statistics.scale)
            matrices = prior.covariances(weight, statistics.mean / scale, statistics.scatter, self.shared)
            varying = np.diagonal(prior.scale) > 0  # a column constant in every class is left out
            return np.stack([_restricted(matrix, varying) for matrix in matrices])
        lost = lost_degrees(self.estimate_by)
        floor = rounding_variance(statistics)
        pooled = self._pooled(statistics, lost)
        if self.shared:
            return pooled[None]
        own = quotient(statistics.scatter, (weight - lost)[:, None, None])
        return np.stack([_completed(matrix, pooled, floor) for matrix in own])

    def _pooled(self, statistics: Gram, lost: float) -> Array:
        """Return the pooled covariance, zero for columns whose variance does not exceed rounding."""
        weight = statistics.weight
        pooled = quotient(statistics.scatter.sum(axis=0), weight.sum() - lost * (weight > 0).sum())
        return _restricted(pooled, np.diagonal(pooled) > rounding_variance(statistics))

    def log_density(self, parameters: FullParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k), on the range of the covariance."""
        return parameters.log_norm - 0.5 * self.distances(parameters, columns, backend)

    def distances(self, parameters: FullParameters, columns: Array, backend: Backend) -> Array:
        """Return the squared Mahalanobis distance of each row to each class mean, (n, K).

        Book: [Jordan] §7.2.1, footnote 1.
        """
        p = parameters
        scaled = columns * inverse(p.scale)
        if len(p.whiten) == 1:
            origin = p.centre.mean(axis=0)
            rows, means = (scaled - origin) @ p.whiten[0], (p.centre - origin) @ p.whiten[0]
            one = np.ones_like(means)
            squared: Array = -2.0 * backend.classwise.scores(rows, one[0], means, one, np.zeros_like(means))
            return with_overflow(squared, columns)
        result = np.empty((len(columns), len(p.centre)))
        for k, (centre, whitening) in enumerate(zip(p.centre, p.whiten, strict=True)):
            rows = (scaled - centre) @ whitening
            result[:, k] = np.einsum("ij,ij->i", rows, rows)
        return with_overflow(result, columns)

    def discriminant(self, parameters: FullParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k), without its part quadratic in x if the classes share the covariance."""
        p = parameters
        if len(p.whiten) == 1:
            origin = p.centre.mean(axis=0)
            deviation = p.centre - origin
            coef = deviation @ p.whiten[0] @ p.whiten[0].T
            scores = linear_scores(columns, p.scale, origin, coef, -0.5 * coef * deviation)
        else:
            scores = self.log_density(p, columns, backend)
        extreme = extreme_rows(scores)
        if len(extreme):
            scores[extreme] = self._extreme_scores(p, columns[extreme])
        return scores

    def _extreme_scores(self, p: FullParameters, columns: Array) -> Array:
        precision = np.einsum("kir,kjr->kij", p.whiten, p.whiten)
        cells = np.zeros_like(p.centre)
        cells[:, 0] = p.log_norm
        precision = np.broadcast_to(precision, (len(cells), *precision.shape[1:]))
        scores = extreme_scores(columns, p.scale, p.centre, precision, cells)
        scores[np.isnan(columns).any(axis=1)] = np.nan
        return scores

    def log_marginal(self, parameters: FullParameters, columns: Indices, cells: Array) -> Array:
        """Return the log density of some columns: their means, and the covariances between them."""
        part = marginal(parameters, columns)
        if (np.linalg.matrix_rank(part.whiten) < len(columns)).any():
            problem = "its variance is zero" if len(columns) == 1 else "the columns are perfectly correlated"
            raise DataError(f"{problem} in a class, so there is no density.")
        return FullGaussian().log_density(part, cells, backend_for(cells.size))

    def sample(self, parameters: FullParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw mu + L z with L L' the covariance."""
        p = parameters
        noise = rng.standard_normal((len(codes), p.mean.shape[1]))
        which = np.zeros_like(codes) if len(p.colour) == 1 else codes
        drawn = p.centre[codes].copy()
        for k, colour in enumerate(p.colour):
            drawn[which == k] += noise[which == k] @ colour.T
        return drawn * nonzero(p.scale)

    def n_parameters(self, parameters: FullParameters) -> int:
        """Count K d means and d(d+1)/2 for each covariance: M(M+5)/2 for two classes that share it."""
        n_classes, d = parameters.mean.shape
        return int(n_classes * d + len(parameters.covariance) * d * (d + 1) // 2)

    def describe(self, parameters: FullParameters, column: int) -> dict[str, Array]:
        """Return mean and variance of the column by class."""
        variance = np.broadcast_to(parameters.covariance[:, column, column], (len(parameters.mean),))
        return {"mean": parameters.mean[:, column], "variance": variance}

    def linear(self, parameters: FullParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return w_k = S^-1 mu_k and w_k0 = -mu_k'S^-1 mu_k / 2; None if each class has its own covariance.

        Book: [Bishop] Eq. 4.68-4.70, §4.2.1; [Jordan] Eq. 7.27, §7.2.1.
        """
        if len(parameters.whiten) > 1:
            return None
        p = parameters
        coef = p.centre @ p.whiten[0] @ p.whiten[0].T
        intercept = -0.5 * (coef * p.centre).sum(axis=1)
        return LinearPart(coef * inverse(p.scale), intercept, tuple(str(name) for name in names))

    def notes(self, statistics: Gram, names: Names, classes: AnyArray) -> Notes:
        """Name the constant columns, and the classes whose covariance is singular or pooled."""
        matrices = self.covariances(statistics)
        floor = rounding_variance(statistics)
        notes = left_out(np.diagonal(matrices, axis1=1, axis2=2).max(axis=0) <= 0, names)
        if not self.shared and self.prior(statistics) is None:
            notes += borrowed(self._borrowed(statistics), names, classes)
        parts = [whiten(matrix, floor) for matrix in matrices]
        return notes + singular(parts, names, () if self.shared else classes)

    def _borrowed(self, statistics: Gram) -> Mask:
        """Mark the classes and columns that took the pooled variance, (K, d)."""
        floor, lost = rounding_variance(statistics), lost_degrees(self.estimate_by)
        own = np.diagonal(statistics.scatter, axis1=1, axis2=2)
        varies = quotient(own, (statistics.weight - lost)[:, None]) > floor
        return np.asarray(~varies & (statistics.weight > 0)[:, None] & varies.any(axis=0))


def rounding_variance(statistics: Gram | WithinScatter) -> Array:
    """Return for each column the variance, in units of scale, that rounding of its mean could produce."""
    return np.asarray((ROUNDINGS * np.abs(statistics.mean / nonzero(statistics.scale)).max(axis=0)) ** 2)


def _restricted(matrix: Array, columns: Mask) -> Array:
    """Return the matrix with zeros in all rows and columns but these."""
    return np.where(np.outer(columns, columns), matrix, 0.0)


def _completed(matrix: Array, pooled: Array, floor: Array) -> Array:
    """Return a class's covariance with pooled variances for constant columns; the pooled one if all are constant."""
    varies = np.diagonal(matrix) > floor
    if not varies.any():
        return pooled
    whole = _restricted(matrix, varies)
    whole[np.diag_indices_from(whole)] = np.where(varies, np.diagonal(matrix), np.diagonal(pooled))
    return whole
