"""Rows as separation sees them: each counted for its own class and against every other, in units that are exact."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.inference.cone import Cone
from posteriori.kernels.design import DenseDesign, Design, SparseDesign, design
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.tables.block import Block
from posteriori.tables.lazy import cached_property
from posteriori.tables.table import MemoryTable
from posteriori.tables.units import Units

Array = NDArray[np.float64]
Marks = NDArray[np.bool_]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Seen:
    """What a direction does to every row.

    Parameters
    ----------
    loss : (n,) how far the row's own class falls behind another, relative to the size of the products; else 0
    told : (n,) whether it gains on one
    open : (n,) whether it stays level with one along the direction, though not along the whole space
    least : the least gain of those that gain
    complete : whether every row gains on every other class
    pairs : classes some of whose rows are told apart
    """

    loss: Array
    told: Marks
    open: Marks
    least: float
    complete: bool
    pairs: tuple[tuple[int, int], ...]


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
        return np.unique(constraints, axis=0)

    def seen(self, cone: Cone) -> Seen:
        """Look at every row along the direction of a cone, and along its space: one reading."""
        direction, space, rough = cone.direction, cone.space, cone.rough
        link, units = self.objective.link, self.units
        K, q = link.n_classes, link.n_scores
        shaped, size = direction.reshape(q, -1), np.abs(space).reshape(q, -1, space.shape[1]).max(axis=2)
        peak = float(np.abs(direction).max())  # the direction was projected: each entry is as rough as the largest
        told_apart = np.zeros((K, K), dtype=bool)

        def look(block: Block) -> Array:
            rows = design(block.features, units.centre, units.scale, units.intercept)
            row, own, other = pairs_of(block.counts(K))
            moved, sizes = link.spread(rows.scores(shaped)), link.spread(_sizes(rows, np.full_like(shaped, peak)))
            gain, bound = moved[row, own] - moved[row, other], sizes[row, own] + sizes[row, other]
            blur = rough * bound
            level = np.abs(gain) <= blur
            wide = np.zeros(len(row), dtype=bool)
            reach = link.spread(_sizes(rows, size))
            limit = rough * (reach[row, own] + reach[row, other])
            for basis in space.T if level.any() else ():
                away = link.spread(rows.scores(basis.reshape(q, -1)))
                wide |= level & (np.abs(away[row, own] - away[row, other]) > limit)
            told_apart[own[gain > blur], other[gain > blur]] = True
            return _by_row(len(moved), row, gain, blur, bound, wide)

        found = self.objective.engine.map(look)
        both = told_apart | told_apart.T
        return Seen(
            loss=found[:, 0],
            told=found[:, 1] > 0,
            open=found[:, 2] > 0,
            least=float(np.min(found[:, 3], initial=np.inf)),
            complete=bool((found[:, 4] > 0).all()),
            pairs=tuple((int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(both)), strict=True)),
        )


def _sizes(rows: Design, w: Array) -> Array:
    """Give the sum of the absolute values of the terms of each score, (n, q)."""
    if isinstance(rows, DenseDesign):
        return DenseDesign(np.abs(rows.rows)).scores(np.abs(w))
    return SparseDesign(abs(rows.X), -np.abs(rows.centre), rows.scale, rows.intercept).scores(np.abs(w))


def pairs_of(counts: Array) -> tuple[Indices, Indices, Indices]:
    """List (row, own class, other class) for every class counted in a row and every other class."""
    K = counts.shape[1]
    row, own = np.nonzero(counts > 0)
    other = np.broadcast_to(np.arange(K), (len(row), K))
    keep = other != own[:, None]
    return np.repeat(row, K - 1), np.repeat(own, K - 1), other[keep]


def _by_row(n: int, row: Indices, gain: Array, blur: Array, bound: Array, wide: Marks) -> Array:
    """Gather pairs by row: the worst loss, whether told, whether open, the least gain told, whether all told."""
    gathered = np.zeros((n, 5))
    gathered[:, 3] = np.inf
    gathered[:, 4] = 1.0
    told = gain > blur
    np.maximum.at(gathered[:, 0], row, np.where(gain < -blur, -gain / np.where(bound > 0, bound, 1.0), 0.0))
    np.maximum.at(gathered[:, 1], row, told.astype(np.float64))
    np.maximum.at(gathered[:, 2], row, wide.astype(np.float64))
    np.minimum.at(gathered[:, 3], row, np.where(told, gain, np.inf))
    np.minimum.at(gathered[:, 4], row, told.astype(np.float64))
    return gathered
