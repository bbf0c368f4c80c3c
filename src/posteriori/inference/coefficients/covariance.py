"""The covariance of coefficients: inverse information, observed or expected, and sandwiches.

Matrices are inverted in the units of the fit (standardised columns) by the Cholesky factor of their unit-diagonal form,
and then transformed to the user's units, so that the units of columns cost no digits.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.fits.information import penalty_of
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.sandwich import KINDS, SANDWICHES, Sandwich
from posteriori.inference.coefficients.validity import finite_coefficients
from posteriori.inference.inverse_information import InverseInformation
from posteriori.linalg.scaled_products import deviations, in_powers, in_range, sandwich, scaled_back
from posteriori.messages.errors import DataError
from posteriori.models.information import Sums
from posteriori.statistics.group_sums import GroupSums

#: A sandwich without options.
DEFAULT = Sandwich()


@dataclass(frozen=True)
class Covariance:
    """A covariance of the contrasts in the units of the fit, and how it was computed.

    Parameters
    ----------
    matrix : (m, m); None if it was not computed
    kind : one of `KINDS`
    sandwich : the options of robust and cluster covariances
    n_clusters : the number of clusters
    """

    matrix: Array | None
    kind: str
    sandwich: Sandwich
    n_clusters: int | None = None


def covariance_in_units(
    fitted: Fitted, kind: str, sums: Sums, options: Sandwich = DEFAULT, clusters: GroupSums | None = None
) -> Array:
    """Compute the covariance of the contrasts in the units of the fit, (m, m).

    "observed": H^-1, with H the second derivative of minus the log likelihood (plus that of the prior). "expected": the
    same with the expectation of H under the model. "robust": H^-1 M H^-1, M the sum of outer products of the scores of
    rows or trials (White 1980). "cluster": the same with scores summed within each group first. With Jeffreys' prior
    H is the expected information for every kind, as its determinant is part of the objective.
    """
    choice("kind", kind, KINDS)
    expected = kind == "expected" or options.bread == "expected" or fitted.information.jeffreys
    H = sums.expected if expected else sums.observed
    if fitted.information.prior is not None:
        H = H + penalty_of(fitted.information.prior, fitted.own)
    bread = InverseInformation.of(H, fitted.information.null, fitted.labels).matrix
    if kind not in SANDWICHES:
        with np.errstate(over="ignore"):
            return in_range(bread * fitted.information.scale)
    meat = _meat(fitted, sums, options) if clusters is None else clusters.outer()
    n_clusters = None if clusters is None else len(clusters.keys)
    factor = options.factor(_n_units(fitted, options), fitted.information.n_free, n_clusters)
    return sandwich(bread, meat, factor)


def _meat(fitted: Fitted, sums: Sums, options: Sandwich) -> Array:
    """Return the sum of outer products of the scores of rows or trials."""
    if options.units == "trials":
        return sums.meat
    known = fitted.information
    if known.n_copies is None and not np.isclose(known.totals.sum() / known.scale, known.n_rows):
        raise DataError(
            "this model file was written by a version that summed the scores of trials, not of rows: give X= and y= of "
            "the fit, or units='trials'."
        )
    return sums.meat if sums.by_rows is None else sums.by_rows


def _n_units(fitted: Fitted, options: Sandwich) -> float:
    """Return the number of units with scores of their own: rows (counting frequency weights), or trials."""
    known = fitted.information
    if options.units == "trials" or known.n_copies is None:
        return float(known.totals.sum() / known.scale)
    return known.n_copies


def to_user_units(fitted: Fitted, covariance: Array) -> Array:
    """Return a covariance in the user's units; NaN for coefficients without a finite, unique estimate."""
    return scaled_back(*_scaled(fitted, covariance))


def standard_errors(fitted: Fitted, covariance: Array) -> Array:
    """Return the roots of the diagonal of `to_user_units`, without overflow where variances have no float."""
    return deviations(*_scaled(fitted, covariance))


def _scaled(fitted: Fitted, covariance: Array) -> tuple[Array, Array]:
    """Return a covariance in the user's units as a matrix and powers of two (`linalg.scaled_products.congruence`)."""
    T, sizes = in_powers(fitted.units.jacobian())
    transformed = _transformed(fitted, covariance, T)
    unknown = ~finite_coefficients(fitted)
    transformed[unknown] = transformed[:, unknown] = np.nan
    return transformed, np.tile(sizes, len(fitted.w))


def _transformed(fitted: Fitted, covariance: Array, T: Array) -> Array:
    """Return the covariance of T times the coefficients of each contrast, (m, m)."""
    p, q = fitted.units.n_coefficients, len(fitted.w)
    blocks = np.einsum("ij,ajbk,lk->aibl", T, covariance.reshape(q, p, q, p), T, optimize=True)
    matrix: Array = blocks.reshape(q * p, q * p)
    return (matrix + matrix.T) / 2.0


# --- for rows to predict, where the rows of the fit cannot be read as well


def read_covariance(fitted: Fitted, kind: str | None, covariance: Any, inference: Any) -> Array | None:
    """Return the user's covariance= in the units of the fit, or None to use the one that fit summed."""
    if covariance is not None:
        if kind is not None:
            raise DataError("give kind= or covariance=, not both: covariance= is one that was computed before.")
        return _to_fit_units(fitted, covariance)
    if kind == "cluster":
        raise DataError(
            "here X= are the rows to predict, while clusters are groups of the rows of the fit: give "
            "covariance=model.covariance(X=X_fit, y=y_fit, groups=groups_fit)."
        )
    if fitted.information.sums is None:
        raise DataError(
            f"fit did not sum the information of {fitted.size} coefficients over {fitted.information.n_rows} rows "
            f"(inference={inference!r}): fit with inference=True, or give covariance=model.covariance(X=X_fit, "
            "y=y_fit), from the rows of the fit."
        )
    return None


def _to_fit_units(fitted: Fitted, covariance: Any) -> Array:
    """Return a covariance (m, m) in the units of the fit: the inverse of `to_user_units`."""
    matrix, m = np.asarray(covariance, dtype=np.float64), fitted.size
    if matrix.shape != (m, m):
        raise DataError(f"covariance must have shape ({m}, {m}), as covariance() returns it; it has {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise DataError(
            f"covariance has {int((~np.isfinite(matrix)).sum())} cells that are not finite: some coefficients have no "
            "finite, unique estimate. Leave out the columns that are combinations of others; where the classes are "
            "separated use prior='jeffreys'."
        )
    back = np.linalg.inv(fitted.units.jacobian()).astype(np.float64, copy=False)
    return _transformed(fitted, matrix, back)
