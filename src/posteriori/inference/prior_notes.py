"""Whether a prior in the units of the columns holds coefficients far from where the rows would have them."""

from typing import Any

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.engines.blas import single_threaded_blas
from posteriori.fits.existence.rank import clearly_full_rank
from posteriori.fits.information import Information
from posteriori.fits.link_regression import Regression
from posteriori.inference.bayes.posterior import GaussianPosterior
from posteriori.messages.notes import Note, quote, select
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.other_units import CentredPrior

#: Standard errors that a prior may move a coefficient by without a word.
MOST = 20.0
#: What a note says of columns and numbers of standard errors: of coefficients, and of combinations of them.
MOVED = "the prior moves the coefficient(s) of {} by up to {:.0f} standard errors from where the rows would have them"
COMBINED = (
    "the prior on the coefficient(s) of {} moves a combination of coefficients by at least {:.0f} standard errors from "
    "where the rows would have it"
)


def binding_notes(
    fitted: Regression, information: Information, prior: Any, names: tuple[str | int, ...]
) -> tuple[Note, ...]:
    """Return a note where a prior per unit of each column moves coefficients by more than `MOST` standard errors.

    Where fit did not sum the curvature, which is so for many rows or columns, `_least_move` takes its place.
    """
    known, own = information.prior, fitted.link.as_contrasts().n_scores
    if not _per_unit(prior) or fitted.found.status != "ok" or information.triangle is not None:
        return ()
    if known is None:
        return ()
    pull = known.times(fitted.w.ravel() - known.mean)
    if information.sums is None:
        bounded = fitted.link.is_canonical and fitted.units.intercept
        return _note(_least_move(pull, own, information), names, COMBINED) if bounded else ()
    return _note(_moved(information.sums.observed, pull, own, fitted.units.intercept, information.scale), names)


def binding_belief(posterior: GaussianPosterior, prior: Any, names: tuple[str | int, ...]) -> tuple[Note, ...]:
    """Return the same note of a posterior, whose precision less that of the prior is the curvature of the rows."""
    if not _per_unit(prior):
        return ()
    (q, p), held = posterior.w.shape, posterior.prior.matrix()
    own = max(q - 1, 1)  # of contrasts to the first class
    curvature = (posterior.precision - held)[-own * p :, -own * p :]
    pull = held @ (posterior.w.ravel() - posterior.prior.mean)
    return _note(_moved(curvature, pull, own, posterior.units.intercept), names)


def _per_unit(prior: Any) -> bool:
    """Return whether a prior was stated in the units of the columns."""
    stated = isinstance(prior, GaussianPrior | CentredPrior) and prior.units == "data"
    return stated or isinstance(prior, int | float | np.number)


def _note(moved: Array, names: tuple[str | int, ...], what: str = MOVED) -> tuple[Note, ...]:
    far = moved > MOST
    if not far.any():
        return ()
    columns = select(names, far)
    return (
        Note(
            code="prior-binds",
            message=f"{what.format(quote(columns), moved.max())}: it is per unit of each column, and these have small "
            "units.",
            columns=columns,
            remedy="If that is not meant, give it per standard deviation: prior=pt.GaussianPrior(sd=2.5, units='sd').",
        ),
    )


def _moved(H: Array, pull: Array, own: int, intercept: bool, scale: float = 1.0) -> Array:
    """Return by how many standard errors the prior moves each column's coefficient, the most of all classes, (d,).

    From the maximum with the prior, one Newton step of the likelihood alone: H^-1 P (w - m), H the curvature of minus
    the log likelihood there and P and m the precision and mean of the prior, in units of the square roots of the
    diagonal of H^-1. Where the rows leave a direction undecided nothing is counted.

    Parameters
    ----------
    H : over the last `own` vectors, as contrasts to the first class where that has a vector of its own
    pull : P (w - m), of all vectors
    own : how many vectors H is over
    intercept : whether each begins with an intercept
    scale : of the covariance H^-1
    """
    inverse = _inverse(H)
    error = np.sqrt(np.maximum(np.diagonal(inverse), 1e-300) * scale)
    p = len(H) // own
    moved: Array = np.max(np.abs(inverse @ pull[-own * p :] / error).reshape(-1, p), axis=0)
    return moved[int(intercept) :]


def _least_move(pull: Array, own: int, information: Information) -> Array:
    """Return |P (w - m)|_j / H_jj^(1/2) with an upper bound of H_jj, (d,): H itself is not needed.

    That is at most the number of standard errors that the prior moves the combination of coefficients it moves most,
    ((P (w - m))' H^-1 P (w - m))^(1/2). In units of standard deviations about the mean the diagonal of H is at most a
    quarter of the weight of the rows, the link being the logit or softmax.
    """
    error = 2.0 / np.sqrt(information.totals.sum() * information.scale)
    moved: Array = np.max(np.abs(pull[-len(information.infinite) :]).reshape(own, -1), axis=0) * error
    return moved[1:]


def _inverse(H: Array) -> Array:
    """Return the inverse of a curvature, on the directions that it decides."""
    with single_threaded_blas():
        if not clearly_full_rank(H):
            return np.asarray(la.pinvh(H, rtol=1e-10, check_finite=False))
        root = np.sqrt(np.diagonal(H))
        inverse: Array = la.inv(H / root[:, None] / root) / root[:, None] / root
    return inverse
