"""Batch gradient ascent of the log likelihood: with a safe step, or with the fixed one of the book."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.first_order.base import FirstOrder, FirstOrderState
from posteriori.solvers.user_units import gradient_in_data, step_from_data

#: The parameter t of the momentum after one step: t^2 - t = 1.
FIRST_AGE = 0.5 * (1.0 + 5.0**0.5)
#: Factor on the curvature bound from one step to the next, so that it can decrease.
BOUND_DECAY = 0.97
#: Step lengths tried before giving up, each at most half the one before.
TRIALS = 60


@dataclass(frozen=True, kw_only=True)
class GradientState(FirstOrderState):
    """A state with the coefficients before the last step, the parameter t of the momentum, and the curvature bound."""

    previous: Array
    age: float
    bound: float


@dataclass(frozen=True, kw_only=True)
class Gradient(FirstOrder):
    """w <- w + grad l(w) / L with momentum, L a bound on the curvature that each step is tested against.

    Each coefficient is measured in units of its own curvature at the start (for standardised columns nearly the
    same). A step is accepted if the curvature along it was no larger than L; otherwise L grows and the step is
    shortened. Steps start from an extrapolated point, w + beta (w - previous w) (Nesterov 1983), and where that leads
    up the momentum is reset (O'Donoghue & Candes 2015): the likelihood never falls.

    Book: [Mitchell] §3.2; [Jordan] Eq. 7.64, §7.3.1; [Sugiyama] §28.1.

    Notes
    -----
    [Mitchell] says that gradient ascent converges to the maximum: true if there is one and the step is small
    enough, which L ensures. Plain steps of 1/L would need about kappa log(1/tol) of them, kappa the condition number
    of the Hessian; the momentum makes that sqrt(kappa) log(1/tol).
    """

    max_iter: int = field(default=10_000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> GradientState:
        """Start without momentum."""
        return GradientState(**vars(state), previous=state.point.w, age=1.0, bound=1.0)

    def step(self, objective: PenalizedLikelihood, state: GradientState) -> GradientState:
        """Step from the extrapolated point; where that goes up, from the current one."""
        here, age = state.point, 0.5 * (1.0 + float(np.sqrt(1.0 + 4.0 * state.age**2)))
        beta, sweeps = (state.age - 1.0) / age, state.sweeps
        bound, after = BOUND_DECAY * state.bound, None
        if beta > 0:
            ahead = objective.slope(objective.fixed(here.w + beta * (here.w - state.previous)))
            after, bound, cost = self._descend(objective, ahead, bound, state)
            sweeps += cost + 1
            if after is not None and not _is_below(here, after):
                after = None
        if after is None:
            age, (after, bound, cost) = FIRST_AGE, self._descend(objective, here, bound, state)
            sweeps += cost
        if after is None or not _is_below(here, after):
            return state.after_failure(sweeps=sweeps - state.sweeps)
        return self.moved(
            objective, state, point=after, sweeps=sweeps, rate=1.0 / bound, previous=here.w, age=age, bound=bound
        )

    def _descend(
        self, objective: PenalizedLikelihood, base: Point, bound: float, state: GradientState
    ) -> tuple[Point | None, float, int]:
        """Return the point after a step 1 / L, L at least the curvature along it (None if there is none), L, sweeps."""
        size = state.estimate.size
        steepest = state.common.remove(base.gradient / size)
        for trial in range(1, TRIALS + 1):
            after = objective.slope(objective.fixed(base.w - steepest / bound))
            if not np.isfinite(after.value):
                bound *= 4.0
                continue
            step = after.w - base.w
            length = float(step @ (size * step))
            # from gradients: near the optimum differences of values are all rounding
            curvature = float(step @ (after.gradient - base.gradient))
            if curvature <= bound * length:
                return after, bound, trial
            bound = max(2.0 * bound, 1.01 * curvature / length)
        return None, bound, TRIALS


def _is_below(here: Point, after: Point) -> bool:
    """Return whether a point is lower, or equal up to rounding with the objective still decreasing there."""
    rounding = 1e-13 * (1.0 + abs(here.value))
    if after.value > here.value + 10.0 * rounding:
        return False
    return after.value < here.value - 100.0 * rounding or float(after.gradient @ (after.w - here.w)) <= 0.0


@dataclass(frozen=True, kw_only=True)
class PlainGradient(FirstOrder):
    """w <- w + rate grad l(w), the rate fixed, the columns in the user's own units.

    Book: [Mitchell] §3.2. The rate is not checked: above 2 / L, L the largest curvature, steps overshoot.
    """

    sets_common_shift: ClassVar[bool] = False
    remedy: ClassVar[str] = (
        "Use a smaller rate if the objective went up; otherwise raise max_iter. With rate=None the step length is safe."
    )
    rate: float
    max_iter: int = field(default=10_000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> FirstOrderState:
        """Return the state: nothing is added."""
        return state

    def step(self, objective: PenalizedLikelihood, state: FirstOrderState) -> FirstOrderState:
        """Take the step, without a check that it goes down."""
        here, units = state.point, objective.units
        shape = (objective.link.n_scores, units.n_coefficients)
        with np.errstate(over="ignore", invalid="ignore"):
            uphill = step_from_data(units, gradient_in_data(units, here.gradient.reshape(shape))).ravel()
            after = objective.slope(objective.fixed(here.w - self.rate * uphill))
        if not (np.isfinite(after.value) and np.isfinite(after.gradient).all()):
            reason = f"the step of rate {self.rate:g} left the range of floats"
            return state.after_failure(sweeps=1, stalled=reason, rises=state.rises + 1)
        rises = state.rises + int(after.value > here.value + 1e-12 * (1.0 + abs(here.value)))
        return self.moved(objective, state, point=after, sweeps=state.sweeps + 1, rate=self.rate, rises=rises)
