"""Columns of a noisy-OR that are exact combinations of others, as far as the likelihood depends on them."""

from fractions import Fraction
from functools import partial
from math import fsum, lcm

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.backends.csr import to_dense
from posteriori.designs.units import Units
from posteriori.fits.existence.exact.dependence import nearly_dependent
from posteriori.linalg.subspaces import eigenvalue_rounding
from posteriori.linalg.twofold import two_product
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.tables.block import Block

#: The largest denominator of a coefficient of a combination.
LARGEST_DENOMINATOR = 1000


def independent_columns(
    objective: PenalizedLikelihood, hessian: Array, columns: Indices, units: Units
) -> Indices | None:
    """Return coefficients whose decrement is that of all, as the likelihood is exactly flat along the other directions.

    The coefficients are those of `columns`, the leak first where the units have an intercept. The likelihood depends on
    the predictors of the rows of class 1, and on the sum of those of class 0. So it is flat along a direction that
    moves none of the former and not the latter. That is decided without rounding; None where it is not so.
    """
    independent, others, coefficients = nearly_dependent(hessian, eigenvalue_rounding(len(hessian)))
    scale = np.concatenate([[1.0], units.scale]) if units.intercept else units.scale
    rows, counts = _rows(objective, columns, units.intercept)
    for place, other in enumerate(others):
        combination = coefficients[:, place] * scale[other] / scale[independent]
        if not np.isfinite(combination).all():
            return None
        direction = np.zeros(len(hessian))
        direction[independent], direction[other] = _integers(-combination)
        if not _is_flat(rows, counts, direction):
            return None
    return np.sort(independent)


def _rows(objective: PenalizedLikelihood, columns: Indices, leak: bool) -> tuple[Array, Array]:
    """Return the cells (n, p) of some columns, those of the leak first, and the class counts (n, 2)."""
    whole = objective.engine.map(partial(_cells, columns, leak))
    return whole[:, 2:], whole[:, :2]


def _cells(columns: Indices, leak: bool, block: Block) -> Array:
    """Return the class counts, the column of the leak, and the cells of a block, side by side."""
    cells = to_dense(block.features[:, columns])
    return np.column_stack([block.counts(2), np.ones((len(cells), int(leak))), cells])


def _integers(combination: Array) -> tuple[Array, float]:
    """Return a multiple of (combination, 1) whose entries are integers, to a small denominator."""
    fractions = [Fraction(float(value)).limit_denominator(LARGEST_DENOMINATOR) for value in combination]
    multiple = lcm(*(each.denominator for each in fractions))
    return np.array([float(each * multiple) for each in fractions]), float(multiple)


def _is_flat(rows: Array, counts: Array, direction: Array) -> bool:
    """Return whether a direction moves no predictor of class 1 and not the weighted sum of class 0: exact."""
    moved = np.flatnonzero(direction)
    parts = np.concatenate(two_product(rows[:, moved], np.broadcast_to(direction[moved], (len(rows), len(moved)))), 1)
    if not np.isfinite(parts).all():
        return False
    changed = np.array([fsum(row) != 0.0 for row in parts])
    if (counts[changed, 1] > 0).any():
        return False
    changes = parts[changed]
    weighted = np.concatenate(two_product(changes, np.broadcast_to(counts[changed, :1], changes.shape)))
    return bool(np.isfinite(weighted).all() and fsum(weighted.ravel()) == 0.0)
