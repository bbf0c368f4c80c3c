"""Exact integers from floats, and elimination on them."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array

#: An array of Python integers, which never overflow.
Integers = NDArray[np.object_]


class WorkLimitError(Exception):
    """Raised inside this subpackage when exact arithmetic would exceed its work limit."""


class Work:
    """A deterministic count of the exact arithmetic done, in operations on words of 64 bits.

    Parameters
    ----------
    limit : operations after which `WorkLimitError` is raised
    """

    def __init__(self, limit: float = np.inf) -> None:
        self.limit = limit
        self.done = 0.0

    def spend(self, operations: float) -> None:
        """Count operations that are about to be done."""
        self.done += operations
        if self.done > self.limit:
            raise WorkLimitError


def odd_parts(x: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return odd integers m and exponents e with x = m 2^e exactly; zeros are (0, 0).

    >>> [part.tolist() for part in odd_parts(np.array([0.75, 0.0, -8.0]))]
    [[3, 0, -1], [-2, 0, 3]]
    """
    fraction, exponent = np.frexp(x)
    mantissa = np.ldexp(fraction, 53).astype(np.int64)
    lowest = np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1
    lowest = np.where(mantissa == 0, 0, lowest).astype(np.int64)
    return mantissa >> lowest, np.where(mantissa == 0, 0, exponent.astype(np.int64) - 53 + lowest)


def row_integers(mantissas: NDArray[np.int64], exponents: NDArray[np.int64]) -> tuple[Integers, NDArray[np.int64]]:
    """Return each row m 2^e as integers times a power of two of its own, with the exponent of that power."""
    least = np.where(mantissas != 0, exponents, np.iinfo(np.int64).max).min(axis=1, initial=np.iinfo(np.int64).max)
    least = np.where(least == np.iinfo(np.int64).max, 0, least)
    shifts = np.where(mantissas != 0, exponents - least[:, None], 0)
    return np.left_shift(mantissas.astype(object), shifts.astype(object)), least


def bit_length(integers: Integers) -> int:
    """Return the number of bits of the largest integer."""
    return int(np.abs(integers).max()).bit_length() if integers.size else 0


def nearest_floats(integers: Integers, exponents: NDArray[np.int64]) -> Array:
    """Return integers times powers of two as floats, within two units in the last place."""
    if bit_length(integers) < 53:
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(integers.astype(np.float64), np.clip(exponents, -2000, 2000))
    flat = [_rounded(int(v)) for v in integers.ravel()]
    mantissas = np.array([m for m, _ in flat], dtype=np.float64).reshape(integers.shape)
    shifts = np.array([s for _, s in flat], dtype=np.int64).reshape(integers.shape)
    with np.errstate(over="ignore", under="ignore"):
        large: Array = np.ldexp(mantissas, np.clip(shifts + exponents, -2000, 2000))
    return large


def _rounded(value: int) -> tuple[float, int]:
    excess = max(abs(value).bit_length() - 62, 0)
    return float(value >> excess), excess


def common_denominator(values: list[Fraction]) -> tuple[Integers, int]:
    """Return integers and one denominator for a list of fractions."""
    denominator = math.lcm(*(value.denominator for value in values))
    whole = np.empty(len(values), dtype=object)
    whole[:] = [int(value * denominator) for value in values]
    return whole, denominator


def eliminate(rows: Integers, work: Work, tail: int = 0) -> tuple[Integers, list[int], int]:
    """Reduce integer rows to echelon form without fractions (Bareiss, Edmonds).

    Returns the rows that are not zero, the columns of their pivots, and the common pivot d > 0: the reduced row
    echelon form is rows / d. The last `tail` columns have no pivots.
    """
    rows, d = rows.copy(), 1
    pivots: list[int] = []
    for column in range(rows.shape[1] - tail):
        rank = len(pivots)
        if rank == len(rows):
            break
        nonzero = np.flatnonzero(rows[rank:, column] != 0)
        if not len(nonzero):
            continue
        sizes = [abs(int(rows[rank + r, column])).bit_length() for r in nonzero]
        best = rank + int(nonzero[int(np.argmin(sizes))])
        rows[[rank, best]] = rows[[best, rank]]
        d = pivot(rows, rank, column, d, work)
        pivots.append(column)
    return rows[: len(pivots)], pivots, d


def pivot(rows: Integers, r: int, column: int, d: int, work: Work) -> int:
    """Pivot rows / d on (r, column) in place; return the new d."""
    head = int(rows[r, column])
    if head < 0:
        rows[r], head = -rows[r], -head
    work.spend(rows.size * (1 + (head.bit_length() / 64) ** 2 / 50))
    others = np.arange(len(rows)) != r
    factors = rows[:, column] * others
    touched = np.flatnonzero(factors != 0)
    still = np.flatnonzero(others & (factors == 0))
    live = np.flatnonzero(rows[r] != 0)
    if head != d:
        rows[still] = rows[still] * head // d
        fresh = rows[touched] * head
    else:
        fresh = rows[touched] * d
    if len(touched):
        fresh[:, live] -= factors[touched, None] * rows[r, live][None, :]
        rows[touched] = fresh // d
    return head


def null_space_of(rows: Integers, width: int, work: Work) -> Integers:
    """Return an integer basis (width, f) of the null space of the rows, free coordinates diagonal."""
    if not len(rows):
        return identity(width)
    reduced, pivots, d = eliminate(rows, work)
    free = [j for j in range(width) if j not in set(pivots)]
    basis = zeros((width, len(free)))
    for place, j in enumerate(free):
        basis[j, place] = d
        basis[pivots, place] = -reduced[:, j]
    return without_common_factor(basis.T).T


def without_common_factor(rows: Integers) -> Integers:
    """Return each row divided by the greatest common divisor of its entries."""
    if not rows.size:
        return rows
    common = np.array([math.gcd(*row) or 1 for row in rows.tolist()], dtype=object)
    reduced: Integers = rows // common[:, None]
    return reduced


def zeros(shape: tuple[int, ...]) -> Integers:
    """Return Python integers that are zero."""
    return np.full(shape, 0, dtype=object)


def identity(width: int) -> Integers:
    """Return the identity matrix of Python integers."""
    basis = zeros((width, width))
    basis[range(width), range(width)] = 1
    return basis


def has_few_bits(z: Array, budget: int) -> bool:
    """Return whether all entries are integers of at most `budget` bits times one power of two."""
    mantissa, exponent = odd_parts(z)
    used = mantissa != 0
    if not used.any():
        return True
    lengths = np.frexp(np.abs(mantissa[used]).astype(np.float64))[1] + exponent[used]
    return int(lengths.max() - exponent[used].min()) <= budget
