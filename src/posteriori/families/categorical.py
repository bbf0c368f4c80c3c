"""`Categorical`: columns of categories, each class with its own table of frequencies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.families.base import Family, Levels, LinearPart, Names, Parameters
from posteriori.linalg.quotients import quotient
from posteriori.statistics.counts import Counts
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class TableParameters(Parameters):
    """Probabilities of the categories of all columns, one column after the other.

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

    Cells are positions in each column's dictionary; J_j is its size, the number of categories that occur in the
    training rows of any class. A cell outside the dictionary adds nothing, like a missing one.

    Book: [Mitchell] Eq. 6-7, §2.3; [Jordan] Eq. 7.40, §7.2.2.

    Notes
    -----
    [Jordan] Eq. 7.40 sums over classes and rows.

    Parameters
    ----------
    smoothing : l, the pseudocount of each category: the Dirichlet parameter less one
    sizes : how many categories each column has
    """

    smoothing: float = 1.0
    sizes: tuple[int, ...] = ()

    name = "categorical"
    parameters_type = TableParameters
    statistics_type = Counts
    default_for = "category"
    takes_levels = True
    takes_any_number = True
    #: What a cell outside the dictionary adds to the log density.
    unknown_score: ClassVar[float] = 0.0

    def domain(self) -> str:
        """Categories."""
        return "categories: text, or whole numbers from zero up"

    def invalid(self, columns: Array) -> Mask:
        """Mark infinite cells."""
        return np.isinf(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Counts:
        """Count the categories of every column by class, (K, cells)."""
        sizes, starts = self._layout(columns.shape[1])
        cells = int(sizes.sum())
        return Counts(backend.classwise.cell_counts(columns, starts, sizes, codes, weights, n_classes, cells))

    def estimate(self, statistics: Counts) -> TableParameters:
        """Return the smoothed frequencies; a class without a cell in a column takes those of all rows."""
        counts = statistics.values
        sizes, starts = self._layout(len(self.sizes))
        column = np.repeat(np.arange(len(sizes)), sizes)
        total = np.stack([np.bincount(column, row, len(sizes)) for row in counts])
        divisor = (total + self.smoothing * sizes)[:, column]
        pooled = quotient(counts.sum(axis=0), total.sum(axis=0)[column])
        probability = np.where(divisor > 0, quotient(counts + self.smoothing, divisor), pooled)
        with np.errstate(divide="ignore"):  # log 0 = -inf is intended
            return TableParameters(sizes, starts, probability, np.ascontiguousarray(np.log(probability).T))

    def log_density(self, parameters: TableParameters, columns: Array, backend: Backend) -> Array:
        """Sum the log probabilities of the cells."""
        p = parameters
        kernel = backend.classwise.cell_scores
        return np.asarray(kernel(columns, p.starts, p.sizes, p.log_probability, self.unknown_score))

    def inconsistency(self, statistics: Counts, n_columns: int) -> tuple[str, str] | None:
        """Return None: how wide the counts are is decided by the dictionaries."""
        return None

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
        """Return the probabilities of the column's categories, (K, J)."""
        start, size = parameters.starts[column], parameters.sizes[column]
        return {"probability": parameters.probability[:, start : start + size]}

    def linear(self, parameters: TableParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return log probabilities as weights of indicators of the categories; None if a probability is zero.

        Book: [Jordan] Eq. 7.35, §7.2.2.
        """
        if (parameters.probability == 0).any():
            return None
        titles = tuple(f"{name}={level}" for name, values in zip(names, levels, strict=True) for level in values)
        return LinearPart(parameters.log_probability.T, np.zeros(len(parameters.probability)), titles)

    def statistic(self, columns: Array) -> Array:
        """Return the indicators of the categories, (n, cells); all zero for a category outside the dictionary."""
        parts = [columns[:, [j]] == np.arange(size) for j, size in enumerate(self.sizes)]
        return np.hstack(parts).astype(np.float64)

    def recoded(self, statistics: Counts, places: Sequence[Codes], sizes: tuple[int, ...]) -> Counts:
        """Move each category's counts to its place in a larger dictionary."""
        starts = np.cumsum((0, *sizes))
        target = np.concatenate([start + place for start, place in zip(starts, places, strict=False)] or [starts[:0]])
        counts = np.zeros((len(statistics.values), starts[-1]))
        counts[:, target.astype(np.intp)] = statistics.values
        return Counts(counts)

    def _layout(self, n_columns: int) -> tuple[Codes, Codes]:
        """Return the number of cells of each column and where they begin."""
        sizes = np.asarray(self.sizes, dtype=np.intp)
        return sizes, np.cumsum(sizes) - sizes
