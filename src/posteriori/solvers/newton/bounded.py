"""Newton under bounds: each step minimises the quadratic model over all coefficients that are not negative."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.linalg.cholesky import diagonal_roots
from posteriori.linalg.nonnegative import nonnegative_minimum
from posteriori.linalg.subspaces import eigenvalue_rounding, flat_directions
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solution, Solver, solution_of
from posteriori.solvers.line_search import best_length, goes_down
from posteriori.storable import storable

#: Decrement above which no one asks yet for flat directions.
NEAR = 1e-3


@storable
@dataclass(frozen=True)
class BoundedSolution(Solution):
    """Where a bounded solver stopped, with the certificate of Karush, Kuhn and Tucker.

    The minimum under w >= 0 is where the gradient is zero for every coefficient above zero and not negative for every
    one at zero. `decrement` is that of the Newton step under the bounds: near the minimum, of the free set, the
    coefficients above zero.

    Parameters
    ----------
    n_free : coefficients above zero
    violation : the largest gradient that the conditions do not allow, each over the root of its own curvature:
        in standard errors that its coefficient would have if the others were known
    """

    n_free: int
    violation: float


@dataclass(frozen=True)
class BoundedState:
    """A point with the step its quadratic model proposes, and what it has cost.

    `flat` says that the free coefficients can move along some direction without changing the likelihood.
    """

    point: Point
    step: Array
    decrement: float
    violation: float
    sweeps: int
    iterations: int
    flat: bool = False
    stalled: str = ""
    nonsingular: bool = True


@dataclass(frozen=True)
class BoundedNewton(Solver):
    """w <- w + t s, where s minimises g's + s'Hs/2 under w + s >= 0.

    The full step (t = 1) is tried first; after a failure one sweep tries a ladder of shorter ones, all of which stay
    within the bounds. Coefficients that the model puts on their bound are there exactly, and leave it again when the
    gradient turns. Held coefficients stay where they start.

    Parameters
    ----------
    held : (p,) coefficients that are not moved
    """

    held: Mask
    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> BoundedState:
        """Sum the curvature at the start, which must be inside the domain."""
        return self._at(objective.curvature(start), sweeps=1, iterations=0)

    def step(self, objective: PenalizedLikelihood, state: BoundedState) -> BoundedState:
        """Take the full step, or the best of a ladder of shorter ones."""
        before, step = state.point, state.step
        after, cost = objective.curvature(_inside(before.w + step)), 1
        if not goes_down(before, after, float(before.gradient @ step)):
            length = best_length(objective, before, step)
            if length == 0.0:
                reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
                return replace(state, sweeps=state.sweeps + 2, iterations=state.iterations + 1, stalled=reason)
            after, cost = objective.curvature(_inside(before.w + length * step)), 3
        return self._at(after, state.sweeps + cost, state.iterations + 1)

    def polished(self, state: BoundedState) -> Array:
        """Take the step that the last Hessian offers for nothing: what was within tol is then within tol^2."""
        within = state.decrement <= self.tol and state.decrement < 1e-4 and not state.flat
        return _inside(state.point.w + state.step) if within else state.point.w

    def _at(self, point: Point, sweeps: int, iterations: int) -> BoundedState:
        moves = np.flatnonzero(~self.held)
        assert point.hessian is not None
        H, g, w = point.hessian[np.ix_(moves, moves)], point.gradient[moves], point.w[moves]
        if not (np.isfinite(H).all() and np.isfinite(g).all()):
            reason = "the curvature is beyond the range of floats"
            return BoundedState(point, np.zeros_like(point.w), np.inf, np.inf, sweeps, iterations, stalled=reason)
        model = _Model.of(H, g, w)
        step = np.zeros_like(point.w)
        step[moves] = model.step
        decrement, flat = model.decrement(1e-13 * (1.0 + abs(point.value)))
        return BoundedState(point, step, decrement, model.violation(), sweeps, iterations, flat)


@dataclass(frozen=True)
class _Model:
    """The quadratic model in units of the roots of its diagonal: slope g, curvature H, point w, and its step."""

    H: Array
    g: Array
    w: Array
    scaled_step: Array
    size: Array

    @classmethod
    def of(cls, H: Array, g: Array, w: Array) -> "_Model":
        """Minimise the model; a ridge about the size of rounding decides where the Hessian cannot."""
        size = diagonal_roots(H)
        unit = H / size[:, None] / size
        ridged = unit + eigenvalue_rounding(len(g)) * np.eye(len(g))
        slope, at = g / size, w * size
        best = nonnegative_minimum(ridged, slope - ridged @ at, at > 0)
        return cls(unit, slope, at, best - at, size)

    @property
    def step(self) -> Array:
        """The step in the objective's units; what goes to zero arrives there exactly."""
        step: Array = np.where(self.w + self.scaled_step == 0.0, -self.w, self.scaled_step) / self.size
        return step

    def violation(self) -> float:
        """Give the largest part of the gradient that the conditions of Karush, Kuhn and Tucker do not allow."""
        amiss = np.where(self.w > 0, np.abs(self.g), -self.g)
        return float(amiss.max(initial=0.0))

    def decrement(self, rounding: float) -> tuple[float, bool]:
        """Give sqrt(-g's), and whether free coordinates have a flat direction, looked for only near the end.

        Along a flat direction a standard error is infinite, and the slope mere rounding unless it promises more
        than `rounding`; what is within that is left out.
        """
        whole = max(-float(self.g @ self.scaled_step), 0.0)
        if whole > NEAR**2:
            return float(np.sqrt(whole)), False
        free = self.w + self.scaled_step > 0
        flat = flat_directions(self.H[np.ix_(free, free)])
        idle = -float((self.g[free] @ flat) @ (flat.T @ self.scaled_step[free]))
        seen = whole if idle > rounding else whole - idle
        return float(np.sqrt(max(seen, 0.0))), bool(flat.shape[1])


def _inside(w: Array) -> Array:
    return np.maximum(w, 0.0)


def bounded_solution(state: BoundedState, reason: str, tol: float) -> BoundedSolution:
    """Write the certificate of a state."""
    plain = solution_of(state, reason, tol)
    return BoundedSolution(**vars(plain), n_free=int((state.point.w > 0).sum()), violation=state.violation)
