"""The one sweep of linear discriminants, and what they keep of the rows."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.backends.select import classwise
from posteriori.families.gaussian.shrinkage import fourth_moments
from posteriori.families.gaussian.variances import inverse, power_of_two
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.statistics.base import Joined, Statistics
from posteriori.statistics.classes import united, with_classes
from posteriori.statistics.invalid_cells import Tally
from posteriori.statistics.within_scatter import Within, compact
from posteriori.storable import storable
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block
from posteriori.tables.schema import Schema


@dataclass(frozen=True)
class WithinSweep(Sweep):
    """Class means and the triangle of the rows about them, with a tally of the cells that are not finite.

    Parameters
    ----------
    n_classes : how many classes there are
    size : rows times columns of the table, by which the kernel is chosen
    fourth : whether to sum fourth moments too, for Ledoit and Wolf's shrinkage
    """

    n_classes: int
    size: int
    fourth: bool = False

    def __call__(self, block: Block) -> Joined:
        """Give ``Joined((Tally, Within))``, or with the fourth moments ``Joined((Tally, Within, FourthGram))``."""
        columns, codes, weights = block.features, block.codes(), block.row_weights()
        kernel = classwise(self.size)
        scale = power_of_two(kernel.peaks(columns))
        weight, centre, rows = kernel.centred(columns, inverse(scale), codes, weights, self.n_classes)
        tally = Tally.none(columns.shape[1])
        if not np.isfinite(centre).all():
            tally = Tally.of(~np.isfinite(columns), columns, block.first_row)
        parts: list[Statistics] = [
            tally,
            Within(scale, weight, centre * np.where(scale > 0, scale, 1.0), compact(rows)),
        ]
        if self.fourth:
            parts.append(fourth_moments(columns, codes, weights, self.n_classes, self.size))
        return Joined(tuple(parts))


@storable
@dataclass(frozen=True)
class WithinSummary:
    """All that a linear discriminant keeps of the rows, with the names by which two of them merge.

    Parameters
    ----------
    classes : (K,) in sorted order
    schema : the columns
    within : class weights, class means, and the triangle about them
    fourth : the fourth moments where shrinkage asks for them; else nothing
    """

    classes: NDArray[Any]
    schema: Schema
    within: Within
    fourth: tuple[Statistics, ...] = ()

    def merge(self, other: "WithinSummary") -> "WithinSummary":
        """Join two sets of rows; classes are matched by value, not by position."""
        if self.schema.names != other.schema.names:
            raise DataError(
                f"these models saw different columns: {quote(list(self.schema.names))} and "
                f"{quote(list(other.schema.names))}."
            )
        classes = united(self.classes, other.classes, "the classes")
        mine, yours = self._with_classes(classes), other._with_classes(classes)
        fourth = tuple(a.merge(b) for a, b in zip(mine.fourth, yours.fourth, strict=True))
        return replace(mine, within=mine.within.merge(yours.within).settled(), fourth=fourth)

    def _with_classes(self, classes: NDArray[Any]) -> "WithinSummary":
        if len(classes) == len(self.classes):
            return self
        places, n = np.searchsorted(classes, self.classes), len(classes)
        fourth = tuple(with_classes(part, places, n) for part in self.fourth)
        return replace(self, classes=classes, within=with_classes(self.within, places, n), fourth=fourth)
