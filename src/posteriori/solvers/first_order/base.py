"""What solvers that go by gradients share: cheap decrements on the way, exact ones at the end."""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from posteriori.arrays import Array
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Solver, Watch, unwatched
from posteriori.solvers.first_order.decrement_estimate import Yardstick, yardstick_at
from posteriori.solvers.first_order.softmax_gauge import CommonPart

#: Part of the decrement where the Hessian was last taken, below which it is taken again.
RETAKEN = 0.01


@dataclass(frozen=True, kw_only=True)
class FirstOrderState:
    """A point, its decrement (`exact` or by a Hessian nearby), the length of the last step, and what it has cost.

    `began` is the objective at the start, `rises` how many steps went up; `common` keeps K vectors apart.
    """

    point: Point
    yardstick: Yardstick
    decrement: float
    exact: bool
    sweeps: int
    began: float
    common: CommonPart
    iterations: int = 0
    rate: float = 0.0
    rises: int = 0
    stalled: str = ""

    @property
    def factor(self) -> SymmetricFactor | None:
        """The Hessian ready to be solved with."""
        return self.yardstick.factor

    @property
    def nonsingular(self) -> bool:
        """Whether the decrement saw every direction."""
        return self.yardstick.nonsingular


@dataclass(frozen=True, kw_only=True)
class FirstOrder(Solver):
    """Steps that need gradients only. The decrement that ends them is always by the Hessian at the end itself."""

    #: Whether the part common to all classes is set by the prior, and not found by steps.
    levels: ClassVar[bool] = True
    #: What to do if the solver does not converge.
    remedy: ClassVar[str] = "Raise max_iter, or tol if fewer digits are enough; solver='auto' needs fewer sweeps."
    #: Steps after which it is asked whether there is a maximum at all, where that is not plain by then.
    early: ClassVar[int] = 200

    tol: float
    max_iter: int = field(default=1000)

    @abstractmethod
    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> Any:
        """Give the solver's own state at the start."""

    def init(self, objective: PenalizedLikelihood, start: Array, first: Point | None = None) -> Any:
        """Sum slope and Hessian at the start; `first` is that point where it is known."""
        common = CommonPart.of(objective)
        point = objective.slope(objective.fixed(common.set(start) if self.levels else start))
        yardstick, cost = yardstick_at(objective, point, None if first is None else first.hessian)
        return self.begin(
            objective,
            FirstOrderState(
                point=point,
                yardstick=yardstick,
                decrement=yardstick.seen,
                exact=True,
                sweeps=1 + cost,
                began=point.value,
                common=common,
            ),
        )

    def resume(self, objective: PenalizedLikelihood, state: Any, watch: Watch = unwatched) -> tuple[Any, str]:
        """Step from a state until done, and end with the exact decrement."""
        state, reason = super().resume(objective, state, watch)
        if not state.exact:
            state = self.certified(objective, state)
            reason = self.done(state) or reason
        return state, reason

    def moved(self, objective: PenalizedLikelihood, state: Any, **changes: Any) -> Any:
        """Give the state one iteration on, with its decrement; the Hessian is taken again once it may have changed."""
        after = replace(state, **changes, iterations=state.iterations + 1)
        estimate = after.yardstick.estimate(after.point.gradient)
        after = replace(after, decrement=estimate, exact=False)
        near = estimate <= max(self.tol, RETAKEN * after.yardstick.seen)
        return self.certified(objective, after) if near else after

    def certified(self, objective: PenalizedLikelihood, state: Any) -> Any:
        """Give the state with the decrement by the Hessian at its own point."""
        yardstick, cost = yardstick_at(objective, state.point)
        # the unit of steps stays that of the start: what a solver remembers is in it
        yardstick = replace(yardstick, size=state.yardstick.size)
        if yardstick.factor is None:
            gradient = state.point.gradient
            plain = replace(yardstick, ratio=1.0).estimate(gradient)
            yardstick = replace(yardstick, ratio=yardstick.seen / plain if plain > 0 else 1.0)
        return replace(state, yardstick=yardstick, decrement=yardstick.seen, exact=True, sweeps=state.sweeps + cost)

    def done(self, state: Any) -> str:
        """Say why the iteration is over, or nothing while it is not; with what rises of the objective tell."""
        reason = super().done(state)
        arrived = state.decrement <= self.tol and state.nonsingular
        if reason and not arrived and (4 * state.rises > state.iterations or state.point.value > state.began):
            reason += f"; the objective went up in {state.rises} of {state.iterations} steps: the rate is too large"
        return reason
