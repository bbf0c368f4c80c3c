"""Line search: the full step where it goes down, otherwise the best of a ladder of shorter ones, in one sweep."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from posteriori.arrays import Array
from posteriori.links.base import LinkFunction
from posteriori.objectives.penalized import Point

#: Step lengths tried together after a full step has failed.
LADDER = 0.5 ** np.arange(1, 25, 1.5)
#: Relative increase of the value above which a step goes up, whatever the rounding.
CLEAR = 1e-6


class LineObjective(Protocol):
    """What a line search needs of an objective."""

    @property
    def link(self) -> LinkFunction:
        """The link, which says whether the likelihood is concave."""
        ...

    def along(self, w: Array, step: Array, lengths: Array) -> Array:
        """Return the values at w + t step for all lengths t."""
        ...


def descend(
    objective: LineObjective,
    evaluate: Callable[[Array], Point],
    before: Point,
    step: Array,
    value: Callable[[Array], float] | None = None,
) -> tuple[Point | None, float]:
    """Return the point after the full step, or after the best shorter one, and its length; None where none is lower.

    `value`, where it costs far less than `evaluate`, is tried first: a full step that clearly goes up is not evaluated.
    """
    if value is None or value(before.w + step) <= before.value + CLEAR * (1.0 + abs(before.value)):
        after = evaluate(before.w + step)
        if goes_down(before, after, float(before.gradient @ step)):
            return after, 1.0
    length = best_length(objective, before, step)
    return (evaluate(before.w + length * step) if length else None), length


def goes_down(before: Point, after: Point, slope: float) -> bool:
    """Return whether a full step is accepted: lower by a part of what its slope promised, or equal up to rounding.

    `slope` is the directional derivative at the start (negative). Near the optimum the promised decrease is
    below the rounding of the value, where the gradient decides instead.
    """
    if not np.isfinite(after.value):
        return False
    return after.value <= before.value + 1e-4 * slope or (
        is_within_rounding(before, slope) and after.value <= before.value + 1e3 * _rounding(before)
    )


def is_within_rounding(before: Point, slope: float) -> bool:
    """Return whether the decrease that a slope promises is below the rounding of the value."""
    return -slope < 1e3 * _rounding(before)


def _rounding(point: Point) -> float:
    return 1e-13 * (1.0 + abs(point.value))


def best_length(objective: LineObjective, before: Point, step: Array) -> float:
    """Return the length of the ladder with the lowest value, or 0 if none is lower than the start: one sweep.

    Where the likelihood is not concave it may be nearly flat, and a step far too long: then much shorter lengths are
    tried as well.
    """
    for shorter in (1.0,) if objective.link.is_concave else (1.0, 2.0**-24, 2.0**-48):
        values = objective.along(before.w, step, shorter * LADDER)
        values = np.where(np.isfinite(values), values, np.inf)
        best = int(values.argmin())
        if values[best] < before.value:
            return float(shorter * LADDER[best])
    return 0.0
