"""`LocalEngine`: sweeps on threads of this process."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self, TypeVar

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.engines.base import Engine, Sink, merge_tree, partition_statistics
from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.options import current
from posteriori.engines.progress import Progress
from posteriori.messages.errors import DataError
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable
from posteriori.tables.table import Table

State = TypeVar("State")


class LocalEngine(Engine):
    """Runs partitions on threads; a table of one partition runs on the calling thread."""

    def run(self, sweep: Sweep) -> Any:
        """Merge the blocks of each partition in order, then the partitions in a fixed tree."""
        if self.table.n_partitions == 1:
            with single_threaded_blas(), np.errstate(all="ignore"):
                return partition_statistics(self.table, sweep, 0)
        parts = self._each_partition(
            lambda number: partition_statistics(self.table, sweep, number), type(sweep).__name__
        )
        return merge_tree(list(parts))

    def map(self, function: Callable[[Block], Array], into: Sink | None = None) -> Array:
        """Write the rows of the function to their places, without a second copy if the number of rows is known."""
        if into is None and self.table.n_rows is not None:
            places = _Places(self.table, function)
            with single_threaded_blas(), np.errstate(all="ignore"):
                first = next((n for n in range(self.table.n_partitions) if places.write(n)), self.table.n_partitions)
            if first + 1 < self.table.n_partitions:  # the first rows determined the shape
                list(self._each_partition(places.write, "map", first=first + 1))
            return places.rows[0] if places.rows else np.empty(0)
        collected: list[Array] = []
        sink = into or (lambda block, rows: collected.append(rows))
        for pairs in self._each_partition(lambda number: _pairs(self.table, function, number), "map"):
            for block, rows in pairs:
                sink(block, rows)
        return np.concatenate(collected) if collected else np.empty(0)

    def fold(self, function: Callable[[State, Block], State], state: State, order: Indices | None = None) -> State:
        """Update the state by all blocks in the order of the rows, or in another one if they are in memory."""
        table = self.table if order is None else self._in_memory("visiting the rows in random order").in_order(order)
        with single_threaded_blas():
            for number in range(table.n_partitions):
                for block in table.blocks(number):
                    state = function(state, block)
        return state

    def with_offset(self, offset: Callable[[Block], Array]) -> Self:
        """Return an engine for the same rows with these offsets, computed once if the rows are in memory."""
        if isinstance(self.table, MemoryTable):
            return self.on(self.table.with_offset(self.map(offset)))
        return super().with_offset(offset)

    def collect(self, reason: str) -> Block:
        """Return all rows as one block."""
        if isinstance(self.table, MemoryTable):
            return self.table.only_block if self.table.is_one_block else self.table.block(0, self.table.n_rows)
        return super().collect(reason)

    def _in_memory(self, purpose: str) -> MemoryTable:
        if not isinstance(self.table, MemoryTable):
            raise DataError(f"{purpose} needs the rows in memory; a {self.table.kind} can be read in order only.")
        return self.table

    def _each_partition(self, work: Callable[[int], Any], label: str, first: int = 0) -> Iterator[Any]:
        numbers = range(first, self.table.n_partitions)

        def quiet(number: int) -> Any:
            with np.errstate(all="ignore"):  # invalid cells are counted and named in an error, not in numpy's warnings
                return work(number)

        threads = min(current().n_threads, len(numbers))
        with single_threaded_blas(), Progress(label, len(numbers)) as progress:
            for part in map(quiet, numbers) if threads <= 1 else _in_threads(quiet, numbers, threads):
                yield progress.tick(part)


@dataclass(frozen=True)
class _Places:
    """Writes results of blocks to the rows of one array, which is made when the first is known."""

    table: Table
    function: Callable[[Block], Array]
    rows: list[Array] = field(default_factory=list)

    def write(self, number: int) -> bool:
        """Write the rows of a partition; return whether there is an array, as there is after the first rows."""
        for block in self.table.blocks(number):
            values = self.function(block)
            if not self.rows:
                self.rows.append(np.empty((self.table.n_rows, *values.shape[1:]), dtype=values.dtype))
            self.rows[0][block.first_row : block.first_row + block.n_rows] = values
        return bool(self.rows)


def _pairs(table: Table, function: Callable[[Block], Array], number: int) -> list[tuple[Block, Array]]:
    return [(block, function(block)) for block in table.blocks(number) if block.n_rows]


def _in_threads(work: Callable[[int], Any], numbers: range, threads: int) -> Iterator[Any]:
    """Return the results of partitions in order; the calling thread computes them where no other can start."""
    try:
        return _pool(threads).map(work, numbers)
    except RuntimeError:  # of the executor: errors of `work` are raised when results are read
        _pool.cache_clear()  # its queue may hold partitions, for threads that never started
        return map(work, numbers)


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="posteriori")


if hasattr(os, "register_at_fork"):  # a child process has none of the threads of its parent
    os.register_at_fork(after_in_child=_pool.cache_clear)
