"""Nonlinear conjugate gradients on the log likelihood."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.first_order.base import FirstOrder, FirstOrderState
from posteriori.solvers.line_search import best_length, goes_down

#: Part of the first slope along a line that may be left at its end.
LEFT = 0.1
#: How many times the first length a line may be followed.
FARTHEST = 10.0


@dataclass(frozen=True, kw_only=True)
class ConjugateState(FirstOrderState):
    """The direction to take, and whether it is that of steepest descent."""

    direction: Array
    fresh: bool = True


@dataclass(frozen=True, kw_only=True)
class ConjugateGradient(FirstOrder):
    """w <- w + t d with d = -g + beta d_before, g measured in units of each coefficient's curvature at the start.

    beta = max(0, g'(g - g_before) / g_before'g_before) (Polak & Ribiere 1969); at zero the search starts anew. The
    length t comes from the curvature along d, a product with the Hessian: exact for a quadratic. Where slope is left
    at its end a secant step follows; where it went up, one sweep looks at a ladder of shorter lengths.

    Book: [Mitchell] §3.2 (conjugate gradient ascent).
    """

    early: ClassVar[int] = 50
    max_iter: int = field(default=2000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> ConjugateState:
        """Start along the steepest descent."""
        return ConjugateState(**vars(state), direction=_steepest(state, state.point))

    def step(self, objective: PenalizedLikelihood, state: ConjugateState) -> ConjugateState:
        """Follow the direction to about its lowest point, and choose the next."""
        after, length, cost = _lowest(objective, state.point, state.direction)
        if after is None and not state.fresh:
            after, length, more = _lowest(objective, state.point, _steepest(state, state.point))
            cost += more
        if after is None:
            reason = f"no step goes down at a Newton decrement of {state.decrement:.2g}: the limit of rounding"
            return replace(state, stalled=reason, sweeps=state.sweeps + cost, iterations=state.iterations + 1)
        direction, fresh = _next(state, after)
        changes = {"direction": direction, "fresh": fresh}
        moved: ConjugateState = self.moved(
            objective, state, point=after, sweeps=state.sweeps + cost, rate=length, **changes
        )
        return moved


def _steepest(state: FirstOrderState, point: Point) -> Array:
    """Give the direction of steepest descent, each coefficient in units of its curvature at the start."""
    return -state.common.leave(point.gradient / state.yardstick.size)


def _next(state: ConjugateState, after: Point) -> tuple[Array, bool]:
    """Give the direction by Polak and Ribiere, or the steepest where that does not go down; and whether it is that."""
    g, before, size = after.gradient, state.point.gradient, state.yardstick.size
    beta = max(0.0, float(g @ ((g - before) / size)) / max(float(before @ (before / size)), 1e-300))
    steepest = _steepest(state, after)
    direction = steepest + beta * state.direction
    # directions nearly across the gradient lead nowhere
    steep = float(g @ (g / size))
    if beta == 0.0 or not float(g @ direction) < -1e-3 * steep:
        return steepest, True
    return direction, False


def _lowest(objective: PenalizedLikelihood, before: Point, direction: Array) -> tuple[Point | None, float, int]:
    """Give about the lowest point along a direction, its length, and the sweeps it took; None where none is lower."""
    slope = float(before.gradient @ direction)
    bend = float(direction @ objective.product(before.w, direction))
    length = -slope / bend if bend > 0 else 1.0
    after = objective.slope(objective.fixed(before.w + length * direction))
    if not goes_down(before, after, length * slope):
        shorter = length * best_length(objective, before, length * direction)
        if shorter == 0.0:
            return None, 0.0, 3
        return objective.slope(objective.fixed(before.w + shorter * direction)), shorter, 4
    left = float(after.gradient @ direction)
    if abs(left) <= LEFT * -slope:
        return after, length, 2
    # between two slopes of a convex function the secant is safe; past the second it is held to a few lengths
    farther = length * min(slope / (slope - left), FARTHEST) if left > slope else length * FARTHEST
    other = objective.slope(objective.fixed(before.w + farther * direction))
    better = goes_down(before, other, farther * slope) and abs(float(other.gradient @ direction)) < abs(left)
    return (other, farther, 3) if better else (after, length, 3)
