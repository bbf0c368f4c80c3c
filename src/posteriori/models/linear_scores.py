"""`LinearScores`: a fitted linear predictor, as a function of a block."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.design import design
from posteriori.designs.units import TriangularUnits, Units
from posteriori.messages.errors import DataError
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.storable import storable
from posteriori.tables.block import Block

#: Power of two by which rows are scaled down if their predictor is beyond the range of floats.
FAR = 500


@storable
@dataclass(frozen=True)
class LinearScores:
    """eta = b + z'w with z = (x - centre) / scale: the columns are centred and scaled as in the fit.

    Parameters
    ----------
    units : centre and scale of the columns
    w : (q, p) coefficients in those units, intercept first
    """

    units: Units
    w: Array

    def __call__(self, block: Block) -> Array:
        """Return eta of a block, (n, q), offset included; finite for rows of any size."""
        units = self.units
        if isinstance(units, TriangularUnits):
            return LinearScores(units.plain(), units.to_plain(self.w))(block)
        with np.errstate(over="ignore", invalid="ignore"):
            eta = design(block.features, units.centre, units.scale, units.intercept).scores(self.w)
        if not (np.abs(eta) < 2.0 ** (2 * FAR - 100)).all():  # beyond, differences of scores could overflow
            eta = self._far(block)
        return eta if block.offset is None else eta + block.offset

    def _far(self, block: Block) -> Array:
        """Score rows whose predictor overflows: scaled down, scored, scaled up to a large finite number."""
        cells = finite_cells(block)
        units = Units(np.ldexp(self.units.centre, -FAR), self.units.scale, self.units.intercept)
        w = self.w.copy()
        if units.intercept:
            w[:, 0] = np.ldexp(w[:, 0], -FAR)
        small = design(np.ldexp(cells, -FAR), units.centre, units.scale, units.intercept).scores(w)
        peak = np.abs(small).max(axis=1, keepdims=True)
        # all scores of a row beyond the limit are divided by one number, which keeps their order
        shrunk: Array = small / np.maximum(peak / 2.0 ** (FAR - 100), 1.0)
        return np.ldexp(shrunk, FAR)


def contributions(block: Block, origin: Array, coef: Array) -> Array:
    """Return coef (x - origin) of the rows of a block, (n, q, d)."""
    parts: Array = (finite_cells(block) - origin)[:, None, :] * coef
    return parts


def finite_cells(block: Block) -> Array:
    """Return the cells of a block as a dense array; raise `InvalidCellsError` if some are not finite."""
    cells = block.dense()
    bad = ~np.isfinite(cells)
    if bad.any():
        raise InvalidCellsError(
            InvalidCells.of(bad, cells, block.first_row), "finite numbers", "Fill or leave out those cells."
        )
    return cells


class InvalidCellsError(DataError):
    """Rows to score have cells that the model does not take, those of `tally`.

    Parameters
    ----------
    tally : the cells
    expected : what they should be, for the message
    remedy : what to do
    """

    def __init__(self, tally: InvalidCells, expected: str, remedy: str) -> None:
        super().__init__(f"rows to score have cells that are not {expected}")
        self.tally, self.expected, self.remedy = tally, expected, remedy
