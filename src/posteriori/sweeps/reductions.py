"""Sums and extremes over all rows of a function of each row."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray
from posteriori.statistics.curvature import Total
from posteriori.statistics.extremes import Largest, Marked
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

#: A picklable function from a block to one value, or one vector, per row.
RowFunction = Callable[[Block], AnyArray]


@dataclass(frozen=True)
class SumSweep(Sweep):
    """The sum over rows of a function of each row."""

    function: RowFunction

    def __call__(self, block: Block) -> Total:
        """Return the sum over a block."""
        return Total(np.asarray(self.function(block).sum(axis=0), dtype=np.float64))


@dataclass(frozen=True)
class LargestSweep(Sweep):
    """The largest value over rows of a function of each row."""

    function: RowFunction

    def __call__(self, block: Block) -> Largest:
        """Return the largest value of a block."""
        return Largest(np.asarray(self.function(block).max(axis=0), dtype=np.float64))


@dataclass(frozen=True)
class MarkedSweep(Sweep):
    """The numbers of the rows that a function marks, in order."""

    function: RowFunction

    def __call__(self, block: Block) -> Marked:
        """Return the marked rows of a block."""
        return Marked(np.flatnonzero(self.function(block)) + block.first_row)
