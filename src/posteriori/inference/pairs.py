"""Rows as separation sees them: each counted for its own class and against every other, in units that are exact."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.kernels.design import DenseDesign, design
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.tables.block import Block
from posteriori.tables.lazy import cached_property
from posteriori.tables.table import MemoryTable
from posteriori.tables.units import Units

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Rows:
    """All rows of an objective's table as constraints on a direction.

    Standardising rounds, and a row that lies exactly on a plane would no longer do so. Here the centre is a multiple
    of the power of two nearest to the standard deviation and the scale is that power: on integers, and on most
    other data, differences and quotients are then exact.
    """

    objective: PenalizedLikelihood

    @cached_property
    def units(self) -> Units:
        """The units in which rows are exact."""
        given = self.objective.units
        exponent = np.frexp(given.scale)[1]
        centre = np.ldexp(np.round(np.ldexp(given.centre, -exponent)), exponent)
        return Units(centre, np.ldexp(1.0, exponent), given.intercept)

    @property
    def n(self) -> int:
        """How many rows there are."""
        return self.objective.engine.table.n_rows

    def to_units(self) -> Array:
        """Give the matrix that takes a direction from exact units to those of the fit, (q p, q p)."""
        one = np.linalg.solve(self.objective.units.jacobian(), self.units.jacobian())
        return np.kron(np.eye(self.objective.link.n_scores), one)

    def held(self) -> Array:
        """Give E: the directions that a prior holds are not to be taken, E b = 0."""
        prior = self.objective.prior
        if prior.is_flat:
            return np.zeros((0, self.objective.n_parameters))
        matrix = prior.matrix()
        rows = matrix[np.abs(matrix).any(axis=1)] @ self.to_units()
        size = np.abs(rows).max(axis=1)
        return rows / np.where(size > 0, size, 1.0)[:, None]

    def constraints(self, rows: Indices) -> Array:
        """Lay out the distinct rows (own minus other class) x design that a direction must not make negative."""
        table, link, units = self.objective.engine.table, self.objective.link, self.units
        assert isinstance(table, MemoryTable)
        kept = rows if table.kept is None else table.kept[rows]
        assert table.targets is not None
        block = Block(table.features.rows(kept), table.targets[kept], None, None, 0)
        features = block.features if isinstance(block.features, np.ndarray) else block.features.toarray()
        dense = design(features, units.centre, units.scale, units.intercept)
        assert isinstance(dense, DenseDesign)
        row, own, other = pairs_of(block.counts(link.n_classes))
        each = link.spread(np.eye(link.n_scores)).T  # (K, q): each class's predictor in the q scores
        signs = each[own] - each[other]
        constraints = (signs[:, :, None] * dense.rows[row][:, None, :]).reshape(len(row), -1)
        return distinct(constraints)


def distinct(rows: Array) -> Array:
    """Return the rows without equal ones, in no particular order: those of equal projections are compared."""
    along = rows @ np.random.default_rng(0).standard_normal(rows.shape[1])
    rows = rows[np.argsort(along, kind="stable")]
    again = (rows[1:] == rows[:-1]).all(axis=1)
    return rows[np.concatenate([[True], ~again])] if len(rows) else rows


def pairs_of(counts: Array) -> tuple[Indices, Indices, Indices]:
    """List (row, own class, other class) for every class counted in a row and every other class."""
    K = counts.shape[1]
    row, own = np.nonzero(counts > 0)
    other = np.broadcast_to(np.arange(K), (len(row), K))
    keep = other != own[:, None]
    return np.repeat(row, K - 1), np.repeat(own, K - 1), other[keep]
