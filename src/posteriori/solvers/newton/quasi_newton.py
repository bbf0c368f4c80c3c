"""Quasi-Newton steps on exact gradients, preconditioned by the Hessian of a sample."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver, State, newton_decrement
from posteriori.solvers.line_search import best_length, goes_down

#: How many pairs of steps and gradient changes are stored.
MEMORY = 24
#: How many of the last contraction rates predict the next.
RATES = 3
#: A contraction rate above which no step is taken without evaluating the gradient at its end.
SLOW = 0.1

Pairs = tuple[tuple[Array, Array], ...]


@dataclass(frozen=True, kw_only=True)
class QuasiNewtonState(State):
    """A state with the stored pairs (s, y).

    `factor` is the approximate Hessian, and `decrement` is computed from it; `rates` are the factors by which the last
    steps reduced it. `predicted` says that the gradient was not evaluated at the point: its decrement is predicted from
    the rates.
    """

    factor: SymmetricFactor
    pairs: Pairs = ()
    rates: tuple[float, ...] = ()
    predicted: bool = False


@dataclass(frozen=True)
class QuasiNewton(Solver[PenalizedLikelihood, QuasiNewtonState]):
    """L-BFGS whose initial inverse Hessian is that of a sample of rows, scaled to all of them.

    The gradients are exact, so the optimum is that of all rows; the sample only decides how fast it is reached.
    After the first step, which covers most of the distance, the Hessian is approximated again from a larger `fraction`
    of the rows, in the same pass as the gradient; 0 for none.
    """

    factor: SymmetricFactor
    tol: float
    max_iter: int = field(default=40)
    fraction: float = 0.0

    def init(self, objective: PenalizedLikelihood, start: Array) -> QuasiNewtonState:
        """Sum the gradient at the start."""
        point = objective.slope(objective.fixed(start))
        return QuasiNewtonState(
            point=point,
            factor=self.factor,
            decrement=_decrement(self.factor, point),
            sweeps=1,
            nonsingular=self.factor.nonsingular,
        )

    def step(self, objective: PenalizedLikelihood, state: QuasiNewtonState) -> QuasiNewtonState:
        """Take the full step, or the best shorter one, and store its pair."""
        before = state.point
        step = -two_loops(state.factor, state.pairs, before.gradient)
        slope = float(before.gradient @ step)
        after, cost, length = self._evaluate(objective, objective.fixed(before.w + step), state), 1, 1.0
        overshot = float(after.gradient @ step) > -0.9 * slope
        if overshot or not goes_down(before, after, slope):
            length = best_length(objective, before, step)
            if length == 0.0:
                return state.after_failure(sweeps=2)
            after, cost = objective.slope(objective.fixed(before.w + length * step)), 3
        factor = state.factor if after.hessian is None else SymmetricFactor.of(objective.stiffened(after.hessian))
        factor = factor if factor.nonsingular else state.factor
        decrement = _decrement(factor, after)
        return replace(
            state,
            point=replace(after, hessian=None),
            factor=factor,
            pairs=with_pair(state.pairs, after.w - before.w, after.gradient - before.gradient, MEMORY),
            decrement=decrement,
            sweeps=state.sweeps + cost,
            iterations=state.iterations + 1,
            rates=(*state.rates, decrement / max(state.decrement, 1e-300))[-RATES:],
            rate=length,
        )

    def last(self, objective: PenalizedLikelihood, state: QuasiNewtonState) -> QuasiNewtonState:
        """Take one more step if the tolerance then holds at twice the slowest of the last rates; else return the state.

        The end of that step is not evaluated: g(w + step) = (I - H B^-1) g to first order, B the approximation of H,
        and the rates say how much that shrinks a gradient. The decrement they predict is the one certified.
        """
        rate = 2.0 * max(state.rates, default=1.0)
        predicted = state.decrement * rate
        if len(state.rates) < RATES or predicted > self.tol or rate > 2.0 * SLOW or state.decrement <= self.tol:
            return state
        step = -two_loops(state.factor, state.pairs, state.point.gradient)
        point = replace(
            state.point,
            w=objective.fixed(state.point.w + step),
            odds=state.point.odds * rate**2,  # they prove overlap against the square of the decrement they came with
        )
        return replace(state, point=point, decrement=predicted, iterations=state.iterations + 1, predicted=True)

    def done(self, state: QuasiNewtonState) -> str:
        """Return why the iteration stops, and whether the decrement is predicted."""
        reason = super().done(state)
        return f"{reason}, predicted from the last steps: the gradient was not evaluated" if state.predicted else reason

    def _evaluate(self, objective: PenalizedLikelihood, w: Array, state: QuasiNewtonState) -> Point:
        if self.fraction and state.iterations == 0:
            return objective.thinned(w, self.fraction)
        return objective.slope(w)


def _decrement(factor: SymmetricFactor, point: Point) -> float:
    return newton_decrement(point.gradient, -factor.solve(point.gradient))


def with_pair(pairs: Pairs, s: Array, y: Array, most: int) -> Pairs:
    """Return the last `most` pairs including a new one, which is skipped if its curvature s'y is not positive."""
    if s @ y <= 1e-12 * np.sqrt((s @ s) * (y @ y)):
        return pairs
    return (*pairs, (s, y))[-most:]


def two_loops(factor: SymmetricFactor, pairs: Pairs, gradient: Array) -> Array:
    """Return the inverse Hessian times the gradient by the two-loop recursion (Nocedal & Wright, Alg. 7.4)."""
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
