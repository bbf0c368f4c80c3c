"""`DiagonalGaussian`: independent Gaussian columns."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.backends.csr import is_sparse, to_dense
from posteriori.families.base import Levels, LinearPart, Names, Notes, Parameters
from posteriori.families.degenerate_notes import borrowed, left_out
from posteriori.families.gaussian.base import GaussianFamily
from posteriori.families.gaussian.extreme_rows import extreme_rows, extreme_scores, linear_scores
from posteriori.families.gaussian.normal_inverse_gamma import ColumnPrior, NormalInverseGamma, weak_column_prior
from posteriori.families.gaussian.sparse import sparse_linear_scores, sparse_moments, sparse_scores
from posteriori.families.gaussian.variances import LOG_2PI, lost_degrees, ratios, varies
from posteriori.linalg.powers_of_two import inverse, nonzero, power_of_two
from posteriori.linalg.quotients import quotient
from posteriori.statistics.moments import Moments
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class DiagonalParameters(Parameters):
    """Means and variances in the units of the data, and the numbers that log densities are computed from.

    Parameters
    ----------
    mean, variance : (K, d) in the units of the data
    scale : (d,) powers of two
    centre, root : (K, d) means and inverse standard deviations in units of scale; root 0 leaves a column out
    log_norm : (K, d) log of 1 / sqrt(2 pi variance), 0 for a column left out
    free : the number of free variances
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
class DiagonalGaussian(GaussianFamily):
    """Gaussian columns, independent given the class.

    p(x | k) = prod_j N(x_j; mu_kj, sigma_kj^2). A class in which a column is constant takes the column's
    pooled variance; a column constant in every class is left out.

    Book: [Mitchell] Eq. 13-15, §2.4; [Jordan] Eq. 7.22, §7.2.1.

    Parameters
    ----------
    shared : False (one variance per class and column), True (one per column), "all" (a single one)
    estimate_by : "ml" (divide by N), "unbiased" (by N less the number of class means), "map" (the mode under a weak
        conjugate prior) or a `NormalInverseGamma`
    """

    shared: bool | str = False
    estimate_by: str | NormalInverseGamma = "ml"

    name = "gaussian"
    parameters_type = DiagonalParameters
    statistics_type = Moments
    default_for = "number"
    takes_sparse = True
    conjugate_prior = NormalInverseGamma

    def invalid(self, columns: Array) -> Mask:
        """Mark infinite cells."""
        return np.isinf(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Moments:
        """Return weight, mean and centred scatter by class and column."""
        if is_sparse(columns):
            return sparse_moments(columns, codes, weights, n_classes, backend)
        kernel = backend.classwise
        scale = power_of_two(kernel.peaks(columns))
        weight, centre, scatter = kernel.moments(columns, inverse(scale), codes, weights, n_classes)
        return Moments(scale, weight, centre * nonzero(scale), scatter)

    def estimate(self, statistics: Moments) -> DiagonalParameters:
        """Return means and variances of all classes."""
        scale = statistics.scale
        mean = self.means(statistics)
        centre = mean * inverse(scale)
        variance = self.variances(statistics)
        root = quotient(1.0, np.sqrt(variance))
        root[np.isinf(variance)] = 0.0
        log_unit = np.log(nonzero(scale))
        log_norm = np.where(root > 0, np.log(np.where(root > 0, root, 1.0)) - 0.5 * LOG_2PI - log_unit, 0.0)
        with np.errstate(over="ignore", under="ignore"):  # a variance of 1e320 is infinite in the data's units
            natural = variance * scale * scale
        return DiagonalParameters(mean, natural, scale, centre, root, log_norm, self._free(*mean.shape))

    def prior(self, statistics: Moments) -> ColumnPrior | None:
        """Return the conjugate prior in units of scale, or None if the estimate has none."""
        unit = nonzero(statistics.scale)
        if isinstance(self.estimate_by, NormalInverseGamma):
            return self.estimate_by.for_columns(unit)
        if self.estimate_by != "map":
            return None
        weight = statistics.weight
        pooled = quotient(own_scatter(statistics).sum(axis=0), weight.sum(axis=0))
        return weak_column_prior(weight, statistics.mean / unit, pooled)

    def variances(self, statistics: Moments) -> Array:
        """Return the variance of every class and column in units of scale, 0 for a column to be left out.

        The unbiased estimate divides by N_k - 1 for each class and column, N - K for a column, d(N - K) for all.
        """
        prior = self.prior(statistics)
        if prior is not None:
            variance = self._mode(prior, statistics)
            return np.where(prior.scale > 0, variance, 0.0)
        lost, weight, scatter = lost_degrees(self.estimate_by), statistics.weight, own_scatter(statistics)
        pooled = quotient(scatter.sum(axis=0), weight.sum(axis=0) - lost * (weight > 0).sum(axis=0))
        if self.shared == "all":
            pooled = _single(statistics.scale, scatter, weight - lost * (weight > 0))
        if self.shared:
            return np.broadcast_to(pooled, weight.shape).copy()
        own = quotient(scatter, weight - lost)
        return np.where(own > 0, own, pooled)

    def _mode(self, prior: ColumnPrior, statistics: Moments) -> Array:
        weight, centre = statistics.weight, statistics.mean * inverse(statistics.scale)
        squares = prior.squares(weight, centre, own_scatter(statistics))
        if not self.shared:
            return prior.by_class_and_column(weight, squares)
        single = self.shared == "all"
        shared = prior.single(weight, squares, statistics.scale) if single else prior.by_column(weight, squares)
        return np.broadcast_to(shared, weight.shape).copy()

    def log_density(self, parameters: DiagonalParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k); missing cells are integrated out."""
        p = parameters
        if is_sparse(columns):
            return sparse_scores(columns, p.scale, p.centre, p.root, p.log_norm)
        return np.asarray(backend.classwise.scores(columns, inverse(p.scale), p.centre, p.root, p.log_norm))

    def discriminant(self, parameters: DiagonalParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k), without its part quadratic in x if the classes share the variance."""
        p = parameters
        if self.shared:
            origin = p.centre.mean(axis=0)
            deviation = p.centre - origin
            coef = p.root**2 * deviation
            score = sparse_linear_scores if is_sparse(columns) else linear_scores
            scores = score(columns, p.scale, origin, coef, p.log_norm - 0.5 * coef * deviation)
        else:
            scores = self.log_density(p, columns, backend)
        extreme = extreme_rows(scores)
        if len(extreme):
            scores[extreme] = extreme_scores(to_dense(columns[extreme]), p.scale, p.centre, p.root**2, p.log_norm)
        return scores

    def distances(self, parameters: DiagonalParameters, columns: Array, backend: Backend) -> Array:
        """Return the squared Mahalanobis distance of each row to each class mean, (n, K)."""
        p = parameters
        scores = backend.classwise.scores(columns, inverse(p.scale), p.centre, p.root, np.zeros_like(p.root))
        return np.asarray(-2.0 * scores)

    def is_left_out(self, parameters: DiagonalParameters, column: int) -> bool:
        """Return whether the column has no variance in any class."""
        return not parameters.root[:, column].any()

    def sample(self, parameters: DiagonalParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw mu + sigma z; a column left out is drawn at its mean."""
        p = parameters
        noise = rng.standard_normal((len(codes), p.mean.shape[1]))
        sd = quotient(1.0, p.root)
        return (p.centre[codes] + noise * sd[codes]) * nonzero(p.scale)

    def n_parameters(self, parameters: DiagonalParameters) -> int:
        """Count K d means and the free variances: 2 d K if each class has its own."""
        return parameters.mean.size + parameters.free

    def describe(self, parameters: DiagonalParameters, column: int) -> dict[str, Array]:
        """Return mean and variance by class."""
        return {"mean": parameters.mean[:, column], "variance": parameters.variance[:, column]}

    def linear(self, parameters: DiagonalParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return weights of x if the variance is shared, else of x and x^2.

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
        """Return x, or x and x^2 if each class has its own variance."""
        return columns if self.shared else np.hstack([columns, columns**2])

    def notes(self, statistics: Moments, names: Names, classes: AnyArray) -> Notes:
        """Name the columns left out, and the classes that took a pooled variance."""
        variance = self.variances(statistics)
        notes = left_out((variance == 0).all(axis=0), names)
        if self.prior(statistics) is not None:
            return notes
        return notes + borrowed(self._borrowed(statistics) & (variance > 0), names, classes)

    def _borrowed(self, statistics: Moments) -> Mask:
        """Mark the classes and columns that use the pooled variance because their own is zero."""
        weight, centre = statistics.weight, statistics.mean * inverse(statistics.scale)
        own = varies(statistics.scatter, weight, centre) & (weight > lost_degrees(self.estimate_by))
        has_rows = weight.any(axis=1, keepdims=True)  # a class without rows has no variance to report
        return np.asarray(~own & has_rows & (not self.shared))

    def _free(self, n_classes: int, n_columns: int) -> int:
        return {"all": 1, True: n_columns, False: n_columns * n_classes}[self.shared]


def own_scatter(statistics: Moments) -> Array:
    """Return the scatters (K, d), 0 where they do not exceed the rounding of the mean."""
    centre = statistics.mean * inverse(statistics.scale)
    return np.where(varies(statistics.scatter, statistics.weight, centre), statistics.scatter, 0.0)


def _single(scale: Array, scatter: Array, divisor: Array) -> Array:
    """Return one variance for all columns and classes, in each column's own units."""
    ratio = ratios(scale)
    rows = divisor.sum()
    variance = (scatter * ratio**2).sum() / rows if rows > 0 else 0.0
    # dividing twice: the square of a ratio below 1e-154 underflows
    return variance / ratio / ratio
