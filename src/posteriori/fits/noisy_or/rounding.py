"""A bound on the effect of rounding on the Newton decrement of a noisy-OR, added to its certificate."""

from dataclasses import replace

import numpy as np
import scipy.linalg as la

from posteriori.fits.certificate.certificate import HARMLESS
from posteriori.fits.total_weight import for_weights
from posteriori.linalg.cholesky import diagonal_roots
from posteriori.linalg.subspaces import eigenvalue_rounding
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import convergence_reason, gap_of
from posteriori.solvers.newton.bounded import BoundedSolution, BoundedState
from posteriori.sweeps.score_sizes import ScoreSizes
from posteriori.sweeps.twofold import EPS

#: Bound on rounding, relative to the tolerance, below which it is not added.
NEGLIGIBLE = 1e-3


def with_rounding(
    objective: PenalizedLikelihood, state: BoundedState, solution: BoundedSolution, tol: float
) -> BoundedSolution:
    """Return the certificate with a bound on the rounding of the gradient and of the coefficients."""
    if not (np.isfinite(state.decrement) and np.isfinite(solution.objective)):
        return solution
    rounding = rounding_bound(objective, state)
    if rounding <= NEGLIGIBLE * tol:
        return solution
    claim = solution.decrement + rounding
    converged = solution.converged and claim <= max(tol, for_weights(objective.engine.table, HARMLESS))
    reason = solution.reason
    if converged and claim <= tol:
        reason = convergence_reason(claim, tol)
    elif solution.converged:
        reason = f"the Newton decrement is at most {claim:.2g} and rounding allows no less (the tolerance is {tol:.2g})"
    return replace(solution, decrement=claim, gap=gap_of(claim), converged=converged, reason=reason)


def rounding_bound(objective: PenalizedLikelihood, state: BoundedState) -> float:
    """Bound the decrement of the rounding of the gradient's sums and of the coefficients, over those above zero.

    The error of the gradient is a few eps times the sizes of its terms, that of a coefficient eps times itself.
    Directions along which the likelihood is flat to rounding are left out, as they are from the decrement.
    """
    point = state.point
    assert point.hessian is not None
    free = np.flatnonzero(point.w > 0)
    H = point.hessian[np.ix_(free, free)]
    size = diagonal_roots(H)
    values, vectors = la.eigh(H / size[:, None] / size)
    steep = values > 10 * eigenvalue_rounding(len(free))
    sweep = ScoreSizes(objective.link, objective.units, point.w[None])
    terms = objective.engine.run(sweep).values.ravel()[free] / size
    sums = (np.abs(vectors[:, steep]).T @ terms) / np.sqrt(values[steep])
    moved = float(point.w[free] @ size)  # |w|'diag(H)^(1/2): the predictors of all rows by eps of themselves
    return float(EPS * (2.0 * np.linalg.norm(sums) + (4.0 + len(free) ** 0.5) * moved))
