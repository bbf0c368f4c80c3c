"""The coefficients of separated classes that go to plus infinity, to minus infinity, or are not identified.

The recession cone C consists of the directions along which no row's likelihood falls. The supremum and the infimum of a
coefficient over C are 0 or infinite. Where only one of them is infinite, the coefficient goes to that infinity; where
both are, every value of it fits equally well in the limit and it is not identified.
"""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.fits.existence.cone_signs import BOTH, DOWN, FINITE, UNDECIDED, UP, Codes, ConeSigns
from posteriori.fits.existence.exact.rows import RawRows
from posteriori.fits.existence.separation import Separation
from posteriori.objectives.penalized import PenalizedLikelihood

__all__ = [
    "BOTH", "DOWN", "FINITE", "UNDECIDED", "UP", "Recession", "against", "class_pairs", "limits", "negated",
    "recession_of",
]  # fmt: skip
#: Multiplications that the projections of all coefficients may take together.
WORK = 3e9


@dataclass(frozen=True)
class Recession:
    """The codes of all coefficients, the intercept first.

    Parameters
    ----------
    own : (C, p) by class, as ``coef_`` has them: C is 1 for one score, else K
    pairs : (K (K - 1) / 2, p) of each class b against each class a < b, in the order of `class_pairs`
    """

    own: Codes
    pairs: Codes


def class_pairs(n_classes: int) -> list[tuple[int, int]]:
    """Return all (a, b) with a < b, those of class 0 first.

    >>> class_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(a, b) for a in range(n_classes) for b in range(a + 1, n_classes)]


def negated(codes: Codes) -> Codes:
    """Return the codes of minus the coefficients."""
    return np.where(np.abs(codes) == 1, -codes, codes).astype(np.int8)


def limits(values: Array, codes: Codes) -> Array:
    """Return coefficients where they are finite, their infinity where they have one, and else NaN.

    >>> limits(np.array([2.0, 30.0, -30.0, 9.0]), np.array([0, 1, -1, 2]))
    array([  2.,  inf, -inf,  nan])
    """
    return np.select([codes == FINITE, codes == UP, codes == DOWN], [values, np.inf, -np.inf], np.nan)


def against(pairs: Codes, n_classes: int, reference: int) -> Codes:
    """Return the codes of the contrasts of all other classes to a reference, (K - 1, p)."""
    place = {pair: i for i, pair in enumerate(class_pairs(n_classes))}
    rows = [
        pairs[place[reference, k]] if reference < k else negated(pairs[place[k, reference]])
        for k in range(n_classes)
        if k != reference
    ]
    return np.array(rows, dtype=np.int8)


def recession_of(objective: PenalizedLikelihood, separation: Separation, work: float = WORK) -> Recession:
    """Return the codes of all coefficients of separated classes.

    Parameters
    ----------
    objective : of the fit
    separation : of its rows
    work : multiplications after which coefficients are left undecided; the same on every machine
    """
    assert separation.decided is not None
    link = objective.link
    cone = ConeSigns(RawRows(objective), separation.decided, work)
    K, q = link.n_classes, link.n_scores
    if q == 1:
        codes = cone.codes(np.ones(1))[None]
        return Recession(codes, codes)
    each = link.expand(np.eye(q)).T  # (K, q): the predictor of each class in the q scores
    pairs = np.zeros((K * (K - 1) // 2, objective.units.n_coefficients), dtype=np.int8)
    for i, (a, b) in enumerate(class_pairs(K)):
        # b - a is (b - 0) + (0 - a), whose codes come first
        pairs[i] = cone.codes(each[b] - each[a], [pairs[b - 1], negated(pairs[a - 1])] if a else [])
    if q < K:
        own = [cone.codes(row) for row in each]
    else:
        own = [cone.codes(K * row - 1.0, [*negated(against(pairs, K, k))]) for k, row in enumerate(each)]
    return Recession(np.array(own, dtype=np.int8), pairs)
