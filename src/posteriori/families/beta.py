"""`Beta`: columns of shares between zero and one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.families.base import Family, LinearPart, Parameters
from posteriori.families.class_sums import class_means
from posteriori.families.degenerate_notes import borrowed, without_spread
from posteriori.families.dirichlet_likelihood import concentrations, spreads
from posteriori.families.gamma_function import stirling
from posteriori.messages.notes import Note
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


@storable
@dataclass(frozen=True)
class Beta(Family):
    """Independent columns of shares: p(x_j | k) = x^(a - 1) (1 - x)^(b - 1) Gamma(a + b) / (Gamma(a) Gamma(b)).

    A Dirichlet density of the two parts x and 1 - x. Maximum likelihood by Newton's method on
    psi(a) - psi(a + b) = mean log x and psi(b) - psi(a + b) = mean log(1 - x); no smoothing. A class without
    spread in a column keeps its mean and takes the pooled precision a + b; a column without any is left out.

    Book: [Jordan] §7.2.3, T(x) = (log x, log(1 - x)), eta = (a, b).
    """

    name: ClassVar[str] = "beta"

    def domain(self) -> str:
        """Shares."""
        return "numbers between 0 and 1, neither included"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark cells outside (0, 1)."""
        wrong: NDArray[np.bool_] = (columns <= 0) | (columns >= 1)
        return wrong

    def inside(self, n_columns: int) -> float:
        """Give a value in the domain."""
        return 0.5

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Means:
        """Give the means of log x, then of log(1 - x), by class and column."""
        inside = np.where(self.invalid(columns), np.nan, columns)
        return Means(*class_means(self.statistic(inside), codes, weights, n_classes, size))

    def estimate(self, statistics: Means) -> BetaParameters:
        """Give both parameters of all classes."""
        weight, logs = _paired(statistics)
        alpha = concentrations(weight, logs)
        return BetaParameters(alpha[..., 0], alpha[..., 1])

    def log_density(self, parameters: BetaParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k); a missing cell is integrated out."""
        used = np.isfinite(parameters.alpha).any(axis=0)
        inside = np.where(np.isnan(columns) | self.invalid(columns) | ~used, 0.5, columns)
        common = np.where(inside == columns, np.log(inside) + np.log1p(-inside), 0.0)
        common[:, ~used] = 0.0
        scores: Array = self.discriminant(parameters, columns, size) - common.sum(axis=1, keepdims=True)
        return scores

    def discriminant(self, parameters: BetaParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k) without -sum_j log x_j (1 - x_j)."""
        bad = self.invalid(columns)
        missing = np.isnan(columns) | bad
        inside = np.where(missing, 0.5, columns)
        log_x, log_rest = np.log(inside), np.log1p(-inside)
        scores = np.empty((len(columns), len(parameters.alpha)))
        for k, (alpha, beta) in enumerate(zip(parameters.alpha, parameters.beta, strict=True)):
            used = np.isfinite(alpha)
            a, b = np.where(used, alpha, 1.0), np.where(used, beta, 1.0)
            cells = a * (log_x - np.log(a / (a + b))) + b * (log_rest - np.log(b / (a + b))) + _level(a, b)
            scores[:, k] = np.where(missing | ~used, 0.0, cells).sum(axis=1)
        scores[bad.any(axis=1)] = np.nan
        return scores

    def sample(self, parameters: BetaParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw from the beta density; a column left out is missing, for it has no density."""
        used = np.isfinite(parameters.alpha)
        a, b = np.where(used, parameters.alpha, 1.0), np.where(used, parameters.beta, 1.0)
        return np.where(used[codes], rng.beta(a[codes], b[codes]), np.nan)

    def n_parameters(self, parameters: BetaParameters) -> int:
        """Count two for each class and column."""
        return 2 * parameters.alpha.size

    def describe(self, parameters: BetaParameters, column: int) -> dict[str, Array]:
        """Give both parameters by class."""
        return {"alpha": parameters.alpha[:, column], "beta": parameters.beta[:, column]}

    def linear(
        self, parameters: BetaParameters, names: Sequence[str | int], levels: Sequence[Any]
    ) -> LinearPart | None:
        """Give a and b as weights over log x and log(1 - x)."""
        used = np.isfinite(parameters.alpha)
        a, b = np.where(used, parameters.alpha, 1.0), np.where(used, parameters.beta, 1.0)
        cells = _level(a, b) - a * np.log(a / (a + b)) - b * np.log(b / (a + b))
        coef = np.hstack([np.where(used, a, 0.0), np.where(used, b, 0.0)])
        titles = tuple(f"log {name}" for name in names) + tuple(f"log(1 - {name})" for name in names)
        return LinearPart(coef, np.where(used, cells, 0.0).sum(axis=1), titles)

    def statistic(self, columns: Array) -> Array:
        """Give log x and log(1 - x)."""
        return np.hstack([np.log(columns), np.log1p(-columns)])

    def notes(self, statistics: Means, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Name the columns left out, and the classes that took the pooled precision."""
        weight, logs = _paired(statistics)
        spread = (spreads(logs) > 0) & (weight > 0)
        alive: NDArray[np.bool_] = np.any(spread, axis=0)
        lone = ~spread & (weight > 0) & alive
        what, remedy = "the precision pooled over the classes", "More rows would settle it."
        return without_spread(~alive, names) + borrowed(lone, names, classes, what, remedy)


def _paired(statistics: Means) -> tuple[Array, Array]:
    """Give the weights (K, d) and the mean logs of both parts (K, d, 2)."""
    weight, _ = np.hsplit(statistics.weight, 2)
    return weight, np.stack(np.hsplit(statistics.mean, 2), axis=-1)


def _level(a: Array, b: Array) -> Array:
    """Give what Stirling's leading terms leave of log Gamma(a + b) - log Gamma(a) - log Gamma(b)."""
    return stirling(a + b) - stirling(a) - stirling(b)
