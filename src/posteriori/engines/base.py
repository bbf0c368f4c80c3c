"""The contract of an engine: three verbs."""

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
    """Carries sweeps out over the rows of one table.

    The statistics of a partition fold its blocks in order; partitions merge in a fixed tree. So the same
    table gives the same bits, whatever the number of threads or workers.
    """

    table: Table

    @abstractmethod
    def run(self, sweep: Sweep) -> Any:
        """Sum a sweep over all rows."""

    @abstractmethod
    def map(self, function: Callable[[Block], Array]) -> Array:
        """Apply a function to every block and give its rows in the order of the table."""

    @abstractmethod
    def fold(self, function: Callable[[State, Block], State], state: State) -> State:
        """Carry a state through the blocks strictly in order; an engine that cannot keep order refuses."""


def merge_tree(parts: list[Any]) -> Statistics:
    """Merge neighbours pairwise until one is left: a fixed tree, and rounding grows as log n.

    >>> from posteriori.statistics.counts import Counts
    >>> merge_tree([Counts(np.array([1.0])), Counts(np.array([2.0])), Counts(np.array([4.0]))]).values
    array([7.])
    """
    while len(parts) > 1:
        merged = [left.merge(right) for left, right in zip(parts[::2], parts[1::2], strict=False)]
        parts = merged + ([parts[-1]] if len(parts) % 2 else [])
    whole: Statistics = parts[0]
    return whole
