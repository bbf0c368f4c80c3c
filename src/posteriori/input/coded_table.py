"""`CodedTable`: the rows of a frame, read and coded in batches, as a table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import AnyArray, Array
from posteriori.backends.backend import Backend, backend_for
from posteriori.cached_property import cached_property
from posteriori.input.coding.coding import Coded, Coding, Frame
from posteriori.input.formula.coding import FormulaCoding
from posteriori.input.frames.batches import Batch, located
from posteriori.input.frames.training_rows import TrainingRows
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_offset
from posteriori.messages.errors import DataError
from posteriori.tables.block import Block
from posteriori.tables.features import no_columns
from posteriori.tables.schema import Column, Schema
from posteriori.tables.table import Table, rows_per_block


@dataclass(frozen=True)
class CodedTable(Table):
    """The rows of a frame, coded when they are read: only one batch is in memory at a time.

    Parameters
    ----------
    rows : the rows
    coding : how their columns are coded
    labels : (K,) the classes
    lengths : number of rows of each partition
    """

    rows: TrainingRows
    coding: Coding | FormulaCoding
    labels: AnyArray
    lengths: tuple[int, ...]

    @cached_property
    def schema(self) -> Schema:  # type: ignore[override]
        """The columns of the model."""
        return coded_schema(self.coding)

    @property
    def classes(self) -> AnyArray:
        """The labels of the class codes."""
        return self.labels

    @property
    def n_rows(self) -> int:
        """The number of rows, which were counted when the classes were collected."""
        return sum(self.lengths)

    @property
    def n_partitions(self) -> int:
        """The number of partitions of the source."""
        return len(self.lengths)

    @property
    def kind(self) -> str:
        """The name of such a table in messages."""
        return "frame in batches"

    @property
    def library(self) -> str | None:
        """The library of the batches."""
        return self.rows.library

    @cached_property
    def backend(self) -> Backend:
        """The kernels that sweeps over the table use."""
        return backend_for(self.n_rows * self.n_columns)

    def blocks(self, partition: int) -> Iterator[Block]:
        """Read one partition; a batch is divided into blocks before it is coded."""
        first_row, size = sum(self.lengths[:partition]), rows_per_block(self.n_columns)
        for batch in self.rows.batches(partition):
            for start in range(0, len(batch.frame), size):
                with located(self.rows, partition, batch):
                    block = self._coded(batch.slice(start, start + size))
                yield replace(block, first_row=first_row)
                first_row += block.n_rows

    def _coded(self, batch: Batch) -> Block:
        n_rows = len(batch.frame)
        codes = read_targets(batch.target, n_rows, classes=self.labels).codes
        scores = 1 if len(self.labels) == 2 else len(self.labels)
        return Block(
            coded_rows(self.coding, batch.frame),
            codes,
            batch.weights,
            read_offset(batch.offset, n_rows, scores),
            backend=self.backend,
            given_weights=batch.weights,
        )

    def origin(self, row: int) -> str:
        """Return where a row is in the source; this reads the rows before it."""
        ends = np.cumsum(self.lengths)
        partition = int(np.searchsorted(ends, row, side="right"))
        return self.rows.origin_of_selected(partition, row - int(ends[partition]) + self.lengths[partition])


def coded_schema(coding: Coding | FormulaCoding) -> Schema:
    """Return the columns of a coding; categories that stay categories have the sorted levels."""
    if not coding.names_out:
        return Schema((), named=False)
    if coding.treatment:
        return Schema(tuple(Column(name) for name in coding.names_out), named=True)
    columns: list[Column] = []
    for column in coding.columns:
        levels = np.array(sorted(column.levels)) if column.kind == "category" else None
        columns.append(Column(column.name, column.kind, levels))
        if column.fill is not None:
            columns.append(Column(f"{column.name} is missing", "boolean"))
    return Schema(tuple(columns), named=True)


def coded_rows(coding: Coding | FormulaCoding, frame: Frame) -> Array:
    """Return the rows of a frame as the columns of a coding, (n, d): numbers, indicators or codes of categories."""
    if not coding.names_out:
        return no_columns(len(frame))
    if isinstance(coding, FormulaCoding):
        return np.ascontiguousarray(coding.apply(frame).to_numpy(), dtype=np.float64)
    cells = coding.cells(frame)
    parts = [part for column in coding.columns for part in _parts(column, cells[column.name], coding.treatment)]
    return np.stack(parts, axis=1, dtype=np.float64)


def _parts(column: Coded, cells: Array, treatment: bool) -> list[NDArray[Any]]:
    """Return the columns that one column becomes, its indicator of missing values last."""
    missing = np.isnan(cells)
    if column.levels and np.isinf(cells).any():
        raise DataError(f"column {column.name!r} has new levels: the data changed while they were read.")
    if column.fill is not None:
        cells = np.where(missing, column.fill, cells)
    parts: list[NDArray[Any]] = [cells]
    if column.levels and treatment:
        codes = [code for code in range(len(column.levels)) if code != column.reference]
        parts = [np.where(np.isnan(cells), np.nan, cells == code) for code in codes]
    elif column.kind == "category" and column.levels:
        places = np.append(np.argsort(np.argsort(column.levels)).astype(np.float64), np.nan)
        parts = [places[np.where(np.isnan(cells), -1, cells).astype(np.intp)]]
    return parts if column.fill is None else [*parts, missing]
