"""Newton on a sample of rows, then a few exact sweeps over all of them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.drawn_rows import DrawnRows
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Callback, no_callback
from posteriori.solvers.newton.newton import Newton, NewtonState
from posteriori.solvers.newton.quasi_newton import QuasiNewton, QuasiNewtonState

#: Sweeps of quasi-Newton without halving the decrement after which the exact Hessian is summed instead.
PATIENCE = 4
#: Decrement below which exact Newton continues from the last quasi-Newton iterate, not from the start.
NEAR = 10.0
#: Rows for each coefficient in the smallest part of the sample.
PER_COEFFICIENT = 15
#: Parts of the sample on which the start is computed, each from the optimum of the one before.
LADDER = (0.05, 0.25, 1.0)


def sample_parts(drawn: DrawnRows, class_rows: NDArray[np.float64], n_parameters: int) -> tuple[Engine, ...]:
    """Return parts of a sample weighted to represent all rows: class k by N_k / m_k.

    The smallest part has `PER_COEFFICIENT` rows for each coefficient; with fewer its optimum is a poor start.
    """
    least = min(1.0, PER_COEFFICIENT * n_parameters / max(drawn.rows.n_rows, 1))
    return tuple(drawn.part(fraction, class_rows) for fraction in sorted({max(each, least) for each in LADDER}))


@dataclass(frozen=True)
class Sampled:
    """Newton on the sample, then quasi-Newton on exact gradients with its Hessian; exact Newton if that is slow.

    A start from the user (`user_start`) is compared with the sample's optimum: one sweep, which a good start saves
    several times over.
    """

    samples: tuple[Engine, ...]
    tol: float
    max_iter: int = 100
    user_start: bool = False

    def solve(
        self, objective: PenalizedLikelihood, start: Array, callback: Callback = no_callback
    ) -> tuple[NewtonState | QuasiNewtonState, str]:
        """Return the last state and the reason it is the last."""
        exact = Newton(tol=self.tol, max_iter=self.max_iter)
        w, factor = self._warm_start(objective, start)
        if not factor.nonsingular:  # a column hardly varies in the sample: its Hessian would mislead
            return exact.solve(objective, start, callback)
        quasi = QuasiNewton(factor, self.tol, self.max_iter, self._fraction(objective))
        state, best, waited, reason = quasi.init(objective, w), np.inf, 0, ""
        if not np.isfinite(state.point.gradient).all():
            return state, "some cells are not finite"
        if self.user_start:
            other = quasi.init(objective, start)
            state = replace(other if other.point.value <= state.point.value else state, sweeps=2)
        if self._is_misleading(objective, state, start):
            return exact.solve(objective, start, callback)
        callback(state)
        while waited < PATIENCE and not (reason := quasi.done(state)):
            state = quasi.last(objective, quasi.step(objective, state))
            callback(state)
            waited = 0 if state.decrement < 0.5 * best else waited + 1
            best = min(best, state.decrement)
        if state.decrement <= self.tol:
            return state, reason
        near = state.point.w if best < NEAR else start
        end, reason = exact.solve(objective, near, callback)
        return replace(end, sweeps=end.sweeps + state.sweeps, iterations=end.iterations + state.iterations), reason

    def _fraction(self, objective: PenalizedLikelihood) -> float:
        """Choose the fraction of rows whose Hessian costs about half a sweep; 0 where the sample is about as many.

        Of a class sampled more densely than that, such a fraction would have fewer rows than the sample.
        """
        fraction = min(0.25, 9.0 / objective.n_parameters)
        engine, sample, K = objective.engine, self.samples[-1], objective.link.n_classes
        if fraction * engine.n_rows < 2.0 * sample.n_rows:
            return 0.0
        densest = (sample.rows(K).rows / np.maximum(engine.rows(K).rows, 1)).max()
        return fraction if fraction > densest else 0.0

    def _is_misleading(self, objective: PenalizedLikelihood, state: QuasiNewtonState, start: Array) -> bool:
        """Return whether the sample's optimum is a poor start: further off than sampling error explains, and no lower.

        The optimum of a sample of m of n rows is about sqrt(p n / m) decrements from that of all.
        """
        sampling_error = np.sqrt(objective.n_free * objective.n_rows / self.samples[-1].n_rows)
        return state.decrement > 4.0 * sampling_error and state.point.value > self._value_at(objective, start)

    def _value_at(self, objective: PenalizedLikelihood, start: Array) -> float:
        """Return the objective at the start, estimated from a part of the sample."""
        return objective.on(self.samples[len(self.samples) // 2]).slope(start).value

    def _warm_start(self, objective: PenalizedLikelihood, start: Array) -> tuple[Array, SymmetricFactor]:
        """Reach the optimum of the smallest part by quasi-Newton, then take one Newton step on each larger one."""
        smallest, *larger = self.samples
        small = objective.on(smallest)
        factor = self._factor_at(small, small.descent(start))
        # a part's optimum is sqrt(p n / m) decrements away from that of all rows: high accuracy is of no use
        tolerance = 0.1 * np.sqrt(objective.n_free * objective.n_rows / smallest.n_rows)
        reached, _ = QuasiNewton(factor, tol=float(tolerance), max_iter=50).solve(small, start)
        w = reached.point.w
        for part in larger:
            if not factor.nonsingular:
                break
            point = objective.on(part).descent(w)
            factor = self._factor_at(objective, point)
            w = w - factor.solve(point.gradient)
        return w, factor

    def _factor_at(self, objective: PenalizedLikelihood, point: Point) -> SymmetricFactor:
        assert point.hessian is not None
        return SymmetricFactor.of(objective.stiffened(point.hessian))
