"""The covariance of coefficients: inverse information, observed or expected, and sandwiches.

Matrices are inverted in the units of the fit, standardised columns, by the Cholesky factor of their unit-diagonal
form, and only then carried to the user's units: so the units of columns cost no digits.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.inference.fitted import Fitted
from posteriori.inference.information import Sums, penalty_of
from posteriori.inference.validity import finite_coefficients
from posteriori.tables.complaints import choice
from posteriori.tables.errors import DataError

Array = NDArray[np.float64]

KINDS = ("observed", "expected", "robust", "cluster")


@dataclass(frozen=True)
class Inverse:
    """The inverse of an information matrix as B'B, so that what is made with it is symmetric and not negative.

    Directions that the likelihood cannot see have no variance here; `validity` says what depends on them.
    """

    root: Array

    @classmethod
    def of(cls, matrix: Array, null: Array, labels: tuple[str, ...]) -> "Inverse":
        """Invert a symmetric matrix on the complement of `null` (m, a)."""
        m = len(matrix)
        if null.shape[1] == m:
            return cls(np.zeros((0, m)))
        if null.shape[1]:
            basis = la.null_space(null.T)
            inner = cls.of(basis.T @ matrix @ basis, np.zeros((basis.shape[1], 0)), ())
            return cls(inner.root @ basis.T)
        diagonal = np.diagonal(matrix)
        size = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        factor, info = la.lapack.dpotrf(matrix / size[:, None] / size, lower=1, clean=1)
        if info != 0 or not np.diagonal(factor).min() > 1e-8:
            place = info - 1 if info > 0 else int(np.diagonal(factor).argmin())
            what = f" at {labels[place]!r}" if labels else ""
            raise DataError(
                f"the information matrix is singular to rounding{what}: columns are too near a combination of others "
                "for standard errors in double precision. Leave one out, or give a prior."
            )
        inverse, _ = la.lapack.dtrtri(factor, lower=1)
        return cls(inverse / size)

    @property
    def matrix(self) -> Array:
        """The inverse itself, (m, m)."""
        return self.root.T @ self.root


def covariance_in_units(fitted: Fitted, kind: str, sums: Sums, clusters: Array | None = None) -> Array:
    """Give the covariance of the contrasts in the units of the fit, (m, m).

    "observed", "expected": H^-1, H the second derivative of minus the log likelihood (plus the prior's), or its
    mean under the model. "robust": H^-1 M H^-1, M the sum of outer products of the scores of single units (White
    1980, no small-sample factor). "cluster": the same with scores summed over each group first. With Jeffreys' prior H
    is the expected information, whose determinant was maximised, whatever the kind.
    """
    choice("kind", kind, KINDS)
    H = sums.expected if kind == "expected" or fitted.information.jeffreys else sums.observed
    prior = fitted.information.prior
    if prior is not None:
        H = H + penalty_of(prior, fitted.own)
    inverse = Inverse.of(H, fitted.information.null, fitted.labels)
    if kind in ("observed", "expected"):
        return inverse.matrix * fitted.information.scale
    meat = sums.meat if clusters is None else clusters
    bread = inverse.matrix
    sandwich: Array = bread @ meat @ bread
    return (sandwich + sandwich.T) / 2.0


def carried(fitted: Fitted, covariance: Array) -> Array:
    """Give a covariance in the user's units; NaN for coefficients without a finite, unique estimate."""
    T, p, q = fitted.units.jacobian(), fitted.units.n_coefficients, len(fitted.w)
    blocks = covariance.reshape(q, p, q, p)
    moved: Array = np.einsum("ij,ajbk,lk->aibl", T, blocks, T, optimize=True).reshape(q * p, q * p)
    known = finite_coefficients(fitted)
    moved[~known] = np.nan
    moved[:, ~known] = np.nan
    return (moved + moved.T) / 2.0


def referred(covariance: Array, n_classes: int, old: int, new: int) -> Array:
    """Give the covariance of contrasts to class `new` from that of contrasts to class `old`, (m, m).

    Of contrasts c_k to the old reference, those to the new one are c_k - c_new, and -c_new for the old.

    >>> referred(np.array([[2.0, 1.0], [1.0, 3.0]]), 3, 0, 1).tolist()
    [[2.0, 1.0], [1.0, 3.0]]
    """
    change = change_of_reference(n_classes, old, new)
    C = np.kron(change, np.eye(len(covariance) // (n_classes - 1)))
    return C @ covariance @ C.T


def change_of_reference(n_classes: int, old: int, new: int) -> Array:
    """Give the matrix (K - 1, K - 1) that turns contrasts to class `old` into contrasts to class `new`."""
    wide = np.insert(np.eye(n_classes - 1), old, 0.0, axis=0)  # (K, K - 1): each class against the old reference
    return np.delete(wide - wide[new], new, axis=0)
