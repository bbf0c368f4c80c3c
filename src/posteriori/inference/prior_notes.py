"""Whether a prior in the units of the columns holds coefficients far from where the rows would have them."""

from typing import Any

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.engines.blas import single_threaded_blas
from posteriori.inference.information import Information, contrasted
from posteriori.inference.rank import clearly_full_rank
from posteriori.inference.regression import Regression
from posteriori.priors.gaussian import GaussianPrior
from posteriori.tables.notes import Note, listed, picked

Array = NDArray[np.float64]

#: Standard errors that a prior may move a coefficient by without a word.
MOST = 20.0


def binding_notes(
    fitted: Regression, information: Information, prior: Any, names: tuple[str | int, ...]
) -> tuple[Note, ...]:
    """Return a note where a prior per unit of each column moves coefficients by more than `MOST` standard errors."""
    stated = isinstance(prior, int | float | np.number) or (isinstance(prior, GaussianPrior) and prior.units == "data")
    if not stated or fitted.found.status != "ok" or information.sums is None or information.triangle is not None:
        return ()
    moved = moved_by_prior(fitted, information)
    far = moved > MOST
    if not far.any():
        return ()
    columns = picked(names, far)
    return (
        Note(
            code="prior-binds",
            message=f"the prior moves the coefficient(s) of {listed(columns)} by up to {moved.max():.0f} standard "
            "errors from where the rows would have them: it is per unit of each column, and these have small units.",
            columns=columns,
            cure="If that is not meant, give it per standard deviation: prior=pt.GaussianPrior(sd=2.5, units='sd').",
        ),
    )


def moved_by_prior(fitted: Regression, information: Information) -> Array:
    """Return by how many standard errors the prior moves each column's coefficient, the most of all classes, (d,).

    From the maximum with the prior, one Newton step of the likelihood alone: H^-1 P (w - m), H the curvature of minus
    the log likelihood there and P and m the precision and mean of the prior, in units of the square roots of the
    diagonal of H^-1. Where the rows leave a direction undecided nothing is counted.
    """
    assert information.sums is not None
    prior, (q, p) = information.prior, fitted.w.shape
    if prior is None:
        return np.zeros(p - int(fitted.units.intercept))
    pull = (prior.matrix() @ (fitted.w.ravel() - prior.mean)).reshape(q, p)
    own = pull[-contrasted(fitted.link).n_scores :].ravel()  # of contrasts to the first class, which comes first
    inverse = _inverse(information.sums.observed)
    error = np.sqrt(np.maximum(np.diagonal(inverse), 1e-300) * information.scale)
    moved: Array = np.max(np.abs(inverse @ own / error).reshape(-1, p), axis=0)
    return moved[int(fitted.units.intercept) :]


def _inverse(H: Array) -> Array:
    """Return the inverse of a curvature, on the directions that it decides."""
    with single_threaded_blas():
        clear = clearly_full_rank(H)
        inverse: Array = la.inv(H) if clear else la.pinvh(H, rtol=1e-10, check_finite=False)
    return inverse
