"""Fisher scoring with L-BFGS updates: for objectives whose information is known but whose Hessian is not."""

from dataclasses import dataclass, field, replace

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver, State, newton_decrement
from posteriori.solvers.line_search import descend
from posteriori.solvers.newton.quasi_newton import Pairs, two_loops, with_pair

#: How many pairs of steps and gradient changes are stored.
MEMORY = 10


@dataclass(frozen=True, kw_only=True)
class ScoringState(State):
    """A state with the factored information and the stored pairs (s, y)."""

    factor: SymmetricFactor
    pairs: Pairs


@dataclass(frozen=True)
class Scoring(Solver[PenalizedLikelihood, ScoringState]):
    """w <- w - I(w)^-1 g, I the information at w, corrected by L-BFGS pairs for the rest of the curvature.

    Scoring alone leaves a part of the error at each step, the larger the fewer the rows; the pairs remove it.
    A step that goes up is shortened, and where no length goes down the pairs are discarded. The curvature of Jeffreys'
    prior is about that of one row per coefficient: the information of rows that weigh less in all is scaled up to that.
    """

    tol: float
    max_iter: int = field(default=100)

    def init(self, objective: PenalizedLikelihood, start: Array) -> ScoringState:
        """Sum the information at the start."""
        return self._at(objective, objective.curvature(objective.fixed(start)), (), 2, 0)

    def step(self, objective: PenalizedLikelihood, state: ScoringState) -> ScoringState:
        """Take the full step, or the best shorter one."""
        before = state.point
        step = -two_loops(state.factor, state.pairs, before.gradient)
        after, length = descend(objective, lambda w: objective.curvature(objective.fixed(w)), before, step)
        if after is None:
            return state.after_failure(sweeps=18, **({"pairs": ()} if state.pairs else {}))
        pairs = with_pair(state.pairs, after.w - before.w, after.gradient - before.gradient, MEMORY)
        sweeps = state.sweeps + (2 if length == 1.0 else 20)
        return replace(self._at(objective, after, pairs, sweeps, state.iterations + 1), rate=length)

    def _at(
        self, objective: PenalizedLikelihood, point: Point, pairs: Pairs, sweeps: int, iterations: int
    ) -> ScoringState:
        assert point.hessian is not None
        factor = SymmetricFactor.of(objective.stiffened(point.hessian) * _scale(objective))
        return ScoringState(
            point=point,
            factor=factor,
            pairs=pairs,
            decrement=newton_decrement(point.gradient, -factor.solve(point.gradient)),
            sweeps=sweeps,
            iterations=iterations,
            nonsingular=factor.nonsingular,
        )


def _scale(objective: PenalizedLikelihood) -> float:
    return max(1.0, objective.n_free / max(float(objective.rows.weights.sum()), 1e-300))
