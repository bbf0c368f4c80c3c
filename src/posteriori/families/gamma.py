"""`Gamma`: columns of positive numbers."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.families.base import Family, Levels, LinearPart, Names, Notes, Parameters
from posteriori.families.class_sums import class_means
from posteriori.families.degenerate_notes import borrowed_and_left_out
from posteriori.families.gamma_function import log_less_digamma, stirling, trigamma_less_inverse
from posteriori.linalg.quotients import quotient
from posteriori.statistics.log_means import LogMeans, log_excess
from posteriori.storable import storable

#: A lag below this is rounding, not variance: the square of a few roundings of the mean.
ROUNDING_LAG = (64.0 * np.finfo(np.float64).eps) ** 2


@storable
@dataclass(frozen=True)
class GammaParameters(Parameters):
    """Mean and shape of each column in each class; a column left out has an infinite shape.

    Parameters
    ----------
    mean, shape : (K, d); the scale is mean / shape
    """

    mean: Array
    shape: Array


@storable
@dataclass(frozen=True)
class Gamma(Family):
    """Independent positive columns: p(x_j | k) = x^(a - 1) exp(-x/s) / (s^a Gamma(a)), shape a, scale s.

    Maximum likelihood: log a - psi(a) = log mean - mean log, solved to rounding by Newton's method in 1/a, and
    s = mean/a; no smoothing. A class in which a column is constant keeps its mean and takes the shape pooled over
    the classes; a column constant in every class is left out.

    Book: [Jordan] §7.2.3, T(x) = (x, log x), eta = (-1/s, a).

    Notes
    -----
    The density is computed about the mean m: log p = -log x - a (x/m - 1 - log(x/m)) + a log a - a - log Gamma(a),
    which keeps its digits where a is large.
    """

    name = "gamma"
    parameters_type = GammaParameters
    statistics_type = LogMeans

    def domain(self) -> str:
        """Positive numbers."""
        return "positive numbers"

    def invalid(self, columns: Array) -> Mask:
        """Mark cells that are zero, negative or infinite."""
        return (columns <= 0) | np.isinf(columns)

    def valid_value(self, n_columns: int) -> float:
        """Return a positive number."""
        return 1.0

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> LogMeans:
        """Return weight, mean, and lag = log mean - mean log by class and column."""
        columns = np.where(self.invalid(columns), np.nan, columns)
        weight, mean = class_means(columns, codes, weights, n_classes, backend)
        centre = np.where(mean > 0, mean, 1.0)[codes]
        lags = log_excess(columns / centre, (columns - centre) / centre)  # their mean is the lag, as that of x/m is 1
        _, lag = class_means(lags, codes, weights, n_classes, backend)
        return LogMeans(weight, mean, lag)

    def estimate(self, statistics: LogMeans) -> GammaParameters:
        """Return means and shapes of all classes; a class without rows takes those of all classes together."""
        s = statistics
        whole = _merged_classes(s)
        mean = np.where(s.weight > 0, s.mean, whole.mean)
        own = np.where(s.weight > 0, s.lag, whole.lag)
        lag = np.where(own > ROUNDING_LAG, own, _pooled(s))
        return GammaParameters(mean, shape_of(lag))

    def log_density(self, parameters: GammaParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k); missing cells are integrated out."""
        used = np.isfinite(parameters.shape).any(axis=0)
        logs = np.log(np.where((columns > 0) & used, columns, 1.0))
        return np.asarray(self.discriminant(parameters, columns, backend) - logs.sum(axis=1, keepdims=True))

    def discriminant(self, parameters: GammaParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) without -sum_j log x_j."""
        p = parameters
        bad = self.invalid(columns)
        missing = np.isnan(columns) | bad
        x = np.where(missing, 1.0, columns)
        scores = np.empty((len(columns), len(p.mean)))
        for k, (mean, shape) in enumerate(zip(p.mean, p.shape, strict=True)):
            used = np.isfinite(shape)
            centre, a = np.where(used, mean, 1.0), np.where(used, shape, 1.0)
            with np.errstate(over="ignore", invalid="ignore"):
                ratio = x / centre
                cells = -stirling(a) - a * log_excess(ratio, (x - centre) / centre)
            cells[np.isposinf(ratio)] = -np.inf  # so far beyond the mean that the density is zero
            scores[:, k] = np.where(missing | ~used, 0.0, cells).sum(axis=1)
        scores[bad.any(axis=1)] = np.nan
        return scores

    def is_left_out(self, parameters: GammaParameters, column: int) -> bool:
        """Return whether the shape is infinite in every class."""
        return not np.isfinite(parameters.shape[:, column]).any()

    def sample(self, parameters: GammaParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw from the gamma density; a column left out is drawn at its mean."""
        used = np.isfinite(parameters.shape)
        shape = np.where(used, parameters.shape, 1.0)
        drawn = rng.standard_gamma(shape[codes]) / shape[codes] * parameters.mean[codes]
        return np.where(used[codes], drawn, parameters.mean[codes])

    def n_parameters(self, parameters: GammaParameters) -> int:
        """Count a shape and a scale for each class and column."""
        return 2 * parameters.mean.size

    def describe(self, parameters: GammaParameters, column: int) -> dict[str, Array]:
        """Return shape and scale by class."""
        shape = parameters.shape[:, column]
        with np.errstate(over="ignore"):
            return {"shape": shape, "scale": parameters.mean[:, column] / shape}

    def linear(self, parameters: GammaParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return -1/scale as weights of x and the shapes as weights of log x."""
        used = np.isfinite(parameters.shape)
        a, mean = np.where(used, parameters.shape, 0.0), np.where(used, parameters.mean, 1.0)
        one = np.where(used, a, 1.0)
        cells = np.where(used, a * (1.0 - np.log(mean)) - stirling(one), 0.0)
        titles = tuple(str(name) for name in names)
        coef = np.hstack([-a / mean, a])
        return LinearPart(coef, cells.sum(axis=1), titles + tuple(f"log {name}" for name in titles))

    def statistic(self, columns: Array) -> Array:
        """Return x and log x."""
        return np.hstack([columns, np.log(columns)])

    def notes(self, statistics: LogMeans, names: Names, classes: AnyArray) -> Notes:
        """Name the columns left out, and the classes that took the pooled shape."""
        varies = statistics.lag > ROUNDING_LAG
        return borrowed_and_left_out(varies, statistics.weight > 0, names, classes, "the shape pooled over the classes")


def shape_of(lag: Array) -> Array:
    """Solve log a - psi(a) = lag by Newton's method in 1/a; infinite where the lag is zero.

    >>> shape_of(np.array([np.euler_gamma])).round(12).tolist()
    [1.0]
    """
    positive = lag > 0
    s = np.where(positive, lag, 1.0)
    a = (3.0 - s + np.sqrt((s - 3.0) ** 2 + 24.0 * s)) / (12.0 * s)
    for _ in range(50):
        # 1/a is nearly linear in the lag, so that a step or two suffice
        step = (log_less_digamma(a) - s) / (a * a * trigamma_less_inverse(a))
        new = 1.0 / np.maximum(1.0 / a - step, 0.1 / a)
        done = np.abs(new - a) <= 4.0 * np.finfo(np.float64).eps * a
        a = new
        if done.all():
            break
    return np.where(positive, a, np.inf)


def _pooled(s: LogMeans) -> Array:
    """Return each column's lag averaged over the classes: the lag of their common shape."""
    lag = quotient((s.weight * s.lag).sum(axis=0), s.weight.sum(axis=0))
    return np.where(lag > ROUNDING_LAG, lag, 0.0)


def _merged_classes(s: LogMeans) -> LogMeans:
    """Return the means of the rows of all classes together."""
    classes = [LogMeans(*parts) for parts in zip(s.weight, s.mean, s.lag, strict=True)]
    return reduce(LogMeans.merge, classes)
