"""Newton by conjugate gradients: for too many coefficients to form a Hessian."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.conjugate_gradients import conjugate_gradients
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver, newton_decrement
from posteriori.solvers.line_search import descend
from posteriori.solvers.newton.newton import NewtonState

#: Products with the Hessian allowed for one Newton step.
PRODUCTS = 200


@dataclass(frozen=True)
class TruncatedNewton(Solver[PenalizedLikelihood, NewtonState]):
    """Newton steps solved to a tolerance that tightens as the gradient falls; no matrix is formed.

    Conjugate gradients start from zero and so stay in the row space: under aliased columns the limit is the
    minimum-norm solution, as with a factored Hessian.
    """

    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> NewtonState:
        """Solve for the first step."""
        return self._at(objective, objective.slope(start), sweeps=1, iterations=0, tolerance=0.1)

    def step(self, objective: PenalizedLikelihood, state: NewtonState) -> NewtonState:
        """Take the full step, or the best shorter one."""
        after, length = descend(objective, objective.slope, state.point, state.step)
        if after is None:
            return state.after_failure(sweeps=2)
        fall = float(np.linalg.norm(after.gradient)) / max(float(np.linalg.norm(state.point.gradient)), 1e-300)
        sweeps = state.sweeps + (1 if length == 1.0 else 3)
        return replace(self._at(objective, after, sweeps, state.iterations + 1, min(0.1, fall)), rate=length)

    def _at(
        self, objective: PenalizedLikelihood, point: Point, sweeps: int, iterations: int, tolerance: float
    ) -> NewtonState:
        step, products = newton_step(objective, point, tolerance)
        decrement = newton_decrement(point.gradient, step)
        return NewtonState(point=point, step=step, decrement=decrement, sweeps=sweeps + products, iterations=iterations)


def newton_step(objective: PenalizedLikelihood, point: Point, tolerance: float) -> tuple[Array, int]:
    """Solve H step = -gradient to a residual of `tolerance` times the gradient; return the step and the products used.

    Standardised columns have about the curvature of the intercept, so its curvature and the prior's precision
    precondition the iteration; lengths are measured accordingly.
    """
    size, q = diagonal_of(objective, point), objective.link.n_scores
    step, _, products = conjugate_gradients(
        lambda v: objective.product(point.w, v),
        lambda residual: residual / size,
        -point.gradient,
        tolerance=tolerance,
        limit=PRODUCTS - q,
    )
    return step, q + products


def diagonal_of(objective: PenalizedLikelihood, point: Point) -> Array:
    """Return an approximation of the diagonal of the Hessian, (q p,): one product for each score."""
    q, p = objective.link.n_scores, objective.units.n_coefficients
    precision = objective.prior.precision
    penalty = precision if precision.ndim == 1 else np.diagonal(precision)
    firsts = np.arange(0, q * p, p)  # the intercept of each score, or its first column
    expected, units = not objective.link.is_concave, np.zeros((q, q * p))
    units[np.arange(q), firsts] = 1.0
    products = np.array(
        [objective.product(point.w, unit, expected=expected)[k] for k, unit in zip(firsts, units, strict=True)]
    )
    curvature = np.maximum(products - penalty[firsts], 1e-6 * products.max())
    return np.repeat(np.maximum(curvature, 1e-300), p) + penalty
