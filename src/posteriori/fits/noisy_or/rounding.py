"""A bound on the Newton decrement of a noisy-OR at the coefficients that the user gets, rounding included."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array, Indices
from posteriori.designs.units import Units
from posteriori.fits.certificate.accurate_gradient import into_units
from posteriori.fits.certificate.certificate import HARMLESS
from posteriori.fits.noisy_or.dependence import independent_columns
from posteriori.fits.weight_tolerances import for_weights
from posteriori.linalg.cholesky import diagonal_roots
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import convergence_reason, gap_of
from posteriori.solvers.newton.bounded import BoundedSolution
from posteriori.statistics.base import Statistics
from posteriori.sweeps.base import Sweep
from posteriori.sweeps.likelihood import CurvatureSweep
from posteriori.sweeps.reductions import LargestSweep
from posteriori.sweeps.row_functions import Predictors
from posteriori.sweeps.twofold import EPS, TwofoldSlope
from posteriori.tables.block import Block

#: Ratio of the bound to the decrement of the solver from which the reason has both.
NOTABLE = 2.0
#: Decrement below which the last step has been taken, so that only rounding keeps it from zero.
NEAR = 1e-4
#: Predictor from which the probability of class 0 underflows.
UNDERFLOW = 745.0
#: Terms of a sum of n products whose roundings can add up: a matrix product sums some hundred at a time.
AT_ONCE = 512


@dataclass(frozen=True)
class ColumnsSweep(Sweep):
    """A sweep over some columns of the rows."""

    sweep: Sweep
    columns: Indices

    def __call__(self, block: Block) -> Statistics:
        """Return the statistics of a block."""
        some = replace(block, features=block.features[:, self.columns], scratch=None)
        return cast("Statistics", self.sweep(some))


def with_rounding(
    objective: PenalizedLikelihood, w: Array, raised: Indices, solution: BoundedSolution, tol: float
) -> BoundedSolution:
    """Return the certificate with a bound on the decrement at the coefficients w, where that is larger.

    `raised` are the coefficients at zero that the next Newton step would raise.
    """
    bound = np.inf
    if np.isfinite(solution.decrement) and np.isfinite(solution.objective):
        bound = decrement_bound(objective, w, np.union1d(np.flatnonzero(w > 0), raised))
    if not bound > solution.decrement:
        return solution
    rows = objective.rows
    harmless = for_weights(rows, HARMLESS) if solution.decrement < for_weights(rows, NEAR) else 0.0
    converged = solution.converged and (bound <= max(tol, harmless) or bound == np.inf)
    reason = solution.reason
    if converged and bound == np.inf:
        reason = f"{reason} in all directions but some along which the likelihood is flat to rounding"
    elif converged and bound <= tol:
        reason = convergence_reason(bound, tol)
    elif converged:
        reason = f"the Newton decrement is at most {bound:.2g} and rounding allows no less (the tolerance is {tol:.2g})"
    elif solution.converged:
        reason = (
            f"the Newton decrement over the coefficients above zero may be {bound:.2g}, above the tolerance {tol:.2g}"
        )
    elif bound > NOTABLE * solution.decrement:
        reason = f"{reason}; over the coefficients above zero it may be {bound:.2g}"
    return replace(solution, decrement=bound, gap=gap_of(bound), converged=converged, reason=reason)


def decrement_bound(objective: PenalizedLikelihood, w: Array, free: Indices) -> float:
    """Bound the Newton decrement over some coefficients at w in the user's units; inf where none can be proved.

    The gradient is summed in twice the working precision. The terms of the Hessian are not negative, so a relative
    error of c in each entry changes no eigenvalue by more than c times the largest.
    """
    if not len(free):
        return 0.0
    lead, weights = objective.units.to_data(w[None])
    if not (np.isfinite(lead).all() and np.isfinite(weights).all()):
        return np.inf
    part = _Part.of(objective, w, free)
    hessian, relative = part.hessian(), part.hessian_error()
    whitener, error = _whitener(hessian, relative)
    if not error < 1.0:
        independent = independent_columns(objective, hessian, part.columns, part.units)
        if independent is None:
            return np.inf
        whitener = np.zeros((len(independent), len(free)))
        whitener[:, independent], error = _whitener(hessian[np.ix_(independent, independent)], relative)
        if not error < 1.0:
            return np.inf
    gradient, doubt = part.gradient(lead, weights[0], whitener)
    size = np.linalg.norm(whitener @ gradient) + EPS * len(free) * np.linalg.norm(np.abs(whitener) @ np.abs(gradient))
    bound = float((size + doubt) / np.sqrt(1.0 - error))
    return bound if np.isfinite(bound) else np.inf


@dataclass(frozen=True)
class _Part:
    """The objective as a function of some coefficients: their columns, units and values, the leak first."""

    objective: PenalizedLikelihood
    columns: Indices
    units: Units
    w: Array

    @classmethod
    def of(cls, objective: PenalizedLikelihood, w: Array, free: Indices) -> "_Part":
        units, lead = objective.units, int(objective.units.intercept)
        columns = free[free >= lead] - lead
        leak = bool(lead and free[0] == 0)
        return cls(objective, columns, Units(units.centre[columns], units.scale[columns], leak), w[free])

    def hessian(self) -> Array:
        """Sum the Hessian over the coefficients."""
        objective = self.objective
        sweep = CurvatureSweep(objective.link, self.units, self.w[None])
        hessian: Array = objective.engine.run(ColumnsSweep(sweep, self.columns)).hessian
        return hessian

    def hessian_error(self) -> float:
        """Bound the relative error of an entry of the Hessian.

        The curvature of a row is proportional to a function of eta, whose relative error is at most 2 + eta times that
        of eta. Sparse sums add row by row.
        """
        engine = self.objective.engine
        predictors = LargestSweep(Predictors(self.units, self.w[None]))
        farthest = min(float(engine.run(ColumnsSweep(predictors, self.columns)).values.max(initial=0.0)), UNDERFLOW)
        n = engine.n_rows
        terms = n if engine.table.is_sparse else min(n, AT_ONCE + n // AT_ONCE)
        return EPS * (32.0 + terms + (2.0 + farthest) * (8.0 + len(self.w)))

    def gradient(self, lead: Array, weights: Array, whitener: Array) -> tuple[Array, float]:
        """Sum the gradient at coefficients in the user's units, and bound the decrement of its error."""
        units, link = self.units, self.objective.link
        exponents = np.frexp(units.scale)[1].astype(np.intp)
        scaled = np.ldexp(weights[self.columns], exponents)[None]
        sweep = TwofoldSlope(link, units, lead if units.intercept else np.zeros(1), scaled, exponents, whitener)
        sums = self.objective.engine.run(ColumnsSweep(sweep, self.columns))
        return into_units(units, exponents, sums.high, sums.low).ravel(), sums.doubt


def _whitener(hessian: Array, relative: float) -> tuple[Array, float]:
    """Return W with H^-1 = W'W, and a bound on the relative error of H along any direction; 1 where it is singular."""
    size = diagonal_roots(hessian)
    if not (np.isfinite(hessian).all() and (np.diagonal(hessian) > 0).all()):
        return np.zeros_like(hessian), 1.0
    values, vectors = la.eigh(hessian / size[:, None] / size, check_finite=False)
    error = (relative + 8.0 * len(size) * EPS) * values[-1]
    if not values[0] > 2.0 * error:
        return np.zeros_like(hessian), 1.0
    return (vectors / np.sqrt(values)).T / size, float(error / values[0])
