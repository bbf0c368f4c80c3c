"""`AffineFamily`: families whose log density is affine in x, up to a term common to all classes."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from posteriori.arrays import Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.backends.csr import is_sparse, rows_with, stored_cells, to_dense, with_cells
from posteriori.families.base import Family, Levels, LinearPart, Names, Parameters
from posteriori.families.class_sums import class_means
from posteriori.families.gaussian.extreme_rows import extreme_rows
from posteriori.statistics.base import Statistics
from posteriori.statistics.means import Means
from posteriori.storable import storable

#: Counts times weights are scaled to stay below 2^900, so that their sums do not overflow.
LARGEST_EXPONENT = 900


@storable
@dataclass(frozen=True)
class AffineParameters(Parameters):
    """The reported parameter of a family, and the weights of its log density.

    Parameters
    ----------
    mean : (K, d) the mean of each column in each class, or the family's own parameter
    coef, level : (K, d) log p(x | k) = sum_j coef_kj x_j + level_kj, plus a term common to the classes
    bar, bar_level : (K, d) class k is impossible where sum_j bar_kj x_j + bar_level_kj is positive
    """

    mean: Array
    coef: Array
    level: Array
    bar: Array
    bar_level: Array


class AffineFamily(Family):
    """An exponential family with T(x) = x: log p(x | k) = eta_k'x - a(eta_k) + log h(x).

    Book: [Jordan] Eq. 7.45-7.50, §7.2.3.
    """

    parameters_type: ClassVar[type[Parameters]] = AffineParameters
    statistics_type: ClassVar[type[Statistics]] = Means

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Statistics:
        """Return weight and mean by class and column."""
        return Means(*class_means(columns, codes, weights, n_classes, backend))

    @abstractmethod
    def log_base(self, columns: Any) -> Array:
        """Return log h(x) of each row, (n,); a missing cell adds nothing."""

    def log_density(self, parameters: Any, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k); missing cells are summed out."""
        columns, bad = self._without_invalid(columns, backend)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = affine_scores(columns, parameters)
            scores += self.log_base(columns)[:, None]
        scores[np.isnan(scores)] = -np.inf  # a count of 1e306 has a log density below all floats
        scores[bad] = np.nan
        return scores

    def discriminant(self, parameters: Any, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k) without log h(x)."""
        columns, bad = self._without_invalid(columns, backend)
        scores = affine_scores(columns, parameters, relative=True)
        scores[bad] = np.nan
        return scores

    @property
    def is_sum_over_columns(self) -> bool:
        """Every affine function is a sum over the columns."""
        return True

    def column_terms(self, parameters: Any, columns: Array, backend: Backend) -> Array:
        """Return coef_kj x_j + level_kj, (n, K, d); -inf where the class rules the cell out, 0 if it is missing."""
        p, x = parameters, columns[:, None, :]
        if self.is_joint:  # a row with a missing cell has no total, and contributes nothing
            x = np.where(np.isnan(x).any(axis=2, keepdims=True), np.nan, x)
        terms: Array = x * p.coef + p.level
        terms[x * p.bar + p.bar_level > 0] = -np.inf
        return np.where(np.isnan(x), 0.0, terms)

    def is_left_out(self, parameters: Any, column: int) -> bool:
        """Return whether no class has a weight for the column."""
        p = parameters
        return not any(part[:, column].any() for part in (p.coef, p.level, p.bar, p.bar_level))

    def _without_invalid(self, columns: Any, backend: Backend) -> tuple[Any, Mask]:
        """Return the columns with zero in invalid cells, and a mark for their rows."""
        cells = stored_cells(columns)
        wrong = None if self.passes_quick_check(cells, backend) else self.invalid(cells)
        if wrong is None or not wrong.any():
            return columns, np.zeros(columns.shape[0], dtype=np.bool_)
        return with_cells(columns, np.where(wrong, 0.0, cells)), rows_with(wrong, columns)

    def n_parameters(self, parameters: Any) -> int:
        """Count one for each class and column."""
        return int(parameters.mean.size)

    def linear(self, parameters: AffineParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return the weights of x; None if a class rules out a cell, which no finite weight does."""
        if parameters.bar.any() or parameters.bar_level.any():
            return None
        return LinearPart(parameters.coef, parameters.level.sum(axis=1), tuple(str(name) for name in names))


def logs_and_zeros(probability: Array) -> tuple[Array, Array]:
    """Return log p with 0 in place of log 0, and 1.0 where p is zero: the two halves of weights that stay finite."""
    log = np.log(probability, out=np.zeros_like(probability), where=probability > 0)
    return log, (probability == 0).astype(np.float64)


def affine_scores(columns: Any, parameters: Any, relative: bool = False) -> Array:
    """Return sum_j coef_kj x_j + level_kj over the cells present, (n, K); -inf where a cell is impossible.

    Zero times the log of a probability of zero is zero, and a positive count times it is minus infinity. In floats
    the former would be NaN, so impossible cells are counted separately.

    Parameters
    ----------
    columns : (n, d) array or CSR matrix; NaN is missing
    parameters : with `coef`, `level`, `bar`, `bar_level` (K, d), all finite
    relative : whether sums too large for their differences are returned relative to the largest
    """
    p = parameters
    missing = _missing(columns)
    if missing is not None:
        cells = stored_cells(columns)
        columns = with_cells(columns, np.where(np.isnan(cells), 0.0, cells))
    level = _level_sums(p.level, missing)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = np.asarray(columns @ p.coef.T) + level
    extreme = extreme_rows(scores) if relative else ()
    if len(extreme):
        constant = np.broadcast_to(level, scores.shape)[extreme]
        scores[extreme] = _relative_scores(columns[extreme], p.coef - p.coef[:1]) + constant
    if p.bar.any() or p.bar_level.any():
        scores[np.asarray(columns @ p.bar.T) + _level_sums(p.bar_level, missing) > 0] = -np.inf
    return scores


def _missing(columns: Any) -> Any:
    """Return 1.0 for each missing cell and 0.0 for the others; None if no cell is missing."""
    cells = stored_cells(columns)
    if not np.isnan(cells.sum()):
        return None
    missing = np.isnan(cells)
    return with_cells(columns, missing.astype(np.float64)) if missing.any() else None


def _level_sums(level: Array, missing: Any) -> Array:
    """Sum the constants over the cells present: (K,), or (n, K) if some are missing."""
    if missing is not None and not is_sparse(missing):
        return np.asarray((1.0 - missing) @ level.T)
    total: Array = level.sum(axis=1)
    return total if missing is None else total - np.asarray(missing @ level.T)


def _relative_scores(columns: Any, coef: Array) -> Array:
    """Return the sums of large counts less the largest of the row, scaled down if they would overflow.

    `coef` is relative to one class: where classes agree on a column, however large, it cancels exactly.
    """
    rows = to_dense(columns)
    with np.errstate(over="ignore", invalid="ignore"):
        scores: Array = rows @ coef.T
    overflowed = ~np.isfinite(scores).all(axis=1)
    _, exponent = np.frexp(np.abs(rows[overflowed]).max(axis=1))
    excess = exponent + max(int(np.frexp(np.abs(coef).max())[1]), 0) - LARGEST_EXPONENT
    scores[overflowed] = np.ldexp(rows[overflowed], -np.maximum(excess, 0)[:, None]) @ coef.T
    scores -= scores.max(axis=1, keepdims=True)
    return scores
