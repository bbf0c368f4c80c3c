"""The sweep of every generative fit, and sweeps that examine cells."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Mask
from posteriori.backends.arrays.classwise import class_weights
from posteriori.backends.csr import is_sparse, stored_cells
from posteriori.families.joint_density import Group
from posteriori.statistics.base import Joined, Statistics
from posteriori.statistics.counts import Counts
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.levels import Levels
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

#: Integers below this are listed by marking them, without a sort.
SMALL = 1024


@dataclass(frozen=True)
class GenerativeSweep(Sweep):
    """Class weights, and for each group of columns its invalid cells and the family's statistics.

    Book: [Bishop] Eq. 4.73-4.80, §4.2.2; [Mitchell] Eq. 6-15, §2.3-2.4.

    Parameters
    ----------
    groups : the columns and their families
    n_classes : the number of classes
    missing_allowed : whether cells may be missing
    """

    groups: tuple[Group, ...]
    n_classes: int
    missing_allowed: bool

    def __call__(self, block: Block) -> Joined:
        """Return ``Joined((Counts, InvalidCells, statistics, InvalidCells, statistics, …))``."""
        codes, weights = block.codes(), block.row_weights()
        parts: list[Statistics] = [Counts(class_weights(codes, weights, self.n_classes))]
        for group in self.groups:
            columns = group.pick(block.features)
            parts.append(invalid_cells(group, columns, block, self.missing_allowed))
            parts.append(group.family.summarize(columns, codes, weights, self.n_classes, block.backend))
        return Joined(tuple(parts))


@dataclass(frozen=True)
class CellSweep(Sweep):
    """The invalid cells of each group of columns: why rows could not be predicted."""

    groups: tuple[Group, ...]
    missing_allowed: bool

    def __call__(self, block: Block) -> Joined:
        """Return ``Joined((InvalidCells, InvalidCells, …))``."""
        pairs = ((group, group.pick(block.features)) for group in self.groups)
        return Joined(tuple(invalid_cells(*pair, block, self.missing_allowed) for pair in pairs))


def invalid_cells(group: Group, columns: Any, block: Block, missing_allowed: bool) -> InvalidCells:
    """Count a block's cells outside the family's domain and, unless they are allowed, the missing ones."""
    cells = stored_cells(columns)
    if group.family.passes_quick_check(cells, block.backend):
        return InvalidCells.none(columns.shape[1])
    bad = group.family.invalid(cells)
    if not missing_allowed:
        bad |= np.isnan(cells)
    if not bad.any():
        return InvalidCells.none(columns.shape[1])
    count = _sparse if is_sparse(columns) else InvalidCells.of
    return count(bad, columns, block.first_row)


def _sparse(bad: Mask, columns: Any, first_row: int) -> InvalidCells:
    """Count invalid cells of a CSR block; absent cells are zeros, which every family that takes it allows."""
    at = np.flatnonzero(bad)[::-1]  # backwards, so that the first of a column is written last
    rows = np.searchsorted(columns.indptr, at, side="right") - 1 + first_row
    where = columns.indices[at]
    none = InvalidCells.none(columns.shape[1])
    first, value = none.first_row.copy(), none.first_value.copy()
    first[where], value[where] = rows, columns.data[at]
    return InvalidCells(np.bincount(where, minlength=len(first)).astype(np.int64), first, value)


@dataclass(frozen=True)
class UnseenSweep(Sweep):
    """The number of cells in each column of categories that are not in its dictionary.

    Parameters
    ----------
    group : the columns of categories, with the sizes of their dictionaries in the family
    sizes : (d,) the sizes of the dictionaries
    """

    group: Group
    sizes: tuple[int, ...]

    def __call__(self, block: Block) -> InvalidCells:
        """Count the cells that are neither missing nor one of the codes."""
        columns = self.group.pick(block.features)
        known = (columns >= 0) & (columns < np.asarray(self.sizes)) & (columns == np.floor(columns))
        return InvalidCells.of(~known & ~np.isnan(columns), columns, block.first_row)


@dataclass(frozen=True)
class LevelSweep(Sweep):
    """The distinct values of columns of numbers that are categories, and the cells that cannot be categories."""

    columns: tuple[int, ...]

    def __call__(self, block: Block) -> Joined:
        """Return ``Joined((InvalidCells, Levels))``."""
        cells = np.take(block.features, self.columns, axis=1)
        occurs, plain = block.backend.classwise.small_levels(cells, SMALL)
        values = [
            np.flatnonzero(occurs[j]).astype(np.float64) if plain[j] else np.unique(column[~np.isnan(column)]) + 0.0
            for j, column in enumerate(cells.T)
        ]
        invalid = InvalidCells.none(len(self.columns))
        if not plain.all():
            bad = (cells < 0) | np.isinf(cells) | ((cells != np.floor(cells)) & ~np.isnan(cells))
            invalid = InvalidCells.of(bad, cells, block.first_row)
        return Joined((invalid, Levels(tuple(values))))
