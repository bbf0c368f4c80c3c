"""Quadratic minimisation under v >= 0 and its set of solutions: the small dense problems of a bounded Newton step."""

import numpy as np
import scipy.linalg as la
from scipy.optimize import linprog, nnls

from posteriori.arrays import Array, Mask
from posteriori.linalg.subspaces import null_space

#: Number of exchanges of whole blocks that may fail to reduce the number of wrong coordinates.
CHANCES = 3
#: A coordinate of the solution of a linear programme is positive if it is above this part of the largest.
POSITIVE = 1e-7


def nonnegative_minimum(H: Array, b: Array, free: Mask) -> Array:
    """Minimise v'Hv/2 + b'v over v >= 0, H positive definite, by block principal pivoting.

    Coordinates are free or fixed at zero. All wrong coordinates (a free one below zero, or a fixed one with a negative
    derivative) are exchanged at once. If that does not reduce their number in some exchanges, only the last one is
    exchanged (Murty's rule, which ends for every positive definite H).

    Parameters
    ----------
    H : (p, p)
    b : (p,)
    free : (p,) the coordinates that are free at the start

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
    """Solve for the free coordinates, the others zero; mark those whose sign or whose derivative is wrong."""
    v, solved = np.zeros(len(b)), np.zeros(0)
    if free.any():
        _, solved, failed = la.lapack.dposv(H[np.ix_(free, free)], -b[free])
        assert failed == 0
    v[free] = solved
    slope = H[:, free] @ solved + b
    rounding = 4 * np.finfo(np.float64).eps * len(b) * (np.abs(H[:, free]) @ np.abs(solved) + np.abs(b))
    return v, np.where(free, v < 0, slope < -rounding)


def least_norm(v: Array, null: Array) -> Array:
    """Return the shortest u >= 0 of the form v + null t, where v >= 0.

    Lawson & Hanson (1974), ch. 23: if u0 is the shortest vector of any signs, the shortest t with u0 + null t >= 0 is
    the solution of one problem of nonnegative least squares.

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
    return np.asarray(np.maximum(shortest - null @ (rest[:-1] / rest[-1]), 0.0))


def undetermined(v: Array, null: Array) -> Mask:
    """Mark the coordinates that are not the same in all u >= 0 of the form v + null t, v >= 0, a bounded set.

    Linear programmes extend the support until it is the largest of any such u. Within it the set has an interior, so
    the null space determines which coordinates vary.

    >>> undetermined(np.array([2.0, 0.0, 0.0]), np.array([[1.0], [-1.0], [0.0]]) / np.sqrt(2.0)).tolist()
    [True, True, False]
    """
    size = max(float(v.max(initial=0.0)), 1e-300)
    at, support = v / size, v > POSITIVE * size
    while not support.all() and null.shape[1]:
        cost = -null[~support].sum(axis=0)
        t = linprog(cost, A_ub=-null, b_ub=at, bounds=(None, None), method="highs").x
        more = ~support & (at + null @ t > POSITIVE) if t is not None else np.zeros(len(v), dtype=bool)
        if not more.any():
            break
        support = support | more
    inner = null @ null_space(null[~support], tolerance=POSITIVE)
    moved: Mask = np.linalg.norm(inner, axis=1) > POSITIVE
    return moved & support
