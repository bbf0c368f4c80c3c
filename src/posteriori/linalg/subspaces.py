"""Orthonormal bases: of a null space, of the span of some columns, of the flat directions of a Hessian."""

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.linalg.cholesky import FULL_RANK_PIVOT

#: Least bound on what rounding makes of an eigenvalue of a unit-diagonal matrix that is zero.
ROUNDING = 1e-13
#: Columns from which a QR decomposition, several times as fast as singular values, is tried first, and how far above
#: the tolerance all singular values must be for it to suffice.
MANY, CLEARLY = 128, 10.0


def null_space(matrix: Array, dimension: int | None = None, tolerance: float = 0.0) -> Array:
    """Return an orthonormal basis (p, m) of the directions that a matrix (k, p) maps to zero.

    Their number is `dimension`, or that of the singular values up to `tolerance`.

    >>> null_space(np.array([[1.0, 0.0]])).tolist()
    [[0.0], [1.0]]
    """
    if not matrix.size:
        return np.eye(matrix.shape[1])
    _, values, rows = np.linalg.svd(matrix)
    first = int((values > tolerance).sum()) if dimension is None else matrix.shape[1] - dimension
    return rows[first:].T


def column_space(columns: Array, tolerance: float, *, relative: bool = False) -> Array:
    """Return an orthonormal basis of the span of the columns.

    Directions whose singular value is at most `tolerance` (of the largest with `relative`) are rounding.
    """
    if MANY <= columns.shape[1] <= columns.shape[0]:
        Q, R = la.qr(columns, mode="economic", check_finite=False)
        inverse, failed = la.lapack.dtrtri(R)
        # the least singular value is at least 1 / |R^-1|, and the largest at most |R|
        size = float(np.linalg.norm(R)) if relative else 1.0
        if failed == 0 and CLEARLY * tolerance * size * np.linalg.norm(inverse) < 1.0:
            return np.asarray(Q)
    left, values, _ = np.linalg.svd(columns, full_matrices=False)
    return left[:, values > (tolerance * values[0] if relative else tolerance)]


def orthonormalize(columns: Array) -> Array:
    """Return an orthonormal basis of the span of independent columns."""
    return np.linalg.qr(columns)[0] if columns.shape[1] else columns


def eigenvalue_rounding(p: int) -> float:
    """Return what rounding can make of an eigenvalue of a unit-diagonal (p, p) matrix that is zero."""
    return max(ROUNDING, 8 * p * float(np.finfo(np.float64).eps))


def flat_directions(H: Array) -> Array:
    """Return orthonormal directions (p, m) along which a unit-diagonal Hessian is zero to rounding."""
    p = len(H)
    if not p:
        return np.zeros((0, 0))
    factor, failed = la.lapack.dpotrf(H, lower=1)
    if failed == 0 and np.diagonal(factor).min(initial=1.0) > FULL_RANK_PIVOT:
        return np.zeros((p, 0))
    values, vectors = la.eigh(H, check_finite=False)
    return np.asarray(vectors[:, values <= 10 * eigenvalue_rounding(p)])
