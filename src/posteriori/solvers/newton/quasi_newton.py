"""Quasi-Newton steps on exact gradients, preconditioned by the Hessian of a sample."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver
from posteriori.solvers.line_search import best_length, goes_down

#: How many pairs of steps and gradient changes are remembered.
MEMORY = 24
#: How many of the last rates speak for the next.
RATES = 3
#: A rate above which no step is trusted unseen.
SLOW = 0.1

Pairs = tuple[tuple[Array, Array], ...]


@dataclass(frozen=True)
class QuasiNewtonState:
    """A point, a guess of the Hessian, the remembered pairs (s, y), and what it has cost.

    `decrement` is by the guess; `rates` are the factors by which the last steps shrank it. It is `promised` by them
    where the point was reached without a reading.
    """

    point: Point
    factor: SymmetricFactor
    pairs: Pairs
    decrement: float
    sweeps: int
    iterations: int
    stalled: str = ""
    nonsingular: bool = True
    rates: tuple[float, ...] = ()
    promised: bool = False
    rate: float = 1.0


@dataclass(frozen=True)
class QuasiNewton(Solver):
    """L-BFGS whose first guess of the inverse Hessian is that of a sample of rows, scaled to all of them.

    The gradients are exact, so the optimum is that of all rows; the sample only decides how fast it is reached.
    After the first step, which is most of the way, the guess is made again from a larger `fraction` of the rows, in
    the same reading as the gradient; 0 for none.
    """

    factor: SymmetricFactor
    tol: float
    max_iter: int = field(default=40)
    fraction: float = 0.0

    def init(self, objective: PenalizedLikelihood, start: Array) -> QuasiNewtonState:
        """Sum the slope at the start."""
        point = objective.slope(objective.fixed(start))
        nonsingular = self.factor.nonsingular
        return QuasiNewtonState(point, self.factor, (), _decrement(self.factor, point), 1, 0, nonsingular=nonsingular)

    def step(self, objective: PenalizedLikelihood, state: QuasiNewtonState) -> QuasiNewtonState:
        """Take the full step, or the best of a ladder of shorter ones, and remember what it taught."""
        before = state.point
        step = -two_loops(state.factor, state.pairs, before.gradient)
        slope = float(before.gradient @ step)
        after, cost, length = self._read(objective, objective.fixed(before.w + step), state), 1, 1.0
        overshot = float(after.gradient @ step) > -0.9 * slope
        if overshot or not goes_down(before, after, slope):
            length = best_length(objective, before, step)
            if length == 0.0:
                reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}"
                return replace(state, sweeps=state.sweeps + 2, iterations=state.iterations + 1, stalled=reason)
            after, cost = objective.slope(objective.fixed(before.w + length * step)), 3
        factor = state.factor if after.hessian is None else SymmetricFactor.of(objective.stiffened(after.hessian))
        factor = factor if factor.nonsingular else state.factor
        decrement = _decrement(factor, after)
        return replace(
            state,
            point=replace(after, hessian=None),
            factor=factor,
            pairs=remembered(state.pairs, after.w - before.w, after.gradient - before.gradient, MEMORY),
            decrement=decrement,
            sweeps=state.sweeps + cost,
            iterations=state.iterations + 1,
            rates=(*state.rates, decrement / max(state.decrement, 1e-300))[-RATES:],
            rate=length,
        )

    def last(self, objective: PenalizedLikelihood, state: QuasiNewtonState) -> QuasiNewtonState:
        """Take the step after which, at twice the slowest rate of the last ones, the tolerance holds, or none.

        A step whose end needs no reading: g(w + step) = (I - H B^-1) g to first order, B the guess of H, and the
        rates say how much that shrinks a gradient. What they promise becomes the decrement certified.
        """
        rate = 2.0 * max(state.rates, default=1.0)
        promised = state.decrement * rate
        if len(state.rates) < RATES or promised > self.tol or rate > 2.0 * SLOW or state.decrement <= self.tol:
            return state
        step = -two_loops(state.factor, state.pairs, state.point.gradient)
        point = replace(
            state.point,
            w=objective.fixed(state.point.w + step),
            odds=state.point.odds * rate**2,  # they prove overlap against the square of the decrement they came with
        )
        return replace(state, point=point, decrement=promised, iterations=state.iterations + 1, promised=True)

    def done(self, state: QuasiNewtonState) -> str:  # type: ignore[override]
        """Say why the iteration is over, and whether the last step was taken unseen."""
        reason = super().done(state)
        return f"{reason}, by the rate of the steps before a last one that was not read" if state.promised else reason

    def _read(self, objective: PenalizedLikelihood, w: Array, state: QuasiNewtonState) -> Point:
        if self.fraction and state.iterations == 0:
            return objective.thinned(w, self.fraction)
        return objective.slope(w)


def _decrement(factor: SymmetricFactor, point: Point) -> float:
    return float(np.sqrt(max(float(point.gradient @ factor.solve(point.gradient)), 0.0)))


def remembered(pairs: Pairs, s: Array, y: Array, most: int) -> Pairs:
    """Give the last `most` pairs with a new one; one that shows no curvature teaches nothing."""
    if s @ y <= 1e-12 * np.sqrt((s @ s) * (y @ y)):
        return pairs
    return (*pairs, (s, y))[-most:]


def two_loops(factor: SymmetricFactor, pairs: Pairs, gradient: Array) -> Array:
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
