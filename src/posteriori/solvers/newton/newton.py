"""Newton-Raphson, which for the logit link is iteratively reweighted least squares."""

from dataclasses import dataclass, field, replace

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver, Watch, unwatched
from posteriori.solvers.line_search import best_length, goes_down

#: How many standard errors, at the most, a stationary point that is no maximum is left by.
FARTHEST = 16.0
#: What is said of a stationary point whose observed Hessian is not positive definite, where no way leads down.
SADDLE = "the gradient vanishes, but the observed Hessian is not positive definite there: no maximum is certified"


@dataclass(frozen=True)
class NewtonState:
    """A point with its Hessian factored, the step it proposes, and what it has cost."""

    point: Point
    step: Array
    decrement: float
    sweeps: int
    iterations: int
    stalled: str = ""
    nonsingular: bool = True
    rate: float = 1.0
    factor: SymmetricFactor | None = None


def readings(point: Point) -> int:
    """Count the sweeps of `PenalizedLikelihood.descent`: two where the expected information had to be summed too."""
    return 1 if point.definite else 2


@dataclass(frozen=True)
class Newton(Solver):
    """w <- w - H^-1 g, halved where a full step would go up.

    Where the likelihood is not concave and H not positive definite, the expected information takes its place
    (Fisher's scoring); the end is certified only where H is.

    For the logit link this is IRLS, w = (X'WX)^-1 X'W z with z = X w + W^-1 (y - mu).
    Book: [Jordan] Eq. 7.72-7.78, §7.3.1; [Bishop] Eq. 4.92-4.100, §4.3.3 (IRLS there reads
    (Phi'R Phi)^-1 Phi'R z).
    """

    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> NewtonState:
        """Sum the curvature at the start."""
        point = objective.descent(objective.fixed(start))
        return self._at(objective, point, readings(point), iterations=0)

    def solve_from(
        self, objective: PenalizedLikelihood, start: Array, first: Point | None, watch: Watch = unwatched
    ) -> tuple[NewtonState, str]:
        """Solve, from a point whose curvature is known where it is."""
        state = self.init(objective, start) if first is None else self._at(objective, first, readings(first), 0)
        return self.resume(objective, state, watch)

    def step(self, objective: PenalizedLikelihood, state: NewtonState) -> NewtonState:
        """Take the full step, or the best of a ladder of shorter ones."""
        if state.decrement <= self.tol and not state.point.definite:
            return self._off_the_saddle(objective, state)
        slope = float(state.point.gradient @ state.step)
        after = objective.descent(objective.fixed(state.point.w + state.step))
        if goes_down(state.point, after, slope):
            return self._at(objective, after, state.sweeps + readings(after), state.iterations + 1)
        length = best_length(objective, state.point, state.step)
        if length == 0.0:
            reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
            return replace(state, sweeps=state.sweeps + 2, iterations=state.iterations + 1, stalled=reason)
        after = objective.descent(objective.fixed(state.point.w + length * state.step))
        there = self._at(objective, after, state.sweeps + 2 + readings(after), state.iterations + 1)
        return replace(there, rate=length)

    def done(self, state: NewtonState) -> str:  # type: ignore[override]
        """Say why the iteration is over; a stationary point that is no maximum is left while any way leads down."""
        if state.decrement <= self.tol and not state.point.definite:
            return state.stalled or ("" if state.iterations < self.max_iter else SADDLE)
        return super().done(state)

    def _off_the_saddle(self, objective: PenalizedLikelihood, state: NewtonState) -> NewtonState:
        """Leave a stationary point along the direction in which the observed Hessian bends down the most."""
        observed = objective.curvature(state.point.w).hessian
        assert observed is not None
        assert state.point.hessian is not None
        size = np.sqrt(np.maximum(np.diagonal(objective.stiffened(state.point.hessian)), 1e-300))
        _, vectors = la.eigh(objective.stiffened(observed) / size[:, None] / size, subset_by_index=(0, 0))
        spent = replace(state, sweeps=state.sweeps + 3, iterations=state.iterations + 1)
        for sign in (1.0, -1.0):
            way = sign * FARTHEST * vectors[:, 0] / size
            length = best_length(objective, state.point, way)
            if length > 0.0:
                after = objective.descent(objective.fixed(state.point.w + length * way))
                return self._at(objective, after, spent.sweeps + readings(after), spent.iterations)
        return replace(spent, stalled=SADDLE, nonsingular=False)

    def _at(self, objective: PenalizedLikelihood, point: Point, sweeps: int, iterations: int) -> NewtonState:
        assert point.hessian is not None
        factor = SymmetricFactor.of(objective.stiffened(point.hessian))
        step = -factor.solve(point.gradient)
        decrement = float(np.sqrt(max(-float(point.gradient @ step), 0.0)))
        return NewtonState(point, step, decrement, sweeps, iterations, nonsingular=factor.nonsingular, factor=factor)
