"""Fit of the Laplace approximation: the posterior at the mode of a regression, from one sweep."""

from dataclasses import replace

import numpy as np
import scipy.linalg as la

from posteriori.fits.link_regression import Regression
from posteriori.inference.inverse_information import InverseInformation
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.models.information import in_triangle
from posteriori.models.posterior.gaussian import GaussianPosterior, log_determinant
from posteriori.objectives.penalized import PenalizedLikelihood, Point


def posterior_of(fitted: Regression) -> GaussianPosterior:
    """Compute the Laplace approximation at the mode of a regression, from one sweep for the curvature.

    Book: [Bishop] Eq. 4.126-4.137, §4.4, and 4.142-4.143, §4.5.1.
    """
    _refuse_improper(fitted)
    objective, point = _curvature(fitted)
    assert point.hessian is not None
    inverse = InverseInformation.of(point.hessian, objective.gauge)
    root, w = inverse.root, point.w - inverse.matrix @ point.gradient
    R, q = fitted.maximum.triangle, fitted.link.n_scores
    evidence = None
    log_prior = log_determinant(fitted.maximum.objective.prior.matrix())
    log_posterior = log_determinant(point.hessian)
    if log_prior is not None and log_posterior is not None:
        if R is not None:
            log_posterior += 2.0 * q * float(np.log(np.abs(np.diagonal(R))).sum())
        constant = fitted.likelihoods.log_likelihood + fitted.maximum.point.loss
        evidence = constant - point.value + 0.5 * (log_prior - log_posterior)
    if R is not None:  # from coordinates v = R w to w
        w = la.solve_triangular(R, w.reshape(q, -1).T).T.ravel()
        root = la.solve_triangular(R, root.reshape(-1, len(R)).T).T.reshape(root.shape)
    return GaussianPosterior(fitted.units, w.reshape(q, -1), root, fitted.maximum.objective.prior, evidence)


def _curvature(fitted: Regression) -> tuple[PenalizedLikelihood, Point]:
    """Return the objective and its Hessian at the mode, in well-conditioned coordinates."""
    objective, R = fitted.maximum.objective, fitted.maximum.triangle
    if R is None:
        return objective, objective.curvature(fitted.w.ravel())
    units, w = in_triangle(objective.units, fitted.w, R)
    working = replace(objective, units=units, prior=objective.prior.reparameterise(R, fitted.link.n_scores))
    return working, working.curvature(w.ravel())


def _refuse_improper(fitted: Regression) -> None:
    """Raise if there is no posterior: where neither the prior nor the likelihood decreases along some direction."""
    problem, q = fitted.maximum, fitted.link.n_scores
    gauge = problem.objective.gauge.reshape(q, -1) if problem.objective.gauge.shape[1] else np.zeros((q, 0))
    aliased = np.abs(gauge - gauge[:1]).max(initial=0.0) > 1e-9 if q > 1 else gauge.shape[1] > 0
    if problem.status != "separated" and not aliased:
        return
    columns = [name for note in problem.notes for name in note.columns]
    why = "the classes are separated along" if problem.status == "separated" else "the rows do not identify"
    raise DataError(
        f"there is no posterior: the prior is flat, and {why} the column(s) {quote(columns)}. Give a proper prior: "
        "prior='evidence', a number, or a GaussianPrior of positive precision."
    )
