"""Newton for K coefficient vectors, its steps by conjugate gradients preconditioned by each vector's own curvature."""

from dataclasses import dataclass, field

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.conjugate_gradients import conjugate_gradients
from posteriori.objectives.kernel_classwise import Classwise, Local
from posteriori.solvers.base import Solver, State, newton_decrement
from posteriori.solvers.line_search import best_length, goes_down, is_within_rounding

#: Products with the Hessian allowed for one Newton step.
PRODUCTS = 500


@dataclass(frozen=True, kw_only=True)
class ClasswiseState(State):
    """A state with the objective about its point and the Newton step that comes next."""

    local: Local
    step: Array


@dataclass(frozen=True)
class ClasswiseNewton(Solver[Classwise, ClasswiseState]):
    """Newton's method for a softmax likelihood with a Gaussian prior of one precision.

    The Hessian of q score vectors of p coefficients has (q p)^2 entries, its blocks on the diagonal q p^2. Those
    precondition conjugate gradients, which account for the coupling of the classes: among weights p_k (delta_kj - p_j)
    the off-diagonal ones are never larger, so that few products are needed; with one score next to none.

    The decrement is a bound, not an estimate: with a residual r of the step s, and H >= precision,
    sqrt(g'H^-1 g) <= sqrt(-g's) + |r| / sqrt(precision).

    Book: [Bishop] Eq. 4.110, §4.3.4, for the Hessian.
    """

    tol: float
    max_iter: int = field(default=200)

    def init(self, objective: Classwise, start: Array) -> ClasswiseState:
        """Solve for the first step."""
        return self._at(objective, objective.about(start), 1, 0, tolerance=0.1)

    def inverse(self, objective: Classwise, state: ClasswiseState, vector: Array) -> Array:
        """Return the inverse of the Hessian at a state times a vector, (q p,)."""
        return self._solve(objective, state.local, vector, 1e-6)[0]

    def step(self, objective: Classwise, state: ClasswiseState) -> ClasswiseState:
        """Take the full step, or the best shorter one."""
        before = state.point
        after, cost = objective.about(before.w + state.step), 1
        slope = float(before.gradient @ state.step)
        if not goes_down(before, after.point, slope):
            length = best_length(objective, before, state.step)
            if length == 0.0:
                return state.after_failure(sweeps=2)
            after, cost = objective.about(before.w + length * state.step), 3
        fall = float(np.linalg.norm(after.point.gradient)) / max(float(np.linalg.norm(before.gradient)), 1e-300)
        tolerance = min(0.1, max(fall, 1e-6))
        reached = self._at(objective, after, state.sweeps + cost, state.iterations + 1, tolerance)
        return reached.after_rounding(state) if is_within_rounding(before, slope) else reached

    def _at(self, objective: Classwise, local: Local, sweeps: int, iterations: int, tolerance: float) -> ClasswiseState:
        step, residual, products = self._solve(objective, local, -local.point.gradient, tolerance)
        error = float(np.linalg.norm(residual) / np.sqrt(objective.precision))
        return ClasswiseState(
            point=local.point,
            local=local,
            step=step,
            decrement=newton_decrement(local.point.gradient, step) + error,
            sweeps=sweeps + products,
            iterations=iterations,
        )

    def _solve(self, objective: Classwise, local: Local, vector: Array, tolerance: float) -> tuple[Array, Array, int]:
        """Solve H step = vector; return step, residual and number of products.

        Done when the residual is `tolerance` times the vector, or adds less than a third of the solver's tolerance to
        the bound.
        """
        return conjugate_gradients(
            local.product,
            local.precondition,
            objective.level(vector),
            tolerance=tolerance,
            limit=PRODUCTS,
            floor=self.tol / 3 * np.sqrt(objective.precision),
        )
