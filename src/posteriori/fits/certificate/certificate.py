"""The certificate of a fit: a bound on the Newton decrement at the coefficients that the user gets.

A gradient summed in floating point is right to some eps times the sum of its terms, and coefficients in the user's
units are rounded once more. A bound on both is known from quantities at hand; for ordinary data it is far below any
tolerance. Where it is not, as with columns far from zero or heavy weights, the gradient is summed in twice the working
precision at the rounded coefficients themselves, Newton steps by that gradient improve them, and what rounding may
still hide is added to the decrement that is reported.

The decrement is always that of the rows as weighted. Where rounding allows none below the tolerance, a fit counts as
converged up to a hundredth of a standard error: of the rows as weighted where the weights can be frequencies (mean
1 to 2^53), else of the same rows with weights of mean one (`for_weights`).
"""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import TriangularUnits
from posteriori.fits.certificate.accurate_gradient import AccurateGradient, Coefficients, Found, plain_of
from posteriori.fits.certificate.rounding import carry_bound, sum_bound
from posteriori.fits.preparation import Ground
from posteriori.fits.total_weight import for_weights
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import Solution, State, convergence_reason, gap_of, solution_of
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.sweeps.twofold import EPS
from posteriori.tables.memory import MemoryTable

#: Part of the tolerance, or of the decrement, that rounding may make before the gradient is summed anew.
SMALL = 0.1
#: Newton steps by the accurate gradient.
REFINEMENTS = 8
#: How much a step must shorten the decrement to be followed by another.
SHRINKS = 0.9
#: Decrement above which the last Hessian's step is not taken unseen.
NEAR = 1e-4
#: How many times the rounding of the coefficients a decrement may be that it explains.
EXPLAINED = 16.0
#: Relative error of a decrement by a Hessian in floating point, or at a point nearby.
HESSIAN = 0.02
#: Rounding errors that centring sparse columns adds, each of the square of a mean over its standard deviation.
CENTRED = 8.0
#: Decrement, of rows weighted as `for_weights` says, above which a fit is not called converged though rounding allows
#: no less.
HARMLESS = 0.01


@dataclass(frozen=True)
class Finished:
    """The coefficients a fit ends with and their certificate.

    Parameters
    ----------
    w : (q p,) in the plain units of the fit
    lead, weights : (q,) and (q, d) in the user's units; the certificate is of these
    solution : the certificate
    """

    w: Array
    lead: Array
    weights: Array
    solution: Solution


def finish(ground: Ground, state: State, reason: str, tol: float, reach: float) -> Finished:
    """Take the step that the last Hessian offers, carry the coefficients to the user's units, certify them there.

    `tol` is the tolerance of the certificate, `reach` the one the solver was given: no less, and what its own
    gradients can reach.
    """
    plain, working = ground.objective, ground.working
    v, factor, near = state.point.w, state.factor, for_weights(plain, NEAR)
    if state.point.hessian is not None and factor is not None and state.decrement <= near and state.nonsingular:
        v = working.fixed(v - factor.solve(state.point.gradient)) if state.decrement <= reach else v
    w = plain.settled(plain_of(working, v))
    solution = solution_of(state, reason, reach)
    lead, weights = _levelled(ground, *_in_data(plain, w))
    known = np.isfinite(state.decrement) and state.nonsingular and state.point.definite
    if not (known and np.isfinite(lead).all() and np.isfinite(weights).all()):
        return Finished(w, lead, weights, replace(solution, decrement=np.inf, gap=np.inf, converged=False))
    doubt, allowed = carry_bound(plain, working, factor, lead, weights), SMALL * max(tol, state.decrement)
    if doubt <= allowed or factor is None:
        doubt += sum_bound(working, factor, state.point.w)
    forced = state.decrement <= reach and state.decrement + doubt > tol  # arrived, but for rounding
    if (doubt <= allowed and not forced) or working.n_parameters > DENSE_LIMIT:
        claim = float(state.decrement + doubt)
        return Finished(w, lead, weights, _with_decrement(solution, state.decrement, claim, tol, reach))
    may_step = state.decrement <= max(reach, doubt) or bool(state.stalled)
    return _refined(ground, state, (v, w, lead, weights), solution, tol, reach, may_step)


