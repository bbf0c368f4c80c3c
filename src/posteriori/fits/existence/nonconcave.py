"""Likelihoods that need not be concave, as through a cauchit or a user's own link: their starts and certificates.

Newton's method, with the expected information where the observed one is indefinite, reaches a stationary point. It is
certified as a maximum by the observed Hessian, which must be positive definite there. There may be other maxima, so two
starts are tried: the model without columns, and the logit's solution.
"""

from dataclasses import replace

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.links.base import LinkFunction
from posteriori.links.logit import Logit
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import State
from posteriori.solvers.newton.newton import Newton

#: The decrement at which the iteration to the logit's maximum ends: it is only a start.
LOOSE_TOL = 0.1
#: Newton steps towards it; where the classes are separated there would be no end to them.
STEPS = 10
#: What the reason adds for a maximum, and for a stationary point whose Hessian was not summed.
MAXIMUM = "; the observed Hessian there is positive definite: a maximum, of a likelihood that need not be concave"
STATIONARY = "; the likelihood need not be concave: a stationary point, its observed Hessian was not computed"


def logit_start(objective: PenalizedLikelihood, samples: tuple[Engine, ...], priors: Array) -> Array:
    """Return the coefficients of the logit's maximum, on the scale of the link, (p,).

    Both functions have the same value, a half, and the same slope at the boundary between the classes.
    """
    link, units = objective.link, objective.units
    whole = objective.on(samples[-1]) if samples else objective
    logit = replace(whole, link=Logit())
    start = np.zeros(objective.n_parameters)
    if units.intercept:
        start[0] = logit.link.start(priors)[0]
    state, _ = Newton(LOOSE_TOL, STEPS).solve(logit, start)
    w: Array = state.point.w * _scale(link)
    if units.intercept:
        w[0] += link.boundary
    return w


def _scale(link: LinkFunction) -> float:
    """Return the ratio of the logit's slope at its boundary to the link's own."""
    own = -float(link.parts(np.array([[link.boundary]]), np.array([[0.0, 1.0]]), curvature=False).score[0, 0])
    return 0.5 / own if own > 0 else 1.0


def certified(
    objective: PenalizedLikelihood, state: State, reason: str, newton: Newton, *, summed: bool
) -> tuple[State, str]:
    """Return the end point of a solver once the Hessian shows whether it is a maximum; Newton continues from others.

    `summed` is False where there is no room for a Hessian, or another objective is maximised than the likelihood.
    """
    if state.decrement > newton.tol:
        return state, reason
    if not summed:
        return state, reason + STATIONARY
    if state.point.hessian is None:
        end, reason = newton.solve_from(objective, state.point.w, None)
        state = replace(end, sweeps=end.sweeps + state.sweeps, iterations=end.iterations + state.iterations)
    certain = state.decrement <= newton.tol and state.point.definite and state.nonsingular
    return state, reason + MAXIMUM if certain else reason
