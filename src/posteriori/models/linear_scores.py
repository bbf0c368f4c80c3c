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


def finite_cells(block: Block) -> Array:
    """Return the cells of a block as a dense array; raise `NotFiniteError` if some are not finite."""
    cells = block.dense()
    bad = ~np.isfinite(cells)
    if bad.any():
        raise NotFiniteError(InvalidCells.of(bad, cells, block.first_row))
    return cells


class NotFiniteError(DataError):
    """Rows to score have cells that are not finite, those of `tally`."""

    def __init__(self, tally: InvalidCells) -> None:
        super().__init__("rows to score have cells that are not finite")
        self.tally = tally
