"""Cholesky factors of symmetric matrices scaled to unit diagonal, and the pivots below which they count as singular.

A pivot of the factor is the part of a column that is not a combination of the columns before it, so its size does not
depend on the units of the columns. Rounding leaves about sqrt(p eps), some 1e-8 to 1e-7, of a column that has none.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array

#: Pivot above which R from the Gram matrix is as good as R from a QR decomposition: rounding is amplified by the square
#: of its inverse at most, 1e4, so twelve digits are correct.
QR_PIVOT = 1e-2
#: Pivot above which full rank needs no closer look.
FULL_RANK_PIVOT = 1e-4
#: Pivot above which a Hessian is positive definite and its Newton step is accurate.
DEFINITE_PIVOT = 1e-6
#: Pivot above which the conditions of a test are linearly independent.
INDEPENDENT_PIVOT = 1e-7
#: Pivot above which an inverse and a determinant have any correct digit.
INVERTIBLE_PIVOT = 1e-8
#: Part of the largest eigenvalue below which an eigenvalue is rounding.
EIGENVALUE_ROUNDING = 1e-13


@dataclass(frozen=True)
class ScaledCholesky:
    """matrix = D L L' D, with D the square roots of its diagonal (1 where that is not positive).

    Parameters
    ----------
    lower : L, (p, p)
    size : the diagonal of D, (p,)
    failed : 0, or the number (from 1) of the first pivot that is not positive

    Examples
    --------
    >>> factor = ScaledCholesky.of(np.array([[4.0, 0.0], [0.0, 1e-20]]))
    >>> factor.is_above(DEFINITE_PIVOT), factor.inverse()[0].tolist(), round(factor.log_determinant(), 6)
    (True, [0.25, 0.0], -44.665407)
    """

    lower: Array
    size: Array
    failed: int

    @classmethod
    def of(cls, matrix: Array) -> "ScaledCholesky":
        """Factor a symmetric matrix."""
        size = diagonal_roots(matrix)
        with np.errstate(invalid="ignore"):  # infinite curvature becomes NaN, which no pivot test passes
            unit = matrix / size[:, None] / size
        lower, failed = la.lapack.dpotrf(unit, lower=1)
        return cls(lower, size, failed)

    def is_above(self, pivot: float) -> bool:
        """Return whether the matrix is positive definite with all pivots above a threshold."""
        return self.failed == 0 and bool(np.diagonal(self.lower).min(initial=1.0) > pivot)

    @property
    def worst(self) -> int:
        """The index of the column that is nearest to a combination of those before it."""
        return self.failed - 1 if self.failed > 0 else int(np.diagonal(self.lower).argmin())

    def solve(self, b: Array) -> Array:
        """Return the inverse times b, (p,)."""
        solved, _ = la.lapack.dpotrs(self.lower, b / self.size, lower=1)
        return np.asarray(solved / self.size)

    def inverse(self) -> Array:
        """Return the inverse, (p, p)."""
        inverse, _ = la.lapack.dpotri(self.lower, lower=1)
        return np.asarray((np.tril(inverse) + np.tril(inverse, -1).T) / self.size[:, None] / self.size)

    def inverse_root(self) -> Array:
        """Return B with inverse B'B, (p, p)."""
        inverse, _ = la.lapack.dtrtri(self.lower, lower=1)
        return np.asarray(inverse / self.size)

    def log_determinant(self) -> float:
        """Return the log of the determinant."""
        return 2.0 * float(np.log(np.diagonal(self.lower)).sum() + np.log(self.size).sum())


@dataclass(frozen=True)
class SymmetricFactor:
    """A factored Hessian: its `ScaledCholesky`, or where it is singular its eigenvectors over their square roots."""

    size: Array
    cholesky: ScaledCholesky | None
    vectors: Array | None = None

    @classmethod
    def of(cls, hessian: Array) -> "SymmetricFactor":
        """Factor a symmetric matrix; directions whose eigenvalue is rounding are left out."""
        if not len(hessian):
            return cls(np.ones(0), None, np.empty((0, 0)))
        cholesky = ScaledCholesky.of(hessian)
        size = cholesky.size
        if cholesky.is_above(DEFINITE_PIVOT):
            return cls(size, cholesky)
        values, vectors = la.eigh(hessian / size[:, None] / size, check_finite=False)
        positive = values > EIGENVALUE_ROUNDING * max(values[-1], 0.0)
        return cls(size, None, vectors[:, positive] / np.sqrt(values[positive]))

    @property
    def nonsingular(self) -> bool:
        """Whether no direction was left out."""
        return self.cholesky is not None

    @property
    def least_eigenvalue(self) -> float:
        """The least eigenvalue of the unit-diagonal matrix, to a factor of about three: the inverse of |H^-1|."""
        if self.cholesky is None:
            return 0.0
        reciprocal, _ = la.lapack.dpocon(self.cholesky.lower, 1.0, uplo="L")
        return float(reciprocal)

    def whitener(self) -> Array:
        """Return W with H^-1 = W'W."""
        if self.cholesky is None:
            assert self.vectors is not None
            return self.vectors.T / self.size
        diagonal = np.diag(1.0 / self.size)
        return np.asarray(la.solve_triangular(self.cholesky.lower, diagonal, lower=True, check_finite=False))

    def solve(self, gradient: Array) -> Array:
        """Return H^-1 gradient."""
        if self.cholesky is not None:
            return self.cholesky.solve(gradient)
        assert self.vectors is not None
        return (self.vectors @ (self.vectors.T @ (gradient / self.size))) / self.size


def diagonal_roots(matrix: Array) -> Array:
    """Return the square roots of the diagonal, 1 where it is not positive."""
    diagonal = np.diagonal(matrix)
    return np.sqrt(np.where(diagonal > 0, diagonal, 1.0))


def is_definite(hessian: Array) -> bool:
    """Return whether a symmetric matrix is positive definite beyond rounding.

    >>> is_definite(np.eye(2)), is_definite(np.array([[1.0, 2.0], [2.0, 1.0]]))
    (True, False)
    """
    return ScaledCholesky.of(hessian).is_above(DEFINITE_PIVOT)
