"""`Engine`: the interface that executes sweeps over the rows of a table."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block
from posteriori.tables.table import Table

State = TypeVar("State")


class Engine(ABC):
    """Executes sweeps over the rows of one table.

    The statistics of the blocks of a partition are merged in order, those of the partitions in a fixed tree. So the
    same table gives the same bits for any number of threads or workers.
    """

    table: Table

    @abstractmethod
    def run(self, sweep: Sweep) -> Any:
        """Return the statistics of a sweep over all rows."""

    @abstractmethod
    def map(self, function: Callable[[Block], Array]) -> Array:
        """Apply a function to every block; return its rows in the order of the table."""

    @abstractmethod
    def fold(self, function: Callable[[State, Block], State], state: State) -> State:
        """Update a state by every block, strictly in order; an engine that cannot keep the order raises an error."""


def merge_tree(parts: list[Any]) -> Statistics:
    """Merge neighbours pairwise until one remains: a fixed tree, in which rounding grows as log n.

    >>> import numpy as np
    >>> from posteriori.statistics.counts import Counts
    >>> merge_tree([Counts(np.array([1.0])), Counts(np.array([2.0])), Counts(np.array([4.0]))]).values
    array([7.])
    """
    while len(parts) > 1:
        merged = [left.merge(right) for left, right in zip(parts[::2], parts[1::2], strict=False)]
        parts = merged + ([parts[-1]] if len(parts) % 2 else [])
    whole: Statistics = parts[0]
    return whole
