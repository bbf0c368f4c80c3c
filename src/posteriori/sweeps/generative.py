"""The sweep of every generative fit, and the sweeps that look at cells: one reading of the rows each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.backends.arrays.classwise import class_weights
from posteriori.backends.select import classwise
from posteriori.families.class_sums import stored
from posteriori.families.joint_density import Group
from posteriori.statistics.base import Joined, Statistics
from posteriori.statistics.counts import Counts
from posteriori.statistics.invalid_cells import Tally
from posteriori.statistics.levels import Levels
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block


@dataclass(frozen=True)
class GenerativeSweep(Sweep):
    """Class weights, and for each group of columns a tally of bad cells and the family's statistics.

    Book: [Bishop] Eq. 4.73-4.80, §4.2.2; [Mitchell] Eq. 6-15, §2.3-2.4.

    Parameters
    ----------
    groups : the columns and their families
    n_classes : how many classes there are
    size : rows times columns of the table, by which kernels are chosen
    gaps : whether cells may be missing
    """

    groups: tuple[Group, ...]
    n_classes: int
    size: int
    gaps: bool

    def __call__(self, block: Block) -> Joined:
        """Give ``Joined((Counts, Tally, statistics, Tally, statistics, …))``."""
        codes, weights = block.codes(), block.row_weights()
        parts: list[Statistics] = [Counts(class_weights(codes, weights, self.n_classes))]
        for group in self.groups:
            columns = group.pick(block.features)
            parts.append(tally_cells(group, columns, block.first_row, self.gaps, self.size))
            parts.append(group.family.summarize(columns, codes, weights, self.n_classes, self.size))
        return Joined(tuple(parts))


@dataclass(frozen=True)
class CellSweep(Sweep):
    """For each group of columns a tally of bad cells: why rows could not be predicted."""

    groups: tuple[Group, ...]
    gaps: bool

    def __call__(self, block: Block) -> Joined:
        """Give ``Joined((Tally, Tally, …))``."""
        X, first = block.features, block.first_row
        return Joined(tuple(tally_cells(g, g.pick(X), first, self.gaps, X.size) for g in self.groups))


def tally_cells(group: Group, columns: Any, first_row: int, gaps: bool, size: int) -> Tally:
    """Tally the cells outside the family's domain and, where gaps are not allowed, the missing ones."""
    if group.family.surely_valid(stored(columns), size):
        return Tally.none(columns.shape[1])
    bad = group.family.invalid(stored(columns))
    if not gaps:
        bad |= np.isnan(stored(columns))
    if not bad.any():
        return Tally.none(columns.shape[1])
    return Tally.of(bad, columns, first_row) if isinstance(columns, np.ndarray) else _sparse(bad, columns, first_row)


def _sparse(bad: NDArray[np.bool_], columns: Any, first_row: int) -> Tally:
    """Tally cells of a CSR block; absent ones are zeros, which every family that takes it allows."""
    at = np.flatnonzero(bad)[::-1]  # backwards, so that the first in a column is what remains
    rows = np.searchsorted(columns.indptr, at, side="right") - 1 + first_row
    where = columns.indices[at]
    tally = Tally.none(columns.shape[1])
    first, value = tally.first_row.copy(), tally.first_value.copy()
    first[where], value[where] = rows, columns.data[at]
    return Tally(np.bincount(where, minlength=len(first)).astype(np.int64), first, value)


@dataclass(frozen=True)
class UnseenSweep(Sweep):
    """How many cells of each column of categories are not in its dictionary.

    Parameters
    ----------
    group : the columns of categories, with the sizes of their dictionaries in the family
    sizes : (d,) the sizes of the dictionaries
    """

    group: Group
    sizes: tuple[int, ...]

    def __call__(self, block: Block) -> Tally:
        """Tally the cells that are neither missing nor one of the codes."""
        columns = self.group.pick(block.features)
        inside = (columns >= 0) & (columns < np.asarray(self.sizes)) & (columns == np.floor(columns))
        return Tally.of(~inside & ~np.isnan(columns), columns, block.first_row)


@dataclass(frozen=True)
class LevelSweep(Sweep):
    """The distinct values of columns of numbers that are categories, with a tally of those that cannot be."""

    columns: tuple[int, ...]
    size: int

    def __call__(self, block: Block) -> Joined:
        """Give ``Joined((Tally, Levels))``."""
        cells = np.take(block.features, self.columns, axis=1)
        seen, plain = classwise(self.size).small_levels(cells, SMALL)
        values = [
            np.flatnonzero(seen[j]).astype(np.float64) if plain[j] else np.unique(column[~np.isnan(column)]) + 0.0
            for j, column in enumerate(cells.T)
        ]
        tally = Tally.none(len(self.columns))
        if not plain.all():
            bad = (cells < 0) | np.isinf(cells) | ((cells != np.floor(cells)) & ~np.isnan(cells))
            tally = Tally.of(bad, cells, block.first_row)
        return Joined((tally, Levels(tuple(values))))


#: Whole numbers below this are found by marking, without a sort.
SMALL = 1024
