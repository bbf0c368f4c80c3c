"""Notes on priors in the units of the columns that move coefficients far from their maximum likelihood estimates."""

from typing import Any

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.engines.blas import single_threaded_blas
from posteriori.fits.existence.rank import clearly_full_rank
from posteriori.fits.link_regression import Regression
from posteriori.messages.notes import Note, quote, select
from posteriori.models.information import Information
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.other_units import CentredPrior

#: Shift of a coefficient by the prior, in standard errors, above which there is a note.
MOST = 20.0
#: Messages with columns and the shift: of coefficients, and of a combination of them.
MOVED = "the prior moves the coefficient(s) of {} by up to {:.0f} standard errors from the maximum likelihood estimate"
COMBINED = (
    "the prior on the coefficient(s) of {} moves a combination of coefficients by at least {:.0f} standard errors from "
    "its maximum likelihood estimate"
)


def binding_notes(
    fitted: Regression, information: Information, prior: Any, names: tuple[str | int, ...]
) -> tuple[Note, ...]:
    """Return a note if a prior per unit of each column moves coefficients by more than `MOST` standard errors.

    Where fit did not sum the curvature (many rows or columns), `_least_shifts` is a lower bound.
    """
    known, own = information.prior, fitted.link.as_contrasts().n_scores
    if not is_per_unit(prior) or fitted.maximum.status != "ok" or information.triangle is not None:
        return ()
    if known is None:
        return ()
    pull = known.times(fitted.w.ravel() - known.mean)
    if information.sums is None:
        bounded = fitted.link.is_canonical and fitted.units.intercept
        return prior_note(_least_shifts(pull, own, information), names, COMBINED) if bounded else ()
    return prior_note(
        prior_shifts(information.sums.observed, pull, own, fitted.units.intercept, information.scale), names
    )


def is_per_unit(prior: Any) -> bool:
    """Return whether a prior was stated in the units of the columns."""
    stated = isinstance(prior, GaussianPrior | CentredPrior) and prior.units == "data"
    return stated or isinstance(prior, int | float | np.number)


def prior_note(shifts: Array, names: tuple[str | int, ...], what: str = MOVED) -> tuple[Note, ...]:
    """Return the note of shifts (d,) above `MOST`."""
    columns = select(names, shifts > MOST)
    if not columns:
        return ()
    return (
        Note(
            code="prior-binds",
            message=f"{what.format(quote(columns), shifts.max())}: it is per unit of each column, and these columns "
            "have small units.",
            columns=columns,
            remedy="If this is not meant, state it per standard deviation: prior=pt.GaussianPrior(sd=2.5, units='sd').",
        ),
    )


def prior_shifts(H: Array, pull: Array, own: int, intercept: bool, scale: float = 1.0) -> Array:
    """Return the shift of the coefficients by the prior in standard errors, the largest over the classes, (d,).

    From the maximum with the prior, one Newton step of the likelihood alone: H^-1 P (w - m), H the curvature of minus
    the log likelihood there and P and m the precision and mean of the prior, in units of the square roots of the
    diagonal of H^-1, without directions in which the likelihood is flat.

    Parameters
    ----------
    H : over the last `own` vectors, as contrasts to the first class where that has a vector of its own
    pull : P (w - m), of all vectors
    own : the number of vectors of H
    intercept : whether each vector begins with an intercept
    scale : of the covariance H^-1
    """
    inverse = _inverse(H)
    error = np.sqrt(np.maximum(np.diagonal(inverse), 1e-300) * scale)
    p = len(H) // own
    shifts: Array = np.max(np.abs(inverse @ pull[-own * p :] / error).reshape(-1, p), axis=0)
    return shifts[int(intercept) :]


def _least_shifts(pull: Array, own: int, information: Information) -> Array:
    """Return |P (w - m)|_j / H_jj^(1/2) with an upper bound of H_jj, (d,), which does not need H.

    It is at most the shift, in standard errors, of the combination of coefficients that the prior moves most,
    ((P (w - m))' H^-1 P (w - m))^(1/2). In units of standard deviations about the mean the diagonal of H is at most a
    quarter of the weight of the rows, the link being the logit or softmax.
    """
    error = 2.0 / np.sqrt(information.totals.sum() * information.scale)
    shifts: Array = np.max(np.abs(pull[-len(information.infinite) :]).reshape(own, -1), axis=0) * error
    return shifts[1:]


def _inverse(H: Array) -> Array:
    """Return the pseudo-inverse of a curvature."""
    with single_threaded_blas():
        if not clearly_full_rank(H):
            return np.asarray(la.pinvh(H, rtol=1e-10, check_finite=False))
        root = np.sqrt(np.diagonal(H))
        inverse: Array = la.inv(H / root[:, None] / root) / root[:, None] / root
    return inverse
