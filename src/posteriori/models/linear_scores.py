"""`LinearScores`: a fitted linear predictor, read from any block."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.design import design
from posteriori.designs.units import TriangularUnits, Units
from posteriori.messages.errors import DataError
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.storable import storable
from posteriori.tables.block import Block

#: Powers of two by which rows beyond the range of floats are brought back into it.
FAR = 500


@storable
@dataclass(frozen=True)
class LinearScores:
    """eta = b + z'w with z = (x - centre) / scale: the centre is subtracted in predict as it was in fit.

    Parameters
    ----------
    units : centre and scale of the columns
    w : (q, p) coefficients in those units, intercept first
    """

    units: Units
    w: Array

    def __call__(self, block: Block) -> Array:
        """Give eta of a block, (n, q), offset included; finite, however far away the row is."""
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
        dense = block.dense()
        bad = InvalidCells.of(~np.isfinite(dense), dense, block.first_row)
        if bad.count.any():
            raise NotFiniteError(bad)
        units = Units(np.ldexp(self.units.centre, -FAR), self.units.scale, self.units.intercept)
        w = self.w.copy()
        if units.intercept:
            w[:, 0] = np.ldexp(w[:, 0], -FAR)
        small = design(np.ldexp(dense, -FAR), units.centre, units.scale, units.intercept).scores(w)
        peak = np.abs(small).max(axis=1, keepdims=True)
        # a row beyond the limit is shrunk as a whole, so that its scores keep their order
        shrunk: Array = small / np.maximum(peak / 2.0 ** (FAR - 100), 1.0)
        return np.ldexp(shrunk, FAR)


class NotFiniteError(DataError):
    """Rows to score hold cells that are not finite; `tally` says which."""

    def __init__(self, tally: InvalidCells) -> None:
        super().__init__("rows to score hold cells that are not finite")
        self.tally = tally
