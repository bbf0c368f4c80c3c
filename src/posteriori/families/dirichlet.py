"""`Dirichlet`: the parts of a whole, over a group of columns."""

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

#: How far the parts of a row may be from making a whole: the rounding of single precision.
WHOLE = 1e-6


@storable
@dataclass(frozen=True)
class DirichletParameters(Parameters):
    """The parameters of each class.

    Parameters
    ----------
    alpha : (K, J); infinite where the group showed no spread, and is left out
    """

    alpha: Array


@storable
@dataclass(frozen=True)
class Dirichlet(Family):
    """Parts of a whole: p(x | k) = Gamma(sum alpha_k) prod_j x_j^(alpha_kj - 1) / Gamma(alpha_kj).

    Over a group of columns, positive and summing to one in every row. Maximum likelihood by Newton's method on
    psi(alpha_j) - psi(sum alpha) = mean log x_j; no smoothing. A row with a gap in the group says nothing of
    it, in fit and in predict. A class without spread keeps its mean and takes the pooled precision.

    Book: [Jordan] §7.2.3, T(x) = log x, eta = alpha.
    """

    name: ClassVar[str] = "dirichlet"
    is_joint: ClassVar[bool] = True

    def domain(self) -> str:
        """Parts of a whole."""
        return "positive parts of a whole, which sum to 1 in each row"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark cells outside (0, 1), and all cells of a row that does not sum to one."""
        wrong: NDArray[np.bool_] = (columns <= 0) | (columns >= 1)
        with np.errstate(invalid="ignore"):
            off = np.abs(columns.sum(axis=1, keepdims=True) - 1.0) > WHOLE  # not so where a part is missing
        wrong |= off & ~np.isnan(columns)
        return wrong

    def inside(self, n_columns: int) -> float:
        """Give a value in the domain."""
        return 1.0 / n_columns

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Means:
        """Give the mean logarithms of the parts by class."""
        logs = np.log(np.where(self.invalid(columns), np.nan, columns))
        logs[np.isnan(logs).any(axis=1)] = np.nan
        return Means(*class_means(logs, codes, weights, n_classes, size))

    def estimate(self, statistics: Means) -> DirichletParameters:
        """Give the parameters of all classes."""
        return DirichletParameters(concentrations(statistics.weight[:, 0], statistics.mean))

    def log_density(self, parameters: DirichletParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k) on the simplex; zero for a row with a gap."""
        scores = self.discriminant(parameters, columns, size)
        whole = ~np.isnan(columns).any(axis=1) & np.isfinite(parameters.alpha).all()
        scores[whole] -= np.log(np.abs(columns[whole])).sum(axis=1, keepdims=True)
        return scores

    def discriminant(self, parameters: DirichletParameters, columns: Array, size: int) -> Array:
        """Give sum_j alpha_kj log x_j plus the log normaliser."""
        alpha = parameters.alpha
        scores = np.zeros((len(columns), len(alpha)))
        bad = self.invalid(columns).any(axis=1)
        whole = ~bad & ~np.isnan(columns).any(axis=1)
        if np.isfinite(alpha).all():
            scores[whole] = dirichlet_scores(alpha, np.log(columns[whole]))
        scores[bad] = np.nan
        return scores

    def sample(self, parameters: DirichletParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw gamma variates and divide them by their sum."""
        if not np.isfinite(parameters.alpha).all():
            return np.full((len(codes), parameters.alpha.shape[1]), np.nan)
        drawn = rng.standard_gamma(parameters.alpha[codes])
        parts: Array = drawn / drawn.sum(axis=1, keepdims=True)
        return parts

    def n_parameters(self, parameters: DirichletParameters) -> int:
        """Count K J."""
        return parameters.alpha.size

    def describe(self, parameters: DirichletParameters, column: int) -> dict[str, Array]:
        """Give alpha of the column by class."""
        return {"alpha": parameters.alpha[:, column]}

    def linear(
        self, parameters: DirichletParameters, names: Sequence[str | int], levels: Sequence[Any]
    ) -> LinearPart | None:
        """Give alpha as weights over log x."""
        titles = tuple(f"log {name}" for name in names)
        alpha = parameters.alpha
        if not np.isfinite(alpha).all():
            return LinearPart(np.zeros_like(alpha), np.zeros(len(alpha)), titles)
        return LinearPart(alpha, dirichlet_scores(alpha, np.zeros((1, alpha.shape[1])))[0], titles)

    def statistic(self, columns: Array) -> Array:
        """Give log x."""
        return np.log(columns)

    def notes(self, statistics: Means, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Say that the group was left out, or which classes took the pooled precision."""
        some = statistics.weight[:, 0] > 0
        spread = (spreads(statistics.mean) > 0) & some
        group = np.ones(len(names), dtype=np.bool_)
        if not spread.any():
            return without_spread(group, names)
        lone = (some & ~spread)[:, None] & group
        return borrowed(lone, names, classes, "the precision pooled over the classes", "More rows would settle it.")


def dirichlet_scores(alpha: Array, logs: Array) -> Array:
    """Give sum_j alpha_kj log x_j + log Gamma(sum alpha_k) - sum_j log Gamma(alpha_kj), (n, K).

    Taken about the mean alpha / sum alpha, where the large parts of the three terms cancel exactly.
    """
    whole = alpha.sum(axis=1, keepdims=True)
    level = stirling(whole)[:, 0] - stirling(alpha).sum(axis=1)
    away = logs[:, None, :] - np.log(alpha / whole)
    scores: Array = np.einsum("nkj,kj->nk", away, alpha) + level
    return scores
