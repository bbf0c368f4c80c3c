"""`Categorical`: columns of categories, each class with its own table of frequencies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.backends.select import classwise
from posteriori.families.base import Family, LinearPart, Parameters
from posteriori.statistics.counts import Counts
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class TableParameters(Parameters):
    """Probabilities of the categories of all columns, laid end to end.

    Parameters
    ----------
    sizes : (d,) how many categories each column has
    starts : (d,) where its cells begin
    probability : (K, cells)
    log_probability : (cells, K)
    """

    sizes: Codes
    starts: Codes
    probability: Array
    log_probability: Array


@storable
@dataclass(frozen=True)
class Categorical(Family):
    """Independent columns of categories: P(x_j = c | k) = (#{x_j = c, k} + l) / (#{k} + l J_j).

    Cells are positions in each column's dictionary; J_j is its size, the number of categories that training
    showed in any class. A cell that is none of them adds nothing, like a missing one.

    Book: [Mitchell] Eq. 6-7, §2.3; [Jordan] Eq. 7.40, §7.2.2.

    Notes
    -----
    [Jordan] Eq. 7.40 sums over classes and rows.

    Parameters
    ----------
    smoothing : l, the number of imagined rows in each category: the Dirichlet parameter less one
    sizes : how many categories each column has
    """

    smoothing: float = 1.0
    sizes: tuple[int, ...] = ()

    name: ClassVar[str] = "categorical"
    takes_levels: ClassVar[bool] = True
    takes_any_number: ClassVar[bool] = True
    #: What a cell outside the dictionary adds to the log density.
    outside: ClassVar[float] = 0.0

    def domain(self) -> str:
        """Codes of categories."""
        return "categories: text, or whole numbers from zero up"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark infinite cells."""
        return np.isinf(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Counts:
        """Count the categories of every column by class, (K, cells)."""
        sizes, starts = self._layout(columns.shape[1])
        cells = int(sizes.sum())
        return Counts(classwise(size).cell_counts(columns, starts, sizes, codes, weights, n_classes, cells))

    def estimate(self, statistics: Counts) -> TableParameters:
        """Give the smoothed frequencies; a class that never showed a column is given those of all rows."""
        counts = statistics.values
        sizes, starts = self._layout(len(self.sizes))
        column = np.repeat(np.arange(len(sizes)), sizes)
        total = np.stack([np.bincount(column, row, len(sizes)) for row in counts])
        divisor = (total + self.smoothing * sizes)[:, column]
        pooled = _ratio(counts.sum(axis=0), total.sum(axis=0)[column])
        probability = np.where(divisor > 0, _ratio(counts + self.smoothing, divisor), pooled)
        with np.errstate(divide="ignore"):  # the log of a probability of zero is -inf, and means it
            return TableParameters(sizes, starts, probability, np.ascontiguousarray(np.log(probability).T))

    def log_density(self, parameters: TableParameters, columns: Array, size: int) -> Array:
        """Sum the log probabilities of the cells."""
        p = parameters
        scores: Array = classwise(size).cell_scores(columns, p.starts, p.sizes, p.log_probability, self.outside)
        return scores

    def sample(self, parameters: TableParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw a category for each column, by its table."""
        p = parameters
        drawn = np.full((len(codes), len(p.sizes)), np.nan)
        for j, (start, size) in enumerate(zip(p.starts, p.sizes, strict=True)):
            if size:
                steps = p.probability[:, start : start + size].cumsum(axis=1)
                drawn[:, j] = (rng.random(len(codes))[:, None] * steps[codes, -1:] >= steps[codes, :-1]).sum(axis=1)
        return drawn

    def n_parameters(self, parameters: TableParameters) -> int:
        """Count K (J - 1) for each column."""
        return int(len(parameters.probability) * np.maximum(parameters.sizes - 1, 0).sum())

    def describe(self, parameters: TableParameters, column: int) -> dict[str, Array]:
        """Give the probabilities of the column's categories, (K, J)."""
        start, size = parameters.starts[column], parameters.sizes[column]
        return {"probability": parameters.probability[:, start : start + size]}

    def linear(
        self, parameters: TableParameters, names: Sequence[str | int], levels: Sequence[Any]
    ) -> LinearPart | None:
        """Give log probabilities as weights over indicators of the categories; None if one is zero.

        Book: [Jordan] Eq. 7.35, §7.2.2.
        """
        if (parameters.probability == 0).any():
            return None
        titles = tuple(f"{name}={level}" for name, values in zip(names, levels, strict=True) for level in values)
        return LinearPart(parameters.log_probability.T, np.zeros(len(parameters.probability)), titles)

    def statistic(self, columns: Array) -> Array:
        """Give the indicators of the categories, (n, cells); unseen ones have none."""
        parts = [columns[:, [j]] == np.arange(size) for j, size in enumerate(self.sizes)]
        return np.hstack(parts).astype(np.float64)

    def with_levels(self, sizes: tuple[int, ...]) -> "Categorical":
        """Give the same family for columns of so many categories each."""
        return replace(self, sizes=sizes)

    def recoded(self, statistics: Counts, places: Sequence[Codes], sizes: tuple[int, ...]) -> Counts:
        """Move each category's counts to its place in a larger dictionary."""
        starts = np.cumsum((0, *sizes))
        target = np.concatenate([start + place for start, place in zip(starts, places, strict=False)] or [starts[:0]])
        counts = np.zeros((len(statistics.values), starts[-1]))
        counts[:, target.astype(np.intp)] = statistics.values
        return Counts(counts)

    def _layout(self, n_columns: int) -> tuple[Codes, Codes]:
        """Give the number of cells of each column and where they begin."""
        sizes = np.asarray(self.sizes, dtype=np.intp)
        return sizes, np.cumsum(sizes) - sizes


def _ratio(count: Array, total: Array) -> Array:
    return np.divide(count, total, out=np.zeros(np.broadcast(count, total).shape), where=total > 0)
