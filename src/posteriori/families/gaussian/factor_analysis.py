"""Low rank plus diagonal: the correlation matrix closest to given ones in likelihood."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array

#: The least share of its variance that a column keeps for itself: without one the likelihood can be unbounded.
LEAST = 1e-4
#: The slope of the log likelihood per row, in the log of each share, at which an iteration is over.
TOLERANCE = 1e-12
MOST_STEPS = 200


@dataclass(frozen=True)
class Factors:
    """R ~ L L' + Psi, where L = Psi^(1/2) U (Theta - I)^(1/2).

    Parameters
    ----------
    noise : (d,) the diagonal of Psi
    directions : (d, q) U, orthonormal
    sizes : (q,) Theta: variances along U of the columns divided by Psi^(1/2); not below 1
    slope : (d,) of half minus twice the log likelihood per row, in log Psi: zero, or positive at the least share
    trace : log likelihood per row (less a constant) after each step, rising
    converged : whether the slope came to nothing
    """

    noise: Array
    directions: Array
    sizes: Array
    slope: Array
    trace: tuple[float, ...]
    converged: bool

    @property
    def loadings(self) -> Array:
        """L, (d, q)."""
        found: Array = np.sqrt(self.noise)[:, None] * self.directions * np.sqrt(self.sizes - 1.0)
        return found

    @property
    def bounded(self) -> NDArray[np.bool_]:
        """Which columns would keep less than the least share if they might."""
        return (self.noise <= LEAST * (1 + 1e-9)) & (self.slope > 1e-6)


@dataclass(frozen=True)
class _Point:
    """The profile of f(x) = log|S| + tr(S^-1 R) over x = log Psi, at the best L: value, slope, curvature."""

    x: Array
    value: float
    slope: Array
    sizes: Array
    vectors: Array
    top: int

    @property
    def noise(self) -> float:
        """How much of value and slope is rounding: that of the largest eigenvalue."""
        return float(np.finfo(np.float64).eps * len(self.x) * max(self.sizes[0], 1.0))


def fit_factors(correlation: Array, rank: int) -> Factors:
    """Maximise -(log|S| + tr(S^-1 R)) / 2 over S = L L' + Psi with L of a given rank.

    The best L for a given Psi is known from the eigenvectors of Psi^(-1/2) R Psi^(-1/2) (Lawley 1940); log Psi
    is found by Newton steps, cut back until the likelihood rises, within Psi >= 1e-4 (Joreskog 1967, Clarke 1970).
    """
    if not len(correlation):
        return Factors(np.empty(0), np.empty((0, 0)), np.empty(0), np.empty(0), (0.0,), converged=True)
    point = _at(correlation, rank, _start(correlation, rank))
    trace, converged = [-0.5 * point.value], False
    for _ in range(MOST_STEPS):
        # columns about to reach the least share are put there: steps in the others are then not cut short by them
        held = (point.x < np.log(LEAST) + 0.1) & (point.slope > 0)
        steepest = _steepest(point, ~held)
        if steepest < max(TOLERANCE, 4.0 * point.noise) and (point.x[held] == np.log(LEAST)).all():
            converged = True
            break
        after = _search(correlation, rank, point, ~held)
        if after is None:  # no step raises the likelihood: as near as rounding lets it
            converged = bool(steepest < 1e-6)
            break
        point = after
        trace.append(-0.5 * point.value)
    top = slice(0, point.top)
    return Factors(
        np.exp(point.x), point.vectors[:, top], point.sizes[top], point.slope, tuple(trace), converged
    )  # fmt: skip


def _start(correlation: Array, rank: int) -> Array:
    """Give log Psi from what each column does not share with the others, halved for the factors' part."""
    d = len(correlation)
    inverse = la.pinvh(correlation + 1e-3 * np.eye(d))
    own = (1.0 - 0.5 * rank / d) / np.diagonal(inverse)
    start: Array = np.log(np.maximum(own, 2.0 * LEAST))
    return start


def _at(correlation: Array, rank: int, x: Array) -> _Point:
    """Give f, its slope, and the eigenvectors it is known from, largest first."""
    root = np.exp(-0.5 * x)
    sizes, vectors = la.eigh(correlation * root * root[:, None], check_finite=False)
    sizes, vectors = np.maximum(sizes[::-1], 0.0), vectors[:, ::-1]
    top = min(rank, int((sizes > 1.0).sum()))
    value = float(x.sum() + np.log(sizes[:top]).sum() + top + sizes[top:].sum())
    slope = (vectors[:, top:] ** 2) @ (1.0 - sizes[top:])
    return _Point(x, value, slope, sizes, vectors, top)


def _curvature(point: _Point) -> Array:
    """Give the Hessian of f in log Psi, (d, d) (Clarke 1970)."""
    U, theta, q = point.vectors, point.sizes, point.top
    rest, low = U[:, q:], theta[q:]
    hessian: Array = ((rest * low) @ rest.T) * (rest @ rest.T)
    for n in range(q):
        gap = theta[n] - low
        pull = np.divide((1.0 - low) * (low + theta[n]), gap, out=np.zeros_like(gap), where=gap > 1e-12 * theta[n])
        hessian += np.outer(U[:, n], U[:, n]) * ((rest * pull) @ rest.T)
    return 0.5 * (hessian + hessian.T)


def _search(correlation: Array, rank: int, point: _Point, free: NDArray[np.bool_]) -> _Point | None:
    """Step by Newton in the free columns, halving until f falls; None where no step makes it fall."""
    values, axes = la.eigh(_curvature(point)[np.ix_(free, free)], check_finite=False)
    curved = np.maximum(np.abs(values), 1e-8 * max(float(np.abs(values).max(initial=0.0)), 1e-300))
    step = np.log(LEAST) - point.x
    step[free] = -axes @ ((axes.T @ point.slope[free]) / curved)
    step *= min(1.0, 4.0 / max(float(np.abs(step).max()), 1e-300))
    for _ in range(40):
        after = _at(correlation, rank, np.maximum(point.x + step, np.log(LEAST)))
        gain = point.value - after.value
        flatter = _steepest(after, free) < 0.5 * _steepest(point, free)
        if gain > 4.0 * point.noise or (abs(gain) <= 4.0 * point.noise and flatter):
            return after
        step *= 0.5
    return None


def _steepest(point: _Point, free: NDArray[np.bool_]) -> float:
    return float(np.abs(point.slope[free]).max(initial=0.0))
