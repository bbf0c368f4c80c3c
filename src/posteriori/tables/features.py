"""`Features`: the feature columns of a table in memory."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from posteriori.arrays import AnyArray, Array, Indices
from posteriori.backends.csr import csr, is_sparse, to_dense
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.tables.schema import Column, Schema

#: The code of a category that is not in the dictionary.
UNSEEN = -1.0


class RowMap(Protocol):
    """A pure function from rows of x to the columns of a basis: `bases.base.Phi`."""

    @property
    def n_columns(self) -> int:
        """The number of columns of the basis."""

    def __call__(self, rows: Array) -> Array:
        """Return the columns of the basis for some rows."""

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the columns of the basis."""


class NoColumns(np.ndarray):  # type: ignore[type-arg]
    """Rows without columns, the features of the null model; input validation rejects other arrays without columns."""


def no_columns(n_rows: int) -> NoColumns:
    """Return `n_rows` rows without columns."""
    return np.zeros((n_rows, 0)).view(NoColumns)


@dataclass(frozen=True)
class Features:
    """The feature columns: one array or CSR matrix, or one array per column (of a frame of several types).

    Parameters
    ----------
    values : the array, the matrix, or a tuple of arrays
    schema : the columns
    coded : for some columns the values whose positions are the codes that `rows` returns; an unknown value is `UNSEEN`
    strange : the unknown values of some columns, found while a frame was read
    picked : the numbers of the rows, if they are only some of those of the array, which is not copied
    phi, source : a basis, and the features that it maps block by block; `schema` is then that of the basis
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
        """The number of values in a row: columns, or stored cells if sparse; with a basis the larger of x and phi."""
        if self.source is not None:
            return float(max(len(self.schema.columns), len(self.source.schema.columns)))
        if is_sparse(self.values):
            return 4.0 * float(self.values.nnz) / max(float(self.values.shape[0]), 1.0)
        return float(len(self.schema.columns))

    def rows(self, selector: slice | Indices) -> Any:
        """Return some rows as float64 in C order (a view if possible), or as CSR."""
        if self.picked is not None:
            selector = self.picked[selector]
        if self.source is not None and self.phi is not None:
            return mapped_rows(self.phi, self.source.rows(selector))
        if is_sparse(self.values):
            return _csr_rows(self.values, selector)
        if isinstance(self.values, tuple):
            block = np.stack([column[selector] for column in self.values], axis=1, dtype=np.float64)
        else:
            with np.errstate(over="ignore"):  # longer floats beyond the range become infinite, which is an error later
                block = np.ascontiguousarray(self.values[selector], dtype=np.float64)
        if not self.coded:
            return block
        if not isinstance(self.values, tuple) and np.may_share_memory(block, self.values):
            block = block.copy()
        for column, levels in self.coded.items():
            block[:, column] = code_of(block[:, column], levels)
        return block

    def coded_by(self, levels: Mapping[int, AnyArray], schema: Schema) -> "Features":
        """Return the same columns with another schema, some of them read as codes of these values."""
        own = {i: values for i, values in levels.items() if not np.array_equal(values, np.arange(len(values)))}
        return replace(self, schema=schema, coded={**(self.coded or {}), **own})

    def mapped(self, phi: RowMap) -> "Features":
        """Return the columns of a basis of these features; it is evaluated when a block is read."""
        return Features(self.values, mapped_schema(phi, self.schema), phi=phi, source=self)

    def unmapped(self) -> "Features":
        """Return the user's columns: those that the basis maps, if there is one."""
        return self if self.source is None else replace(self.source, picked=self.picked)

    def strangers(self, column: int) -> list[Any]:
        """Return the values of a column of categories that are not in its dictionary."""
        levels = self.schema.columns[column].levels
        if levels is None or (self.strange is not None and column in self.strange):
            return list((self.strange or {}).get(column, ()))
        cells = self.values[column] if isinstance(self.values, tuple) else self.values[:, column]
        values = np.unique(np.asarray(cells)[~np.isnan(cells)])
        return [value for value in values.tolist() if value not in levels]


def _csr_rows(values: Any, selector: slice | Indices) -> Any:
    """Return rows of a CSR matrix; a run of rows shares its memory."""
    if not isinstance(selector, slice):
        return values[selector]
    first, last = values.indptr[selector.start], values.indptr[selector.stop]
    pointers = values.indptr[selector.start : selector.stop + 1] - first
    return csr((len(pointers) - 1, values.shape[1]), values.data[first:last], values.indices[first:last], pointers)


def mapped_schema(phi: RowMap, schema: Schema) -> Schema:
    """Return the columns of a basis; raise if two have one name."""
    names = phi.titles([name if isinstance(name, str) else f"x{name}" for name in schema.names])
    if len(set(names)) < len(names):
        twice = sorted(name for name, times in Counter(names).items() if times > 1)
        raise DataError(f"the basis gives two columns the name {quote(twice)}; rename a column of X.")
    return Schema(tuple(Column(name) for name in names), named=True)


def mapped_rows(phi: RowMap, rows: Any) -> Array:
    """Return phi of a block; NaN in all columns for a row with a cell that is not finite, whatever phi returns."""
    dense = to_dense(rows)
    if np.isfinite(dense.sum()):
        return phi(dense)
    bad = np.asarray(~np.isfinite(dense).all(axis=1))  # none, if only the sum overflowed
    columns = phi(np.where(bad[:, None], 0.0, dense))
    columns[bad] = np.nan
    return columns


def code_of(values: AnyArray, levels: AnyArray) -> Array:
    """Return the position of each value among the sorted levels; `UNSEEN` for other values, NaN for missing ones."""
    codes = np.where(np.isnan(values), np.nan, UNSEEN)
    if len(levels):
        place = np.searchsorted(levels, values)
        place[place == len(levels)] = 0
        codes = np.where(levels[place] == values, place, codes)
    return codes
