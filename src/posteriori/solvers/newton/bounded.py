"""Newton under bounds: each step minimises the quadratic model over all coefficients that are not negative."""

from dataclasses import dataclass, field

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.linalg.cholesky import diagonal_roots
from posteriori.linalg.nonnegative import nonnegative_minimum
from posteriori.linalg.subspaces import eigenvalue_rounding, flat_directions
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solution, Solver, State, solution_of
from posteriori.solvers.line_search import descend
from posteriori.storable import storable

#: Decrement below which flat directions are looked for.
NEAR = 1e-3


@storable
@dataclass(frozen=True)
class BoundedSolution(Solution):
    """Where a bounded solver stopped, with the Karush-Kuhn-Tucker certificate.

    The minimum under w >= 0 is where the gradient is zero for every coefficient above zero and not negative for every
    one at zero. `decrement` bounds sqrt(g'H^-1 g) over the free set, the coefficients above zero. Before convergence
    the free set also has those at zero that the Newton step under the bounds raises. Where the likelihood is exactly
    flat along some directions it is over the others; where rounding hides whether it is flat, `decrement` is inf.

    Parameters
    ----------
    n_free : coefficients above zero
    violation : the largest violation of the conditions by the gradient, each over the root of its own curvature:
        in standard errors that its coefficient would have if the others were known
    """

    n_free: int
    violation: float


@dataclass(frozen=True, kw_only=True)
class BoundedState(State):
    """A state with the step that its quadratic model proposes, and its violation of the conditions.

    `flat` says that the free coefficients can move along some direction without changing the likelihood.
    """

    step: Array
    violation: float
    flat: bool = False


@dataclass(frozen=True)
class BoundedNewton(Solver[PenalizedLikelihood, BoundedState]):
    """w <- w + t s, where s minimises g's + s'Hs/2 under w + s >= 0.

    The full step (t = 1) is tried first; after a failure one sweep tries a ladder of shorter ones, all of which stay
    within the bounds. Coefficients that the model puts on their bound are there exactly, and leave it again when the
    gradient changes sign.

    Parameters
    ----------
    fixed : (p,) coefficients that stay where they start
    """

    fixed: Mask
    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> BoundedState:
        """Sum the curvature at the start, which must satisfy the bounds."""
        return self._at(objective.curvature(start), sweeps=1, iterations=0)

    def step(self, objective: PenalizedLikelihood, state: BoundedState) -> BoundedState:
        """Take the full step, or the best shorter one."""
        after, length = descend(objective, lambda w: objective.curvature(_clipped(w)), state.point, state.step)
        if after is None:
            return state.after_failure(sweeps=2)
        return self._at(after, state.sweeps + (1 if length == 1.0 else 3), state.iterations + 1)

    def polished(self, state: BoundedState) -> Array:
        """Return the coefficients, if converged after one more step with the last Hessian, at no extra sweep."""
        converged = state.decrement <= self.tol and state.decrement < 1e-4 and not state.flat
        return _clipped(state.point.w + state.step) if converged else state.point.w

    def _at(self, point: Point, sweeps: int, iterations: int) -> BoundedState:
        moves = np.flatnonzero(~self.fixed)
        assert point.hessian is not None
        H, g, w = point.hessian[np.ix_(moves, moves)], point.gradient[moves], point.w[moves]
        if not (np.isfinite(H).all() and np.isfinite(g).all()):
            reason = "the curvature is beyond the range of floats"
            return BoundedState(
                point=point, step=np.zeros_like(point.w), decrement=np.inf, violation=np.inf, sweeps=sweeps,
                iterations=iterations, stalled=reason,
            )  # fmt: skip
        model = _Model.of(H, g, w)
        step = np.zeros_like(point.w)
        step[moves] = model.step
        decrement, flat = model.decrement(1e-13 * (1.0 + abs(point.value)))
        return BoundedState(
            point=point, step=step, decrement=decrement, violation=model.violation(), sweeps=sweeps,
            iterations=iterations, flat=flat,
        )  # fmt: skip


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
        """Minimise the model; a ridge of about the size of rounding makes the minimum unique."""
        size = diagonal_roots(H)
        unit = H / size[:, None] / size
        ridged = unit + eigenvalue_rounding(len(g)) * np.eye(len(g))
        slope, at = g / size, w * size
        best = nonnegative_minimum(ridged, slope - ridged @ at, at > 0)
        return cls(unit, slope, at, best - at, size)

    @property
    def step(self) -> Array:
        """The step in the objective's units; coefficients that go to zero become exactly zero."""
        return np.where(self.w + self.scaled_step == 0.0, -self.w, self.scaled_step) / self.size

    def violation(self) -> float:
        """Return the largest violation of the Karush-Kuhn-Tucker conditions by the gradient."""
        violations = np.where(self.w > 0, np.abs(self.g), -self.g)
        return float(violations.max(initial=0.0))

    def decrement(self, rounding: float) -> tuple[float, bool]:
        """Return sqrt(-g's), and whether free coordinates have a flat direction, which is looked for only near the end.

        Along a flat direction a standard error is infinite, and the slope mere rounding unless it promises more
        than `rounding`; a slope below that is left out.
        """
        whole = max(-float(self.g @ self.scaled_step), 0.0)
        if whole > NEAR**2:
            return float(np.sqrt(whole)), False
        free = self.w + self.scaled_step > 0
        flat = flat_directions(self.H[np.ix_(free, free)])
        along_flat = -float((self.g[free] @ flat) @ (flat.T @ self.scaled_step[free]))
        rest = whole if along_flat > rounding else whole - along_flat
        return float(np.sqrt(max(rest, 0.0))), bool(flat.shape[1])


def _clipped(w: Array) -> Array:
    return np.maximum(w, 0.0)


def bounded_solution(state: BoundedState, reason: str, tol: float) -> BoundedSolution:
    """Return the certificate of a state."""
    plain = solution_of(state, reason, tol)
    return BoundedSolution(**vars(plain), n_free=int((state.point.w > 0).sum()), violation=state.violation)
