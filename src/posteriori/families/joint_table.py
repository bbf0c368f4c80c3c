"""`JointTableFamily`: one probability for each cell of the product of all columns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.cached_property import cached_property
from posteriori.families.base import Family, Parameters
from posteriori.messages.errors import NotIdentifiedWarning
from posteriori.messages.notes import Note
from posteriori.statistics.joint_counts import Cells, cell_keys
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class JointTableParameters(Parameters):
    """Probabilities of the cells seen, and of any cell that was not.

    Parameters
    ----------
    sizes : how many categories each column has
    codes : (m, d) the cells seen, in lexicographic order
    frequency : (K, m) their shares of the rows of each class
    told : (K,) the weight of those shares; the rest is spread evenly over all cells
    log_probability : (m, K) of the cells seen
    log_unseen : (K,) of every other cell
    """

    sizes: tuple[int, ...]
    codes: NDArray[np.int64]
    frequency: Array
    told: Array
    log_probability: Array
    log_unseen: Array

    @property
    def n_cells(self) -> int:
        """How many cells there are, seen or not."""
        return math.prod(self.sizes)

    @cached_property
    def keys(self) -> NDArray[Any]:
        """The cells seen, as keys to look rows up by."""
        return cell_keys(self.codes, self.sizes)


@storable
@dataclass(frozen=True)
class JointTableFamily(Family):
    """The full joint distribution of discrete columns: P(x | k) = (#{x, k} + l) / (#{k} + l C), C cells in all.

    Cells of rows are positions in each column's dictionary. Only the cells seen are kept. A value outside the
    dictionary has probability zero.

    Book: [Mitchell] §1.1 and Eq. 7, §2.3.

    Parameters
    ----------
    smoothing : l, the number of imagined rows in each cell
    sizes : how many categories each column has
    """

    smoothing: float = 0.0
    sizes: tuple[int, ...] = ()

    name: ClassVar[str] = "joint-table"
    takes_levels: ClassVar[bool] = True
    takes_any_number: ClassVar[bool] = True
    is_joint: ClassVar[bool] = True
    not_linear: ClassVar[str] = "a joint table is linear only in an indicator of every cell of the product."

    def domain(self) -> str:
        """Codes of categories."""
        return "finite numbers, truth values or text"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark missing and infinite cells: a gap would have to be summed out of every cell seen."""
        return ~np.isfinite(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Cells:
        """Count the cells by class; rows with a gap, or infinite, are for the tally to refuse."""
        whole = np.asarray(np.isfinite(columns).all(axis=1))
        if whole.all():
            return Cells.of(columns.astype(np.int64), codes, weights, n_classes)
        return Cells.of(columns[whole].astype(np.int64), codes[whole], weights[whole], n_classes)

    def estimate(self, statistics: Cells) -> JointTableParameters:
        """Give the smoothed frequencies; a class without rows is given those of all together."""
        counts, l = statistics.counts, self.smoothing  # noqa: E741  the book's letter
        seen = np.asarray(counts.any(axis=1, keepdims=True)) | (l > 0)
        counts = np.where(seen, counts, counts.sum(axis=0))
        rows = counts.sum(axis=1)
        frequency = np.divide(counts, rows[:, None], out=np.zeros_like(counts), where=rows[:, None] > 0)
        with np.errstate(divide="ignore"):  # the log of a probability of zero is -inf, and means it
            even = np.log(l) + math.log(math.prod(self.sizes) or 1)  # C may be beyond the range of floats
            log_total = np.logaddexp(np.log(rows), even)
            told = np.exp(np.log(rows) - log_total)
            log_probability = np.log(counts + l) - log_total[:, None]
            log_unseen = np.log(l) - log_total
        return JointTableParameters(
            self.sizes, statistics.codes, frequency, told, np.ascontiguousarray(log_probability.T), log_unseen
        )

    def log_density(self, parameters: JointTableParameters, columns: Array, size: int) -> Array:
        """Look the cells up; NaN for a row with a cell that is missing or infinite."""
        p = parameters
        finite = np.asarray(np.isfinite(columns).all(axis=1))
        known = np.where(finite[:, None], columns, 0.0)
        inside = ((known >= 0) & (known < np.asarray(p.sizes)) & (known == np.floor(known))).all(axis=1)
        rows = np.where(inside[:, None], known, 0.0).astype(np.int64)
        scores = np.tile(p.log_unseen, (len(columns), 1))
        if len(p.keys):
            keys = cell_keys(rows, p.sizes)
            place = np.minimum(np.searchsorted(p.keys, keys), len(p.keys) - 1)
            seen = p.keys[place] == keys
            scores[seen] = p.log_probability[place[seen]]
        scores[~inside] = -np.inf
        scores[~finite] = np.nan
        return scores

    def sample(self, parameters: JointTableParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw a cell for each row: one seen, by its frequency, or any, by the share of the smoothing."""
        p = parameters
        drawn = np.column_stack([rng.integers(0, size, len(codes)) for size in p.sizes]).astype(np.float64)
        told = rng.random(len(codes)) < p.told[codes]
        for k, frequency in enumerate(p.frequency):
            rows = np.flatnonzero(told & (codes == k))
            if len(rows):
                drawn[rows] = p.codes[rng.choice(len(p.codes), len(rows), p=frequency)]
        return drawn

    def n_parameters(self, parameters: JointTableParameters) -> int:
        """Count K (C - 1): one for each cell but the last, class by class; a whole number of any size."""
        return len(parameters.told) * (parameters.n_cells - 1)

    def describe(self, parameters: JointTableParameters, column: int) -> dict[str, Array]:
        """Give the probabilities of the column's categories, the others summed out, (K, J)."""
        p, size = parameters, parameters.sizes[column]
        seen = np.stack([np.bincount(p.codes[:, column], row, minlength=size) for row in p.frequency])
        even = np.divide(1.0 - p.told, size) if size else np.zeros_like(p.told)
        return {"probability": p.told[:, None] * seen + even[:, None]}

    def notes(self, statistics: Cells, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Say how many parameters there are for how many rows, if there are more of them."""
        rows, K = float(statistics.counts.sum()), len(statistics.counts)
        cells = math.prod(self.sizes)
        if K * (cells - 1) <= rows:
            return ()
        return (
            Note(
                "few-rows",
                f"the table has {K * (cells - 1):,} parameters, {cells:,} cells for each of {K} classes, and was given "
                f"{rows:,.6g} rows, which were in {len(statistics.codes):,} of the cells.",
                tuple(names),
                remedy="NaiveBayes has a few parameters for each column; smoothing above zero gives each a chance.",
                category=NotIdentifiedWarning,
            ),
        )

    def with_levels(self, sizes: tuple[int, ...]) -> "JointTableFamily":
        """Give the same family for columns of so many categories each."""
        return replace(self, sizes=sizes)

    def recoded(self, statistics: Cells, places: Sequence[Codes], sizes: tuple[int, ...]) -> Cells:
        """Give the cells their codes in larger dictionaries; their order stays."""
        if not len(statistics.codes):
            return statistics
        columns = [place[column] for place, column in zip(places, statistics.codes.T, strict=True)]
        return replace(statistics, codes=np.stack(columns, axis=1).astype(np.int64))
