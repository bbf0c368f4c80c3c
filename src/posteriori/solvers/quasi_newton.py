"""Quasi-Newton steps on exact gradients, preconditioned by the Hessian of a sample."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Array, Solver
from posteriori.solvers.line_search import best_length, goes_down
from posteriori.solvers.newton import Factor

#: How many pairs of steps and gradient changes are remembered.
MEMORY = 24

Pairs = tuple[tuple[Array, Array], ...]


@dataclass(frozen=True)
class QuasiNewtonState:
    """A point, the remembered pairs (s, y), the decrement by the sample's Hessian, and what it has cost."""

    point: Point
    pairs: Pairs
    decrement: float
    sweeps: int
    iterations: int
    stalled: str = ""
    whole: bool = True


@dataclass(frozen=True)
class QuasiNewton(Solver):
    """L-BFGS whose first guess of the inverse Hessian is that of a sample of rows, scaled to all of them.

    The gradients are exact, so the optimum is that of all rows; the sample only decides how fast it is reached.
    """

    factor: Factor
    tol: float
    max_iter: int = field(default=40)

    def init(self, objective: PenalizedLikelihood, start: Array) -> QuasiNewtonState:
        """Sum the slope at the start."""
        point = objective.slope(objective.fixed(start))
        return QuasiNewtonState(point, (), self._decrement(point), 1, 0, whole=self.factor.whole)

    def step(self, objective: PenalizedLikelihood, state: QuasiNewtonState) -> QuasiNewtonState:
        """Take the full step, or the best of a ladder of shorter ones, and remember what it taught."""
        before = state.point
        step = -two_loops(self.factor, state.pairs, before.gradient)
        slope = float(before.gradient @ step)
        after, cost = objective.slope(objective.fixed(before.w + step)), 1
        overshot = float(after.gradient @ step) > -0.9 * slope
        if overshot or not goes_down(before, after, slope):
            length = best_length(objective, before, step)
            if length == 0.0:
                reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}"
                return replace(state, sweeps=state.sweeps + 2, iterations=state.iterations + 1, stalled=reason)
            after, cost = objective.slope(objective.fixed(before.w + length * step)), 3
        pairs = remembered(state.pairs, after.w - before.w, after.gradient - before.gradient, MEMORY)
        return replace(
            state,
            point=after,
            pairs=pairs,
            decrement=self._decrement(after),
            sweeps=state.sweeps + cost,
            iterations=state.iterations + 1,
        )

    def _decrement(self, point: Point) -> float:
        return float(np.sqrt(max(float(point.gradient @ self.factor.solve(point.gradient)), 0.0)))


def remembered(pairs: Pairs, s: Array, y: Array, most: int) -> Pairs:
    """Give the last `most` pairs with a new one; one that shows no curvature teaches nothing."""
    if s @ y <= 1e-12 * np.sqrt((s @ s) * (y @ y)):
        return pairs
    return (*pairs, (s, y))[-most:]


def two_loops(factor: Factor, pairs: Pairs, gradient: Array) -> Array:
    """Give the inverse Hessian times the gradient by the two-loop recursion (Nocedal & Wright, Alg. 7.4)."""
    q = gradient.copy()
    shares = []
    for s, y in reversed(pairs):
        share = float(s @ q) / float(s @ y)
        shares.append(share)
        q -= share * y
    r = factor.solve(q)
    for (s, y), share in zip(pairs, reversed(shares), strict=True):
        r += (share - float(y @ r) / float(s @ y)) * s
    return r
