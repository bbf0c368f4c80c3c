"""`DiagonalGaussian`: independent Gaussian columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.backends.select import classwise
from posteriori.families.base import Family, LinearPart, Parameters
from posteriori.families.class_sums import dense
from posteriori.families.degenerate_notes import borrowed, without_spread
from posteriori.families.gaussian.extreme_rows import far_rows, far_scores, linear_scores
from posteriori.families.gaussian.normal_inverse_gamma import ColumnPrior, NormalInverseGamma, weak_column_prior
from posteriori.families.gaussian.sparse import sparse_linear_scores, sparse_moments, sparse_scores
from posteriori.families.gaussian.variances import (
    ESTIMATES,
    LOG_2PI,
    divided,
    filled_means,
    has_spread,
    inverse,
    power_of_two,
    ratios,
)
from posteriori.messages.notes import Note
from posteriori.statistics.moments import Moments
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class DiagonalParameters(Parameters):
    """Means and variances in the units of the data, and what log densities are computed from.

    Parameters
    ----------
    mean, variance : (K, d) in the units of the data
    scale : (d,) powers of two
    centre, root : (K, d) means and inverse standard deviations in units of scale; root 0 leaves a column out
    log_norm : (K, d) log of 1 / sqrt(2 pi variance), 0 for a column left out
    free : how many variances are free
    """

    mean: Array
    variance: Array
    scale: Array
    centre: Array
    root: Array
    log_norm: Array
    free: int


@storable
@dataclass(frozen=True)
class DiagonalGaussian(Family):
    """Gaussian columns, independent given the class.

    p(x | k) = prod_j N(x_j; mu_kj, sigma_kj^2). A class without spread in a column takes the column's pooled
    variance; a column without any is left out.

    Book: [Mitchell] Eq. 13-15, §2.4; [Jordan] Eq. 7.22, §7.2.1.

    Parameters
    ----------
    shared : False (a variance for each class and column), True (one a column), "all" (a single one)
    estimate_by : "ml" (divide by N), "unbiased" (by N less the number of means it was taken about), "map" (the
        mode under a weak conjugate prior) or a `NormalInverseGamma`
    """

    shared: bool | str = False
    estimate_by: str | NormalInverseGamma = "ml"

    name: ClassVar[str] = "gaussian"
    takes_any_number: ClassVar[bool] = True
    takes_sparse: ClassVar[bool] = True

    def domain(self) -> str:
        """Any number."""
        return "finite numbers"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark infinite cells."""
        return np.isinf(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Moments:
        """Give weight, mean and centred scatter by class and column."""
        if sp.issparse(columns):
            return sparse_moments(columns, codes, weights, n_classes, size)
        kernel = classwise(size)
        scale = power_of_two(kernel.peaks(columns))
        weight, centre, scatter = kernel.moments(columns, inverse(scale), codes, weights, n_classes)
        return Moments(scale, weight, centre * np.where(scale > 0, scale, 1.0), scatter)

    def estimate(self, statistics: Moments) -> DiagonalParameters:
        """Give means and variances of all classes."""
        scale = statistics.scale
        mean = self.means(statistics)
        centre = mean * inverse(scale)
        variance = self.variances(statistics)
        root = np.divide(1.0, np.sqrt(variance), out=np.zeros_like(variance), where=variance > 0)
        root[np.isinf(variance)] = 0.0
        log_unit = np.log(np.where(scale > 0, scale, 1.0))
        log_norm = np.where(root > 0, np.log(np.where(root > 0, root, 1.0)) - 0.5 * LOG_2PI - log_unit, 0.0)
        with np.errstate(over="ignore", under="ignore"):  # a variance of 1e320 is infinite in the data's units
            natural = variance * scale * scale
        return DiagonalParameters(mean, natural, scale, centre, root, log_norm, self._free(*mean.shape))

    def means(self, statistics: Moments) -> Array:
        """Give the class means, (K, d); a class without rows takes that of all rows, or the prior's."""
        prior = self.prior(statistics)
        if prior is None:
            return filled_means(statistics.weight, statistics.mean)
        unit = np.where(statistics.scale > 0, statistics.scale, 1.0)
        return prior.means(statistics.weight, statistics.mean / unit) * unit

    def prior(self, statistics: Moments) -> ColumnPrior | None:
        """Give the conjugate prior in units of scale, or None where the estimate has none."""
        unit = np.where(statistics.scale > 0, statistics.scale, 1.0)
        if isinstance(self.estimate_by, NormalInverseGamma):
            return self.estimate_by.laid_out(unit)
        if self.estimate_by != "map":
            return None
        weight = statistics.weight
        pooled = divided(own_scatter(statistics).sum(axis=0), weight.sum(axis=0))
        return weak_column_prior(weight, statistics.mean / unit, pooled)

    def variances(self, statistics: Moments) -> Array:
        """Give the variance of every class and column in units of scale, 0 for a column to be left out.

        Unbiased divides by N_k - 1 for each class and column, N - K for a column, d(N - K) for all.
        """
        prior = self.prior(statistics)
        if prior is not None:
            variance = self._at_the_mode(prior, statistics)
            return np.where(prior.scale > 0, variance, 0.0)
        lost, weight, scatter = self._lost(), statistics.weight, own_scatter(statistics)
        pooled = divided(scatter.sum(axis=0), weight.sum(axis=0) - lost * (weight > 0).sum(axis=0))
        if self.shared == "all":
            pooled = _single(statistics.scale, scatter, weight - lost * (weight > 0))
        if self.shared:
            return np.broadcast_to(pooled, weight.shape).copy()
        own = divided(scatter, weight - lost)
        return np.where(own > 0, own, pooled)

    def _at_the_mode(self, prior: ColumnPrior, statistics: Moments) -> Array:
        weight, centre = statistics.weight, statistics.mean * inverse(statistics.scale)
        squares = prior.squares(weight, centre, own_scatter(statistics))
        if not self.shared:
            return prior.own(weight, squares)
        single = self.shared == "all"
        shared = prior.single(weight, squares, statistics.scale) if single else prior.by_column(weight, squares)
        return np.broadcast_to(shared, weight.shape).copy()

    def _lost(self) -> float:
        """Give the rows each class gives up for its mean."""
        return ESTIMATES.get(self.estimate_by, 0.0) if isinstance(self.estimate_by, str) else 0.0

    def log_density(self, parameters: DiagonalParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k); a missing cell is marginalised."""
        p = parameters
        if sp.issparse(columns):
            return sparse_scores(columns, p.scale, p.centre, p.root, p.log_norm)
        scores: Array = classwise(size).scores(columns, inverse(p.scale), p.centre, p.root, p.log_norm)
        return scores

    def discriminant(self, parameters: DiagonalParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k), less its part quadratic in x where the classes share the variance."""
        p = parameters
        if self.shared:
            origin = p.centre.mean(axis=0)
            away = p.centre - origin
            coef = p.root**2 * away
            scored = sparse_linear_scores if sp.issparse(columns) else linear_scores
            scores = scored(columns, p.scale, origin, coef, p.log_norm - 0.5 * coef * away)
        else:
            scores = self.log_density(p, columns, size)
        far = far_rows(scores)
        if len(far):
            scores[far] = far_scores(dense(columns[far]), p.scale, p.centre, p.root**2, p.log_norm)
        return scores

    def distances(self, parameters: DiagonalParameters, columns: Array, size: int) -> Array:
        """Give the squared Mahalanobis distance of each row to each class mean, (n, K)."""
        p = parameters
        scores = classwise(size).scores(columns, inverse(p.scale), p.centre, p.root, np.zeros_like(p.root))
        squared: Array = -2.0 * scores
        return squared

    def sample(self, parameters: DiagonalParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw mu + sigma z; a column left out is drawn at its mean."""
        p = parameters
        noise = rng.standard_normal((len(codes), p.mean.shape[1]))
        spread = np.divide(1.0, p.root, out=np.zeros_like(p.root), where=p.root > 0)
        drawn: Array = (p.centre[codes] + noise * spread[codes]) * np.where(p.scale > 0, p.scale, 1.0)
        return drawn

    def n_parameters(self, parameters: DiagonalParameters) -> int:
        """Count K d means and the variances that are free: 2 d K of each class's own."""
        return parameters.mean.size + parameters.free

    def describe(self, parameters: DiagonalParameters, column: int) -> dict[str, Array]:
        """Give mean and variance by class."""
        return {"mean": parameters.mean[:, column], "variance": parameters.variance[:, column]}

    def linear(
        self, parameters: DiagonalParameters, names: Sequence[str | int], levels: Sequence[Any]
    ) -> LinearPart | None:
        """Give weights over x where the variance is shared, else over x and x^2.

        Book: [Mitchell] Eq. 22, §3.1; [Jordan] Eq. 7.8, §7.2.1.
        """
        p, unit = parameters, inverse(parameters.scale)
        coef = p.root**2 * p.centre * unit
        intercept = -0.5 * ((p.root * p.centre) ** 2).sum(axis=1)
        titles = tuple(str(name) for name in names)
        if self.shared:
            return LinearPart(coef, intercept, titles)
        intercept += p.log_norm.sum(axis=1)
        squares = -0.5 * (p.root * unit) ** 2
        return LinearPart(np.hstack([coef, squares]), intercept, titles + tuple(f"{name}^2" for name in titles))

    def statistic(self, columns: Array) -> Array:
        """Give x, or x and x^2 where each class has its own variance."""
        return columns if self.shared else np.hstack([columns, columns**2])

    def notes(self, statistics: Moments, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Name the columns left out, and the classes that took a pooled variance."""
        variance = self.variances(statistics)
        notes = without_spread((variance == 0).all(axis=0), names)
        if self.prior(statistics) is not None:
            return notes
        return notes + borrowed(self._borrowed(statistics) & (variance > 0), names, classes)

    def _borrowed(self, statistics: Moments) -> NDArray[np.bool_]:
        """Mark the classes and columns whose variance is not their own although it should be."""
        weight, centre = statistics.weight, statistics.mean * inverse(statistics.scale)
        own = has_spread(statistics.scatter, weight, centre) & (weight > self._lost())
        taught = weight.any(axis=1, keepdims=True)  # a class without any row is not asked for its spread
        lone: NDArray[np.bool_] = ~own & taught & (not self.shared)
        return lone

    def _free(self, n_classes: int, n_columns: int) -> int:
        return {"all": 1, True: n_columns, False: n_columns * n_classes}[self.shared]


def own_scatter(statistics: Moments) -> Array:
    """Give the scatters (K, d), 0 where rounding of the mean alone could feign them."""
    centre = statistics.mean * inverse(statistics.scale)
    return np.where(has_spread(statistics.scatter, statistics.weight, centre), statistics.scatter, 0.0)


def _single(scale: Array, scatter: Array, divisor: Array) -> Array:
    """Give one variance for all columns and classes, in each column's own units."""
    ratio = ratios(scale)
    rows = divisor.sum()
    variance = (scatter * ratio**2).sum() / rows if rows > 0 else 0.0
    # dividing twice: the square of a ratio below 1e-154 would vanish
    return variance / ratio / ratio
