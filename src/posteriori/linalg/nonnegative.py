"""Quadratics and planes under v >= 0: small dense problems that a bounded Newton step is made of."""

import numpy as np
import scipy.linalg as la
from scipy.optimize import linprog, nnls

from posteriori.arrays import Array, Mask
from posteriori.linalg.subspaces import null_space

#: Exchanges of whole blocks that may fail to lessen the number of wrong coordinates.
CHANCES = 3
#: Part of the largest coordinate above which one is positive, where a programme found it.
POSITIVE = 1e-7


def nonnegative_minimum(H: Array, b: Array, free: Mask) -> Array:
    """Minimise v'Hv/2 + b'v over v >= 0, H positive definite, by block principal pivoting.

    Coordinates are free or at zero. Those that come out wrong, a free one below zero or one at zero whose slope
    points up the wrong way, change sides all at once; where that does not lessen their number for some exchanges,
    the last of them changes sides alone (Murty's rule, which ends for every positive definite H).

    Parameters
    ----------
    H : (p, p)
    b : (p,)
    free : (p,) which coordinates are free to begin with

    Notes
    -----
    Júdice & Pires (1994), Computers & Operations Research 21, 587-596.

    Examples
    --------
    >>> H, b = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-2.0, 1.0])
    >>> nonnegative_minimum(H, b, np.ones(2, bool)).round(12).tolist()
    [1.0, 0.0]
    """
    free = free.copy()
    v, fewest, chances = np.zeros(len(b)), len(b) + 1, CHANCES
    for _ in range(100 + 10 * len(b)):
        v, wrong = _complementary(H, b, free)
        count = int(wrong.sum())
        if count == 0:
            break
        if count < fewest:
            fewest, chances = count, CHANCES
        elif chances > 0:
            chances -= 1
        else:
            last = np.flatnonzero(wrong)[-1]
            wrong = np.arange(len(b)) == last
        free = free ^ wrong
    return np.maximum(v, 0.0)


def _complementary(H: Array, b: Array, free: Mask) -> tuple[Array, Mask]:
    """Solve for the free coordinates, the others zero; say which have the wrong sign, or the wrong slope."""
    v, solved = np.zeros(len(b)), np.zeros(0)
    if free.any():
        _, solved, failed = la.lapack.dposv(H[np.ix_(free, free)], -b[free])
        assert failed == 0
    v[free] = solved
    slope = H[:, free] @ solved + b
    blur = 4 * np.finfo(np.float64).eps * len(b) * (np.abs(H[:, free]) @ np.abs(solved) + np.abs(b))
    return v, np.where(free, v < 0, slope < -blur)


def least_norm(v: Array, null: Array) -> Array:
    """Give the shortest u >= 0 of the form v + null t, where v >= 0.

    Lawson & Hanson (1974), ch. 23: with u0 the shortest of any signs, the shortest t with u0 + null t >= 0 comes from
    one problem of nonnegative least squares.

    Parameters
    ----------
    v : (p,)
    null : (p, m) orthonormal directions

    Examples
    --------
    >>> least_norm(np.array([2.0, 0.0]), np.array([[1.0], [-1.0]]) / np.sqrt(2.0)).round(12).tolist()
    [1.0, 1.0]
    """
    shortest = v - null @ (null.T @ v)
    if not null.shape[1] or shortest.min() >= 0:
        return np.maximum(shortest, 0.0)
    target = np.zeros(null.shape[1] + 1)
    target[-1] = 1.0
    stacked = np.vstack([null.T, -shortest])
    y, _ = nnls(stacked, target)
    rest = stacked @ y - target
    moved: Array = np.maximum(shortest - null @ (rest[:-1] / rest[-1]), 0.0)
    return moved


def undetermined(v: Array, null: Array) -> Mask:
    """Say which coordinates differ between the u >= 0 of the form v + null t, v >= 0; there must be no endless ones.

    The largest support of any such u is found by programmes that each ask for more of it. Within it the set has an
    interior, so linear algebra says which coordinates it moves.

    >>> undetermined(np.array([2.0, 0.0, 0.0]), np.array([[1.0], [-1.0], [0.0]]) / np.sqrt(2.0)).tolist()
    [True, True, False]
    """
    size = max(float(v.max(initial=0.0)), 1e-300)
    at, support = v / size, v > POSITIVE * size
    while not support.all() and null.shape[1]:
        asked = -null[~support].sum(axis=0)
        found = linprog(asked, A_ub=-null, b_ub=at, bounds=(None, None), method="highs").x
        more = ~support & (at + null @ found > POSITIVE) if found is not None else np.zeros(len(v), dtype=bool)
        if not more.any():
            break
        support = support | more
    inner = null @ null_space(null[~support], tolerance=POSITIVE)
    moved: Mask = np.linalg.norm(inner, axis=1) > POSITIVE
    return moved & support
