"""The sweep of linear discriminants, and the summary of the rows that they store."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import AnyArray
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.families.class_sums import centred_rows
from posteriori.families.gaussian.shrinkage import fourth_moments
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.statistics.base import ClassStatistics, Joined, Statistics
from posteriori.statistics.fourth_gram import FourthGram
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.statistics.labels import union_of_labels
from posteriori.statistics.within_scatter import WithinScatter, compact
from posteriori.storable import storable
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block
from posteriori.tables.schema import Schema


@dataclass(frozen=True)
class WithinSweep(Sweep):
    """Class means and the triangle of the rows about them, with the cells that are not finite.

    Parameters
    ----------
    n_classes : the number of classes
    fourth : whether to sum fourth moments too, for Ledoit and Wolf's shrinkage
    """

    n_classes: int
    fourth: bool = False

    def __call__(self, block: Block) -> Joined:
        """Return ``Joined((InvalidCells, WithinScatter))``, followed by a `FourthGram` with fourth moments."""
        columns, codes, weights = block.features, block.codes(), block.row_weights()
        scale, weight, mean, rows = centred_rows(columns, codes, weights, self.n_classes, block.backend)
        invalid = InvalidCells.none(columns.shape[1])
        if not np.isfinite(mean).all():
            invalid = InvalidCells.of(~np.isfinite(columns), columns, block.first_row)
        parts: list[Statistics] = [invalid, WithinScatter(scale, weight, mean, compact(rows))]
        if self.fourth:
            parts.append(fourth_moments(columns, codes, weights, self.n_classes, block.backend))
        return Joined(tuple(parts))


@storable
@dataclass(frozen=True)
class WithinSummary:
    """All that a linear discriminant stores of the rows, with the names by which two summaries merge.

    Parameters
    ----------
    classes : (K,) in sorted order
    schema : the columns
    within : class weights, class means, and the triangle about them
    fourth : the fourth moments if shrinkage needs them; else empty
    """

    classes: AnyArray
    schema: Schema
    within: WithinScatter
    fourth: tuple[ClassStatistics, ...] = ()

    def merge(self, other: "WithinSummary") -> "WithinSummary":
        """Combine two sets of rows; classes are matched by value, not by position."""
        if self.schema.names != other.schema.names:
            raise DataError(
                f"these models have different columns: {quote(list(self.schema.names))} and "
                f"{quote(list(other.schema.names))}."
            )
        classes = union_of_labels(self.classes, other.classes, "the classes")
        mine, yours = self._with_classes(classes), other._with_classes(classes)
        fourth = tuple(a.merge(b) for a, b in zip(mine.fourth, yours.fourth, strict=True))
        return replace(mine, within=mine.within.merge(yours.within).triangular(), fourth=fourth)

    def _with_classes(self, classes: AnyArray) -> "WithinSummary":
        if len(classes) == len(self.classes):
            return self
        places, n = np.searchsorted(classes, self.classes), len(classes)
        fourth = tuple(part.with_classes(places, n) for part in self.fourth)
        return replace(self, classes=classes, within=self.within.with_classes(places, n), fourth=fourth)

    def check(self, where: str) -> None:
        """Raise unless statistics are for the classes and columns of the fit."""
        shape = (len(self.classes), len(self.schema.columns))
        for part in (self.within, *self.fourth):
            require.instance(part, (WithinScatter, FourthGram), f"{where}.fourth")
            if part.mean.shape != shape:  # type: ignore[attr-defined]
                fail(f"{where}.within or fourth", f"is for classes and columns {part.mean.shape}, not {shape}")  # type: ignore[attr-defined]
