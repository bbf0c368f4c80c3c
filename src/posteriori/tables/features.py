"""`Features`: the feature columns of a table in memory."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import AnyArray, Array, Indices
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.tables.schema import Column, Schema

#: The code of a category that training never showed.
UNSEEN = -1.0


class RowMap(Protocol):
    """A pure map from rows of x to the columns of a basis: `bases.base.Phi`."""

    @property
    def n_columns(self) -> int:
        """How many columns it gives."""

    def __call__(self, rows: Array) -> Array:
        """Map some rows."""

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Name the columns it gives."""


class NoColumns(np.ndarray):  # type: ignore[type-arg]
    """Rows without columns, the features of the null model; any other array without columns is refused."""


def no_columns(n_rows: int) -> NoColumns:
    """Return `n_rows` rows without columns."""
    return np.zeros((n_rows, 0)).view(NoColumns)


@dataclass(frozen=True)
class Features:
    """The feature columns: one array or CSR matrix, or (of a mixed frame) one array a column.

    `coded` maps a column to the values whose positions are its codes; its cells leave `rows` as codes,
    an unknown value as `UNSEEN`. `strange` holds the unknown values met while a frame was read.
    `picked` lists the rows meant where they are some of the array's: none is copied.
    Behind a basis, `phi` maps the rows of `source`, block by block as they are read, and `schema` is phi's.
    """

    values: Any
    schema: Schema
    coded: Mapping[int, AnyArray] | None = None
    strange: Mapping[int, tuple[Any, ...]] | None = None
    picked: Indices | None = None
    phi: RowMap | None = None
    source: "Features | None" = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        if self.picked is not None:
            return len(self.picked)
        if self.source is not None:
            return self.source.n_rows
        return len(self.values[0]) if isinstance(self.values, tuple) else int(self.values.shape[0])

    @property
    def values_per_row(self) -> float:
        """How many numbers a row holds: columns, or non-zeros where sparse; behind a basis the more of x and phi."""
        if self.source is not None:
            return float(max(len(self.schema.columns), len(self.source.schema.columns)))
        if sp.issparse(self.values):
            return 4.0 * float(self.values.nnz) / max(float(self.values.shape[0]), 1.0)
        return float(len(self.schema.columns))

    def rows(self, selector: slice | Indices) -> Any:
        """Give some rows as float64 in row order (a view when they are so already), or as CSR."""
        if self.picked is not None:
            selector = self.picked[selector]
        if self.source is not None and self.phi is not None:
            return mapped_rows(self.phi, self.source.rows(selector))
        if sp.issparse(self.values):
            return _csr_rows(self.values, selector)
        if isinstance(self.values, tuple):
            block = np.stack([column[selector] for column in self.values], axis=1, dtype=np.float64)
        else:
            with np.errstate(over="ignore"):  # longer floats beyond the range become infinite, and are refused as such
                block = np.ascontiguousarray(self.values[selector], dtype=np.float64)
        if not self.coded:
            return block
        if not isinstance(self.values, tuple) and np.may_share_memory(block, self.values):
            block = block.copy()
        for column, levels in self.coded.items():
            block[:, column] = code_of(block[:, column], levels)
        return block

    def coded_by(self, levels: Mapping[int, AnyArray]) -> "Features":
        """Give the same columns with some of them leaving as codes of the values listed."""
        columns = tuple(
            replace(column, kind="category", levels=levels[i]) if i in levels else column
            for i, column in enumerate(self.schema.columns)
        )
        own = {i: values for i, values in levels.items() if not np.array_equal(values, np.arange(len(values)))}
        return replace(self, schema=replace(self.schema, columns=columns), coded=own)

    def mapped(self, phi: RowMap) -> "Features":
        """Give the columns of a basis of these; nothing is computed before a block is read."""
        names = phi.titles([name if isinstance(name, str) else f"x{name}" for name in self.schema.names])
        if len(set(names)) < len(names):
            twice = sorted(name for name, times in Counter(names).items() if times > 1)
            raise DataError(f"the basis gives two columns the name {quote(twice)}; rename a column of X.")
        schema = Schema(tuple(Column(name) for name in names), named=True)
        return Features(self.values, schema, phi=phi, source=self)

    def unmapped(self) -> "Features":
        """Give the user's own columns: those before a basis, if there is one."""
        return self if self.source is None else replace(self.source, picked=self.picked)

    def strangers(self, column: int) -> list[Any]:
        """List the values of a category that its dictionary does not hold."""
        levels = self.schema.columns[column].levels
        if levels is None or (self.strange is not None and column in self.strange):
            return list((self.strange or {}).get(column, ()))
        cells = self.values[column] if isinstance(self.values, tuple) else self.values[:, column]
        values = np.unique(np.asarray(cells)[~np.isnan(cells)])
        return [value for value in values.tolist() if value not in levels]


def _csr_rows(values: Any, selector: slice | Indices) -> Any:
    """Give rows of a CSR matrix; a run of them shares its memory."""
    if not isinstance(selector, slice):
        return values[selector]
    first, last = values.indptr[selector.start], values.indptr[selector.stop]
    pointers = values.indptr[selector.start : selector.stop + 1] - first
    shape = (selector.stop - selector.start, values.shape[1])
    rows = sp.csr_array(shape)  # filled in place: the constructor would read all indices to check them again
    rows.data, rows.indices, rows.indptr = values.data[first:last], values.indices[first:last], pointers
    return rows


def mapped_rows(phi: RowMap, rows: Any) -> Array:
    """Give phi of a block; a row with a cell that is not finite is NaN throughout, whatever phi makes of it."""
    dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
    bad: Any = np.zeros(0, np.bool_)
    if not np.isfinite(dense.sum()):  # a sum may overflow where no cell is amiss
        bad = ~np.isfinite(dense).all(axis=1)
        dense = np.where(bad[:, None], 0.0, dense) if bad.any() else dense
    columns = phi(dense)
    if bad.any():
        columns[bad] = np.nan
    return columns


def code_of(values: AnyArray, levels: AnyArray) -> Array:
    """Find each value's position among the sorted levels; `UNSEEN` if it is none of them, NaN if missing."""
    codes = np.where(np.isnan(values), np.nan, UNSEEN)
    if len(levels):
        place = np.searchsorted(levels, values)
        place[place == len(levels)] = 0
        codes = np.where(levels[place] == values, place, codes)
    return codes
