"""`Beta`: columns of proportions between zero and one."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.families.base import Family, Levels, LinearPart, Names, Notes, Parameters
from posteriori.families.class_sums import class_means
from posteriori.families.degenerate_notes import PRECISION, borrowed_and_left_out
from posteriori.families.dirichlet_likelihood import concentrations, log_deficit, log_means_inconsistency
from posteriori.families.gamma_function import stirling
from posteriori.statistics.means import Means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class BetaParameters(Parameters):
    """The two parameters of each column in each class; infinite for a column left out.

    Parameters
    ----------
    alpha, beta : (K, d)
    """

    alpha: Array
    beta: Array

    def finite(self) -> tuple[Mask, Array, Array]:
        """Return which columns of which class are used, and both parameters with 1 in the others."""
        used = np.isfinite(self.alpha)
        return used, np.where(used, self.alpha, 1.0), np.where(used, self.beta, 1.0)


@storable
@dataclass(frozen=True)
class Beta(Family):
    """Independent columns of proportions: p(x_j | k) = x^(a - 1) (1 - x)^(b - 1) Gamma(a + b) / (Gamma(a) Gamma(b)).

    A Dirichlet density of the two parts x and 1 - x. Maximum likelihood by Newton's method on
    psi(a) - psi(a + b) = mean log x and psi(b) - psi(a + b) = mean log(1 - x); no smoothing. A class in which a
    column is constant keeps its mean and takes the pooled precision a + b; a column constant in every class is left
    out.

    Book: [Jordan] §7.2.3, T(x) = (log x, log(1 - x)), eta = (a, b).
    """

    name = "beta"
    parameters_type = BetaParameters
    statistics_type = Means
    statistics_per_column = 2

    def domain(self) -> str:
        """Proportions."""
        return "numbers strictly between 0 and 1"

    def invalid(self, columns: Array) -> Mask:
        """Mark cells outside (0, 1)."""
        return (columns <= 0) | (columns >= 1)

    def valid_value(self, n_columns: int) -> float:
        """Return a proportion."""
        return 0.5

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Means:
        """Return the means of log x, then of log(1 - x), by class and column."""
        valid = np.where(self.invalid(columns), np.nan, columns)
        return Means(*class_means(self.statistic(valid), codes, weights, n_classes, backend))

    def estimate(self, statistics: Means) -> BetaParameters:
        """Return both parameters of all classes."""
        weight, logs = _paired(statistics)
        alpha = concentrations(weight, logs)
        return BetaParameters(alpha[..., 0], alpha[..., 1])

    def inconsistency(self, statistics: Means, n_columns: int) -> tuple[str, str] | None:
        """Return why statistics cannot be means of logarithms of proportions."""
        return log_means_inconsistency(statistics) or super().inconsistency(statistics, n_columns)

    def log_density(self, parameters: BetaParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k); missing cells are integrated out."""
        used = np.isfinite(parameters.alpha).any(axis=0)
        present = used & ~np.isnan(columns) & ~self.invalid(columns)
        x = np.where(present, columns, 0.5)
        common = np.where(present, np.log(x) + np.log1p(-x), 0.0)
        return np.asarray(self.discriminant(parameters, columns, backend) - common.sum(axis=1, keepdims=True))

    def discriminant(self, parameters: BetaParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) without -sum_j log x_j (1 - x_j)."""
        bad = self.invalid(columns)
        missing = np.isnan(columns) | bad
        x = np.where(missing, 0.5, columns)
        log_x, log_rest = np.log(x), np.log1p(-x)
        scores = np.empty((len(columns), len(parameters.alpha)))
        for k, (used, a, b) in enumerate(zip(*parameters.finite(), strict=True)):
            cells = a * (log_x - np.log(a / (a + b))) + b * (log_rest - np.log(b / (a + b))) + _log_norm(a, b)
            scores[:, k] = np.where(missing | ~used, 0.0, cells).sum(axis=1)
        scores[bad.any(axis=1)] = np.nan
        return scores

    def is_left_out(self, parameters: BetaParameters, column: int) -> bool:
        """Return whether the parameters are infinite in every class."""
        return not np.isfinite(parameters.alpha[:, column]).any()

    def sample(self, parameters: BetaParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw from the beta density; a column left out is missing, since it has no density."""
        used, a, b = parameters.finite()
        return np.where(used[codes], rng.beta(a[codes], b[codes]), np.nan)

    def n_parameters(self, parameters: BetaParameters) -> int:
        """Count two for each class and column."""
        return 2 * parameters.alpha.size

    def describe(self, parameters: BetaParameters, column: int) -> dict[str, Array]:
        """Return both parameters by class."""
        return {"alpha": parameters.alpha[:, column], "beta": parameters.beta[:, column]}

    def linear(self, parameters: BetaParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return a and b as weights of log x and log(1 - x)."""
        used, a, b = parameters.finite()
        cells = _log_norm(a, b) - a * np.log(a / (a + b)) - b * np.log(b / (a + b))
        coef = np.hstack([np.where(used, a, 0.0), np.where(used, b, 0.0)])
        titles = tuple(f"log {name}" for name in names) + tuple(f"log(1 - {name})" for name in names)
        return LinearPart(coef, np.where(used, cells, 0.0).sum(axis=1), titles)

    def statistic(self, columns: Array) -> Array:
        """Return log x and log(1 - x)."""
        return np.hstack([np.log(columns), np.log1p(-columns)])

    def notes(self, statistics: Means, names: Names, classes: AnyArray) -> Notes:
        """Name the columns left out, and the classes that took the pooled precision."""
        weight, logs = _paired(statistics)
        return borrowed_and_left_out(log_deficit(logs) > 0, weight > 0, names, classes, PRECISION)


def _paired(statistics: Means) -> tuple[Array, Array]:
    """Return the weights (K, d) and the mean logs of both parts (K, d, 2)."""
    weight, _ = np.hsplit(statistics.weight, 2)
    return weight, np.stack(np.hsplit(statistics.mean, 2), axis=-1)


def _log_norm(a: Array, b: Array) -> Array:
    """Return what Stirling's leading terms leave of log Gamma(a + b) - log Gamma(a) - log Gamma(b)."""
    return stirling(a + b) - stirling(a) - stirling(b)
