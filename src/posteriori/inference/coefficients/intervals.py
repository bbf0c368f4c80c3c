"""Confidence intervals of coefficients: Wald, and profile likelihood."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.levels import quantile
from posteriori.fits.existence.recession import recession_of
from posteriori.fits.existence.separation import separation_of
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.validity import unaliased
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.linalg.scaled_products import in_powers
from posteriori.messages.errors import DataError
from posteriori.models.infinite_codes import BOTH, DOWN, UNDECIDED, UP, against
from posteriori.objectives.penalized import PenalizedLikelihood, Point

#: Squared Newton decrement at a constrained maximum: twice the error of its log likelihood.
CONVERGED = 1e-11
#: Largest error of a bound, in standard normal deviates.
NEAR = 1e-9
#: Distance of an estimate from zero, in steps, beyond which the search for a bound starts from zero.
FAR = 1e4


def wald_interval(estimate: Array, errors: Array, level: float) -> Array:
    """Return estimate -+ z times the standard error, (m, 2); NaN where the standard error is undefined."""
    reach = quantile(level) * errors
    return np.where(np.isnan(reach)[:, None], np.nan, np.stack([estimate - reach, estimate + reach], axis=1))


def profile_interval(fitted: Fitted, objective: PenalizedLikelihood, errors: Array, level: float) -> Array:
    """Return the interval of values that a likelihood-ratio test does not reject, for each coefficient, (m, 2).

    With l(t) the log likelihood maximised over all other coefficients, the interval is where 2 (l_max - l(t)) is at
    most the squared normal quantile. A bound is infinite where 2 (l_max - l(t)) stays below that: under separation, and
    for coefficients that are not identified.

    Parameters
    ----------
    objective : of the contrasts, in the units of the fit
    errors : (m,) standard errors in the user's units, NaN where there are none
    """
    profile = profile_of(fitted, objective, level)
    bounds = np.empty((fitted.size, 2))
    infinite = _infinite_sides(fitted, objective)
    functionals, sizes = in_powers(fitted.jacobian)  # those of columns of 1e-160 have squares outside the range
    for j, functional in enumerate(functionals):
        step = errors[j] / sizes[j] if np.isfinite(errors[j]) else float(np.linalg.norm(functional)) / 2.0
        for side, towards in enumerate((-1, 1)):
            bounds[j, side] = towards * np.inf if infinite[j, side] else profile.bound(functional, towards, step)
    with np.errstate(over="ignore"):  # a bound beyond the range of floats is infinite
        scaled: Array = bounds * sizes[:, None]
    return scaled


def profile_of(fitted: Fitted, objective: PenalizedLikelihood, level: float = 0.95) -> "Profile":
    """Return the profile likelihood about the maximum of a fit."""
    return Profile(objective, objective.descent(fitted.w.ravel()), quantile(level))


def profile_statistics(fitted: Fitted, objective: PenalizedLikelihood) -> Array:
    """Compute the likelihood-ratio statistic of each coefficient being zero, (m,); NaN where it is not identified.

    2 (l_max - l(0)) with l the log likelihood, penalised under Jeffreys' prior, maximised over the other coefficients.
    The penalty is that of all columns (Heinze & Schemper 2002). Where the estimate is infinite, l_max is the supremum.
    """
    profile, known = profile_of(fitted, objective), unaliased(fitted) & (fitted.information.infinite != BOTH)
    functionals, _ = in_powers(fitted.jacobian)
    return np.array([profile.statistic(a) if known[j] else np.nan for j, a in enumerate(functionals)])


def _infinite_sides(fitted: Fitted, objective: PenalizedLikelihood) -> NDArray[np.bool_]:
    """Return whether the lower and upper bounds are infinite, (m, 2).

    Both are for aliased coefficients; under separation those towards which a direction of the recession cone moves the
    coefficient.
    """
    codes = fitted.information.infinite
    if fitted.status == "separated" and (fitted.information.pairs is None or (codes == UNDECIDED).any()):
        recession = recession_of(objective, separation_of(objective), work=np.inf)
        codes = against(recession.pairs, len(fitted.classes), fitted.reference).ravel()
    both = ~unaliased(fitted) | (codes == BOTH) | (codes == UNDECIDED)
    return np.column_stack([both | (codes == DOWN), both | (codes == UP)])


@dataclass(frozen=True)
class ConstrainedMaximum:
    """The maximum with one combination a'w of the coefficients fixed.

    Parameters
    ----------
    point : the maximum
    value : of the objective there
    multiplier : the Lagrange multiplier of the constraint
    tangent : the derivative of the maximum with respect to the fixed value
    """

    point: Point
    value: float
    multiplier: float
    tangent: Array


@dataclass(frozen=True)
class CoefficientLine:
    """One combination a'w of the coefficients, with a basis of the directions that leave it unchanged."""

    a: Array
    basis: Array

    @classmethod
    def of(cls, a: Array) -> "CoefficientLine":
        """Complete a to a basis of the coefficients."""
        return cls(a, la.null_space(a[None]))

    @property
    def unit_step(self) -> Array:
        """The shortest step that increases a'w by one."""
        return self.a / float(self.a @ self.a)


