"""`JointTableFamily`: one probability for each cell of the product of all columns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Integers, Mask
from posteriori.backends.backend import Backend
from posteriori.cached_property import cached_property
from posteriori.families.base import Family, Names, Notes, Parameters
from posteriori.linalg.quotients import quotient
from posteriori.messages.errors import NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.statistics.joint_counts import JointCounts, cell_keys
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class JointTableParameters(Parameters):
    """Probabilities of the observed cells, and of any other cell.

    Parameters
    ----------
    sizes : how many categories each column has
    codes : (m, d) the observed cells, in lexicographic order
    frequency : (K, m) their relative frequencies in each class
    observed_weight : (K,) the weight of those frequencies; the rest is uniform over all cells
    log_probability : (m, K) of the observed cells
    log_unseen : (K,) of every other cell
    """

    sizes: tuple[int, ...]
    codes: Integers
    frequency: Array
    observed_weight: Array
    log_probability: Array
    log_unseen: Array

    @property
    def n_cells(self) -> int:
        """The number of cells, observed or not."""
        return math.prod(self.sizes)

    @cached_property
    def keys(self) -> AnyArray:
        """The keys of the observed cells, by which rows are looked up."""
        return cell_keys(self.codes, self.sizes)


@storable
@dataclass(frozen=True)
class JointTableFamily(Family):
    """The full joint distribution of discrete columns: P(x | k) = (#{x, k} + l) / (#{k} + l C), C cells in all.

    Cells of the rows are positions in the dictionary of each column. Only observed cells of the table are stored. A
    value outside the dictionary has probability zero.

    Book: [Mitchell] §1.1 and Eq. 7, §2.3.

    Parameters
    ----------
    smoothing : l, the pseudocount of each cell
    sizes : how many categories each column has
    """

    smoothing: float = 0.0
    sizes: tuple[int, ...] = ()

    name = "joint-table"
    is_joint = True
    parameters_type = JointTableParameters
    statistics_type = JointCounts
    takes_levels = True
    takes_any_number = True
    not_linear = "a joint table is linear only in an indicator of every cell of the product."

    def domain(self) -> str:
        """Categories."""
        return "finite numbers, True, False or text"

    def invalid(self, columns: Array) -> Mask:
        """Mark missing and infinite cells: a missing one would have to be summed out of every observed cell."""
        return ~np.isfinite(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> JointCounts:
        """Count the cells by class; rows with missing or infinite cells are left out, and reported elsewhere."""
        finite = np.asarray(np.isfinite(columns).all(axis=1))
        return JointCounts.of(columns[finite].astype(np.int64), codes[finite], weights[finite], n_classes)

    def estimate(self, statistics: JointCounts) -> JointTableParameters:
        """Return the smoothed frequencies; a class without rows takes those of all classes together."""
        counts, l = statistics.counts, self.smoothing  # noqa: E741  the book's letter
        has_rows = np.asarray(counts.any(axis=1, keepdims=True)) | (l > 0)
        counts = np.where(has_rows, counts, counts.sum(axis=0))
        rows = counts.sum(axis=1)
        frequency = quotient(counts, rows[:, None])
        with np.errstate(divide="ignore"):  # log 0 = -inf is intended
            log_pseudocount = np.log(l) + math.log(math.prod(self.sizes) or 1)  # C may exceed the largest float
            log_total = np.logaddexp(np.log(rows), log_pseudocount)
            observed_weight = np.exp(np.log(rows) - log_total)
            log_probability = np.log(counts + l) - log_total[:, None]
            log_unseen = np.log(l) - log_total
        by_cell = np.ascontiguousarray(log_probability.T)
        return JointTableParameters(self.sizes, statistics.codes, frequency, observed_weight, by_cell, log_unseen)

    def log_density(self, parameters: JointTableParameters, columns: Array, backend: Backend) -> Array:
        """Look the cells up; NaN for a row with a missing or infinite cell."""
        p = parameters
        finite = np.asarray(np.isfinite(columns).all(axis=1))
        cells = np.where(finite[:, None], columns, 0.0)
        known = ((cells >= 0) & (cells < np.asarray(p.sizes)) & (cells == np.floor(cells))).all(axis=1)
        rows = np.where(known[:, None], cells, 0.0).astype(np.int64)
        scores = np.tile(p.log_unseen, (len(columns), 1))
        if len(p.keys):
            keys = cell_keys(rows, p.sizes)
            place = np.minimum(np.searchsorted(p.keys, keys), len(p.keys) - 1)
            observed = p.keys[place] == keys
            scores[observed] = p.log_probability[place[observed]]
        scores[~known] = -np.inf
        scores[~finite] = np.nan
        return scores

    def sample(self, parameters: JointTableParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw a cell for each row: an observed one by its frequency, or, by the weight of the smoothing, any cell."""
        p = parameters
        drawn = np.column_stack([rng.integers(0, size, len(codes)) for size in p.sizes]).astype(np.float64)
        observed = rng.random(len(codes)) < p.observed_weight[codes]
        for k, frequency in enumerate(p.frequency):
            rows = np.flatnonzero(observed & (codes == k))
            if len(rows):
                drawn[rows] = p.codes[rng.choice(len(p.codes), len(rows), p=frequency)]
        return drawn

    def n_parameters(self, parameters: JointTableParameters) -> int:
        """Count K (C - 1), an integer of any size."""
        return len(parameters.observed_weight) * (parameters.n_cells - 1)

    def describe(self, parameters: JointTableParameters, column: int) -> dict[str, Array]:
        """Return the probabilities of the column's categories, the other columns summed out, (K, J)."""
        p, size = parameters, parameters.sizes[column]
        observed = np.stack([np.bincount(p.codes[:, column], row, minlength=size) for row in p.frequency])
        w = p.observed_weight
        uniform = np.divide(1.0 - w, size) if size else np.zeros_like(w)
        return {"probability": w[:, None] * observed + uniform[:, None]}

    def notes(self, statistics: JointCounts, names: Names, classes: AnyArray) -> Notes:
        """Report that there are more parameters than rows."""
        rows, K = float(statistics.counts.sum()), len(statistics.counts)
        cells = math.prod(self.sizes)
        if K * (cells - 1) <= rows:
            return ()
        return (
            Note(
                "few-rows",
                f"the table has {K * (cells - 1):,} parameters ({cells:,} cells for each of {K} classes) for "
                f"{rows:,.6g} rows, which were in {len(statistics.codes):,} of the cells.",
                tuple(names),
                remedy="NaiveBayes has few parameters per column; smoothing above zero gives every cell a probability.",
                category=NotIdentifiedWarning,
            ),
        )

    def recoded(self, statistics: JointCounts, places: Sequence[Codes], sizes: tuple[int, ...]) -> JointCounts:
        """Return the cells with their codes in larger dictionaries; their order stays."""
        if not len(statistics.codes):
            return statistics
        columns = [place[column] for place, column in zip(places, statistics.codes.T, strict=True)]
        return replace(statistics, codes=np.stack(columns, axis=1).astype(np.int64))
