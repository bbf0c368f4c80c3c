"""`AffineFamily`: families whose log density is a sum of x_j times a weight, plus what all classes share."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.families.base import Family, LinearPart, Parameters
from posteriori.families.class_sums import dense, replaced, rows_with, stored
from posteriori.families.gaussian.extreme_rows import far_rows
from posteriori.storable import storable

#: Counts times weights are brought within 2^900, short of overflow in their sums.
REACH = 900


@storable
@dataclass(frozen=True)
class AffineParameters(Parameters):
    """What a family is described by, and the weights of its log density.

    Parameters
    ----------
    mean : (K, d) the mean of each column in each class, or what the family keeps in its place
    coef, level : (K, d) log p(x | k) = sum_j coef_kj x_j + level_kj, plus what the classes share
    bar, bar_level : (K, d) class k is ruled out where sum_j bar_kj x_j + bar_level_kj is above zero
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

    @abstractmethod
    def log_base(self, columns: Any) -> Array:
        """Give log h(x) of each row, (n,); a missing cell adds nothing."""

    def log_density(self, parameters: Any, columns: Array, size: int) -> Array:
        """Give log p(x | k); a missing cell is summed out."""
        columns, bad = self._cleaned(columns, size)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = affine_scores(columns, parameters)
            scores += self.log_base(columns)[:, None]
        scores[np.isnan(scores)] = -np.inf  # a count of 1e306 has a log density below all floats
        scores[bad] = np.nan
        return scores

    def discriminant(self, parameters: Any, columns: Array, size: int) -> Array:
        """Give log p(x | k) without log h(x)."""
        columns, bad = self._cleaned(columns, size)
        scores = affine_scores(columns, parameters, decided=True)
        scores[bad] = np.nan
        return scores

    def _cleaned(self, columns: Any, size: int) -> tuple[Any, NDArray[np.bool_]]:
        """Set cells outside the domain to zero and mark their rows."""
        cells = stored(columns)
        wrong = None if self.surely_valid(cells, size) else self.invalid(cells)
        if wrong is None or not wrong.any():
            return columns, np.zeros(columns.shape[0], dtype=np.bool_)
        return replaced(columns, np.where(wrong, 0.0, cells)), rows_with(wrong, columns)

    def n_parameters(self, parameters: Any) -> int:
        """Count one for each class and column."""
        return int(parameters.mean.size)

    def linear(
        self, parameters: AffineParameters, names: Sequence[str | int], levels: Sequence[Any]
    ) -> LinearPart | None:
        """Give the weights over x; None where a class rules out a count: that has no weight."""
        if parameters.bar.any() or parameters.bar_level.any():
            return None
        return LinearPart(parameters.coef, parameters.level.sum(axis=1), tuple(str(name) for name in names))


def affine_scores(columns: Any, parameters: Any, decided: bool = False) -> Array:
    """Give sum_j coef_kj x_j + level_kj over the cells present, (n, K), -inf where a cell is impossible.

    Zero times the log of a probability of zero is zero, and a count times it is minus infinity. Floats would
    make the former NaN, so that the impossible is counted beside.

    Parameters
    ----------
    columns : (n, d) array or CSR matrix; a NaN is missing
    parameters : with `coef`, `level`, `bar`, `bar_level` (K, d), all finite
    decided : whether sums too large for their differences are given relative to the largest
    """
    p = parameters
    gaps = _gaps(columns)
    if gaps is not None:
        cells = stored(columns)
        columns = replaced(columns, np.where(np.isnan(cells), 0.0, cells))
    level = _levels(p.level, gaps)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = np.asarray(columns @ p.coef.T) + level
    far = far_rows(scores) if decided else ()
    if len(far):
        scores[far] = _far(columns[far], p.coef - p.coef[:1]) + np.broadcast_to(level, scores.shape)[far]
    if p.bar.any() or p.bar_level.any():
        scores[np.asarray(columns @ p.bar.T) + _levels(p.bar_level, gaps) > 0] = -np.inf
    return scores


def _gaps(columns: Any) -> Any:
    """Mark the missing cells, 1.0 each; None where there are none."""
    if not np.isnan(stored(columns).sum()):
        return None
    gaps = np.isnan(stored(columns))
    return replaced(columns, gaps.astype(np.float64)) if gaps.any() else None


def _levels(level: Array, gaps: Any) -> Array:
    """Sum the constants over the cells present: (K,), or (n, K) where some are missing."""
    if gaps is None:
        whole: Array = level.sum(axis=1)
        return whole
    if isinstance(gaps, np.ndarray):
        present: Array = (1.0 - gaps) @ level.T
        return present
    rest: Array = level.sum(axis=1) - np.asarray(gaps @ level.T)
    return rest


def _far(columns: Any, coef: Array) -> Array:
    """Give the sums of large counts, less their largest, and scaled down where they would leave the floats.

    `coef` is relative to one class: where classes agree on a column, however large, it cancels exactly.
    """
    rows = dense(columns)
    with np.errstate(over="ignore", invalid="ignore"):
        scores: Array = rows @ coef.T
    lost = ~np.isfinite(scores).all(axis=1)
    _, exponent = np.frexp(np.abs(rows[lost]).max(axis=1))
    beyond = exponent + max(int(np.frexp(np.abs(coef).max())[1]), 0) - REACH
    scores[lost] = np.ldexp(rows[lost], -np.maximum(beyond, 0)[:, None]) @ coef.T
    scores -= scores.max(axis=1, keepdims=True)
    return scores
