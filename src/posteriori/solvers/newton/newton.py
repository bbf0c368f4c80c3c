"""Newton-Raphson, which for the logit link is iteratively reweighted least squares."""

from dataclasses import dataclass, field, replace

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Callback, Solver, State, newton_decrement, no_callback
from posteriori.solvers.line_search import best_length, descend, is_within_rounding

#: Standard errors, at most, of a step away from a stationary point that is not a maximum.
FARTHEST = 16.0
#: Coefficients from which a value costs so little beside a Hessian that a full step is tried by its value first.
MANY = 200
#: The reason at a stationary point whose observed Hessian is not positive definite, where no step goes down.
SADDLE = "the gradient vanishes, but the observed Hessian is not positive definite there: no maximum is certified"


@dataclass(frozen=True, kw_only=True)
class NewtonState(State):
    """A state with the Newton step that comes next."""

    step: Array


def descent_sweeps(point: Point) -> int:
    """Return the sweeps of `PenalizedLikelihood.descent`: two where the expected information was summed too."""
    return 1 if point.definite else 2


@dataclass(frozen=True)
class Newton(Solver[PenalizedLikelihood, NewtonState]):
    """w <- w - H^-1 g, with shorter steps where the full step would go up.

    Where the likelihood is not concave and H not positive definite, the expected information takes its place
    (Fisher scoring); the end point is certified only if H is positive definite there.

    For the logit link this is IRLS, w = (X'WX)^-1 X'W z with z = X w + W^-1 (y - mu).
    Book: [Jordan] Eq. 7.72-7.78, §7.3.1; [Bishop] Eq. 4.92-4.100, §4.3.3 (IRLS there reads
    (Phi'R Phi)^-1 Phi'R z).
    """

    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> NewtonState:
        """Sum the curvature at the start."""
        return self._at(objective, objective.descent(objective.fixed(start)), sweeps=0, iterations=0)

    def solve_from(
        self, objective: PenalizedLikelihood, start: Array, first: Point | None, callback: Callback = no_callback
    ) -> tuple[NewtonState, str]:
        """Solve from a start; `first` is the point there if its curvature is known already."""
        state = self.init(objective, start) if first is None else self._at(objective, first, 0, 0)
        return self.resume(objective, state, callback)

    def step(self, objective: PenalizedLikelihood, state: NewtonState) -> NewtonState:
        """Take the full step, or the best shorter one."""
        if state.decrement <= self.tol and not state.point.definite:
            return self._leave_saddle(objective, state)
        after, length = descend(
            objective,
            lambda w: objective.descent(objective.fixed(w)),
            state.point,
            state.step,
            (lambda w: objective.slope(objective.fixed(w)).value) if objective.n_parameters >= MANY else None,
        )
        if after is None:
            return state.after_failure(sweeps=2)
        sweeps = state.sweeps + (0 if length == 1.0 else 2)
        reached = replace(self._at(objective, after, sweeps, state.iterations + 1), rate=length)
        slope = float(state.point.gradient @ state.step)
        return reached.after_rounding(state) if is_within_rounding(state.point, slope) else reached

    def done(self, state: NewtonState) -> str:
        """Return why the iteration stops; at a stationary point that is no maximum, only once no step goes down."""
        if state.decrement <= self.tol and not state.point.definite:
            return state.stalled or ("" if state.iterations < self.max_iter else SADDLE)
        return super().done(state)

    def _leave_saddle(self, objective: PenalizedLikelihood, state: NewtonState) -> NewtonState:
        """Leave a stationary point along the direction of most negative curvature of the observed Hessian."""
        observed = objective.curvature(state.point.w).hessian
        assert observed is not None
        assert state.point.hessian is not None
        size = np.sqrt(np.maximum(np.diagonal(objective.stiffened(state.point.hessian)), 1e-300))
        _, vectors = la.eigh(objective.stiffened(observed) / size[:, None] / size, subset_by_index=(0, 0))
        failed = state.after_failure(sweeps=3, stalled=SADDLE, nonsingular=False)
        for sign in (1.0, -1.0):
            direction = sign * FARTHEST * vectors[:, 0] / size
            length = best_length(objective, state.point, direction)
            if length > 0.0:
                after = objective.descent(objective.fixed(state.point.w + length * direction))
                return self._at(objective, after, failed.sweeps, failed.iterations)
        return failed

    def _at(self, objective: PenalizedLikelihood, point: Point, sweeps: int, iterations: int) -> NewtonState:
        """Return the state at a point: `sweeps` are those before it was evaluated."""
        assert point.hessian is not None
        factor = SymmetricFactor.of(objective.stiffened(point.hessian))
        step = -factor.solve(point.gradient)
        return NewtonState(
            point=point,
            step=step,
            decrement=newton_decrement(point.gradient, step),
            sweeps=sweeps + descent_sweeps(point),
            iterations=iterations,
            nonsingular=factor.nonsingular,
            factor=factor,
        )
