"""A covariance given for rows to predict, where the rows of the fit cannot be given beside them."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.messages.errors import DataError


def covariance_given(fitted: Fitted, kind: str | None, covariance: Any, inference: Any) -> Array | None:
    """Return a covariance that was given in the units of the fit; None where that of the fit is to be taken."""
    if covariance is not None:
        if kind is not None:
            raise DataError("give kind= or covariance=, not both: covariance= is one that was computed before.")
        return in_units(fitted, covariance)
    if kind == "cluster":
        raise DataError(
            "X= are the rows to predict here, and clusters are of the rows of the fit: give "
            "covariance=model.covariance(X=X_fit, y=y_fit, groups=groups_fit)."
        )
    if fitted.information.sums is None:
        raise DataError(
            f"fit did not sum the information of {fitted.size} coefficients over {fitted.information.n_rows} rows "
            f"(inference={inference!r}): fit with inference=True, or give covariance=model.covariance(X=X_fit, "
            "y=y_fit), from the rows of the fit."
        )
    return None


def in_units(fitted: Fitted, covariance: Any) -> Array:
    """Return a covariance (m, m) given in the user's units in those of the fit: the inverse of `carried`."""
    given = np.asarray(covariance, dtype=np.float64)
    m, p, q = fitted.size, fitted.units.n_coefficients, len(fitted.w)
    if given.shape != (m, m):
        raise DataError(f"covariance must be of shape ({m}, {m}), as covariance() returns it; it has {given.shape}.")
    if not np.isfinite(given).all():
        raise DataError(
            f"covariance has {int((~np.isfinite(given)).sum())} cells that are not finite: some coefficients have no "
            "finite, unique estimate. Leave out the columns that are combinations of others; where the classes are "
            "separated use prior='jeffreys'."
        )
    back = np.linalg.inv(fitted.units.jacobian())
    moved: Array = np.einsum("ij,ajbk,lk->aibl", back, given.reshape(q, p, q, p), back, optimize=True).reshape(m, m)
    return (moved + moved.T) / 2.0
