"""Nonlinear conjugate gradients on the log likelihood."""

from dataclasses import dataclass, field
from typing import ClassVar

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.first_order.base import FirstOrder, FirstOrderState
from posteriori.solvers.line_search import best_length, goes_down

#: Fraction of the first slope along a line that its end point may have.
SLOPE_TOLERANCE = 0.1
#: How many times the first length a line may be followed.
FARTHEST = 10.0


@dataclass(frozen=True, kw_only=True)
class ConjugateState(FirstOrderState):
    """A state with the next direction, and whether that is the steepest descent."""

    direction: Array
    steepest: bool = True


@dataclass(frozen=True, kw_only=True)
class ConjugateGradient(FirstOrder):
    """w <- w + t d with d = -g + beta d_before, g measured in units of each coefficient's curvature at the start.

    beta = max(0, g'(g - g_before) / g_before'g_before) (Polak & Ribiere 1969); at zero the search restarts. The
    length t comes from the curvature along d, a product with the Hessian: exact for a quadratic. If the slope at its
    end is not small a secant step follows; if it went up, one sweep tries a ladder of shorter lengths.

    Book: [Mitchell] §3.2 (conjugate gradient ascent).
    """

    early: ClassVar[int] = 50
    max_iter: int = field(default=2000)

    def begin(self, objective: PenalizedLikelihood, state: FirstOrderState) -> ConjugateState:
        """Start along the steepest descent."""
        return ConjugateState(**vars(state), direction=_steepest(state, state.point))

    def step(self, objective: PenalizedLikelihood, state: ConjugateState) -> ConjugateState:
        """Go approximately to the lowest point along the direction, and choose the next direction."""
        after, length, cost = _lowest(objective, state.point, state.direction)
        if after is None and not state.steepest:
            after, length, more = _lowest(objective, state.point, _steepest(state, state.point))
            cost += more
        if after is None:
            return state.after_failure(sweeps=cost)
        direction, steepest = _next(state, after)
        return self.moved(
            objective, state, point=after, sweeps=state.sweeps + cost, rate=length, direction=direction,
            steepest=steepest,
        )  # fmt: skip


def _steepest(state: FirstOrderState, point: Point) -> Array:
    """Return the direction of steepest descent, each coefficient in units of its curvature at the start."""
    return -state.common.remove(point.gradient / state.estimate.size)


def _next(state: ConjugateState, after: Point) -> tuple[Array, bool]:
    """Return the direction of Polak and Ribiere, or the steepest if that does not go down, and which it is."""
    g, before, size = after.gradient, state.point.gradient, state.estimate.size
    beta = max(0.0, float(g @ ((g - before) / size)) / max(float(before @ (before / size)), 1e-300))
    steepest = _steepest(state, after)
    direction = steepest + beta * state.direction
    # a direction nearly orthogonal to the gradient makes no progress
    steep = float(g @ (g / size))
    if beta == 0.0 or not float(g @ direction) < -1e-3 * steep:
        return steepest, True
    return direction, False


def _lowest(objective: PenalizedLikelihood, before: Point, direction: Array) -> tuple[Point | None, float, int]:
    """Return about the lowest point along a direction (None if none is lower), its length, and the sweeps used."""
    slope = float(before.gradient @ direction)
    curvature = float(direction @ objective.product(before.w, direction))
    length = -slope / curvature if curvature > 0 else 1.0
    after = objective.slope(objective.fixed(before.w + length * direction))
    if not goes_down(before, after, length * slope):
        shorter = length * best_length(objective, before, length * direction)
        if shorter == 0.0:
            return None, 0.0, 3
        return objective.slope(objective.fixed(before.w + shorter * direction)), shorter, 4
    end_slope = float(after.gradient @ direction)
    if abs(end_slope) <= SLOPE_TOLERANCE * -slope:
        return after, length, 2
    # between two slopes of a convex function the secant is safe; past the second it is limited to a few lengths
    farther = length * min(slope / (slope - end_slope), FARTHEST) if end_slope > slope else length * FARTHEST
    other = objective.slope(objective.fixed(before.w + farther * direction))
    better = goes_down(before, other, farther * slope) and abs(float(other.gradient @ direction)) < abs(end_slope)
    return (other, farther, 3) if better else (after, length, 3)
