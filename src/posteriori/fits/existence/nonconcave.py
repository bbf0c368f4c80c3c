"""Likelihoods that need not be concave, as through a cauchit or a user's own link: where to begin, what is certified.

From a start near the maximum Newton's method with the expected information where the observed one is indefinite goes
down to a stationary point; that it is a maximum is certified by the observed Hessian, which must be positive definite
there. It need not be the only one, so two starts are tried: the model without columns, and the logit's solution.
"""

from dataclasses import replace

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.links.base import LinkFunction
from posteriori.links.logit import Logit
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import Solution, State
from posteriori.solvers.newton.newton import Newton
from posteriori.tables.memory import MemoryTable

#: How near, in standard errors, the logit's maximum is approached: it is only a start.
ROUGH = 0.1
#: Newton steps towards it; where the classes are separated there is no end to them.
STEPS = 10
#: What is said of a maximum, and of a stationary point whose Hessian was not summed.
MAXIMUM = "; the observed Hessian there is positive definite: a maximum, of a likelihood that need not be concave"
STATIONARY = "; the likelihood need not be concave: a stationary point, its observed Hessian was not looked at"


def logit_start(objective: PenalizedLikelihood, samples: tuple[MemoryTable, ...], priors: Array) -> Array:
    """Give coefficients that begin at the logit's maximum, in the units of the link's own scale, (p,).

    Both functions have the same value, a half, and the same slope at the boundary between the classes.
    """
    link, units = objective.link, objective.units
    whole = objective.on(engine_for(samples[-1])) if samples else objective
    logit = replace(whole, link=Logit())
    start = np.zeros(objective.n_parameters)
    if units.intercept:
        start[0] = logit.link.start(priors)[0]
    state, _ = Newton(ROUGH, STEPS).solve(logit, start)
    w: Array = state.point.w * _scale(link)
    if units.intercept:
        w[0] += link.boundary
    return w


def _scale(link: LinkFunction) -> float:
    """Give the ratio of the logit's slope at its boundary to the link's own."""
    own = -float(link.parts(np.array([[link.boundary]]), np.array([[0.0, 1.0]]), curvature=False).score[0, 0])
    return 0.5 / own if own > 0 else 1.0


def certified(
    objective: PenalizedLikelihood, state: State, reason: str, newton: Newton, *, summed: bool
) -> tuple[State, str]:
    """Ask whether a point where a solver has ended is a maximum; Newton goes on from one that is not.

    `summed` is False where there is no room for a Hessian, or another objective is maximised than the likelihood.
    """
    if state.decrement > newton.tol:
        return state, reason
    if not summed:
        return state, reason + STATIONARY
    if state.point.hessian is None:
        before = state
        found, reason = newton.solve_from(objective, state.point.w, None)
        state = replace(found, sweeps=found.sweeps + before.sweeps, iterations=found.iterations + before.iterations)
    certain = state.decrement <= newton.tol and state.point.definite and state.nonsingular
    return state, reason + MAXIMUM if certain else reason


def is_better(one: tuple[Solution, str], other: tuple[Solution, str]) -> bool:
    """Say whether a solution and its status are to be kept rather than another: one that ended, then the lower one."""
    ended = [found[1] not in ("not_converged", "separated") for found in (one, other)]
    return ended[0] > ended[1] or (ended[0] == ended[1] and one[0].objective < other[0].objective - 1e-9)