@dataclass(frozen=True)
class Profile:
    """The profile likelihood: the likelihood as a function of a'w, maximised over the other coefficients.

    Parameters
    ----------
    objective : of the contrasts, in the units of the fit
    best : its maximum
    quantile : the normal quantile of the bounds
    """

    objective: PenalizedLikelihood
    best: Point
    quantile: float

    def bound(self, a: Array, towards: int, step: float) -> float:
        """Find where sqrt(2 (l_max - l(t))) equals the quantile, on the side `towards` (-1 or 1) of the maximum.

        Newton's method on that root, which is nearly linear in t and has the slope multiplier / root, within a bracket.
        """
        line, centre = CoefficientLine.of(a), float(a @ self.best.w)
        inner, outer = centre, towards * np.inf
        # the finite point of a maximum at infinity may be very far: there is no bound near it
        origin = 0.0 if abs(centre) > FAR * step else centre
        t, maximum = origin + towards * step * self.quantile, None
        for _ in range(200):
            maximum = self.constrain(line, t, maximum)
            root = float(np.sqrt(self._fall(maximum.value)))
            if abs(root - self.quantile) <= NEAR:
                return t
            inner, outer = (t, outer) if root < self.quantile else (inner, t)
            t = self._next(t, root, maximum.multiplier, towards, (centre, inner, outer))
            if np.isfinite(outer) and abs(outer - inner) <= 4e-15 * max(abs(inner), abs(outer)):
                return t
        raise DataError(
            "the search for a profile interval failed: the likelihood is too flat or too steep. Use method='wald'."
        )

    def statistic(self, a: Array) -> float:
        """Compute the likelihood-ratio statistic of a'w = 0."""
        return self._fall(self.constrain(CoefficientLine.of(a), 0.0, None).value)

    def statistic_within(self, basis: Array) -> float:
        """Compute the likelihood-ratio statistic of the coefficients being in the span of a basis (m, r)."""
        start = self.objective.descent(basis @ (basis.T @ self.best.w))
        return self._fall(self._maximized(start, basis)[1])

    def _fall(self, value: float) -> float:
        """Return twice the difference of the log likelihood from its maximum."""
        return max(2.0 * (value - self.best.value), 0.0)

    def _next(
        self, t: float, root: float, multiplier: float, towards: int, bracket: tuple[float, float, float]
    ) -> float:
        centre, inner, outer = bracket
        slope = multiplier * towards
        guess = t + towards * (self.quantile - root) * root / slope if slope > 0 and root > 0 else np.nan
        if np.isinf(outer):
            farthest = centre + 2.0 * (t - centre)
            return guess if np.isfinite(guess) and 0 < (guess - t) * towards < abs(farthest - t) else farthest
        inside = np.isfinite(guess) and min(inner, outer) < guess < max(inner, outer)
        return guess if inside else 0.5 * (inner + outer)

    def constrain(self, line: CoefficientLine, t: float, before: ConstrainedMaximum | None) -> ConstrainedMaximum:
        """Maximise with a'w = t by Newton steps that leave a'w unchanged, starting from the previous maximum."""
        start = self.best if before is None else before.point
        tangent = self._tangent(start, line) if before is None else before.tangent
        point = self._start(start, tangent * (t - float(line.a @ start.w)), line, t)
        point, value = self._maximized(point, line.basis)
        return ConstrainedMaximum(point, value, float(point.gradient @ line.unit_step), self._tangent(point, line))

    def _maximized(self, point: Point, basis: Array) -> tuple[Point, float]:
        """Maximise by Newton steps within the span of a basis; return the value less half the squared decrement too."""
        decrement = 0.0
        for _ in range(200):
            step = -basis @ self._factor(point, basis).solve(basis.T @ point.gradient)
            decrement = -float(point.gradient @ step)
            after = self._line_search(point, step, decrement) if decrement > CONVERGED else None
            if after is None:
                break
            point = after
        return point, point.value - max(decrement, 0.0) / 2.0

    def _start(self, start: Point, step: Array, line: CoefficientLine, t: float) -> Point:
        """Return the best of several points with a'w = t: along the tangent, and by the shortest step.

        Under a link with heavy tails the likelihood is flat far from zero, so the point nearest to zero is included.
        """
        straight = line.unit_step * (t - float(line.a @ start.w))
        ends = [start.w + step, start.w + straight]
        if not self.objective.link.is_canonical:
            ends.append(line.unit_step * t)
        return min(
            map(self.objective.descent, ends), key=lambda point: point.value if np.isfinite(point.value) else np.inf
        )

    def _tangent(self, point: Point, line: CoefficientLine) -> Array:
        """Return the step that increases a'w by one and leaves the other components of the gradient unchanged."""
        assert point.hessian is not None
        pull = line.basis.T @ (point.hessian @ line.unit_step)
        return line.unit_step - line.basis @ self._factor(point, line.basis).solve(pull)

    def _factor(self, point: Point, basis: Array) -> SymmetricFactor:
        assert point.hessian is not None
        return SymmetricFactor.of(basis.T @ self.objective.stiffened(point.hessian) @ basis)

    def _line_search(self, point: Point, step: Array, decrement: float) -> Point | None:
        """Halve a step until the objective decreases; return None if rounding allows no decrease."""
        length = 1.0
        for _ in range(40):
            after = self.objective.descent(point.w + length * step)
            if after.value <= point.value - 1e-4 * length * decrement:
                return after
            length /= 2.0
        return None
