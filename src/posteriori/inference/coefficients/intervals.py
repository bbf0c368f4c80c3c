"""Confidence intervals: from standard errors (Wald), and from the likelihood itself (profile)."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray
from scipy.special import ndtri

from posteriori.arrays import Array
from posteriori.fits.existence.recession import BOTH, DOWN, UNDECIDED, UP, against, recession_of
from posteriori.fits.existence.separation import separation_of
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.validity import SEEN
from posteriori.linalg.cholesky import SymmetricFactor
from posteriori.linalg.scaled_products import in_powers
from posteriori.messages.errors import DataError
from posteriori.objectives.penalized import PenalizedLikelihood, Point

#: Squared Newton decrement at which a constrained maximum is reached: twice the error of its log likelihood.
SETTLED = 1e-11
#: How near, in standard normal deviates, a bound must come.
NEAR = 1e-9
#: Steps from zero beyond which a bound is looked for from zero, not from the estimate.
FAR = 1e4


def quantile(level: float) -> float:
    """Give the normal quantile of a two-sided level.

    >>> round(quantile(0.95), 6)
    1.959964
    """
    return float(-ndtri(tail(level)))


def tail(level: float) -> float:
    """Return the probability beyond each bound of a two-sided level, (1 - level) / 2; raise where it is none."""
    if not isinstance(level, int | float | np.number) or not 0 < level < 1:
        raise DataError(f"level={level!r} must lie between 0 and 1, as 0.95 does.")
    return (1.0 - float(level)) / 2.0


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
    profile = profile_of(fitted, objective, level)
    bounds = np.empty((fitted.size, 2))
    endless = _infinite_sides(fitted, objective)
    for j, functional in enumerate(fitted.jacobian):
        step = errors[j] if np.isfinite(errors[j]) else float(np.linalg.norm(functional)) / 2.0
        for side, towards in enumerate((-1, 1)):
            bounds[j, side] = towards * np.inf if endless[j, side] else profile.bound(functional, towards, step)
    return bounds


def profile_of(fitted: Fitted, objective: PenalizedLikelihood, level: float = 0.95) -> "Profile":
    """Return the profile likelihood about the maximum of a fit."""
    return Profile(objective, objective.descent(fitted.w.ravel()), quantile(level))


def profile_statistics(fitted: Fitted, objective: PenalizedLikelihood) -> Array:
    """Compute the likelihood-ratio statistic of each coefficient being zero, (m,); NaN where it is not identified.

    2 (l_max - l(0)) with l the log likelihood, penalised under Jeffreys' prior, maximised over the other coefficients.
    The penalty is that of all columns (Heinze & Schemper 2002). Where the estimate is infinite l_max is the supremum.
    """
    profile, known = profile_of(fitted, objective), unaliased(fitted) & (fitted.information.infinite != BOTH)
    return np.array([
        profile.statistic(functional) if told else np.nan
        for functional, told in zip(fitted.jacobian, known, strict=True)
    ])  # fmt: skip


def unaliased(fitted: Fitted) -> NDArray[np.bool_]:
    """Mark the coefficients, in the user's units, that no direction without likelihood moves, (m,)."""
    jacobian, _ = in_powers(fitted.jacobian)
    along = np.linalg.norm(jacobian @ fitted.information.aliased, axis=1)
    marks: NDArray[np.bool_] = along <= SEEN * np.linalg.norm(jacobian, axis=1)
    return marks


def _infinite_sides(fitted: Fitted, objective: PenalizedLikelihood) -> NDArray[np.bool_]:
    """Mark the sides, (m, 2), on which the likelihood never falls.

    Both sides of aliased coefficients; under separation those to which a direction of the recession cone moves a
    coefficient.
    """
    codes = fitted.information.infinite
    if fitted.status == "separated" and (fitted.information.pairs is None or (codes == UNDECIDED).any()):
        found = recession_of(objective, separation_of(objective), work=np.inf)
        codes = against(found.pairs, len(fitted.classes), fitted.reference).ravel()
    both = ~unaliased(fitted) | (codes == BOTH) | (codes == UNDECIDED)
    return np.column_stack([both | (codes == DOWN), both | (codes == UP)])


@dataclass(frozen=True)
class Held:
    """The maximum with one combination of coefficients held: the point, its value, the multiplier, the way on."""

    point: Point
    value: float
    multiplier: float
    along: Array


@dataclass(frozen=True)
class Line:
    """One combination a'w of the coefficients: how to move it, and the basis of moves that leave it."""

    a: Array
    basis: Array

    @classmethod
    def of(cls, a: Array) -> "Line":
        """Complete a to a basis."""
        return cls(a, la.null_space(a[None]))

    @property
    def move(self) -> Array:
        """The shortest move that raises a'w by one."""
        return self.a / float(self.a @ self.a)


