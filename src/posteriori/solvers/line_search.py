"""When a full step does not go down: one sweep over a ladder of shorter ones."""

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood, Point

#: Step lengths tried together after a full step has failed.
LADDER = 0.5 ** np.arange(1, 25, 1.5)


def goes_down(before: Point, after: Point, slope: float) -> bool:
    """Say whether a full step may be kept: lower by a part of what its slope promised, or level to rounding.

    `slope` is the directional derivative at the start (negative). Near the optimum the promised decrease is
    below the rounding of the value, where the gradient decides instead.
    """
    if not np.isfinite(after.value):
        return False
    rounding = 1e-13 * (1.0 + abs(before.value))
    return after.value <= before.value + 1e-4 * slope or (
        -slope < 1e3 * rounding and after.value <= before.value + 1e3 * rounding
    )


def best_length(objective: PenalizedLikelihood, before: Point, step: Array) -> float:
    """Give the ladder's best length, or 0 when none goes down: one sweep.

    Where the likelihood is not concave it may be all but flat, and a step many times too long: then shorter lengths
    are tried as well.
    """
    for shorter in (1.0,) if objective.link.is_concave else (1.0, 2.0**-24, 2.0**-48):
        values = objective.along(before.w, step, shorter * LADDER)
        values = np.where(np.isfinite(values), values, np.inf)
        best = int(values.argmin())
        if values[best] < before.value:
            return float(shorter * LADDER[best])
    return 0.0
