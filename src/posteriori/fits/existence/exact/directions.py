"""Signs of the gains of constraints along exact directions: by floats where their error allows it, else exactly."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Indices, Mask
from posteriori.fits.existence.exact.integers import (
    Integers,
    Work,
    bit_length,
    has_few_bits,
    nearest_floats,
    odd_parts,
    row_integers,
)
from posteriori.fits.existence.exact.pairs import ENTRY, UNIT, Pairs

#: What underflow may add to a product of entries and coefficients of size one.
UNDERFLOW = 2.0**-1000
#: Coordinates of a direction, relative to the largest, below which they are set to zero.
SMALLEST = 2.0**-200
#: Constraints converted to integers at a time.
CHUNK = 4096


@dataclass(frozen=True)
class RecessionCone:
    """A direction inside {b : A b >= 0} and the space of that cone, both exact.

    Parameters
    ----------
    direction : (w,) integers, positive on every constraint that any direction of the cone is positive on, else zero
    basis : (w, f) integers that span the directions along which no other constraint moves
    gained : (m,) the constraints that gain
    """

    direction: Integers
    basis: Integers
    gained: Mask


def in_span(basis: Integers, coordinates: Array) -> Integers:
    """Return the direction basis u, times a power of two, as integers; entries 2^-200 of the largest are dropped."""
    peak = np.abs(coordinates).max(initial=0.0)
    if not (peak > 0 and np.isfinite(peak)):
        return np.full(len(basis), 0, dtype=object)
    used = np.flatnonzero(np.abs(coordinates / peak) > SMALLEST)
    whole = row_integers(*odd_parts((coordinates[used] / peak)[None]))[0][0]
    return np.asarray(basis[:, used] @ whole, dtype=object)


def floats_of(direction: Integers) -> Array:
    """Return integers over a power of two that brings the largest near one: each within two roundings."""
    bits = bit_length(direction)
    return nearest_floats(direction, np.full(direction.shape, -bits, dtype=np.int64))


def signs(pairs: Pairs, direction: Integers, work: Work, selected: Mask | None = None) -> np.ndarray:
    """Return the sign of the gain of all constraints, or of a selection, along an exact direction."""
    b = floats_of(direction)
    gains, sizes = pairs.gains(b), pairs.sizes(b)
    bound = (pairs.p + len(pairs.blocks) + 2 * ENTRY + 8) * UNIT * sizes + UNDERFLOW
    sign = np.sign(gains).astype(np.int8)
    undecided = np.abs(gains) <= bound
    exact = np.flatnonzero(undecided if selected is None else undecided & selected)
    for start in range(0, len(exact), CHUNK):
        some = exact[start : start + CHUNK]
        sign[some] = np.sign(_products(pairs, some, direction[:, None], work)[:, 0]).astype(np.int8)
    return sign if selected is None else sign[selected]


def leaves_alone(pairs: Pairs, selected: Indices, basis: Integers, work: Work) -> Mask:
    """Return which of some constraints every direction of a basis (w, f) maps to zero exactly."""
    alone = np.ones(len(selected), dtype=bool)
    if not basis.shape[1]:
        return alone
    place = np.full(pairs.size, -1)
    place[selected] = np.arange(len(selected))
    shaped = basis.reshape(pairs.n_scores, pairs.p, -1)
    for own, other, members in pairs.groups:
        some = members[place[members] >= 0]
        if not len(some):
            continue
        first = shaped[own] if own >= 0 else 0
        moved = first - shaped[other] if other >= 0 else first
        alone[place[some]] = _vanishes(pairs, pairs.row[some], np.asarray(moved, dtype=object), work)
    extra = np.flatnonzero(selected >= pairs.n_pairs)
    if len(extra):
        alone[extra] = ~(_products(pairs, selected[extra], basis, work) != 0).any(axis=1)
    return alone


def _vanishes(pairs: Pairs, rows: Indices, moved: Integers, work: Work) -> Mask:
    """Return the rows whose exact z, times each of the columns (p, f), is zero."""
    nonzero = moved != 0
    moved = moved[:, nonzero.any(axis=0)]
    columns = np.flatnonzero(nonzero.any(axis=1))
    if not moved.size:
        return np.ones(len(rows), dtype=bool)
    moved = moved[columns]
    z = pairs.z[rows][:, columns]
    budget = 52 - bit_length(moved) - len(columns).bit_length()
    if budget > 0 and _is_exact(pairs, columns) and has_few_bits(z, budget):
        return np.asarray((z @ moved.astype(np.float64) == 0).all(axis=1))
    unique, back = np.unique(rows, return_inverse=True)
    work.spend(len(unique) * moved.size * (2 + bit_length(moved) / 64))
    whole = pairs.coordinates.integers(pairs.x[unique], columns)
    return np.asarray(~((whole @ moved) != 0).any(axis=1))[back]


def _is_exact(pairs: Pairs, columns: Indices) -> bool:
    """Return whether these columns of z are plain, and no centre or underflow rounded them."""
    coordinates = pairs.coordinates
    if columns.max() >= len(coordinates.plain):
        return False
    at = np.array(coordinates.plain)[columns] - coordinates.intercept
    at = at[at >= 0]
    if (coordinates.centre[at] != 0).any():
        return False
    whole = np.ldexp(pairs.x[:, at], -coordinates.exponent[at])
    return bool(((whole == 0) == (pairs.x[:, at] == 0)).all())


def _products(pairs: Pairs, selected: Indices, directions: Integers, work: Work) -> Integers:
    """Return constraints times directions (w, f) exactly, each constraint times a positive number."""
    columns = np.flatnonzero((directions != 0).any(axis=1))
    work.spend(len(selected) * (pairs.p + len(columns) * directions.shape[1]) * (2 + bit_length(directions) / 64))
    rows = pairs.integers(selected)
    return np.asarray(rows[:, columns] @ directions[columns], dtype=object)
