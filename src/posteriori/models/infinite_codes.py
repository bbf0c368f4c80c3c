"""Codes of coefficients without a finite estimate: to which infinity each goes."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.linalg.scaled_products import in_powers

Codes = NDArray[np.int8]

#: Codes of coefficients: a finite estimate (or limit), plus infinity, minus infinity, directions of both signs, and
#: no finite estimate whose directions were not all examined.
FINITE, UP, DOWN, BOTH, UNDECIDED = 0, 1, -1, 2, 3


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


def agreed(known: list[Codes]) -> Codes:
    """Return the codes of sums of coefficients that go to the same infinity; FINITE where they may not."""
    least, most = np.min(known, axis=0), np.max(known, axis=0)
    up, down = (least == FINITE) | (least == UP), (most == FINITE) | (most == DOWN)
    return np.where(up & (most == UP), UP, np.where(down & (least == DOWN), DOWN, FINITE)).astype(np.int8)


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
