"""Tables and engines with nothing but their contracts, for the law that every estimator needs nothing else."""

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from posteriori.engines.local import LocalEngine
from posteriori.engines.select import engine_for
from posteriori.input.training import Reading
from posteriori.tables.block import PER_ROW, Block
from posteriori.tables.memory import MemoryTable
from posteriori.tables.table import UNCOUNTED, Table


class StreamedTable(Table):
    """Rows in unequal partitions, one of them empty, which can only be read from first to last.

    It does not know how many rows it has, and numbers them by partition.
    """

    #: Proportions of the rows in each partition.
    SHARES = (0.3, 0.0, 0.55, 0.05, 0.1)

    def __init__(self, reading: Reading) -> None:
        self.schema = reading.table.schema
        self.labels = reading.targets.classes
        self.sparse = reading.table.is_sparse
        whole = engine_for(reading.table).collect("A test.")
        ends = np.rint(np.cumsum(self.SHARES) * whole.n_rows).astype(int)
        self.parts = [
            _rows(whole, first, last) for first, last in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)
        ]

    @property
    def classes(self) -> Any:
        """The labels of the class codes."""
        return self.labels

    @property
    def n_rows(self) -> int | None:
        """The number of rows, which is not known."""
        return None

    @property
    def n_partitions(self) -> int:
        """The number of partitions."""
        return len(self.parts)

    @property
    def is_sparse(self) -> bool:
        """Whether blocks are CSR."""
        return self.sparse

    def blocks(self, partition: int) -> Iterator[Block]:
        """Yield a partition in two blocks of different lengths."""
        part = self.parts[partition]
        middle = 2 * part.n_rows // 3
        for first, last in ((0, middle), (middle, part.n_rows)):
            if last > first:
                yield _rows(part, first, last, partition * UNCOUNTED)


def _rows(block: Block, first: int, last: int, number: int = 0) -> Block:
    values = {name: getattr(block, name) for name in PER_ROW}
    own = {name: None if value is None else value[first:last] for name, value in values.items()}
    return Block(block.features[first:last], first_row=number + first, **own)


class ShippingEngine(LocalEngine):
    """Sends every sweep and every function to its partitions by pickle, and gets every result back by pickle."""

    def run(self, sweep: Any) -> Any:
        """Return the statistics of a sweep over all rows."""
        return shipped(super().run(_Shipped(shipped(sweep))))

    def map(self, function: Callable[[Block], Any], into: Any = None) -> Any:
        """Apply a function to every block."""
        return super().map(_Shipped(shipped(function)), into)

    def fold(self, function: Any, state: Any, order: Any = None) -> Any:
        """Update a state by every block in order."""
        return shipped(super().fold(shipped(function), shipped(state), order))


class _Shipped:
    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, block: Block) -> Any:
        return shipped(self.function(block))


def shipped(value: Any) -> Any:
    """Return a value after a journey by pickle."""
    return pickle.loads(pickle.dumps(value))


def ships(monkeypatch: Any) -> None:
    """Let tables in memory be read by the shipping engine."""
    from posteriori.engines import select

    monkeypatch.setitem(select.ENGINES, MemoryTable, ShippingEngine)
