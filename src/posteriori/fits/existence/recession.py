"""The coefficients of separated classes that go to plus infinity, to minus infinity, or are not identified.

The recession cone C consists of the directions along which no row's likelihood falls. The supremum and the infimum of a
coefficient over C are 0 or infinite. Where only one of them is infinite, the coefficient goes to that infinity; where
both are, every value of it fits equally well in the limit and it is not identified.
"""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.fits.existence.cone_signs import BOTH, DOWN, FINITE, UNDECIDED, UP, Codes, ConeSigns, agreed
from posteriori.fits.existence.exact.rows import RawRows
from posteriori.fits.existence.separation import Separation
from posteriori.linalg.scaled_products import in_powers
from posteriori.objectives.penalized import PenalizedLikelihood

__all__ = [
    "BOTH", "DOWN", "FINITE", "UNDECIDED", "UP", "Recession", "against", "are_consistent", "are_proved", "class_pairs",
    "limits", "negated", "of_classes", "recession_of",
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
    directions : (q p, g) directions of the cone, in the units of the fit, that prove the codes
    """

    own: Codes
    pairs: Codes
    directions: Array


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
        return Recession(codes, codes, _directions(objective, cone))
    each = link.expand(np.eye(q)).T  # (K, q): the predictor of each class in the q scores
    pairs = np.zeros((K * (K - 1) // 2, objective.units.n_coefficients), dtype=np.int8)
    for i, (a, b) in enumerate(class_pairs(K)):
        # b - a is (b - 0) + (0 - a), whose codes come first
        pairs[i] = cone.codes(each[b] - each[a], [pairs[b - 1], negated(pairs[a - 1])] if a else [])
    if q < K:
        own = [cone.codes(row) for row in each]
    else:
        own = [cone.codes(K * row - 1.0, [*negated(against(pairs, K, k))]) for k, row in enumerate(each)]
    return Recession(np.array(own, dtype=np.int8), pairs, _directions(objective, cone))


def _directions(objective: PenalizedLikelihood, cone: ConeSigns) -> Array:
    """Return the known directions of a cone in the units of the fit, (q p, g)."""
    carry = RawRows(objective).to_fit(cone.decided.pairs)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        directions: Array = carry @ (cone.span @ cone.known_directions())
    return directions


# --- codes of a file, checked against each other


def of_classes(n_classes: int, reference: int, *, symmetric: bool) -> tuple[Array, Array]:
    """Return the coefficients of `Recession`, own and of pairs, as combinations of contrasts, (C, K - 1) each."""
    wide = np.insert(np.eye(n_classes - 1), reference, 0.0, axis=0)
    pairs = np.array([wide[b] - wide[a] for a, b in class_pairs(n_classes)])
    if n_classes == 2:
        return pairs, pairs
    return (n_classes * wide - wide.sum(axis=0) if symmetric else wide), pairs


def are_proved(codes: Codes, combinations: Array, jacobian: Array, directions: Array, rounding: float) -> bool:
    """Return whether codes (C, p) are those of the cone that directions (m, g) of contrasts span.

    Parameters
    ----------
    combinations : (C, K - 1) of the contrasts
    jacobian : (p, p) from the units of the directions to those of the codes
    rounding : relative size up to which a coefficient is zero along a direction
    """
    T, _ = in_powers(jacobian)
    shaped = directions.reshape(combinations.shape[1], len(T), -1)
    values = np.einsum("ca,ij,ajg->cig", combinations, T, shaped, optimize=True)
    lengths = np.outer(np.abs(combinations).sum(axis=1), np.abs(T).sum(axis=1))
    sizes = rounding * lengths[:, :, None] * np.abs(directions).max(axis=0)
    up, down = (values > sizes).any(axis=2), (values < -sizes).any(axis=2)
    proved = np.select([up & down, up, down], [BOTH, UP, DOWN], FINITE)
    return bool((codes == proved).all())


def are_consistent(own: Codes, pairs: Codes, reference: int, *, symmetric: bool) -> bool:
    """Return whether codes by class, of three classes or more, are possible beside those of the pairs of classes.

    With a reference class they are those of the contrasts to it. K vectors that sum to zero are sums of contrasts, so
    their codes follow where all contrasts are finite or go to the same infinity.
    """
    K = len(own)
    for k, codes in enumerate(own):
        terms = negated(against(pairs, K, k))
        expected = agreed([*terms]) if symmetric else np.zeros_like(codes)
        known = (expected != FINITE) | (terms == FINITE).all(axis=0)
        if not symmetric and k != reference:
            expected, known = terms[reference - (reference > k)], np.ones(len(codes), dtype=np.bool_)
        possible = (codes == expected) | ((codes == UNDECIDED) & (expected != FINITE))
        possible |= (expected == UNDECIDED) & (codes != FINITE)
        if not (possible | ~known).all():
            return False
    return True
