"""Newton-Raphson, which for the logit link is iteratively reweighted least squares."""

from dataclasses import dataclass, field, replace

import numpy as np
import scipy.linalg as la

from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Array, Solver
from posteriori.solvers.line_search import best_length, goes_down


@dataclass(frozen=True)
class Factor:
    """A Hessian ready to be solved with: Cholesky of its unit-diagonal form, or its eigenvectors when singular."""

    size: Array
    cholesky: Array | None
    vectors: Array | None = None

    @classmethod
    def of(cls, hessian: Array) -> "Factor":
        """Factor a symmetric matrix; directions it can hardly see (1e-13 of the rest) are left alone."""
        diagonal = np.diagonal(hessian)
        size = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        scaled = hessian / size[:, None] / size
        factor, info = la.lapack.dpotrf(scaled, lower=1, overwrite_a=0)
        if info == 0 and np.diagonal(factor).min() > 1e-6:
            return cls(size, factor)
        values, vectors = la.eigh(scaled, check_finite=False)
        seen = values > 1e-13 * max(values[-1], 0.0)
        return cls(size, None, vectors[:, seen] / np.sqrt(values[seen]))

    @property
    def whole(self) -> bool:
        """Whether no direction was left alone."""
        return self.cholesky is not None

    def solve(self, gradient: Array) -> Array:
        """Give H^-1 gradient."""
        scaled = gradient / self.size
        if self.cholesky is not None:
            solved, _ = la.lapack.dpotrs(self.cholesky, scaled, lower=1)
        else:
            assert self.vectors is not None
            solved = self.vectors @ (self.vectors.T @ scaled)
        moved: Array = solved / self.size
        return moved


@dataclass(frozen=True)
class NewtonState:
    """A point with its Hessian factored, the step it proposes, and what it has cost."""

    point: Point
    step: Array
    decrement: float
    sweeps: int
    iterations: int
    stalled: str = ""
    whole: bool = True


@dataclass(frozen=True)
class Newton(Solver):
    """w <- w - H^-1 g, halved where a full step would go up.

    For the logit link this is IRLS, w = (X'WX)^-1 X'W z with z = X w + W^-1 (y - mu).
    Book: [Jordan] Eq. 7.72-7.78, §7.3.1; [Bishop] Eq. 4.92-4.100, §4.3.3 (IRLS there reads
    (Phi'R Phi)^-1 Phi'R z).
    """

    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> NewtonState:
        """Sum the curvature at the start."""
        return self._at(objective, objective.curvature(objective.fixed(start)), sweeps=1, iterations=0)

    def solve_from(self, objective: PenalizedLikelihood, start: Array, first: Point | None) -> tuple[NewtonState, str]:
        """Solve, from a point whose curvature is known where it is."""
        state = self.init(objective, start) if first is None else self._at(objective, first, 1, 0)
        while not (reason := self.done(state)):
            state = self.step(objective, state)
        return state, reason

    def step(self, objective: PenalizedLikelihood, state: NewtonState) -> NewtonState:
        """Take the full step, or the best of a ladder of shorter ones."""
        slope = float(state.point.gradient @ state.step)
        after = objective.curvature(objective.fixed(state.point.w + state.step))
        if goes_down(state.point, after, slope):
            return self._at(objective, after, state.sweeps + 1, state.iterations + 1)
        length = best_length(objective, state.point, state.step)
        if length == 0.0:
            reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
            return replace(state, sweeps=state.sweeps + 2, iterations=state.iterations + 1, stalled=reason)
        after = objective.curvature(objective.fixed(state.point.w + length * state.step))
        return self._at(objective, after, state.sweeps + 3, state.iterations + 1)

    def _at(self, objective: PenalizedLikelihood, point: Point, sweeps: int, iterations: int) -> NewtonState:
        assert point.hessian is not None
        factor = Factor.of(objective.stiffened(point.hessian))
        step = -factor.solve(point.gradient)
        decrement = float(np.sqrt(max(-float(point.gradient @ step), 0.0)))
        return NewtonState(point, step, decrement, sweeps, iterations, whole=factor.whole)
