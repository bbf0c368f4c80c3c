"""Where the evidence is largest: the zero of its slope in the log precision, bracketed; or of many slopes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from posteriori.arrays import Array
from posteriori.inference.bayes.evidence.quadratic import EvidenceModel

#: Slope of the log evidence in the log precision at which a search ends.
FLAT = 1e-10
#: Most evaluations of a search over one precision.
MOST = 60
#: Slope beyond which a Gaussian model of the likelihood is asked where to go.
FAR = 0.5
#: Distance from the upper bound, in log precision, within which a column may as well have no weight at all.
IRRELEVANT = float(np.log(1e6))
#: How exactly a mode is found, in standard errors: this, times the square of the slope still left.
SHARE = 1e-2


@dataclass(frozen=True)
class Slope:
    """The log evidence and its slope at log precisions rho, (g,) each."""

    rho: Array
    value: float
    slope: Array


Evaluate = Callable[[float, float], Slope]
EvaluateAll = Callable[[Array, float], Slope]
Bounds = tuple[float, float]


def search(evaluate: Evaluate, model: Callable[[], EvidenceModel], start: float, bounds: Bounds) -> tuple[Slope, str]:
    """Find the zero of the slope from `start`: secant steps within a bracket, modes as exact as the slope asks.

    `model` gives the Gaussian model at the last point evaluated, whose top is the second point.
    """
    seen: list[Slope] = []
    rho, tol = float(np.clip(start, *bounds)), SHARE
    for _ in range(MOST):
        found = evaluate(rho, tol)
        seen.append(found)
        slope = float(found.slope[0])
        at_bound = (rho >= bounds[1] and slope >= 0) or (rho <= bounds[0] and slope <= 0)
        if tol <= 1e-9 and (abs(slope) <= FLAT or at_bound):
            side = "upper" if rho >= bounds[1] else "lower"
            return found, (
                f"the log evidence still rises at the {side} bound"
                if at_bound and abs(slope) > FLAT
                else f"the slope of the log evidence in the log precision is {abs(slope):.1g}"
            )
        tol = float(np.clip(SHARE * slope * slope, 1e-10, SHARE)) if not at_bound else 1e-10
        if at_bound:
            continue  # the same again, exactly
        step = _next(seen, model, bounds)
        if abs(step - rho) <= 4e-16 * max(abs(rho), 1.0):
            return found, f"no nearer precision can be told apart, at a slope of {abs(slope):.1g}"
        rho = step
    return seen[-1], f"the limit of {MOST} evaluations was reached at a slope of {abs(float(seen[-1].slope[0])):.1g}"


def _next(seen: list[Slope], model: Callable[[], EvidenceModel], bounds: Bounds) -> float:
    """Give the next log precision to try."""
    last = seen[-1]
    rho, slope = float(last.rho[0]), float(last.slope[0])
    rises = [float(each.rho[0]) for each in seen if each.slope[0] > 0]
    falls = [float(each.rho[0]) for each in seen if each.slope[0] <= 0]
    # the nearest point on the other side: the top is between
    low = max((r for r in rises if r <= rho), default=bounds[0]) if slope <= 0 else rho
    high = min((r for r in falls if r >= rho), default=bounds[1]) if slope > 0 else rho
    reach = 4.0 ** len(seen)
    low, high = max(low, rho - reach), min(high, rho + reach)
    guess = _interpolated(seen[-3:])
    if abs(slope) > FAR or not np.isfinite(guess):  # far away the model is the better guide, and both fall short
        modelled = model().best(bounds)
        further = not np.isfinite(guess) or (modelled - guess) * slope > 0
        guess = modelled if further else guess
    if guess == rho:
        guess = rho + 0.1 * float(np.sign(slope))
    return float(guess) if low <= guess <= high else float(np.clip(guess, low, high) + rho) / 2.0


def _interpolated(seen: list[Slope]) -> float:
    """Give the zero of the slope by the line, or the inverse parabola, through the last two or three points."""
    x, y = [float(each.rho[0]) for each in seen], [float(each.slope[0]) for each in seen]
    if len(set(y)) < len(y) or len(y) < 2:
        return np.nan
    terms = [x[i] * np.prod([y[j] / (y[j] - y[i]) for j in range(len(y)) if j != i]) for i in range(len(y))]
    return float(np.sum(terms))


def search_by_column(evaluate: EvaluateAll, start: Array, bounds: Bounds) -> tuple[Slope, str]:
    """Find a precision for each column: quasi-Newton steps on the exact slopes, within bounds.

    The evidence may have several tops; this is the one uphill from a common precision.
    """
    found = _without(evaluate, _risen(evaluate, np.clip(start, *bounds), bounds), bounds)
    found = _polished(evaluate, found, bounds)
    free = _between(found.rho, bounds)
    left = float(np.abs(found.slope[free]).max(initial=0.0))
    return found, f"the slopes of the log evidence are within {left:.1g}, {int((~free).sum())} precision(s) at a bound"


def _risen(evaluate: EvaluateAll, start: Array, bounds: Bounds) -> Slope:
    """Give the top that quasi-Newton steps reach from a start."""
    best: list[Slope] = []

    def fall(rho: Array) -> tuple[float, Array]:
        found = evaluate(rho, 1e-10)
        if not best or found.value > best[0].value:
            best[:] = [found]
        # without the digits that depend on the order of the rows: which top is reached must not
        return round(min(-found.value, 1e12), 10), -np.round(found.slope, 7)

    options = {"maxiter": 500, "maxfun": 600, "gtol": 1e-6, "ftol": 1e-15, "maxcor": 20}
    minimize(fall, start, jac=True, method="L-BFGS-B", bounds=[bounds] * len(start), options=options)
    return best[0]


def _between(rho: Array, bounds: Bounds) -> NDArray[np.bool_]:
    return (rho < bounds[1]) & (rho > bounds[0])


def _without(evaluate: EvaluateAll, found: Slope, bounds: Bounds) -> Slope:
    """Send precisions that are great already to their bound, together or one by one, where that costs no evidence.

    On the way there the evidence is so flat that a search would stop anywhere.
    """
    found = evaluate(found.rho, 1e-10)
    far = np.flatnonzero(_between(found.rho, bounds) & (found.rho > bounds[1] - IRRELEVANT))
    if not len(far):
        return found
    for some in (far, *far[:, None]):
        rho = found.rho.copy()
        rho[some] = bounds[1]
        after = evaluate(rho, 1e-10)
        if after.value >= found.value - 1e-9:
            found = after
        if (found.rho[far] == bounds[1]).all():
            break
    return found


def _polished(evaluate: EvaluateAll, found: Slope, bounds: Bounds) -> Slope:
    """Bring the slopes of the precisions between their bounds to zero, by Newton steps with one Jacobian."""
    free = np.flatnonzero(_between(found.rho, bounds))
    found = evaluate(found.rho, 1e-10)
    if not len(free) or np.abs(found.slope[free]).max() <= FLAT:
        return found
    J = np.empty((len(free), len(free)))
    for column, j in enumerate(free):
        moved = found.rho.copy()
        moved[j] += 1e-4
        J[:, column] = (evaluate(moved, 1e-10).slope[free] - found.slope[free]) / 1e-4
    for _ in range(6):
        rho = found.rho.copy()
        rho[free] -= np.linalg.lstsq(J, found.slope[free], rcond=1e-10)[0]
        after = evaluate(np.clip(rho, *bounds), 1e-10)
        if np.abs(after.slope[free]).max() >= np.abs(found.slope[free]).max() or after.value < found.value - 1e-6:
            break
        found = after
        if np.abs(found.slope[free]).max() <= FLAT:
            break
    return found
