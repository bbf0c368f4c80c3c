"""The certificate of a fit: a bound on the Newton decrement at the coefficients that the user gets.

The error of a gradient summed in floating point is a few eps times the sum of the sizes of its terms, and coefficients
in the user's units are rounded once more. Both have a-priori bounds, which for ordinary data are far below any
tolerance. Where they are not, as with columns far from zero or large weights, the gradient is summed in twice the
working precision at the rounded coefficients, Newton steps with it improve them, and a bound on the remaining rounding
is added to the decrement that is reported.

The decrement is always that of the rows as weighted. Where rounding allows none below the tolerance, a fit counts as
converged up to a hundredth of a standard error: of the rows as weighted where the weights can be frequencies (mean
1 to 2^53), else of the same rows with weights of mean one (`for_weights`).
"""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import TriangularUnits
from posteriori.fits.certificate.accurate_gradient import AccurateGradient, BoundedGradient, Coefficients
from posteriori.fits.certificate.rounding import conversion_bound, sum_bound
from posteriori.fits.existence.conditioning import to_plain
from posteriori.fits.problem import Preparation
from posteriori.fits.weight_tolerances import for_weights
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import Solution, State, convergence_reason, gap_of, solution_of
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.sweeps.twofold import EPS

#: Rounding, relative to the tolerance or the decrement, above which the gradient is summed again accurately.
SMALL = 0.1
#: Newton steps by the accurate gradient.
REFINEMENTS = 8
#: Factor by which a step must reduce the decrement to be followed by another.
SHRINKS = 0.9
#: Decrement above which the step with the last Hessian is not taken without evaluating its end.
NEAR = 1e-4
#: Multiple of the rounding of the coefficients up to which it explains a decrement.
EXPLAINED = 16.0
#: Relative error of a decrement by a Hessian in floating point, or at a point nearby.
HESSIAN = 0.02
#: Roundings that add up in the Hessian and in its solution, in units of the error of one.
ROUNDINGS = 64.0
#: Rounding errors that centring sparse columns adds, in units of the squared ratio of mean to standard deviation.
CENTRED = 8.0
#: Decrement, for weights as in `for_weights`, above which a fit is not converged though rounding allows no less.
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


def finish(preparation: Preparation, state: State, reason: str, tol: float, reach: float) -> Finished:
    """Take one more step with the last Hessian, convert the coefficients to the user's units, and certify them.

    `tol` is the tolerance of the certificate, `reach` that of the solver: no less, and what its gradients can reach.
    """
    plain, working = preparation.objective, preparation.working
    v, factor, near = state.point.w, state.factor, for_weights(plain.rows, NEAR)
    if state.point.hessian is not None and factor is not None and state.decrement <= near and state.nonsingular:
        v = working.fixed(v - factor.solve(state.point.gradient)) if state.decrement <= reach else v
    w = plain.settled(to_plain(working, v))
    solution = solution_of(state, reason, reach)
    lead, weights = _with_common_shift(preparation, *plain.units.to_data(w.reshape(plain.link.n_scores, -1)))
    bounded = np.isfinite(state.decrement) and state.nonsingular and state.point.definite
    if not (bounded and np.isfinite(lead).all() and np.isfinite(weights).all()):
        return Finished(w, lead, weights, replace(solution, decrement=np.inf, gap=np.inf, converged=False))
    doubt, allowed = conversion_bound(plain, working, factor, lead, weights), SMALL * max(tol, state.decrement)
    if doubt <= allowed or factor is None:
        doubt += sum_bound(working, factor, state.point.w)
    arrived = state.decrement <= reach  # the last step has been taken, which leaves far less than the decrement
    forced = arrived and state.decrement + doubt > tol  # arrived, but for rounding
    # a Hessian that may be wrong in some direction makes the decrement far too small
    singular = factor is not None and _hessian_error(working, factor) > HESSIAN
    if (doubt <= allowed and not forced and not singular) or working.n_parameters > DENSE_LIMIT:
        claim = float(state.decrement * (1.0 if arrived else 1.0 + _decrement_error(working, factor)) + doubt)
        return Finished(w, lead, weights, _with_decrement(solution, state.decrement, claim, tol, reach))
    may_step = state.decrement <= max(reach, doubt) or bool(state.stalled)
    return _refined(preparation, state, (v, w, lead, weights), solution, tol, reach, may_step)


