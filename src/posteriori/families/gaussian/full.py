"""`FullGaussian`: Gaussian classes with a covariance matrix."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.backends.select import classwise
from posteriori.families.base import Family, LinearPart, Parameters
from posteriori.families.degenerate_notes import borrowed, singular, without_spread
from posteriori.families.gaussian.extreme_rows import far_rows, far_scores, linear_scores, overflowed
from posteriori.families.gaussian.normal_inverse_wishart import NormalInverseWishart, Prior, weak_prior
from posteriori.families.gaussian.variances import ESTIMATES, LOG_2PI, ROUNDINGS, filled_means, inverse, power_of_two
from posteriori.families.gaussian.whitening import Whitening, whiten
from posteriori.messages.notes import Note
from posteriori.statistics.gram import Gram
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class FullParameters(Parameters):
    """Means and covariances in the units of the data, and what log densities are computed from.

    Parameters
    ----------
    mean : (K, d) in the units of the data
    covariance : (m, d, d) in the units of the data; m is 1 where the classes share it, else K
    scale : (d,) powers of two
    centre : (K, d) means in units of scale
    whiten, colour : (m, d, d) roots of the inverse covariance and of the covariance, in those units
    log_norm : (m,) the log density at the mean
    """

    mean: Array
    covariance: Array
    scale: Array
    centre: Array
    whiten: Array
    colour: Array
    log_norm: Array


@storable
@dataclass(frozen=True)
class FullGaussian(Family):
    """Gaussian classes, with one covariance for all or one each.

    p(x | k) = N(x; mu_k, S_k). A singular covariance is inverted on its range, ranked relative to each
    column's own spread; a class without any spread takes the pooled covariance.

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

    name: ClassVar[str] = "full"
    takes_any_number: ClassVar[bool] = True

    def domain(self) -> str:
        """Any number, none missing."""
        return "finite numbers"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark cells that are infinite or missing."""
        return ~np.isfinite(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Gram:
        """Give the class means and the scatter about them."""
        kernel = classwise(size)
        scale = power_of_two(kernel.peaks(columns))
        order = None if self.shared else np.argsort(codes, kind="stable")
        if order is not None:
            columns, codes, weights = columns[order], codes[order], weights[order]
        weight, centre, rows = kernel.centred(columns, inverse(scale), codes, weights, n_classes)
        if order is None:
            scatter = (rows.T @ rows)[None]
        else:
            ends = np.searchsorted(codes, np.arange(n_classes + 1))
            scatter = np.stack([rows[a:b].T @ rows[a:b] for a, b in pairwise(ends)])
        return Gram(scale, weight, centre * np.where(scale > 0, scale, 1.0), scatter)

    def estimate(self, statistics: Gram) -> FullParameters:
        """Give means and covariances of all classes."""
        scale = np.where(statistics.scale > 0, statistics.scale, 1.0)
        mean = self.means(statistics)
        matrices = self.covariances(statistics)
        floor = feigned_variance(statistics)
        parts = [whiten(matrix, floor) for matrix in matrices]
        with np.errstate(over="ignore", under="ignore"):  # 1e160 squared is infinite in the data's units
            natural = matrices * scale * scale[:, None]
        return FullParameters(
            mean,
            natural,
            statistics.scale,
            mean / scale,
            np.stack([part.whiten for part in parts]),
            np.stack([part.colour for part in parts]),
            np.array([_log_norm(part, scale) for part in parts]),
        )

    def means(self, statistics: Gram) -> Array:
        """Give the class means, (K, d); a class without rows takes that of all rows, or the prior's."""
        scale = np.where(statistics.scale > 0, statistics.scale, 1.0)
        prior = self.prior(statistics)
        if prior is not None:
            return prior.means(statistics.weight, statistics.mean / scale) * scale
        return filled_means(np.repeat(statistics.weight[:, None], len(scale), axis=1), statistics.mean)

    def prior(self, statistics: Gram) -> Prior | None:
        """Give the conjugate prior in units of scale, or None where the estimate has none."""
        scale = np.where(statistics.scale > 0, statistics.scale, 1.0)
        if isinstance(self.estimate_by, NormalInverseWishart):
            return self.estimate_by.laid_out(scale)
        if self.estimate_by != "map":
            return None
        variance = np.diagonal(self._pooled(statistics, 0.0))
        return weak_prior(statistics, statistics.mean / scale, variance)

    def covariances(self, statistics: Gram) -> Array:
        """Give the covariance matrices in units of scale, (1, d, d) or (K, d, d)."""
        prior, weight = self.prior(statistics), statistics.weight
        if prior is not None:
            scale = np.where(statistics.scale > 0, statistics.scale, 1.0)
            matrices = prior.covariances(weight, statistics.mean / scale, statistics.scatter, self.shared)
            alive = np.diagonal(prior.scale) > 0  # a column without spread in any class is left out
            return np.stack([_cleared(matrix, alive) for matrix in matrices])
        lost = self._lost()
        floor = feigned_variance(statistics)
        pooled = self._pooled(statistics, lost)
        if self.shared:
            return pooled[None]
        own = np.stack([_divided(s, w - lost) for s, w in zip(statistics.scatter, weight, strict=True)])
        return np.stack([_completed(matrix, pooled, floor) for matrix in own])

    def _lost(self) -> float:
        """Give the rows each class gives up for its mean."""
        return ESTIMATES[self.estimate_by] if isinstance(self.estimate_by, str) else 0.0

    def _pooled(self, statistics: Gram, lost: float) -> Array:
        """Give the pooled covariance, without the columns whose spread rounding alone could feign."""
        weight = statistics.weight
        pooled = _divided(statistics.scatter.sum(axis=0), weight.sum() - lost * (weight > 0).sum())
        return _cleared(pooled, np.diagonal(pooled) > feigned_variance(statistics))

    def log_density(self, parameters: FullParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k), on the range of the covariance."""
        return parameters.log_norm - 0.5 * self.distances(parameters, columns, size)

    def distances(self, parameters: FullParameters, columns: Array, size: int) -> Array:
        """Give the squared Mahalanobis distance of each row to each class mean, (n, K).

        Book: [Jordan] §7.2.1, footnote 1.
        """
        p = parameters
        scaled = columns * inverse(p.scale)
        if len(p.whiten) == 1:
            origin = p.centre.mean(axis=0)
            rows, means = (scaled - origin) @ p.whiten[0], (p.centre - origin) @ p.whiten[0]
            one = np.ones_like(means)
            squared: Array = -2.0 * classwise(size).scores(rows, one[0], means, one, np.zeros_like(means))
            return overflowed(squared, columns)
        result = np.empty((len(columns), len(p.centre)))
        for k, (centre, whitening) in enumerate(zip(p.centre, p.whiten, strict=True)):
            rows = (scaled - centre) @ whitening
            result[:, k] = np.einsum("ij,ij->i", rows, rows)
        return overflowed(result, columns)

    def discriminant(self, parameters: FullParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k), less its part quadratic in x where the classes share the covariance."""
        p = parameters
        if len(p.whiten) == 1:
            origin = p.centre.mean(axis=0)
            away = p.centre - origin
            coef = away @ p.whiten[0] @ p.whiten[0].T
            scores = linear_scores(columns, p.scale, origin, coef, -0.5 * coef * away)
        else:
            scores = self.log_density(p, columns, size)
        far = far_rows(scores)
        if len(far):
            scores[far] = self._far(p, columns[far])
        return scores

    def _far(self, p: FullParameters, columns: Array) -> Array:
        precision = np.einsum("kir,kjr->kij", p.whiten, p.whiten)
        cells = np.zeros_like(p.centre)
        cells[:, 0] = p.log_norm
        scores = far_scores(
            columns, p.scale, p.centre, np.broadcast_to(precision, (len(cells), *precision.shape[1:])), cells
        )
        scores[np.isnan(columns).any(axis=1)] = np.nan
        return scores

    def sample(self, parameters: FullParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw mu + L z with L L' the covariance."""
        p = parameters
        noise = rng.standard_normal((len(codes), p.mean.shape[1]))
        which = np.zeros_like(codes) if len(p.colour) == 1 else codes
        drawn = p.centre[codes].copy()
        for k, colour in enumerate(p.colour):
            drawn[which == k] += noise[which == k] @ colour.T
        return drawn * np.where(p.scale > 0, p.scale, 1.0)

    def n_parameters(self, parameters: FullParameters) -> int:
        """Count K d means and d(d+1)/2 for each covariance: M(M+5)/2 for two classes that share it."""
        n_classes, d = parameters.mean.shape
        return int(n_classes * d + len(parameters.covariance) * d * (d + 1) // 2)

    def describe(self, parameters: FullParameters, column: int) -> dict[str, Array]:
        """Give mean and variance of the column by class."""
        variance = np.broadcast_to(parameters.covariance[:, column, column], (len(parameters.mean),))
        return {"mean": parameters.mean[:, column], "variance": variance}

    def linear(
        self, parameters: FullParameters, names: Sequence[str | int], levels: Sequence[Any]
    ) -> LinearPart | None:
        """Give w_k = S^-1 mu_k and w_k0 = -mu_k'S^-1 mu_k / 2; None where each class has its own covariance.

        Book: [Bishop] Eq. 4.68-4.70, §4.2.1; [Jordan] Eq. 7.27, §7.2.1.
        """
        if len(parameters.whiten) > 1:
            return None
        p = parameters
        coef = p.centre @ p.whiten[0] @ p.whiten[0].T
        intercept = -0.5 * (coef * p.centre).sum(axis=1)
        return LinearPart(coef * inverse(p.scale), intercept, tuple(str(name) for name in names))

    def notes(self, statistics: Gram, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Name the columns without spread, and the classes whose covariance is singular or not their own."""
        matrices = self.covariances(statistics)
        floor = feigned_variance(statistics)
        notes = without_spread(np.diagonal(matrices, axis1=1, axis2=2).max(axis=0) <= 0, names)
        if not self.shared and self.prior(statistics) is None:
            notes += borrowed(self._borrowed(statistics), names, classes)
        parts = [whiten(matrix, floor) for matrix in matrices]
        return notes + singular(parts, names, () if self.shared else classes)

    def _borrowed(self, statistics: Gram) -> NDArray[np.bool_]:
        """Mark the classes and columns that took the pooled variance, (K, d)."""
        floor, lost = feigned_variance(statistics), self._lost()
        pairs = zip(statistics.scatter, statistics.weight, strict=True)
        spread = np.array([np.diagonal(_divided(scatter, weight - lost)) > floor for scatter, weight in pairs])
        lone: NDArray[np.bool_] = ~spread & (statistics.weight > 0)[:, None] & spread.any(axis=0)
        return lone


def _divided(scatter: Array, divisor: float) -> Array:
    return scatter / divisor if divisor > 0 else np.zeros_like(scatter)


def feigned_variance(statistics: Gram) -> Array:
    """Give for each column the variance, in units of scale, that rounding of its mean could feign."""
    scale = np.where(statistics.scale > 0, statistics.scale, 1.0)
    feigned: Array = (ROUNDINGS * np.abs(statistics.mean / scale).max(axis=0)) ** 2
    return feigned


def _cleared(matrix: Array, kept: NDArray[np.bool_]) -> Array:
    """Zero the rows and columns that are not kept."""
    return np.where(np.outer(kept, kept), matrix, 0.0)


def _completed(matrix: Array, pooled: Array, floor: Array) -> Array:
    """Give a class without spread in a column its pooled variance; without any, the pooled matrix."""
    spread = np.diagonal(matrix) > floor
    if not spread.any():
        return pooled
    whole = _cleared(matrix, spread)
    whole[np.diag_indices_from(whole)] = np.where(spread, np.diagonal(matrix), np.diagonal(pooled))
    return whole


def _log_norm(part: Whitening, scale: Array) -> float:
    return float(-0.5 * (part.rank * LOG_2PI + part.log_determinant) - np.log(scale[part.spread]).sum())