def _refined(
    ground: Ground,
    state: State,
    at: Coefficients,
    solution: Solution,
    tol: float,
    reach: float,
    may_step: bool,
) -> Finished:
    """Bound the decrement by the accurate gradient, and take Newton steps by it while they help."""
    accurate = AccurateGradient.at(ground, _exact_factor(ground.working, state))
    best, before, sweeps = None, np.inf, 0
    for _ in range(1 + REFINEMENTS if may_step else 1):
        found = accurate(*at)
        claim, sweeps = _claim(accurate, found), sweeps + 1
        if best is None or claim < best[0]:
            best = (claim, at, found)
        if claim <= tol or not claim <= SHRINKS * before:
            break
        before, at = claim, accurate.stepped(at, found)
        if found.reach * found.size > HESSIAN:  # predictors move so far that their curvature changes
            fresh = ground.working.descent(at[0])
            sweeps += 1
            if not fresh.definite or fresh.hessian is None:
                break
            accurate = AccurateGradient.at(ground, SymmetricFactor.of(ground.working.stiffened(fresh.hessian)))
    assert best is not None
    claim, at, found = best
    arrival = convergence_reason(state.decrement, reach)
    told = solution.reason.removeprefix(arrival) if solution.converged and state.point.hessian is not None else ""
    explained = tol < claim <= max(EXPLAINED * found.floor, 4.0 * found.doubt)
    rounding = bool(may_step and explained and claim <= for_weights(ground.objective, HARMLESS))
    certified = replace(
        solution,
        decrement=claim,
        gap=gap_of(claim),
        converged=claim <= tol or rounding,
        reason=_reason(solution, told, claim, tol, rounding),
        sweeps=solution.sweeps + sweeps,
    )
    return Finished(*at[1:], certified)


def _claim(accurate: AccurateGradient, found: Found) -> float:
    """Return a bound on the decrement, for errors of the gradient and of the Hessian; inf where there is none."""
    error = _hessian_error(accurate.working, accurate.factor)
    if not error < 1.0:
        return np.inf
    return float((1.0 + HESSIAN) * found.size / np.sqrt(1.0 - error) + found.doubt)


def _with_decrement(solution: Solution, before: float, claim: float, tol: float, reach: float) -> Solution:
    """Return the certificate with a bound on rounding added to the solver's own decrement."""
    reason = solution.reason
    if solution.converged:
        reason = convergence_reason(claim, tol) + reason.removeprefix(convergence_reason(before, reach))
    converged = solution.converged and claim <= tol
    return replace(solution, decrement=claim, gap=gap_of(claim), converged=converged, reason=reason)


def _reason(solution: Solution, told: str, claim: float, tol: float, rounding: bool) -> str:
    """Return why the fit ended where it did; `told` is what the solver's reason has to say of the kind of point."""
    if claim <= tol:
        return convergence_reason(claim, tol) + told
    if rounding:
        return (
            f"the Newton decrement is at most {claim:.2g} and the rounding of the coefficients to floats allows no "
            f"less (the tolerance is {tol:.2g}){told}"
        )
    if claim == np.inf:
        return "the Hessian is singular to rounding, so nothing bounds the distance from the optimum"
    if solution.converged:
        return f"the Newton decrement at the coefficients in the user's units is {claim:.2g}, above {tol:.2g}"
    return solution.reason


def _in_data(plain: PenalizedLikelihood, w: Array) -> tuple[Array, Array]:
    return plain.units.to_data(w.reshape(plain.link.n_scores, -1))


def _levelled(ground: Ground, lead: Array, weights: Array) -> tuple[Array, Array]:
    """Return coefficients whose common shift is that of the prior's mean, where it lost digits on the way."""
    stated = ground.objective.stated
    if ground.working.origin is None or stated is None:
        return lead, weights
    if not ground.objective.units.intercept:
        return lead, weights + stated.common_shift(weights.ravel(), len(lead))
    shift = stated.common_shift(np.column_stack([lead, weights]).ravel(), len(lead))
    return lead + shift[0], weights + shift[1:]


def _exact_factor(working: PenalizedLikelihood, state: State) -> SymmetricFactor:
    """Return the Hessian of all rows near the end, which a solver that samples rows has not summed."""
    if state.point.hessian is not None and state.factor is not None:
        return state.factor
    hessian = working.descent(state.point.w).hessian
    assert hessian is not None
    return SymmetricFactor.of(working.stiffened(hessian))


def _hessian_error(working: PenalizedLikelihood, factor: SymmetricFactor) -> float:
    """Return about the relative error of the Hessian along the direction of its least curvature.

    Sparse rows are not centred: products of their means are taken out of the sums, and digits with them.
    """
    units, table = working.units, working.engine.table
    condition = np.linalg.cond(units.triangle) if isinstance(units, TriangularUnits) else 1.0
    if isinstance(table, MemoryTable) and table.is_sparse:
        condition *= 1.0 + CENTRED * float(np.square(units.centre / units.scale).max(initial=0.0))
    return float(EPS * condition / max(factor.least_eigenvalue, EPS**2))
