"""`Dirichlet`: the parts of a whole, over a group of columns."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Indices, Mask
from posteriori.backends.backend import Backend, backend_for
from posteriori.families.base import Family, Levels, LinearPart, Names, Notes, Parameters
from posteriori.families.class_sums import class_means
from posteriori.families.degenerate_notes import PRECISION, borrowed_and_left_out
from posteriori.families.dirichlet_likelihood import concentrations, log_deficit, log_means_inconsistency
from posteriori.families.gamma_function import stirling
from posteriori.messages.errors import DataError
from posteriori.statistics.means import Means
from posteriori.storable import storable

#: How far the sum of a row may be from one: the rounding of single precision.
SUM_TOLERANCE = 1e-6


@storable
@dataclass(frozen=True)
class DirichletParameters(Parameters):
    """The parameters of each class.

    Parameters
    ----------
    alpha : (K, J); infinite if the group is constant in every class, and left out
    """

    alpha: Array


@storable
@dataclass(frozen=True)
class Dirichlet(Family):
    """Parts of a whole: p(x | k) = Gamma(sum alpha_k) prod_j x_j^(alpha_kj - 1) / Gamma(alpha_kj).

    Over a group of columns, positive and summing to one in every row. Maximum likelihood by Newton's method on
    psi(alpha_j) - psi(sum alpha) = mean log x_j; no smoothing. A row with a missing cell in the group contributes
    nothing, in fit and in predict. A class whose rows are equal keeps its mean and takes the pooled precision.

    Book: [Jordan] §7.2.3, T(x) = log x, eta = alpha.
    """

    name = "dirichlet"
    parameters_type = DirichletParameters
    statistics_type = Means
    is_joint = True

    def domain(self) -> str:
        """Parts of a whole."""
        return "positive parts of a whole, which sum to 1 in each row"

    def invalid(self, columns: Array) -> Mask:
        """Mark cells outside (0, 1), and all cells of a row that does not sum to one."""
        wrong: Mask = (columns <= 0) | (columns >= 1)
        with np.errstate(invalid="ignore"):
            off = np.abs(columns.sum(axis=1, keepdims=True) - 1.0) > SUM_TOLERANCE  # False if a part is missing
        wrong |= off & ~np.isnan(columns)
        return wrong

    def valid_value(self, n_columns: int) -> float:
        """Return one of equal parts."""
        return 1.0 / n_columns

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Means:
        """Return the mean logarithms of the parts by class."""
        logs = np.log(np.where(self.invalid(columns), np.nan, columns))
        logs[np.isnan(logs).any(axis=1)] = np.nan
        return Means(*class_means(logs, codes, weights, n_classes, backend))

    def estimate(self, statistics: Means) -> DirichletParameters:
        """Return the parameters of all classes."""
        return DirichletParameters(concentrations(statistics.weight[:, 0], statistics.mean))

    def inconsistency(self, statistics: Means, n_columns: int) -> tuple[str, str] | None:
        """Return why statistics cannot be means of logarithms of parts."""
        return log_means_inconsistency(statistics) or super().inconsistency(statistics, n_columns)

    def log_density(self, parameters: DirichletParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) on the simplex; zero for a row with a missing cell."""
        scores = self.discriminant(parameters, columns, backend)
        complete = ~np.isnan(columns).any(axis=1) & np.isfinite(parameters.alpha).all()
        scores[complete] -= np.log(np.abs(columns[complete])).sum(axis=1, keepdims=True)
        return scores

    def discriminant(self, parameters: DirichletParameters, columns: Array, backend: Backend) -> Array:
        """Return sum_j alpha_kj log x_j plus the log normaliser."""
        alpha = parameters.alpha
        scores = np.zeros((len(columns), len(alpha)))
        bad = self.invalid(columns).any(axis=1)
        complete = ~bad & ~np.isnan(columns).any(axis=1)
        if np.isfinite(alpha).all():
            scores[complete] = dirichlet_scores(alpha, np.log(columns[complete]))
        scores[bad] = np.nan
        return scores

    def log_marginal(self, parameters: DirichletParameters, columns: Indices, cells: Array) -> Array:
        """Return the log density of some parts: the others are merged into one, whose alpha is the sum of theirs."""
        alpha = parameters.alpha
        rest = np.delete(alpha, columns, axis=1).sum(axis=1, keepdims=True)
        if not rest.any():
            raise DataError("the columns are all parts of a whole, so one follows from the others. Leave one out.")
        if not np.isfinite(alpha).all():
            raise DataError(
                "its variance is zero in every class, so the model leaves the group out and it has no density."
            )
        parts = np.column_stack([cells, 1.0 - cells.sum(axis=1)])
        valid = (parts > 0).all(axis=1)
        logs = np.full((len(parts), len(alpha)), -np.inf)
        merged = DirichletParameters(np.hstack([alpha[:, columns], rest]))
        logs[valid] = self.log_density(merged, parts[valid], backend_for(parts.size))
        return logs

    def sample(self, parameters: DirichletParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw gamma variates and divide them by their sum."""
        if not np.isfinite(parameters.alpha).all():
            return np.full((len(codes), parameters.alpha.shape[1]), np.nan)
        drawn = rng.standard_gamma(parameters.alpha[codes])
        return np.asarray(drawn / drawn.sum(axis=1, keepdims=True))

    def n_parameters(self, parameters: DirichletParameters) -> int:
        """Count K J."""
        return parameters.alpha.size

    def describe(self, parameters: DirichletParameters, column: int) -> dict[str, Array]:
        """Return alpha of the column by class."""
        return {"alpha": parameters.alpha[:, column]}

    def linear(self, parameters: DirichletParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return alpha as weights of log x."""
        titles = tuple(f"log {name}" for name in names)
        alpha = parameters.alpha
        if not np.isfinite(alpha).all():
            return LinearPart(np.zeros_like(alpha), np.zeros(len(alpha)), titles)
        return LinearPart(alpha, dirichlet_scores(alpha, np.zeros((1, alpha.shape[1])))[0], titles)

    def statistic(self, columns: Array) -> Array:
        """Return log x."""
        return np.log(columns)

    def notes(self, statistics: Means, names: Names, classes: AnyArray) -> Notes:
        """Report that the group was left out, or which classes took the pooled precision."""
        group = np.ones(len(names), dtype=np.bool_)
        varies = (log_deficit(statistics.mean) > 0)[:, None] & group
        return borrowed_and_left_out(varies, statistics.weight[:, :1] > 0, names, classes, PRECISION)


def dirichlet_scores(alpha: Array, logs: Array) -> Array:
    """Return sum_j alpha_kj log x_j + log Gamma(sum alpha_k) - sum_j log Gamma(alpha_kj), (n, K).

    Computed about the mean alpha / sum alpha, where the large parts of the three terms cancel exactly.
    """
    whole = alpha.sum(axis=1, keepdims=True)
    level = stirling(whole)[:, 0] - stirling(alpha).sum(axis=1)
    return np.asarray(np.einsum("nkj,kj->nk", logs[:, None, :] - np.log(alpha / whole), alpha) + level)
