"""The cone of a few rows in exact arithmetic: the simplex method on integers.

The rows that no b with A b >= 0 makes positive are those in the support of some l >= 0 with A'l = 0, sum l <= 1
(Stiemke's lemma). The simplex method enlarges the support until nothing outside it can be positive; the prices of the
last tableau are then a b that is positive on every row outside the support and negative on none.
"""

import numpy as np

from posteriori.fits.existence.exact.integers import (
    Integers,
    Work,
    eliminate,
    null_space_of,
    pivot,
    without_common_factor,
    zeros,
)

#: Degenerate pivots by the largest gain before Bland's rule, which cannot cycle, takes over.
DANTZIG = 50


def exact_cone(A: Integers, work: Work) -> tuple[Integers, Integers, np.ndarray]:
    """Return b (w,) with A b >= 0, positive on the most rows; the space of its face; and which rows those are.

    The space (w, f) is an integer basis of the directions that map all other rows to zero.
    """
    A = without_common_factor(A)
    m, width = A.shape
    reduced, basis, d = eliminate(np.ascontiguousarray(A.T), work)
    # a slack and the right-hand side; the last row says that the multipliers and the slack sum to one
    table = zeros((len(reduced) + 2, m + 2))
    table[:-2, :m] = reduced
    table[-2] = _priced(table[:-2], basis, d, np.full(m + 2, 1, dtype=object))
    basis = [*basis, m]
    support = np.zeros(m, dtype=bool)
    while True:
        cost = zeros((m + 2,))
        cost[:m] = np.where(support, 0, 1)
        table[-1] = _priced(table[:-1], basis, d, cost)
        d = _maximize(table, basis, d, work)
        if table[-1, -1] == 0:
            break
        positive = [j for r, j in enumerate(basis) if j < m and table[r, -1] > 0]
        support[positive] = True
    gained = ~support
    lead = gained.astype(object) * d - table[-1, :m]  # d A b, at least d on the rows that gain
    solved, pivots, _ = eliminate(np.column_stack([A, lead]), work, tail=1)
    b = zeros((width,))  # up to a positive factor
    b[pivots] = solved[:, -1]
    return b, null_space_of(A[support], width, work), gained


def _priced(table: Integers, basis: list[int], d: int, cost: Integers) -> Integers:
    """Return d times the reduced costs of a basis; the last entry is minus the value."""
    gain: Integers = cost * d
    used = [r for r, j in enumerate(basis) if cost[j] != 0]
    if used:
        gain = gain - cost[[basis[r] for r in used]] @ table[used]
    return gain


def _maximize(table: Integers, basis: list[int], d: int, work: Work) -> int:
    """Pivot until no gain in the last row is positive; return the new common denominator."""
    stalled, value = 0, (0, 1)
    while True:
        gains = table[-1, :-1]
        positive = np.flatnonzero(gains > 0)
        if not len(positive):
            return d
        column = int(positive[0] if stalled > DANTZIG else positive[int(np.argmax(gains[positive]))])
        above = np.flatnonzero(table[:-1, column] > 0)
        leaving = above[0]
        for r in above[1:]:
            ratio, least = table[r, -1] * table[leaving, column], table[leaving, -1] * table[r, column]
            if ratio < least or (ratio == least and basis[r] < basis[leaving]):
                leaving = r
        d = pivot(table, int(leaving), column, d, work)
        basis[leaving] = column
        now = (-table[-1, -1], d)
        stalled = stalled + 1 if now[0] * value[1] == value[0] * now[1] else 0
        value = now
