"""The fast way: Newton on a sample of rows, then a few exact sweeps over all of them."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.engines.select import engine_for
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.base import Array
from posteriori.solvers.newton import Factor, Newton, NewtonState
from posteriori.solvers.quasi_newton import QuasiNewton, QuasiNewtonState
from posteriori.statistics.sample import Sample
from posteriori.tables.features import Features
from posteriori.tables.table import MemoryTable, Table

#: Sweeps of quasi-Newton without halving the decrement after which the exact Hessian is summed instead.
PATIENCE = 4


def sample_table(sample: Sample, table: Table, class_rows: Array) -> MemoryTable:
    """Lay a sample out as a table whose weights stand for all rows: each class N_k / m_k times its own."""
    features, targets, weights, offset = sample.rows
    factor = (class_rows / np.maximum(np.bincount(sample.codes, minlength=len(class_rows)), 1))[sample.codes]
    if targets.ndim == 2:
        targets = targets * factor[:, None]
    else:
        weights = factor if weights is None else weights * factor
    return MemoryTable(Features(features, table.schema), targets, weights, offset)


@dataclass(frozen=True)
class Sampled:
    """Newton on the sample; its Hessian preconditions quasi-Newton on exact gradients; exact Newton if that drags."""

    sample: MemoryTable
    tol: float
    max_iter: int = 100

    def solve(self, objective: PenalizedLikelihood, start: Array) -> tuple[NewtonState | QuasiNewtonState, str]:
        """Give the last state and the reason it is the last."""
        small = objective.on(engine_for(self.sample))
        # the sample's optimum is sqrt(p n / m) decrements away from that of all rows: no use in polishing it
        rough = 0.03 * np.sqrt(objective.n_free * objective.engine.table.n_rows / self.sample.n_rows)
        warm, _ = Newton(tol=float(rough), max_iter=25).solve(small, start)
        assert warm.point.hessian is not None
        quasi = QuasiNewton(Factor.of(objective.stiffened(warm.point.hessian)), tol=self.tol, max_iter=self.max_iter)
        state, best, waited = quasi.init(objective, warm.point.w + warm.step), np.inf, 0
        while not (reason := quasi.done(state)):
            state = quasi.step(objective, state)
            waited = 0 if state.decrement < 0.5 * best else waited + 1
            best = min(best, state.decrement)
            if waited >= PATIENCE:
                break
        if state.decrement <= self.tol:
            return state, reason
        exact, reason = Newton(tol=self.tol, max_iter=self.max_iter).solve(objective, state.point.w)
        return replace(exact, sweeps=exact.sweeps + state.sweeps, iterations=exact.iterations + state.iterations), reason


