"""Newton by conjugate gradients: for more coefficients than a Hessian has room for."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver
from posteriori.solvers.line_search import best_length, goes_down

#: Products with the Hessian allowed for one Newton step.
PRODUCTS = 200


@dataclass(frozen=True)
class TruncatedState:
    """A point, the step solved for there, its decrement, and what it has cost."""

    point: Point
    step: Array
    decrement: float
    sweeps: int
    iterations: int
    stalled: str = ""
    nonsingular: bool = True
    rate: float = 1.0
    factor: None = None


@dataclass(frozen=True)
class TruncatedNewton(Solver):
    """Newton steps solved to a tolerance that tightens as the gradient falls; no matrix is formed.

    Conjugate gradients start from zero and so stay in the row space: under aliased columns the limit is the
    minimum-norm solution, as with a factored Hessian.
    """

    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> TruncatedState:
        """Solve for the first step."""
        return self._at(objective, objective.slope(start), sweeps=1, iterations=0, rough=0.1)

    def step(self, objective: PenalizedLikelihood, state: TruncatedState) -> TruncatedState:
        """Take the full step, or the best of a ladder of shorter ones."""
        slope = float(state.point.gradient @ state.step)
        after, cost, length = objective.slope(state.point.w + state.step), 1, 1.0
        if not goes_down(state.point, after, slope):
            length = best_length(objective, state.point, state.step)
            if length == 0.0:
                reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
                return replace(state, sweeps=state.sweeps + 2, iterations=state.iterations + 1, stalled=reason)
            after, cost = objective.slope(state.point.w + length * state.step), 3
        fall = float(np.linalg.norm(after.gradient)) / max(float(np.linalg.norm(state.point.gradient)), 1e-300)
        there = self._at(objective, after, state.sweeps + cost, state.iterations + 1, rough=min(0.1, fall))
        return replace(there, rate=length)

    def _at(
        self, objective: PenalizedLikelihood, point: Point, sweeps: int, iterations: int, rough: float
    ) -> TruncatedState:
        step, products = conjugate_gradients(objective, point, rough)
        decrement = float(np.sqrt(max(-float(point.gradient @ step), 0.0)))
        return TruncatedState(point, step, decrement, sweeps + products, iterations)


def conjugate_gradients(objective: PenalizedLikelihood, point: Point, rough: float) -> tuple[Array, int]:
    """Solve H step = -gradient until the residual is `rough` of the gradient; give the step and its products.

    Columns in units have about the curvature of the intercept each, so its curvature and the prior's precision
    precondition the iteration; lengths are measured accordingly.
    """
    size = diagonal_of(objective, point)
    step = np.zeros_like(point.w)
    residual = -point.gradient
    direction = residual / size
    energy = float(residual @ direction)
    target, products = rough**2 * energy, objective.link.n_scores
    while energy > target and products < PRODUCTS:
        bent = objective.product(point.w, direction)
        products += 1
        curvature = float(direction @ bent)
        if curvature <= 1e-300:  # as may be where the likelihood is not concave: what was solved so far goes down
            if not step.any():
                step = direction
            break
        length = energy / curvature
        step += length * direction
        residual = residual - length * bent
        eased = residual / size
        energy, before = float(residual @ eased), energy
        direction = eased + energy / before * direction
    return step, products


def diagonal_of(objective: PenalizedLikelihood, point: Point) -> Array:
    """Give about the diagonal of the Hessian, (q p,): one product for each score."""
    q, p = objective.link.n_scores, objective.units.n_coefficients
    precision = objective.prior.precision
    held = precision if precision.ndim == 1 else np.diagonal(precision)
    firsts = np.arange(0, q * p, p)  # each score's intercept; without one, its first column stands for all
    bent = np.array(
        [
            objective.product(point.w, unit, expected=not objective.link.is_concave)[k]
            for k, unit in zip(firsts, _units(firsts, q * p), strict=True)
        ]
    )
    curvature = np.maximum(bent - held[firsts], 1e-6 * bent.max())
    return np.repeat(np.maximum(curvature, 1e-300), p) + held


def _units(places: NDArray[np.intp], size: int) -> Array:
    units = np.zeros((len(places), size))
    units[np.arange(len(places)), places] = 1.0
    return units
