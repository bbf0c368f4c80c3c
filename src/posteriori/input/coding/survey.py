"""What a coding learns from the rows: summaries of batches of a frame, which merge."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.input.coding.coding import Coded, Coding
from posteriori.input.frames.batches import Batch
from posteriori.input.frames.identifiers import Identity
from posteriori.input.frames.kinds import NUMBERS, CellTypes
from posteriori.input.frames.level_sets import LevelSet
from posteriori.input.frames.numeric_columns import plain_types


@dataclass(frozen=True)
class ByColumn:
    """Summaries of columns, by name."""

    columns: Mapping[Any, Any]

    def merge(self, other: "ByColumn") -> "ByColumn":
        """Merge column by column."""
        return ByColumn({name: mine.merge(other.columns[name]) for name, mine in self.columns.items()})


@dataclass(frozen=True)
class ColumnTypes:
    """The types of the cells of some columns, from which their kinds follow."""

    names: Sequence[str]

    def __call__(self, batch: Batch) -> ByColumn:
        """Return the types of the cells of a batch, by column; columns of plain numbers are not read."""
        plain = set(plain_types(batch.frame, self.names))
        return ByColumn({name: NUMBERS if name in plain else CellTypes.of(batch.frame[name]) for name in self.names})


@dataclass(frozen=True)
class TypesAndIdentities:
    """The types of the cells of some columns, and what shows which others are dates or identify the rows."""

    names: Sequence[str]
    identified: Sequence[str]

    def __call__(self, batch: Batch) -> ByColumn:
        """Return both summaries of a batch."""
        types = ColumnTypes(self.names)(batch)
        identities = ByColumn({name: Identity.of(batch.frame[name]) for name in self.identified})
        return ByColumn({"types": types, "identities": identities})


@dataclass(frozen=True)
class ColumnLevels:
    """The levels of some columns."""

    names: Collection[str]

    def __call__(self, batch: Batch) -> ByColumn:
        """Return the levels of a batch, by column."""
        return ByColumn({name: LevelSet.of(batch.frame[name]) for name in self.names})


@dataclass(frozen=True)
class CellTotals:
    """Sums over the cells of a column.

    Parameters
    ----------
    n : number of rows
    missing : number of missing cells
    unknown : number of cells that are not levels of the column
    total, weight : weighted sum of the other cells, and sum of their weights
    levels : (L,) weight of each level, or None
    """

    n: int
    missing: int
    unknown: int
    total: float
    weight: float
    levels: Array | None

    @classmethod
    def of(cls, cells: Array, n_levels: int, weights: Array | None, frequencies: bool) -> "CellTotals":
        """Return the sums over cells, (n,)."""
        missing = np.isnan(cells)
        known = ~(missing | np.isinf(cells)) if n_levels else ~missing
        values, own = cells[known], None if weights is None else weights[known]
        unknown = len(cells) - int(missing.sum()) - len(values)
        if n_levels:
            codes = values.astype(np.intp)
            counts = np.bincount(codes, own, n_levels).astype(np.float64) if frequencies else None
            return cls(len(cells), int(missing.sum()), unknown, 0.0, 0.0, counts)
        with np.errstate(over="ignore"):
            total = float(values.sum() if own is None else (values * own).sum())
        weight = float(len(values) if own is None else own.sum())
        return cls(len(cells), int(missing.sum()), unknown, total, weight, None)

    def merge(self, other: "CellTotals") -> "CellTotals":
        """Add the sums of both batches."""
        levels = None if self.levels is None or other.levels is None else self.levels + other.levels
        return CellTotals(
            self.n + other.n,
            self.missing + other.missing,
            self.unknown + other.unknown,
            self.total + other.total,
            self.weight + other.weight,
            levels,
        )

    @property
    def mean(self) -> float:
        """The weighted mean of the cells that are not missing; 0 if all are."""
        return self.total / self.weight if self.missing < self.n else 0.0


@dataclass(frozen=True)
class CodedCells:
    """Sums over the cells of coded columns.

    Parameters
    ----------
    columns : the columns
    totals : whether sums and missing cells are needed
    frequencies : whether the weights of levels are needed
    """

    columns: tuple[Coded, ...]
    totals: bool
    frequencies: bool

    def __call__(self, batch: Batch) -> ByColumn:
        """Return the sums over the cells of a batch, by column; read the cells even if no sum is needed."""
        cells = Coding(self.columns, treatment=True, allows_missing=True).cells(batch.frame)
        summed = [column for column in self.columns if self.totals or (self.frequencies and column.levels)]
        return ByColumn({
            column.name: CellTotals.of(cells[column.name], len(column.levels), batch.weights, self.frequencies)
            for column in summed
        })  # fmt: skip
