"""What gradient methods share: estimated Newton decrements during the iterations, exact ones at the end."""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.base import Callback, Solver, State, no_callback
from posteriori.solvers.first_order.decrement_estimate import DecrementEstimate, estimate_at
from posteriori.solvers.first_order.softmax_gauge import CommonShift

#: Fraction of the decrement at the last Hessian below which the Hessian is computed again.
RENEWED = 0.01


@dataclass(frozen=True, kw_only=True)
class FirstOrderState(State):
    """A state whose decrement is `exact`, or an estimate from the Hessian at a point nearby.

    Parameters
    ----------
    estimate : that Hessian
    first_value : the objective at the start
    common : the common shift of K softmax vectors
    rises : how many steps went up
    """

    estimate: DecrementEstimate
    exact: bool = True
    first_value: float
    common: CommonShift
    rate: float = 0.0
    rises: int = 0


Iterate = TypeVar("Iterate", bound=FirstOrderState)


@dataclass(frozen=True, kw_only=True)
class FirstOrder(Solver[PenalizedLikelihood, Any]):
    """Steps that need gradients only. The final decrement always uses the Hessian at the end point."""

    #: Whether the common shift of all classes is computed from the prior instead of by steps.
    sets_common_shift: ClassVar[bool] = True
    #: What to do if the solver does not converge.
    remedy: ClassVar[str] = "Raise max_iter, or tol if fewer digits are enough; solver='auto' needs fewer sweeps."
    #: Steps after which the existence of the maximum is tested, if the solver has not converged by then.
    early: ClassVar[int] = 200

    tol: float
    max_iter: int = field(default=1000)

    @abstractmethod
    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> Any:
        """Return the solver's own state at the start."""

    def init(self, objective: PenalizedLikelihood, start: Array, first: Point | None = None) -> Any:
        """Sum gradient and Hessian at the start; `first` is that point if it is known already."""
        common = CommonShift.of(objective)
        point = objective.slope(objective.fixed(common.apply(start) if self.sets_common_shift else start))
        estimate, cost = estimate_at(objective, point, None if first is None else first.hessian)
        state = FirstOrderState(
            point=point,
            estimate=estimate,
            decrement=estimate.decrement,
            sweeps=1 + cost,
            first_value=point.value,
            common=common,
            factor=estimate.factor,
            nonsingular=estimate.nonsingular,
        )
        return self.begin(objective, state)

    def resume(self, objective: PenalizedLikelihood, state: Any, callback: Callback = no_callback) -> tuple[Any, str]:
        """Step from a state until done, and end with the exact decrement."""
        state, reason = super().resume(objective, state, callback)
        if not state.exact:
            state = self.with_exact_decrement(objective, state)
            reason = self.done(state) or reason
        return state, reason

    def moved(self, objective: PenalizedLikelihood, state: Iterate, **changes: Any) -> Iterate:
        """Return the state one iteration later, with its decrement, exact where it is small."""
        after = replace(state, **changes, iterations=state.iterations + 1)
        decrement = after.estimate.of(after.point.gradient)
        after = replace(after, decrement=decrement, exact=False)
        near = decrement <= max(self.tol, RENEWED * after.estimate.decrement)
        return self.with_exact_decrement(objective, after) if near else after

    def with_exact_decrement(self, objective: PenalizedLikelihood, state: Iterate) -> Iterate:
        """Return the state with its decrement computed from the Hessian at its own point."""
        estimate, cost = estimate_at(objective, state.point)
        # steps stay in units of the start, which momentum and directions are stored in
        estimate = replace(estimate, size=state.estimate.size)
        if estimate.factor is None:
            gradient = state.point.gradient
            plain = replace(estimate, ratio=1.0).of(gradient)
            estimate = replace(estimate, ratio=estimate.decrement / plain if plain > 0 else 1.0)
        return replace(
            state,
            estimate=estimate,
            decrement=estimate.decrement,
            exact=True,
            sweeps=state.sweeps + cost,
            factor=estimate.factor,
            nonsingular=estimate.nonsingular,
        )

    def done(self, state: Any) -> str:
        """Return why the iteration stops here, or an empty string; it mentions steps that went up."""
        reason = super().done(state)
        converged = state.decrement <= self.tol and state.nonsingular
        if reason and not converged and (4 * state.rises > state.iterations or state.point.value > state.first_value):
            reason += f"; the objective went up in {state.rises} of {state.iterations} steps: the rate is too large"
        return reason
