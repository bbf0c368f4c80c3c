"""What a formula learns from the rows besides the kinds and levels of columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.memory import shortage, shown_bytes
from posteriori.input.coding.coding import Coded
from posteriori.input.coding.survey import ByColumn, CellTotals
from posteriori.input.frames.batches import Batch
from posteriori.input.frames.cells import category_cells
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote

#: Bytes of cells below which the available memory is not checked.
SMALL = 2**26


@dataclass(frozen=True)
class Values:
    """The cells of some columns, of all rows: what order statistics need."""

    parts: Mapping[str, tuple[Array, ...]] = field(default_factory=dict)

    def merge(self, other: "Values") -> "Values":
        """Append the cells of the other batch; raise if they do not fit into memory."""
        both = Values({name: (*mine, *other.parts[name]) for name, mine in self.parts.items()})
        needed = sum(cells.nbytes for parts in both.parts.values() for cells in parts)
        available = shortage(needed, SMALL)
        if available is not None:
            names = quote(list(both.parts))
            raise DataError(
                f"the formula's center, scale, standardize, poly, bs and cr need all cells of {names} in memory, more "
                f"than {shown_bytes(needed)}, but only {shown_bytes(available)} are available. Leave these functions "
                "out, or fit to some of the rows."
            )
        return both

    @property
    def cells(self) -> dict[str, Array]:
        """The cells of each column, (n,)."""
        return {name: parts[0] if len(parts) == 1 else np.concatenate(parts) for name, parts in self.parts.items()}


@dataclass(frozen=True)
class FormulaCells:
    """Sums over the cells of columns, and all cells of some of them."""

    columns: tuple[Coded, ...]
    collected: tuple[str, ...]

    def __call__(self, batch: Batch) -> ByColumn:
        """Return both for a batch."""
        cells = {column.name: column.cells(batch.frame[column.name]) for column in self.columns}
        totals = {
            column.name: CellTotals.of(cells[column.name], len(column.levels), None, frequencies=False)
            for column in self.columns
        }
        values = Values({name: (cells[name],) for name in self.collected})
        return ByColumn({"totals": ByColumn(totals), "values": values})


@dataclass(frozen=True)
class LevelTotals:
    """The number and the weight of the cells of each level, and of others, by title of a factor.

    `factors` has the column and the levels of each.
    """

    factors: Mapping[str, tuple[str, tuple[str, ...]]]

    def __call__(self, batch: Batch) -> ByColumn:
        """Return them for a batch."""
        return ByColumn({
            title: CellTotals.of(category_cells(batch.frame[name], levels), len(levels), batch.weights, True)
            for title, (name, levels) in self.factors.items()
        })  # fmt: skip
