"""`MemoryEngine`: sweeps over a table in memory, on threads."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, reduce
from typing import Any, TypeVar

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine, merge_tree
from posteriori.engines.blas import single_threaded_blas
from posteriori.engines.options import current
from posteriori.engines.progress import Progress
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable

State = TypeVar("State")


class MemoryEngine(Engine):
    """Runs partitions on threads; a table of one partition runs on the calling thread."""

    def __init__(self, table: MemoryTable) -> None:
        self.table: MemoryTable = table

    def run(self, sweep: Sweep) -> Any:
        """Merge the blocks of each partition in order, then the partitions in a fixed tree."""
        if self.table.is_one_block:
            with single_threaded_blas(), np.errstate(all="ignore"):
                return sweep(self.table.only_block)

        def partition_statistics(number: int) -> Any:
            return reduce(lambda left, right: left.merge(right), map(sweep, self.table.blocks(number)))

        return merge_tree(self._each_partition(partition_statistics, type(sweep).__name__))

    def map(self, function: Callable[[Block], Array]) -> Array:
        """Write the rows of the function to their places, without a second copy."""
        holder: list[Array] = []

        def write(number: int) -> None:
            for block in self.table.blocks(number):
                rows = function(block)
                if not holder:
                    holder.append(np.empty((self.table.n_rows, *rows.shape[1:]), dtype=rows.dtype))
                holder[0][block.first_row : block.first_row + block.n_rows] = rows

        with single_threaded_blas(), np.errstate(all="ignore"):
            write(0)  # the first partition determines the shape
        self._each_partition(write, "map", first=1)
        return holder[0]

    def fold(self, function: Callable[[State, Block], State], state: State) -> State:
        """Update the state by all blocks in the order of the rows."""
        with single_threaded_blas():
            for number in range(self.table.n_partitions):
                for block in self.table.blocks(number):
                    state = function(state, block)
        return state

    def _each_partition(self, work: Callable[[int], Any], label: str, first: int = 0) -> list[Any]:
        numbers = range(first, self.table.n_partitions)

        def quiet(number: int) -> Any:
            with np.errstate(all="ignore"):  # invalid cells are counted and named in an error, not in numpy's warnings
                return work(number)

        if len(numbers) == 1 and self.table.is_one_block:
            with single_threaded_blas():
                return [quiet(first)]
        threads = min(current().n_threads, len(numbers))
        with single_threaded_blas(), Progress(label, len(numbers)) as progress:
            if threads <= 1:
                return [progress.tick(quiet(number)) for number in numbers]
            return [progress.tick(part) for part in _mapped(quiet, numbers, threads)]


def _mapped(work: Callable[[int], Any], numbers: range, threads: int) -> Iterator[Any]:
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
