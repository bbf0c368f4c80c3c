"""Maximisation of the evidence: over one log precision by a bracketed zero of its slope, or over one per column."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from posteriori.arrays import Array
from posteriori.inference.bayes.evidence.rows import EvidenceModel, EvidenceSlope

#: Slope of the log evidence in the log precision at convergence.
FLAT = 1e-10
#: Most evaluations of a search over one precision.
MOST = 60
#: Slope above which the next point is taken from the Gaussian model of the likelihood.
FAR = 0.5
#: Distance from the upper bound, in log precision, within which the bound itself is tried.
IRRELEVANT = float(np.log(1e6))
#: Tolerance of a mode, in standard errors, divided by the squared slope.
ACCURACY = 1e-2


Evaluate = Callable[[float, float], EvidenceSlope]
EvaluateAll = Callable[[Array, float], EvidenceSlope]
Bounds = tuple[float, float]


def search(
    evaluate: Evaluate, model: Callable[[], EvidenceModel], start: float, bounds: Bounds
) -> tuple[EvidenceSlope, str]:
    """Find the zero of the slope from `start` by secant steps within a bracket, with modes more exact near it.

    `model` returns the Gaussian model at the last point, whose maximum is the second point.
    """
    points: list[EvidenceSlope] = []
    rho, tol = float(np.clip(start, *bounds)), ACCURACY
    for _ in range(MOST):
        point = evaluate(rho, tol)
        points.append(point)
        slope = float(point.slope[0])
        at_bound = (rho >= bounds[1] and slope >= 0) or (rho <= bounds[0] and slope <= 0)
        if tol <= 1e-9 and (abs(slope) <= FLAT or at_bound):
            side = "upper" if rho >= bounds[1] else "lower"
            return point, (
                f"the log evidence still rises at the {side} bound"
                if at_bound and abs(slope) > FLAT
                else f"the slope of the log evidence in the log precision is {abs(slope):.1g}"
            )
        tol = float(np.clip(ACCURACY * slope * slope, 1e-10, ACCURACY)) if not at_bound else 1e-10
        if at_bound:
            continue  # evaluate it again, more exactly
        next_rho = _next(points, model, bounds)
        if abs(next_rho - rho) <= 4e-16 * max(abs(rho), 1.0):
            return point, f"the precision is exact to rounding, at a slope of {abs(slope):.1g}"
        rho = next_rho
    return points[-1], f"the limit of {MOST} evaluations was reached at a slope of {abs(slope):.1g}"


def _next(points: list[EvidenceSlope], model: Callable[[], EvidenceModel], bounds: Bounds) -> float:
    """Return the next log precision to evaluate."""
    rho, slope = float(points[-1].rho[0]), float(points[-1].slope[0])
    rises = [float(each.rho[0]) for each in points if each.slope[0] > 0]
    falls = [float(each.rho[0]) for each in points if each.slope[0] <= 0]
    # the maximum is between this point and the nearest one whose slope has the other sign
    low = max((r for r in rises if r <= rho), default=bounds[0]) if slope <= 0 else rho
    high = min((r for r in falls if r >= rho), default=bounds[1]) if slope > 0 else rho
    reach = 4.0 ** len(points)
    low, high = max(low, rho - reach), min(high, rho + reach)
    guess = _interpolated(points[-3:])
    if abs(slope) > FAR or not np.isfinite(guess):  # far from the maximum take the longer step of the two
        modelled = model().best(bounds)
        if not np.isfinite(guess) or (modelled - guess) * slope > 0:
            guess = modelled
    if guess == rho:
        guess = rho + 0.1 * float(np.sign(slope))
    return float(guess) if low <= guess <= high else float(np.clip(guess, low, high) + rho) / 2.0


def _interpolated(points: list[EvidenceSlope]) -> float:
    """Return the zero of the slope by linear or inverse quadratic interpolation of two or three points."""
    x, y = [float(each.rho[0]) for each in points], [float(each.slope[0]) for each in points]
    if len(set(y)) < len(y) or len(y) < 2:
        return np.nan
    terms = [x[i] * np.prod([y[j] / (y[j] - y[i]) for j in range(len(y)) if j != i]) for i in range(len(y))]
    return float(np.sum(terms))


def search_by_column(evaluate: EvaluateAll, start: Array, bounds: Bounds) -> tuple[EvidenceSlope, str]:
    """Find a precision for each column within bounds: by quasi-Newton steps from a common precision, then Newton steps.

    The evidence may have several maxima; this is a local one.
    """
    point = _quasi_newton(evaluate, np.clip(start, *bounds), bounds)
    point = _newton(evaluate, _drop_irrelevant(evaluate, point, bounds), bounds)
    free = _interior(point.rho, bounds)
    largest = float(np.abs(point.slope[free]).max(initial=0.0))
    reason = f"the slopes of the log evidence are within {largest:.1g}, {int((~free).sum())} precision(s) at a bound"
    return point, reason


def _quasi_newton(evaluate: EvaluateAll, start: Array, bounds: Bounds) -> EvidenceSlope:
    """Return the maximum that L-BFGS-B reaches from a start."""
    best: list[EvidenceSlope] = []

    def loss(rho: Array) -> tuple[float, Array]:
        point = evaluate(rho, 1e-10)
        if not best or point.value > best[0].value:
            best[:] = [point]
        # rounded, so that the maximum reached does not depend on the order of the rows
        return round(min(-point.value, 1e12), 10), -np.round(point.slope, 7)

    options = {"maxiter": 500, "maxfun": 600, "gtol": 1e-6, "ftol": 1e-15, "maxcor": 20}
    minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[bounds] * len(start), options=options)
    return best[0]


def _interior(rho: Array, bounds: Bounds) -> NDArray[np.bool_]:
    return (rho < bounds[1]) & (rho > bounds[0])


def _drop_irrelevant(evaluate: EvaluateAll, point: EvidenceSlope, bounds: Bounds) -> EvidenceSlope:
    """Move very large precisions to their upper bound, together or singly, if the evidence does not decrease.

    The evidence is so flat there that the result of a search would be arbitrary.
    """
    point = evaluate(point.rho, 1e-10)
    large = np.flatnonzero(_interior(point.rho, bounds) & (point.rho > bounds[1] - IRRELEVANT))
    if not len(large):
        return point
    for columns in (large, *large[:, None]):
        rho = point.rho.copy()
        rho[columns] = bounds[1]
        after = evaluate(rho, 1e-10)
        if after.value >= point.value - 1e-9:
            point = after
        if (point.rho[large] == bounds[1]).all():
            break
    return point


def _newton(evaluate: EvaluateAll, point: EvidenceSlope, bounds: Bounds) -> EvidenceSlope:
    """Solve for zero slopes of the precisions between their bounds by Newton steps with a fixed Jacobian."""
    free = np.flatnonzero(_interior(point.rho, bounds))
    point = evaluate(point.rho, 1e-10)
    if not len(free) or np.abs(point.slope[free]).max() <= FLAT:
        return point
    J = np.empty((len(free), len(free)))
    for column, j in enumerate(free):
        shifted = point.rho.copy()
        shifted[j] += 1e-4
        J[:, column] = (evaluate(shifted, 1e-10).slope[free] - point.slope[free]) / 1e-4
    for _ in range(6):
        rho = point.rho.copy()
        rho[free] -= np.linalg.lstsq(J, point.slope[free], rcond=1e-10)[0]
        after = evaluate(np.clip(rho, *bounds), 1e-10)
        if np.abs(after.slope[free]).max() >= np.abs(point.slope[free]).max() or after.value < point.value - 1e-6:
            break
        point = after
        if np.abs(point.slope[free]).max() <= FLAT:
            break
    return point
