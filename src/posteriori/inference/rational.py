"""What floats leave open, fractions decide: the cone of a few rows in exact arithmetic.

The rows that no b with A b >= 0 makes positive are those in the support of some l >= 0 with A'l = 0, sum l <= 1. The
simplex method (Bland's rule, so that it ends) enlarges the support until nothing outside it can be positive; the
prices of the last tableau are then a b that makes every row outside it positive and none negative.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Row = list[Fraction]

#: Entries up to which exact arithmetic is quick enough.
EXACT_LIMIT = 3000


def exact_cone(A: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Give b (w,) with A b >= 0, positive on as many rows as any, and which rows those are."""
    rows = [[Fraction(value) for value in row] for row in A.tolist()]
    m = len(rows)
    tableau, basis = _reduced([list(column) for column in zip(*rows, strict=True)])
    tableau = [[*row, Fraction(0), Fraction(0)] for row in tableau]  # a slack, and the right-hand side
    tableau.append(_priced(tableau, basis, [Fraction(1)] * (m + 2)))
    basis.append(m)
    support: set[int] = set()
    while True:
        cost = [Fraction(int(j < m and j not in support)) for j in range(m + 2)]  # none for slack and end
        gain = _maximised(tableau, basis, _priced(tableau, basis, cost))
        if gain[-1] == 0:
            break
        support |= {j for row, j in zip(tableau, basis, strict=True) if j < m and row[-1] > 0}
    told = np.array([j not in support for j in range(m)])
    lead = [Fraction(int(told[j])) - gain[j] for j in range(m)]  # A b, at least 1 on the rows told
    solved, pivots = _reduced([[*row, value] for row, value in zip(rows, lead, strict=True)])
    b = np.zeros(A.shape[1])
    for row, column in zip(solved, pivots, strict=True):
        b[column] = float(row[-1])
    return b, told


def _reduced(rows: list[Row]) -> tuple[list[Row], list[int]]:
    """Give the reduced echelon form without its rows of zeros, and the columns of its pivots."""
    pivots: list[int] = []
    for column in range(len(rows[0])):
        rank = len(pivots)
        found = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if found is None:
            continue
        rows[rank], rows[found] = rows[found], rows[rank]
        _pivot(rows, rank, column)
        pivots.append(column)
    return rows[: len(pivots)], pivots


def _pivot(rows: list[Row], r: int, column: int) -> None:
    head = rows[r][column]
    rows[r] = [value / head if value else value for value in rows[r]]
    for other, row in enumerate(rows):
        if other != r and row[column]:
            rows[other] = _less(row, row[column], rows[r])


def _less(row: Row, share: Fraction, other: Row) -> Row:
    return [a - share * b if b else a for a, b in zip(row, other, strict=True)]


def _priced(tableau: list[Row], basis: list[int], cost: Row) -> Row:
    """Give the costs as gains: those of the basis are taken out; the end is minus the value."""
    gain = list(cost)
    for row, column in zip(tableau, basis, strict=True):
        if gain[column]:
            gain = _less(gain, gain[column], row)
    return gain


def _maximised(tableau: list[Row], basis: list[int], gain: Row) -> Row:
    """Pivot until no gain is positive."""
    while (entering := next((j for j in range(len(gain) - 1) if gain[j] > 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[r], r) for r, row in enumerate(tableau) if row[entering] > 0]
        leaving = min(ratios)[2]
        tableau.append(gain)
        _pivot(tableau, leaving, entering)
        gain = tableau.pop()
        basis[leaving] = entering
    return gain
