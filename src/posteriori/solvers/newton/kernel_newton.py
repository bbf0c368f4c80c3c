"""Newton for K coefficient vectors, its steps by conjugate gradients that know each vector's own curvature."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.kernel_classwise import Classwise, Local
from posteriori.objectives.penalized import Point
from posteriori.solvers.line_search import LADDER, goes_down

#: Products with the Hessian allowed for one Newton step.
PRODUCTS = 500


@dataclass(frozen=True)
class ClasswiseState:
    """A point and the objective about it, the step solved for there, its decrement, and what it has cost."""

    local: Local
    step: Array
    decrement: float
    sweeps: int
    iterations: int
    stalled: str = ""
    nonsingular: bool = True

    @property
    def point(self) -> Point:
        """Where it is."""
        return self.local.point


@dataclass(frozen=True)
class ClasswiseNewton:
    """Newton's method for a softmax likelihood with a Gaussian prior of one precision.

    The Hessian of q score vectors of p coefficients has (q p)^2 entries, its blocks on the diagonal q p^2. Those
    precondition conjugate gradients, in which the classes meet: among weights p_k (delta_kj - p_j) the off-diagonal
    ones are never larger, so that few products are needed; with one score next to none.

    The decrement is a bound, not an estimate: with a residual r of the step s, and H >= precision,
    sqrt(g'H^-1 g) <= sqrt(-g's) + |r| / sqrt(precision).

    Book: [Bishop] Eq. 4.110, §4.3.4, for the Hessian.
    """

    tol: float
    max_iter: int = field(default=200)

    def solve(self, objective: Classwise) -> tuple[ClasswiseState, str]:
        """Step from zero until done; give the last state and the reason."""
        state = self._at(objective, objective.about(np.zeros(objective.n_parameters)), 1, 0, rough=0.1)
        while not (reason := self._done(state)):
            state = self._step(objective, state)
        return state, reason

    def inverse(self, objective: Classwise, state: ClasswiseState, vector: Array) -> Array:
        """Give the inverse of the Hessian at a state times a vector, (q p,)."""
        return self._conjugate(objective, state.local, vector, 1e-6)[0]

    def _done(self, state: ClasswiseState) -> str:
        if state.decrement <= self.tol:
            return f"the Newton decrement {state.decrement:.2g} is within the tolerance {self.tol:.2g}"
        if state.stalled:
            return state.stalled
        if state.iterations >= self.max_iter:
            return f"the limit of {self.max_iter} iterations was reached at a Newton decrement of {state.decrement:.2g}"
        return ""

    def _step(self, objective: Classwise, state: ClasswiseState) -> ClasswiseState:
        """Take the full step, or the best of a ladder of shorter ones."""
        before = state.point
        after, cost = objective.about(before.w + state.step), 1
        if not goes_down(before, after.point, float(before.gradient @ state.step)):
            values = objective.along(before.w, state.step, LADDER)
            best = int(np.where(np.isfinite(values), values, np.inf).argmin())
            if not values[best] < before.value:
                reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
                return replace(state, sweeps=state.sweeps + 2, iterations=state.iterations + 1, stalled=reason)
            after, cost = objective.about(before.w + LADDER[best] * state.step), 3
        fall = float(np.linalg.norm(after.point.gradient)) / max(float(np.linalg.norm(before.gradient)), 1e-300)
        rough = min(0.1, max(fall, 1e-6))
        return self._at(objective, after, state.sweeps + cost, state.iterations + 1, rough)

    def _at(self, objective: Classwise, local: Local, sweeps: int, iterations: int, rough: float) -> ClasswiseState:
        step, residual, products = self._conjugate(objective, local, -local.point.gradient, rough)
        off = float(np.linalg.norm(residual) / np.sqrt(objective.precision))
        decrement = float(np.sqrt(max(-float(local.point.gradient @ step), 0.0))) + off
        return ClasswiseState(local, step, decrement, sweeps + products, iterations)

    def _conjugate(self, objective: Classwise, local: Local, vector: Array, rough: float) -> tuple[Array, Array, int]:
        """Solve H step = vector by preconditioned conjugate gradients; give step, residual and products.

        Done when the residual is `rough` of the vector, or adds less than a third of the tolerance to the bound.
        """
        step, residual = np.zeros_like(vector), objective.level(vector)
        direction = local.eased(residual)
        energy, products = float(residual @ direction), 0
        target, small = rough**2 * energy, self.tol / 3 * np.sqrt(objective.precision)
        while energy > target and np.linalg.norm(residual) > small and products < PRODUCTS:
            bent = local.product(direction)
            products += 1
            length = energy / float(direction @ bent)
            step += length * direction
            residual = residual - length * bent
            eased = local.eased(residual)
            energy, before = float(residual @ eased), energy
            direction = eased + energy / before * direction
        return step, residual, products