def _refined(
    preparation: Preparation,
    state: State,
    at: Coefficients,
    solution: Solution,
    tol: float,
    reach: float,
    may_step: bool,
) -> Finished:
    """Bound the decrement by the accurate gradient, and take Newton steps with it while they reduce the bound."""
    accurate = AccurateGradient.at(preparation, _exact_factor(preparation.working, state))
    best, before, sweeps = None, np.inf, 0
    for _ in range(1 + REFINEMENTS if may_step else 1):
        gradient = accurate(*at)
        claim, sweeps = _claim(accurate, gradient), sweeps + 1
        if best is None or claim < best[0]:
            best = (claim, at, gradient)
        if claim <= tol or not claim <= SHRINKS * before:
            break
        before, at = claim, accurate.stepped(at, gradient)
        canonical = preparation.working.link.is_canonical  # curvatures change no faster than predictors
        if not canonical or gradient.reach * gradient.size > HESSIAN:
            fresh = preparation.working.descent(at[0])
            sweeps += 1
            if not fresh.definite or fresh.hessian is None:
                break
            accurate = AccurateGradient.at(
                preparation, SymmetricFactor.of(preparation.working.stiffened(fresh.hessian))
            )
    assert best is not None
    claim, at, gradient = best
    arrival = convergence_reason(state.decrement, reach)
    kind = solution.reason.removeprefix(arrival) if solution.converged and state.point.hessian is not None else ""
    explained = tol < claim <= max(EXPLAINED * gradient.floor, 4.0 * gradient.error)
    rounding = bool(may_step and explained and claim <= for_weights(preparation.objective.rows, HARMLESS))
    certified = replace(
        solution,
        decrement=claim,
        gap=gap_of(claim),
        converged=claim <= tol or rounding,
        reason=_reason(solution, kind, claim, tol, rounding),
        sweeps=solution.sweeps + sweeps,
    )
    return Finished(*at[1:], certified)


def _claim(accurate: AccurateGradient, gradient: BoundedGradient) -> float:
    """Return a bound on the decrement, for errors of the gradient and of the Hessian; inf where there is none."""
    error = _hessian_error(accurate.working, accurate.factor)
    if not error < 1.0:
        return np.inf
    return float((1.0 + HESSIAN) * gradient.size / np.sqrt(1.0 - error) + gradient.error)


def _with_decrement(solution: Solution, before: float, claim: float, tol: float, reach: float) -> Solution:
    """Return the certificate with a bound on rounding added to the solver's own decrement."""
    reason = solution.reason
    if solution.converged:
        reason = convergence_reason(claim, tol) + reason.removeprefix(convergence_reason(before, reach))
    converged = solution.converged and claim <= tol
    return replace(solution, decrement=claim, gap=gap_of(claim), converged=converged, reason=reason)


def _reason(solution: Solution, kind: str, claim: float, tol: float, rounding: bool) -> str:
    """Return why the fit ended where it did; `kind` is the part of the solver's reason on the kind of point."""
    if claim <= tol:
        return convergence_reason(claim, tol) + kind
    if rounding:
        return (
            f"the Newton decrement is at most {claim:.2g} and the rounding of the coefficients to floats allows no "
            f"less (the tolerance is {tol:.2g}){kind}"
        )
    if claim == np.inf:
        return "the Hessian is singular to rounding, so nothing bounds the distance from the optimum"
    if solution.converged:
        return f"the Newton decrement at the coefficients in the user's units is {claim:.2g}, above {tol:.2g}"
    return solution.reason


def _with_common_shift(preparation: Preparation, lead: Array, weights: Array) -> tuple[Array, Array]:
    """Return coefficients whose common shift is that of the prior's mean, where the conversion rounded it."""
    stated = preparation.objective.stated
    if preparation.working.origin is None or stated is None:
        return lead, weights
    if not preparation.objective.units.intercept:
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


def _decrement_error(working: PenalizedLikelihood, factor: SymmetricFactor | None) -> float:
    """Return the relative error of a decrement by the rounding of the Hessian, of its factor and of its solution."""
    return 0.0 if factor is None else min(ROUNDINGS * _hessian_error(working, factor), HESSIAN)


def _hessian_error(working: PenalizedLikelihood, factor: SymmetricFactor) -> float:
    """Return about the relative error of the Hessian along the direction of its least curvature.

    Sparse rows are not centred: products of means are subtracted from the sums, which loses digits.
    """
    units, table = working.units, working.engine.table
    condition = np.linalg.cond(units.triangle) if isinstance(units, TriangularUnits) else 1.0
    if table.is_sparse:
        condition *= 1.0 + CENTRED * float(np.square(units.centre / units.scale).max(initial=0.0))
    return float(EPS * condition / max(factor.least_eigenvalue, EPS**2))
