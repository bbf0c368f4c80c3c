"""The covariance of coefficients: inverse information, observed or expected, and sandwiches.

Matrices are inverted in the units of the fit, standardised columns, by the Cholesky factor of their unit-diagonal
form, and only then carried to the user's units: so the units of columns cost no digits.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.fits.information import Sums, penalty_of
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.sandwich import KINDS, SANDWICHES, Sandwich
from posteriori.inference.coefficients.validity import finite_coefficients
from posteriori.linalg.cholesky import INVERTIBLE_PIVOT, ScaledCholesky
from posteriori.linalg.scaled_products import deviations, in_powers, in_range, sandwich, scaled_back
from posteriori.messages.errors import DataError
from posteriori.statistics.group_sums import GroupSums

#: A sandwich without options.
DEFAULT = Sandwich()


@dataclass(frozen=True)
class Spread:
    """A covariance of the contrasts in the units of the fit, (m, m), and how it was computed; None if it was not."""

    matrix: Array | None
    kind: str
    sandwich: Sandwich
    n_clusters: int | None = None


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
        factor = ScaledCholesky.of(matrix)
        if not factor.is_above(INVERTIBLE_PIVOT):
            what = f" at {labels[factor.worst]!r}" if labels else ""
            raise DataError(
                f"the information matrix is singular to rounding{what}: columns are too near a combination of others "
                "for standard errors in double precision. Leave one out, or give a prior."
            )
        return cls(factor.inverse_root())

    @property
    def matrix(self) -> Array:
        """The inverse itself, (m, m)."""
        with np.errstate(over="ignore"):
            return in_range(self.root.T @ self.root)


def covariance_in_units(
    fitted: Fitted, kind: str, sums: Sums, options: Sandwich = DEFAULT, clusters: GroupSums | None = None
) -> Array:
    """Compute the covariance of the contrasts in the units of the fit, (m, m).

    "observed", "expected": H^-1, H the second derivative of minus the log likelihood (plus the prior's), or its
    mean under the model. "robust": H^-1 M H^-1, M the sum of outer products of the scores of single rows, or trials
    (White 1980). "cluster": the same with scores summed over each group first. With Jeffreys' prior H is the expected
    information, whose determinant was maximised, whatever the kind.
    """
    choice("kind", kind, KINDS)
    expected = kind == "expected" or options.bread == "expected" or fitted.information.jeffreys
    H = sums.expected if expected else sums.observed
    prior = fitted.information.prior
    if prior is not None:
        H = H + penalty_of(prior, fitted.own)
    bread = Inverse.of(H, fitted.information.null, fitted.labels).matrix
    if kind not in SANDWICHES:
        with np.errstate(over="ignore"):
            return in_range(bread * fitted.information.scale)
    meat = _meat(fitted, sums, options) if clusters is None else clusters.outer()
    n_clusters = None if clusters is None else len(clusters.keys)
    factor = options.factor(_n_units(fitted, options), fitted.information.n_free, n_clusters)
    return sandwich(bread, meat, factor)


def _meat(fitted: Fitted, sums: Sums, options: Sandwich) -> Array:
    """Return the scatter of the scores of rows or of trials."""
    if options.units == "trials":
        return sums.meat
    known = fitted.information
    if known.n_copies is None and not np.isclose(known.totals.sum() / known.scale, known.n_rows):
        raise DataError(
            "this model file is of a version that summed the scores of trials, not of rows: give X= and y= of the fit, "
            "or units='trials'."
        )
    return sums.meat if sums.by_rows is None else sums.by_rows


def _n_units(fitted: Fitted, options: Sandwich) -> float:
    """Return the number of units whose scores are squared: rows (copies of them under frequency weights), or trials."""
    known = fitted.information
    if options.units == "trials" or known.n_copies is None:
        return float(known.totals.sum() / known.scale)
    return known.n_copies


def carried(fitted: Fitted, covariance: Array) -> Array:
    """Return a covariance in the user's units; NaN for coefficients without a finite, unique estimate."""
    return scaled_back(*_carried(fitted, covariance))


def standard_errors(fitted: Fitted, covariance: Array) -> Array:
    """Return the square roots of the diagonal of `carried`, which are floats where variances are not."""
    return deviations(*_carried(fitted, covariance))


def _carried(fitted: Fitted, covariance: Array) -> tuple[Array, Array]:
    """Return a covariance in the user's units as a matrix and sizes (`scaled.congruence`)."""
    p, q = fitted.units.n_coefficients, len(fitted.w)
    T, sizes = in_powers(fitted.units.jacobian())
    blocks = covariance.reshape(q, p, q, p)
    moved: Array = np.einsum("ij,ajbk,lk->aibl", T, blocks, T, optimize=True).reshape(q * p, q * p)
    known = finite_coefficients(fitted)
    moved[~known] = np.nan
    moved[:, ~known] = np.nan
    return (moved + moved.T) / 2.0, np.tile(sizes, q)


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
