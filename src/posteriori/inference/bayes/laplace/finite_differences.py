"""First and second derivatives along directions by finite differences, extrapolated to step zero."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array

Function = Callable[[Array], float]

#: Ratio of successive steps.
RATIO = np.sqrt(2.0)
#: Number of steps for accurate and for approximate derivatives.
FINE, COARSE = 9, 4
#: Largest number of times a step is halved until the function is finite.
HALVINGS = 60


@dataclass(frozen=True)
class Ladder:
    """Central differences at steps h, h / sqrt 2, h / 2, … extrapolated to h = 0 (Richardson; Ridders 1982).

    The error of a central difference is a series in h^2, so each column of Neville's table removes one term. The entry
    that differs least from its neighbours is the result: truncation dominates for long steps, rounding for short ones.
    """

    levels: int

    def first(self, f: Callable[[float], Array], step: float) -> Array:
        """Return f'(0)."""
        return self._limit(lambda h: (f(h) - f(-h)) / (2.0 * h), step)

    def second(self, f: Callable[[float], Array], middle: Array, step: float) -> Array:
        """Return f''(0), with `middle` = f(0)."""
        return self._limit(lambda h: ((f(h) - middle) + (f(-h) - middle)) / (h * h), step)

    @np.errstate(invalid="ignore")  # f may be -inf at every step; the limit is then not finite, which callers check
    def _limit(self, difference: Callable[[float], Array], step: float) -> Array:
        h, first = float(step), difference(float(step))
        for _ in range(HALVINGS):
            if np.isfinite(first).all():
                break
            h /= 2.0
            first = difference(h)
        best, least = np.asarray(first, dtype=np.float64), np.full(np.shape(first), np.inf)
        before = [best]
        for level in range(1, self.levels):
            row = [np.asarray(difference(h / RATIO**level), dtype=np.float64)]
            for j, old in enumerate(before, start=1):
                factor = RATIO ** (2 * j)
                row.append((factor * row[-1] - old) / (factor - 1.0))
                error = np.maximum(np.abs(row[j] - row[j - 1]), np.abs(row[j] - old))
                better = error < least
                best, least = np.where(better, row[j], best), np.where(better, error, least)
            before = row
        return best


def gradient_along(f: Function, z: Array, directions: Array, levels: int = FINE) -> Array:
    """Return the derivatives of f at z along the columns of `directions` (M, k), which are the first steps, (k,).

    >>> gradient_along(lambda z: float(np.exp(z[0]) * z[1]), np.array([0.0, 2.0]), np.eye(2)).round(12).tolist()
    [2.0, 1.0]
    """
    ladder = Ladder(levels)
    each = [ladder.first(lambda t, d=d: np.asarray(f(z + t * d)), 1.0) for d in directions.T]  # type: ignore[misc]
    return np.array(each, dtype=np.float64)


@np.errstate(invalid="ignore")
def hessian_along(f: Function, z: Array, directions: Array, levels: int = FINE) -> Array:
    """Return the second derivatives of f at z along pairs of columns of `directions`, (k, k).

    Those of a pair are from the direction (d_i + d_j) / sqrt 2, whose second derivative is
    (H_ii + H_jj) / 2 + H_ij.
    """
    ladder, middle = Ladder(levels), np.asarray(f(z))
    k = directions.shape[1]

    def second(d: Array) -> float:
        return float(ladder.second(lambda t: np.asarray(f(z + t * d)), middle, 1.0))

    H = np.zeros((k, k))
    for i in range(k):
        H[i, i] = second(directions[:, i])
    for i in range(k):
        for j in range(i):
            both = second((directions[:, i] + directions[:, j]) / np.sqrt(2.0))
            H[i, j] = H[j, i] = both - (H[i, i] + H[j, j]) / 2.0
    return H


def jacobian_along(gradient: Callable[[Array], Array], z: Array, directions: Array, levels: int = FINE) -> Array:
    """Return the second derivatives along pairs of columns by differences of a gradient, (k, k)."""
    ladder = Ladder(levels)
    columns = [ladder.first(lambda t, d=d: gradient(z + t * d), 1.0) for d in directions.T]  # type: ignore[misc]
    H: Array = directions.T @ np.array(columns).T
    return (H + H.T) / 2.0


def natural_steps(f: Function, z: Array) -> Array:
    """Find for each coordinate a step over which a log density changes by about one, (M,).

    Where values are large, by a thousandth of them: smaller changes would be rounding. Steps stay where f is finite.
    """
    middle = f(z)
    target = max(0.5, 1e-3 * abs(middle))
    steps = np.where(z != 0, 1e-2 * np.abs(z), 1e-2)
    for i in range(len(z)):
        unit = np.zeros(len(z))
        unit[i] = 1.0

        def change(h: float, unit: Array = unit) -> float:
            ends = np.array([f(z + h * unit), f(z - h * unit)]) - middle
            return float(np.abs(ends).max()) if np.isfinite(ends).all() else np.inf

        h = steps[i]
        for _ in range(HALVINGS):
            if change(h) <= 2.0 * target:
                break
            h /= 4.0
        for _ in range(HALVINGS):
            if not change(2.0 * h) <= 2.0 * target:
                steps[i] = h
                break
            h *= 2.0  # if the density is constant, the first step is used
    return steps
