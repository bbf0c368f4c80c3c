"""Fisher scoring with a memory: for objectives whose information is known but whose Hessian is not."""

from dataclasses import dataclass, field, replace

import numpy as np

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver
from posteriori.solvers.line_search import best_length, goes_down
from posteriori.solvers.newton.quasi_newton import Pairs, remembered, two_loops
from posteriori.tables.memory import MemoryTable

#: How many pairs of steps and gradient changes are remembered.
MEMORY = 10


@dataclass(frozen=True)
class ScoringState:
    """A point with its information factored, the remembered pairs (s, y), and what it has cost."""

    point: Point
    factor: SymmetricFactor
    pairs: Pairs
    decrement: float
    sweeps: int
    iterations: int
    stalled: str = ""
    rate: float = 1.0

    @property
    def nonsingular(self) -> bool:
        """Whether the decrement saw every direction."""
        return self.factor.nonsingular


@dataclass(frozen=True)
class Scoring(Solver):
    """w <- w - I(w)^-1 g, I the information at w, bettered by what earlier steps taught of the rest of the curvature.

    Scoring alone leaves a part of the error at each step, the larger the fewer the rows; the pairs take it out.
    A step that goes up is shortened, and where no length goes down the pairs are forgotten. Jeffreys' prior curves
    about as much as one row per coefficient does: the information of rows that weigh less in all is scaled up to that.
    """

    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> ScoringState:
        """Sum the information at the start."""
        return self._at(objective, objective.curvature(objective.fixed(start)), (), 2, 0)

    def step(self, objective: PenalizedLikelihood, state: ScoringState) -> ScoringState:
        """Take the full step, or the best of a ladder of shorter ones."""
        before = state.point
        step = -two_loops(state.factor, state.pairs, before.gradient)
        slope = float(before.gradient @ step)
        after, cost, length = objective.curvature(objective.fixed(before.w + step)), 2, 1.0
        if not goes_down(before, after, slope):
            length = best_length(objective, before, step)
            cost += 16
            if length == 0.0 and state.pairs:
                return replace(state, pairs=(), sweeps=state.sweeps + cost, iterations=state.iterations + 1)
            if length == 0.0:
                reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
                return replace(state, sweeps=state.sweeps + cost, iterations=state.iterations + 1, stalled=reason)
            after, cost = objective.curvature(objective.fixed(before.w + length * step)), cost + 2
        pairs = remembered(state.pairs, after.w - before.w, after.gradient - before.gradient, MEMORY)
        there = self._at(objective, after, pairs, state.sweeps + cost, state.iterations + 1)
        return replace(there, rate=length)

    def _at(
        self, objective: PenalizedLikelihood, point: Point, pairs: Pairs, sweeps: int, iterations: int
    ) -> ScoringState:
        assert point.hessian is not None
        factor = SymmetricFactor.of(objective.stiffened(point.hessian) * _lift(objective))
        decrement = float(np.sqrt(max(float(point.gradient @ factor.solve(point.gradient)), 0.0)))
        return ScoringState(point, factor, pairs, decrement, sweeps, iterations)


def _lift(objective: PenalizedLikelihood) -> float:
    table = objective.engine.table
    assert isinstance(table, MemoryTable)
    _, totals = table.class_sizes(objective.link.n_classes)
    return max(1.0, objective.n_free / max(float(totals.sum()), 1e-300))