@dataclass(frozen=True)
class Profile:
    """The likelihood as a function of one combination a'w of its coefficients, the others maximised out."""

    objective: PenalizedLikelihood
    best: Point
    quantile: float

    def bound(self, a: Array, towards: int, step: float) -> float:
        """Find where sqrt(2 (l_max - l(t))) reaches the quantile, going from the maximum `towards` -1 or 1.

        Newton's method on that root, which is nearly straight in t, its slope being the multiplier over the root;
        kept within the bracket found so far.
        """
        line, centre = Line.of(a), float(a @ self.best.w)
        inner, outer = centre, towards * np.inf
        # a finite point that stands for one at infinity may lie very far out: there is nothing to be found near it
        origin = 0.0 if abs(centre) > FAR * step else centre
        t, held = origin + towards * step * self.quantile, None
        for _ in range(200):
            held = self.hold(line, t, held)
            root = float(np.sqrt(max(2.0 * (held.value - self.best.value), 0.0)))
            if abs(root - self.quantile) <= NEAR:
                return t
            inner, outer = (t, outer) if root < self.quantile else (inner, t)
            t = self._next(t, root, held.multiplier, towards, (centre, inner, outer))
            if np.isfinite(outer) and abs(outer - inner) <= 4e-15 * max(abs(inner), abs(outer)):
                return t
        raise DataError("a profile interval was not found: the likelihood is too flat or too steep. Use method='wald'.")

    def statistic(self, a: Array) -> float:
        """Compute twice the fall of the log likelihood from the maximum to a'w = 0."""
        held = self.hold(Line.of(a), 0.0, None)
        return max(2.0 * (held.value - self.best.value), 0.0)

    def statistic_within(self, basis: Array) -> float:
        """Compute twice the fall of the log likelihood from the maximum to that over the span of a basis (m, r)."""
        start = self.objective.descent(basis @ (basis.T @ self.best.w))
        point, decrement = self._settled(start, basis)
        return max(2.0 * (point.value - max(decrement, 0.0) / 2.0 - self.best.value), 0.0)

    def _next(self, t: float, root: float, multiplier: float, towards: int, found: tuple[float, float, float]) -> float:
        centre, inner, outer = found
        slope = multiplier * towards
        guess = t + towards * (self.quantile - root) * root / slope if slope > 0 and root > 0 else np.nan
        if np.isinf(outer):
            farthest = centre + 2.0 * (t - centre)
            return guess if np.isfinite(guess) and 0 < (guess - t) * towards < abs(farthest - t) else farthest
        inside = np.isfinite(guess) and min(inner, outer) < guess < max(inner, outer)
        return guess if inside else 0.5 * (inner + outer)

    def hold(self, line: Line, t: float, before: Held | None) -> Held:
        """Maximise with a'w = t by Newton steps in the coefficients that leave a'w, from the maximum found before."""
        start = self.best if before is None else before.point
        along = self._along(start, line) if before is None else before.along
        point = self._reached(start, along * (t - float(line.a @ start.w)), line, t)
        point, decrement = self._settled(point, line.basis)
        multiplier = float(point.gradient @ line.move)
        return Held(point, point.value - max(decrement, 0.0) / 2.0, multiplier, self._along(point, line))

    def _settled(self, point: Point, basis: Array) -> tuple[Point, float]:
        """Maximise by Newton steps within the span of a basis; return the squared decrement left as well."""
        decrement = 0.0
        for _ in range(200):
            step = -basis @ self._factor(point, basis).solve(basis.T @ point.gradient)
            decrement = -float(point.gradient @ step)
            after = self._down(point, step, decrement) if decrement > SETTLED else None
            if after is None:
                break
            point = after
        return point, decrement

    def _reached(self, start: Point, move: Array, line: Line, t: float) -> Point:
        """Go to a'w = t by the tangent, or straight where the tangent leads up higher.

        Through a link with heavy tails the likelihood far out is too flat to lead back: there zero is tried as well.
        """
        straight = line.move * (t - float(line.a @ start.w))
        ends = [start.w + move, start.w + straight]
        if not self.objective.link.is_canonical:
            ends.append(line.move * t)
        tried = [self.objective.descent(w) for w in ends]
        return min(tried, key=lambda point: point.value if np.isfinite(point.value) else np.inf)

    def _along(self, point: Point, line: Line) -> Array:
        """Give the tangent of the held maxima: what raises a'w by one and keeps the others' gradient at zero."""
        assert point.hessian is not None
        pull = line.basis.T @ (point.hessian @ line.move)
        return line.move - line.basis @ self._factor(point, line.basis).solve(pull)

    def _factor(self, point: Point, basis: Array) -> SymmetricFactor:
        assert point.hessian is not None
        return SymmetricFactor.of(basis.T @ self.objective.stiffened(point.hessian) @ basis)

    def _down(self, point: Point, step: Array, decrement: float) -> Point | None:
        """Take the step, halved until the objective falls; None where rounding allows no further fall."""
        length = 1.0
        for _ in range(40):
            after = self.objective.descent(point.w + length * step)
            if after.value <= point.value - 1e-4 * length * decrement:
                return after
            length /= 2.0
        return None
