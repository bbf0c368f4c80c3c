"""Batch gradient ascent of the log likelihood: with a safe step, or with the fixed one of the book."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.first_order.base import FirstOrder, FirstOrderState
from posteriori.solvers.user_units import gradient_in_data, step_from_data

#: The age of a momentum after one step: t with t^2 - t = 1.
YOUNG = 0.5 * (1.0 + 5.0**0.5)
#: How much of the curvature bound is kept from one step to the next, so that it can fall.
EASED = 0.97
#: Lengths tried before a step is given up: each at most half the one before.
TRIALS = 60


@dataclass(frozen=True, kw_only=True)
class GradientState(FirstOrderState):
    """Where the last step came from, how many steps the momentum is old, and the bound on the curvature."""

    previous: Array
    age: float
    bound: float


@dataclass(frozen=True, kw_only=True)
class Gradient(FirstOrder):
    """w <- w + grad l(w) / L with momentum, L a bound on the curvature that each step is tested against.

    Each coefficient is measured in units of its own curvature at the start (for standardised columns all but the
    same). A step is kept if the curvature it met was no larger than L; otherwise L grows and the step is taken
    again, shorter. Steps leave from a point ahead, w + beta (w - previous w) (Nesterov 1983), and where that leads
    up the momentum is forgotten (O'Donoghue & Candes 2015): the likelihood never falls.

    Book: [Mitchell] §3.2; [Jordan] Eq. 7.64, §7.3.1; [Sugiyama] §28.1.

    Notes
    -----
    [Mitchell] says that gradient ascent converges to the maximum: so it does if there is one and the step is small
    enough, which L sees to. Plain steps of 1/L would need some kappa log(1/tol) of them, kappa the condition number
    of the Hessian; the momentum makes that sqrt(kappa) log(1/tol).
    """

    max_iter: int = field(default=10_000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> GradientState:
        """Start without momentum."""
        return GradientState(**vars(state), previous=state.point.w, age=1.0, bound=1.0)

    def step(self, objective: PenalizedLikelihood, state: GradientState) -> GradientState:
        """Step from the point ahead; where that goes up, from where we are."""
        here, age = state.point, 0.5 * (1.0 + float(np.sqrt(1.0 + 4.0 * state.age**2)))
        beta, sweeps = (state.age - 1.0) / age, state.sweeps
        bound, after = EASED * state.bound, None
        if beta > 0:
            ahead = objective.slope(objective.fixed(here.w + beta * (here.w - state.previous)))
            after, bound, cost = self._descend(objective, ahead, bound, state)
            sweeps += cost + 1
            if after is not None and not _is_below(here, after):
                after = None
        if after is None:
            age, (after, bound, cost) = YOUNG, self._descend(objective, here, bound, state)
            sweeps += cost
        if after is None or not _is_below(here, after):
            reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
            return replace(state, stalled=reason, sweeps=sweeps, iterations=state.iterations + 1)
        changes = {"previous": here.w, "age": age, "bound": bound}
        moved: GradientState = self.moved(objective, state, point=after, sweeps=sweeps, rate=1.0 / bound, **changes)
        return moved

    def _descend(
        self, objective: PenalizedLikelihood, base: Point, bound: float, state: GradientState
    ) -> tuple[Point | None, float, int]:
        """Give the point a step of 1 / L away, L large enough for the curvature met; None where there is no such L."""
        size = state.yardstick.size
        steepest = state.common.leave(base.gradient / size)
        for trial in range(1, TRIALS + 1):
            after = objective.slope(objective.fixed(base.w - steepest / bound))
            if not np.isfinite(after.value):
                bound *= 4.0
                continue
            step = after.w - base.w
            length = float(step @ (size * step))
            # by gradients: near the optimum differences of values are all rounding
            met = float(step @ (after.gradient - base.gradient))
            if met <= bound * length:
                return after, bound, trial
            bound = max(2.0 * bound, 1.01 * met / length)
        return None, bound, TRIALS


def _is_below(here: Point, after: Point) -> bool:
    """Say whether a point is lower, or level to rounding and still on its way down."""
    rounding = 1e-13 * (1.0 + abs(here.value))
    if after.value > here.value + 10.0 * rounding:
        return False
    return after.value < here.value - 100.0 * rounding or float(after.gradient @ (after.w - here.w)) <= 0.0


@dataclass(frozen=True, kw_only=True)
class PlainGradient(FirstOrder):
    """w <- w + rate grad l(w), the rate fixed, the columns in the user's own units.

    Book: [Mitchell] §3.2. Nothing guards the rate: past 2 / L, L the largest curvature, steps overshoot.
    """

    levels: ClassVar[bool] = False
    remedy: ClassVar[str] = (
        "Use a smaller rate if the objective went up; otherwise raise max_iter. With rate=None the step length is safe."
    )
    rate: float
    max_iter: int = field(default=10_000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> FirstOrderState:
        """Nothing is remembered."""
        return state

    def step(self, objective: PenalizedLikelihood, state: FirstOrderState) -> FirstOrderState:
        """Take the step, wherever it leads."""
        here, units = state.point, objective.units
        shape = (objective.link.n_scores, units.n_coefficients)
        with np.errstate(over="ignore", invalid="ignore"):
            uphill = step_from_data(units, gradient_in_data(units, here.gradient.reshape(shape))).ravel()
            after = objective.slope(objective.fixed(here.w - self.rate * uphill))
        if not (np.isfinite(after.value) and np.isfinite(after.gradient).all()):
            reason = f"the step of rate {self.rate:g} left the range of floats"
            return replace(
                state, stalled=reason, rises=state.rises + 1, sweeps=state.sweeps + 1, iterations=state.iterations + 1
            )
        rises = state.rises + int(after.value > here.value + 1e-12 * (1.0 + abs(here.value)))
        moved: FirstOrderState = self.moved(
            objective, state, point=after, sweeps=state.sweeps + 1, rate=self.rate, rises=rises
        )
        return moved
