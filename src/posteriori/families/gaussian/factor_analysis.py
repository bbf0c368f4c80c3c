"""Factor analysis: the low-rank-plus-diagonal matrix of maximum likelihood for a correlation matrix."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array, Mask

#: The least own variance of a column, relative to its total: without a bound the likelihood can be unbounded.
LEAST_NOISE = 1e-4
#: The gradient of the log likelihood per row, in log Psi, and the number of steps at which the iteration stops.
TOLERANCE, MOST_STEPS = 1e-12, 200


@dataclass(frozen=True)
class Factors:
    """R ~ L L' + Psi, where L = Psi^(1/2) U (Theta - I)^(1/2).

    Parameters
    ----------
    noise : (d,) the diagonal of Psi
    directions : (d, q) U, orthonormal
    sizes : (q,) Theta: variances along U of the columns divided by Psi^(1/2); not below 1
    gradient : (d,) of half minus twice the log likelihood per row, in log Psi: zero, or positive at the bound
    trace : log likelihood per row (less a constant) after each step, increasing
    converged : whether the gradient vanished
    """

    noise: Array
    directions: Array
    sizes: Array
    gradient: Array
    trace: tuple[float, ...]
    converged: bool

    @property
    def loadings(self) -> Array:
        """L, (d, q)."""
        return np.sqrt(self.noise)[:, None] * self.directions * np.sqrt(self.sizes - 1.0)

    @property
    def bounded(self) -> Mask:
        """Which columns are at the bound of their own variance."""
        return (self.noise <= LEAST_NOISE * (1 + 1e-9)) & (self.gradient > 1e-6)


@dataclass(frozen=True)
class _Profile:
    """The profile of f(x) = log|S| + tr(S^-1 R) over x = log Psi, at the best L: value, gradient, eigenvectors."""

    x: Array
    value: float
    gradient: Array
    sizes: Array
    vectors: Array
    n_factors: int

    @property
    def rounding(self) -> float:
        """The rounding error of value and gradient: that of the largest eigenvalue."""
        return float(np.finfo(np.float64).eps * len(self.x) * max(self.sizes[0], 1.0))


def fit_factors(correlation: Array, rank: int) -> Factors:
    """Maximise -(log|S| + tr(S^-1 R)) / 2 over S = L L' + Psi with L of rank at most `rank`.

    The best L for any Psi follows from the eigenvectors of Psi^(-1/2) R Psi^(-1/2) (Lawley 1940); log Psi is
    computed by Newton steps, halved until the likelihood rises, within Psi >= 1e-4 (Joreskog 1967, Clarke 1970).
    """
    if not len(correlation):
        return Factors(np.empty(0), np.empty((0, 0)), np.empty(0), np.empty(0), (0.0,), converged=True)
    point = _profile(correlation, rank, _start(correlation, rank))
    trace, converged = [-0.5 * point.value], False
    for _ in range(MOST_STEPS):
        # columns near the bound are put on it, so that they do not shorten the steps of the others
        fixed = (point.x < np.log(LEAST_NOISE) + 0.1) & (point.gradient > 0)
        steepest = _steepest(point, ~fixed)
        if steepest < max(TOLERANCE, 4.0 * point.rounding) and (point.x[fixed] == np.log(LEAST_NOISE)).all():
            converged = True
            break
        after = _newton_step(correlation, rank, point, ~fixed)
        if after is None:  # no step raises the likelihood beyond rounding
            converged = bool(steepest < 1e-6)
            break
        point = after
        trace.append(-0.5 * point.value)
    q = point.n_factors
    return Factors(np.exp(point.x), point.vectors[:, :q], point.sizes[:q], point.gradient, tuple(trace), converged)


def _start(correlation: Array, rank: int) -> Array:
    """Return a start of log Psi: the variance of each column conditional on the others, reduced for the factors."""
    d = len(correlation)
    inverse = la.pinvh(correlation + 1e-3 * np.eye(d))
    own = (1.0 - 0.5 * rank / d) / np.diagonal(inverse)
    return np.log(np.maximum(own, 2.0 * LEAST_NOISE))


def _profile(correlation: Array, rank: int, x: Array) -> _Profile:
    """Return f, its gradient, and the eigenvectors, largest first."""
    root = np.exp(-0.5 * x)
    sizes, vectors = la.eigh(correlation * root * root[:, None], check_finite=False)
    sizes, vectors = np.maximum(sizes[::-1], 0.0), vectors[:, ::-1]
    q = min(rank, int((sizes > 1.0).sum()))
    value = float(x.sum() + np.log(sizes[:q]).sum() + q + sizes[q:].sum())
    gradient = (vectors[:, q:] ** 2) @ (1.0 - sizes[q:])
    return _Profile(x, value, gradient, sizes, vectors, q)


def _hessian(point: _Profile) -> Array:
    """Return the Hessian of f in log Psi, (d, d) (Clarke 1970)."""
    U, theta, q = point.vectors, point.sizes, point.n_factors
    rest, low = U[:, q:], theta[q:]
    hessian: Array = ((rest * low) @ rest.T) * (rest @ rest.T)
    for n in range(q):
        difference = theta[n] - low
        distinct = difference > 1e-12 * theta[n]
        ratio = np.divide((1.0 - low) * (low + theta[n]), difference, out=np.zeros_like(low), where=distinct)
        hessian += np.outer(U[:, n], U[:, n]) * ((rest * ratio) @ rest.T)
    return 0.5 * (hessian + hessian.T)


def _newton_step(correlation: Array, rank: int, point: _Profile, free: Mask) -> _Profile | None:
    """Take a Newton step in the free columns, halved until f decreases; None if no step decreases it."""
    values, axes = la.eigh(_hessian(point)[np.ix_(free, free)], check_finite=False)
    curvature = np.maximum(np.abs(values), 1e-8 * max(float(np.abs(values).max(initial=0.0)), 1e-300))
    step = np.log(LEAST_NOISE) - point.x
    step[free] = -axes @ ((axes.T @ point.gradient[free]) / curvature)
    step *= min(1.0, 4.0 / max(float(np.abs(step).max()), 1e-300))
    for _ in range(40):
        after = _profile(correlation, rank, np.maximum(point.x + step, np.log(LEAST_NOISE)))
        decrease = point.value - after.value
        flatter = _steepest(after, free) < 0.5 * _steepest(point, free)
        if decrease > 4.0 * point.rounding or (abs(decrease) <= 4.0 * point.rounding and flatter):
            return after
        step *= 0.5
    return None


def _steepest(point: _Profile, free: Mask) -> float:
    return float(np.abs(point.gradient[free]).max(initial=0.0))
