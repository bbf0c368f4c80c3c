"""The fast way: Newton on a sample of rows, then a few exact sweeps over all of them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Watch, unwatched
from posteriori.solvers.newton.newton import Newton, NewtonState
from posteriori.solvers.newton.quasi_newton import QuasiNewton, QuasiNewtonState
from posteriori.statistics.sample import Sample
from posteriori.tables.memory import MemoryTable

#: Sweeps of quasi-Newton without halving the decrement after which the exact Hessian is summed instead.
PATIENCE = 4
#: Decrement below which exact Newton goes on from where quasi-Newton dragged, not from the start.
NEAR = 10.0
#: Rows for each coefficient in the smallest part of the sample.
PER_COEFFICIENT = 15
#: Parts of the sample on which the start is found, each from the point of the one before.
LADDER = (0.05, 0.25, 1.0)


def sample_tables(
    sample: Sample, table: MemoryTable, class_rows: NDArray[np.float64], n_parameters: int
) -> tuple[MemoryTable, ...]:
    """Lay parts of a sample out as tables whose weights stand for all rows: each class N_k / m_k times its own.

    The smallest part has `PER_COEFFICIENT` rows for each coefficient, below which its optimum is no start.
    """
    tables = []
    least = min(1.0, PER_COEFFICIENT * n_parameters / max(len(sample.rows), 1))
    for fraction in sorted({max(fraction, least) for fraction in LADDER}):
        part = sample if fraction == 1.0 else sample.settled(fraction)
        factor = class_rows / np.maximum(np.bincount(part.codes, minlength=len(class_rows)), 1)
        tables.append(table.picked(part.rows, factor[part.codes]))
    return tuple(tables)


@dataclass(frozen=True)
class Sampled:
    """Newton on the sample; its Hessian preconditions quasi-Newton on exact gradients; exact Newton if that drags.

    Where the start is `given` by the user, it is tried against the sample's optimum: one sweep, which a good start
    saves several times over.
    """

    samples: tuple[MemoryTable, ...]
    tol: float
    max_iter: int = 100
    given: bool = False

    def solve(
        self, objective: PenalizedLikelihood, start: Array, watch: Watch = unwatched
    ) -> tuple[NewtonState | QuasiNewtonState, str]:
        """Give the last state and the reason it is the last."""
        w, factor = self._warm(objective, start)
        if not factor.nonsingular:  # a column the sample hardly shows: its Hessian would lead astray
            return Newton(tol=self.tol, max_iter=self.max_iter).solve(objective, start, watch)
        quasi = QuasiNewton(factor, self.tol, self.max_iter, self._fraction(objective))
        state, best, waited, reason = quasi.init(objective, w), np.inf, 0, ""
        if not np.isfinite(state.point.gradient).all():
            return state, "some cells are not finite"
        if self.given:
            other = quasi.init(objective, start)
            state = replace(other if other.point.value <= state.point.value else state, sweeps=2)
        if self._is_astray(objective, state, start):
            return Newton(tol=self.tol, max_iter=self.max_iter).solve(objective, start, watch)
        watch(state)
        while waited < PATIENCE and not (reason := quasi.done(state)):
            state = quasi.last(objective, quasi.step(objective, state))
            watch(state)
            waited = 0 if state.decrement < 0.5 * best else waited + 1
            best = min(best, state.decrement)
        if state.decrement <= self.tol:
            return state, reason
        near = state.point.w if best < NEAR else start
        exact, reason = Newton(tol=self.tol, max_iter=self.max_iter).solve(objective, near, watch)
        return replace(
            exact, sweeps=exact.sweeps + state.sweeps, iterations=exact.iterations + state.iterations
        ), reason

    def _fraction(self, objective: PenalizedLikelihood) -> float:
        """Choose the fraction of rows whose Hessian costs about half a sweep; 0 where the sample is about as many.

        Of a class sampled more densely than that, a fraction of the rows would show less than the sample.
        """
        fraction = min(0.25, 9.0 / objective.n_parameters)
        table, K = objective.engine.table, objective.link.n_classes
        if fraction * table.n_rows < 2.0 * self.samples[-1].n_rows:
            return 0.0
        assert isinstance(table, MemoryTable)
        densest = (self.samples[-1].class_sizes(K)[0] / np.maximum(table.class_sizes(K)[0], 1)).max()
        return fraction if fraction > densest else 0.0

    def _is_astray(self, objective: PenalizedLikelihood, state: QuasiNewtonState, start: Array) -> bool:
        """Say whether the sample's optimum is no start for all rows: further off than chance puts it, and no lower.

        A sample of m of n rows puts its optimum some sqrt(p n / m) decrements from that of all.
        """
        chance = np.sqrt(objective.n_free * objective.engine.table.n_rows / self.samples[-1].n_rows)
        return state.decrement > 4.0 * chance and state.point.value > self._value_at(objective, start)

    def _value_at(self, objective: PenalizedLikelihood, start: Array) -> float:
        """Give the objective at the start as a part of the sample sees it."""
        return objective.on(engine_for(self.samples[len(self.samples) // 2])).slope(start).value

    def _warm(self, objective: PenalizedLikelihood, start: Array) -> tuple[Array, SymmetricFactor]:
        """Reach the optimum of the smallest part by quasi-Newton, then take one Newton step on each larger one."""
        smallest, *larger = self.samples
        small = objective.on(engine_for(smallest))
        factor = self._factor_at(small, small.descent(start))
        # a part's optimum is sqrt(p n / m) decrements away from that of all rows: no use in polishing it
        rough = 0.1 * np.sqrt(objective.n_free * objective.engine.table.n_rows / smallest.n_rows)
        warm, _ = QuasiNewton(factor, tol=float(rough), max_iter=50).solve(small, start)
        w = warm.point.w
        for part in larger:
            if not factor.nonsingular:
                break
            point = objective.on(engine_for(part)).descent(w)
            factor = self._factor_at(objective, point)
            w = w - factor.solve(point.gradient)
        return w, factor

    def _factor_at(self, objective: PenalizedLikelihood, point: Point) -> SymmetricFactor:
        assert point.hessian is not None
        return SymmetricFactor.of(objective.stiffened(point.hessian))
