"""Separation in exact rational arithmetic: no tolerance, no rounding; for small sets.

Stiemke: of the rows of A, those that no b with A b >= 0 makes positive are exactly those in the support of some
multipliers l >= 0 with A'l = 0. The simplex method on fractions, with Bland's rule, finds the largest support.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Truth:
    """What is so: the kind, the rows told, and the columns moved (None where columns are dependent)."""

    kind: str
    rows: tuple
    columns: tuple | None


def truth(X, y, K, intercept=True):
    """Decide separation of rows X (n, d) of rationals with classes y in 0..K-1, with an intercept or without."""
    Z = [[Fraction(int(intercept)), *map(Fraction, row)] for row in X]
    p = len(Z[0])
    A, owner = [], []
    for i, (z, own) in enumerate(zip(Z, y, strict=True)):
        for other in range(K):
            if other == own:
                continue
            row = [Fraction(0)] * ((K - 1) * p)  # class 0 has no coefficients of its own
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
    return [Fraction(int(j == place)) for j in range(size)]


def echelon(rows):
    """Give the reduced row echelon form without its zero rows, and the pivot columns."""
    rows, pivots = [list(row) for row in rows], []
    width = len(rows[0]) if rows else 0
    for column in range(width):
        rank = len(pivots)
        found = next((r for r in range(rank, len(rows)) if rows[r][column] != 0), None)
        if found is None:
            continue
        rows[rank], rows[found] = rows[found], rows[rank]
        pivot(rows, rank, column)
        pivots.append(column)
    return rows[: len(pivots)], pivots


def pivot(rows, r, column):
    head = rows[r][column]
    if head != 1:
        rows[r] = [value / head if value else value for value in rows[r]]
    for other, row in enumerate(rows):
        share = row[column]
        if other != r and share != 0:
            rows[other] = [a - share * b if b else a for a, b in zip(row, rows[r], strict=True)]


def in_span(rows, pivots, vector):
    vector = list(vector)
    for row, column in zip(rows, pivots, strict=True):
        share = vector[column]
        if share != 0:
            vector = [a - share * b for a, b in zip(vector, row, strict=True)]
    return not any(vector)


def largest_support(A):
    """Give the rows of A that some l >= 0 with A'l = 0 has in its support."""
    m = len(A)
    tableau, basis = echelon([list(column) for column in zip(*A, strict=True)])
    # variables l_0 .. l_{m-1}, slack s; the last column is the right-hand side; sum l + s = 1
    tableau = [[*row, Fraction(0), Fraction(0)] for row in tableau]
    last = [Fraction(1)] * (m + 2)
    for row, column in zip(tableau, basis, strict=True):
        share = last[column]
        if share:
            last = [a - share * b for a, b in zip(last, row, strict=True)]
    tableau.append(last)
    basis = [*basis, m]
    support = set()
    while True:
        gain = [Fraction(int(j < m and j not in support)) for j in range(m + 2)]
        gain[-1] = Fraction(0)
        for row, column in zip(tableau, basis, strict=True):
            share = gain[column]
            if share:
                gain = [a - share * b for a, b in zip(gain, row, strict=True)]
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
        leaving = min((row[-1] / row[entering], basis[r], r) for r, row in enumerate(tableau) if row[entering] > 0)[2]
        tableau.append(gain)
        pivot(tableau, leaving, entering)
        gain = tableau.pop()
        basis[leaving] = entering
