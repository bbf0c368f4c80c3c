"""Confidence intervals: from standard errors (Wald), and from the likelihood itself (profile)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from posteriori.inference.fitted import Fitted
from posteriori.inference.validity import identified
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.solvers.newton import Factor
from posteriori.tables.errors import DataError

Array = NDArray[np.float64]

#: Squared Newton decrement at which a constrained maximum is reached: twice the error of its log likelihood.
SETTLED = 1e-11
#: How near, in standard normal deviates, a bound must come.
NEAR = 1e-9
#: Standardised distance beyond which a likelihood that has not fallen is taken to fall no more.
FAR = 1e4


def quantile(level: float) -> float:
    """Give the normal quantile of a two-sided level.

    >>> round(quantile(0.95), 6)
    1.959964
    """
    if not isinstance(level, int | float | np.number) or not 0 < level < 1:
        raise DataError(f"level={level!r} must lie between 0 and 1, as 0.95 does.")
    return float(ndtri(0.5 + level / 2.0))


def wald_interval(estimate: Array, errors: Array, level: float) -> Array:
    """Give estimate -+ z error, (m, 2); NaN where there is no error to speak of."""
    reach = quantile(level) * errors
    return np.where(np.isnan(reach)[:, None], np.nan, np.stack([estimate - reach, estimate + reach], axis=1))


def profile_interval(fitted: Fitted, objective: PenalizedLikelihood, errors: Array, level: float) -> Array:
    """Give for each coefficient the values that a likelihood-ratio test does not reject, (m, 2).

    With l(t) the log likelihood maximised over all other coefficients, the interval is where 2 (l_max - l(t)) is at
    most the squared normal quantile. A bound is infinite where the likelihood never falls below that: under
    separation, and for coefficients that the data do not tell apart.

    Parameters
    ----------
    objective : of the contrasts, in the units of the fit
    errors : (m,) standard errors in the user's units, NaN where there are none
    """
    best = objective.curvature(fitted.w.ravel())
    profile = Profile(objective, best, quantile(level))
    bounds = np.empty((fitted.size, 2))
    seen = identified_but_for_separation(fitted)
    for j, functional in enumerate(fitted.jacobian):
        sign = int(fitted.information.infinite[j])
        step = errors[j] if np.isfinite(errors[j]) else float(np.linalg.norm(functional)) / 2.0
        for side, towards in enumerate((-1, 1)):
            if not seen[j] or sign == towards:
                bounds[j, side] = towards * np.inf
            else:
                bounds[j, side] = profile.bound(functional, towards, step, may_be_infinite=fitted.status == "separated")
    return bounds


def identified_but_for_separation(fitted: Fitted) -> NDArray[np.bool_]:
    """Mark the coefficients that no alias makes arbitrary, (m,)."""
    null = fitted.information.aliased
    if not null.shape[1]:
        return np.ones(fitted.size, dtype=np.bool_)
    return identified(fitted, fitted.jacobian) if fitted.status == "aliased" else _apart(fitted.jacobian, null)


def _apart(combinations: Array, null: Array) -> NDArray[np.bool_]:
    size = np.linalg.norm(combinations, axis=1)
    marks: NDArray[np.bool_] = np.linalg.norm(combinations @ null, axis=1) <= 1e-7 * size
    return marks


@dataclass(frozen=True)
class Held:
    """The maximum with one combination of coefficients held: the point, the multiplier, and H^-1 a."""

    point: Point
    value: float
    multiplier: float
    along: Array


@dataclass(frozen=True)
class Profile:
    """The likelihood as a function of one combination a'w of its coefficients, the others maximised out."""

    objective: PenalizedLikelihood
    best: Point
    quantile: float

    def bound(self, a: Array, towards: int, step: float, *, may_be_infinite: bool) -> float:
        """Find where sqrt(2 (l_max - l(t))) reaches the quantile, going from the maximum `towards` -1 or 1.

        Newton's method on that root, which is nearly straight in t, its slope being the multiplier over the root;
        kept within the bracket found so far.
        """
        centre = float(a @ self.best.w)
        inner, outer = centre, towards * np.inf
        limit = FAR * float(np.linalg.norm(a))
        t, held = centre + towards * step * self.quantile, None
        for _ in range(100):
            held = self.hold(a, t, held)
            root = float(np.sqrt(max(2.0 * (held.value - self.best.value), 0.0)))
            if abs(root - self.quantile) <= NEAR:
                return t
            inner, outer = (t, outer) if root < self.quantile else (inner, t)
            if may_be_infinite and np.isinf(outer) and abs(t - centre) > limit:
                return towards * np.inf
            t = self._next(t, root, held.multiplier, towards, (centre, inner, outer))
            if abs(outer - inner) <= 4e-15 * max(abs(inner), abs(outer)):
                return t
        raise DataError("a profile interval was not found: the likelihood is too flat or too steep. Use method='wald'.")

    def _next(self, t: float, root: float, multiplier: float, towards: int, found: tuple[float, float, float]) -> float:
        centre, inner, outer = found
        slope = multiplier * towards
        guess = t + towards * (self.quantile - root) * root / slope if slope > 0 and root > 0 else np.nan
        if np.isinf(outer):
            farthest = centre + 4.0 * (t - centre)
            return guess if np.isfinite(guess) and 0 < (guess - t) * towards < abs(farthest - t) else farthest
        inside = np.isfinite(guess) and min(inner, outer) < guess < max(inner, outer)
        return guess if inside else 0.5 * (inner + outer)

    def hold(self, a: Array, t: float, before: Held | None) -> Held:
        """Maximise with a'w = t by Newton steps that keep it, from the maximum found before."""
        start = self.best if before is None else before.point
        along = self._solve(start, a) if before is None else before.along
        point = self.objective.curvature(start.w + along * ((t - a @ start.w) / (a @ along)))
        for _ in range(100):
            along, newton = self._solve(point, a), self._solve(point, point.gradient)
            multiplier = float(a @ newton) / float(a @ along)
            step = multiplier * along - newton
            decrement = -float(point.gradient @ step)
            if not decrement > SETTLED:
                break
            after = self._down(point, step, decrement)
            if after is None:
                break
            point = after
        return Held(point, point.value - max(decrement, 0.0) / 2.0, multiplier, along)

    def _down(self, point: Point, step: Array, decrement: float) -> Point | None:
        """Take the step, halved until the objective falls; None where rounding allows no further fall."""
        length = 1.0
        for _ in range(40):
            after = self.objective.curvature(point.w + length * step)
            if after.value <= point.value - 1e-4 * length * decrement:
                return after
            length /= 2.0
        return None

    def _solve(self, point: Point, vector: Array) -> Array:
        assert point.hessian is not None
        return Factor.of(self.objective.stiffened(point.hessian)).solve(vector)
