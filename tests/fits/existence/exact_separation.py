"""Separation in exact rational arithmetic: no tolerance, no rounding; for small sets.

Stiemke: of the rows of A, those that no b with A b >= 0 makes positive are exactly those in the support of some
multipliers l >= 0 with A'l = 0. The simplex method with Bland's rule finds the largest support. Each row of a matrix
is kept as whole numbers without a common divisor, since a positive factor changes nothing and fractions are slow.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm


@dataclass(frozen=True)
class Truth:
    """What is so: the kind, the rows told, and the columns moved (None where columns are dependent)."""

    kind: str
    rows: tuple
    columns: tuple | None


def truth(X, y, K, intercept=True):
    """Decide separation of rows X (n, d) of rationals with classes y in 0..K-1, with an intercept or without."""
    columns = zip(*([int(intercept), *row] for row in X), strict=True)
    Z = [list(row) for row in zip(*map(whole, columns), strict=True)]  # in other units, which separation does not see
    p = len(Z[0])
    A, owner = [], []
    for i, (z, own) in enumerate(zip(Z, y, strict=True)):
        for other in range(K):
            if other == own:
                continue
            row = [0] * ((K - 1) * p)  # class 0 has no coefficients of its own
            for k, sign in ((own, 1), (other, -1)):
                if k > 0:
                    for j in range(p):
                        row[(k - 1) * p + j] += sign * z[j]
            A.append(row)
            owner.append(i)
    never = largest_support(A)
    told = [m for m in range(len(A)) if m not in never]
    kind = "none" if not told else "complete" if len(told) == len(A) else "quasi"
    columns = None
    if len(echelon(Z)[1]) == p - (not intercept):
        rows, pivots = echelon([A[m] for m in sorted(never)])
        columns = tuple(
            j - 1
            for j in range(1, p)
            if any(not in_span(rows, pivots, unit((K - 1) * p, k * p + j)) for k in range(K - 1))
        )
    return Truth(kind, tuple(sorted({owner[m] for m in told})), columns if told else ())


def unit(size, place):
    return [int(j == place) for j in range(size)]


def whole(row):
    """Return a positive multiple of rationals in whole numbers."""
    row = [Fraction(value) for value in row]
    multiple = lcm(*(value.denominator for value in row))
    return reduced([value.numerator * (multiple // value.denominator) for value in row])


def reduced(row):
    divisor = gcd(*row)
    return [value // divisor for value in row] if divisor > 1 else row


def without(row, other, column):
    """Return a positive multiple of a row less a multiple of another, so that its value in a column is zero."""
    head, share = other[column], row[column]
    if head < 0:
        head, share = -head, -share
    return reduced([head * a - share * b for a, b in zip(row, other, strict=True)]) if share else row


def echelon(rows):
    """Give a row echelon form, reduced up to factors of rows, without its zero rows, and the pivot columns."""
    rows, pivots = [list(row) for row in rows], []
    width = len(rows[0]) if rows else 0
    for column in range(width):
        rank = len(pivots)
        found = next((r for r in range(rank, len(rows)) if rows[r][column] != 0), None)
        if found is None:
            continue
        rows[rank], rows[found] = rows[found], rows[rank]
        if rows[rank][column] < 0:
            rows[rank] = [-value for value in rows[rank]]
        pivot(rows, rank, column)
        pivots.append(column)
    return rows[: len(pivots)], pivots


def pivot(rows, r, column):
    for other, row in enumerate(rows):
        if other != r:
            rows[other] = without(row, rows[r], column)


def in_span(rows, pivots, vector):
    for row, column in zip(rows, pivots, strict=True):
        vector = without(vector, row, column)
    return not any(vector)


def largest_support(A):
    """Give the rows of A that some l >= 0 with A'l = 0 has in its support."""
    m = len(A)
    tableau, basis = echelon([list(column) for column in zip(*A, strict=True)])
    # variables l_0 .. l_{m-1}, slack s; the last column is the right-hand side; sum l + s = 1
    tableau = [[*row, 0, 0] for row in tableau]
    last = [1] * (m + 2)
    for row, column in zip(tableau, basis, strict=True):
        last = without(last, row, column)
    tableau.append(last)
    basis = [*basis, m]
    support = set()
    while True:
        gain = [int(j < m and j not in support) for j in range(m + 2)]
        gain[-1] = 0
        for row, column in zip(tableau, basis, strict=True):
            gain = without(gain, row, column)
        gain = maximise(tableau, basis, gain)
        if gain[-1] == 0:
            return support
        support |= {j for row, j in zip(tableau, basis, strict=True) if j < m and row[-1] > 0}


def maximise(tableau, basis, gain):
    """Pivot by Bland's rule until no gain is positive; give the row of gains, whose end is minus the optimum."""
    while True:
        entering = next((j for j in range(len(gain) - 1) if gain[j] > 0), None)
        if entering is None:
            return gain
        rates = ((Fraction(row[-1], row[entering]), basis[r], r) for r, row in enumerate(tableau) if row[entering] > 0)
        leaving = min(rates)[2]
        tableau.append(gain)
        pivot(tableau, leaving, entering)
        gain = tableau.pop()
        basis[leaving] = entering
