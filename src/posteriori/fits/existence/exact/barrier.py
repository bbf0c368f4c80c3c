"""Newton's method on a sum of decreasing convex losses of gains a'b, whose iterates show which constraints can gain.

The sum has the recession cone of the constraints A b >= 0. The multipliers l > 0 are minus the slopes of the losses; at
a minimum A'l = 0. Under the logistic loss, where b diverges, Newton's step gains about one on each constraint that
can gain and nothing on the others. Under the hyperbolic loss multipliers shrink as slowly as 1 / gain^2, so that
those of a minimum are far from zero.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from scipy.special import expit

from posteriori.arrays import Array, Mask
from posteriori.fits.existence.exact.pairs import Pairs

#: Columns that span steps.
Basis: TypeAlias = Array | sp.csc_array
#: Stiffness of the unit-diagonal Hessian, and the factor by which it is raised where a Cholesky factor fails.
STIFFNESS, RAISED = 1e-13, 100.0
#: Halvings of a step.
HALVINGS = 40


class Loss(ABC):
    """A decreasing convex function of a gain."""

    @abstractmethod
    def value(self, gains: Array) -> Array:
        """Return the loss."""

    @abstractmethod
    def multipliers(self, gains: Array) -> tuple[Array, Array]:
        """Return minus the slope, and the curvature."""


class Logistic(Loss):
    """log(1 + exp(-g))."""

    def value(self, gains: Array) -> Array:
        """Return the loss."""
        return np.logaddexp(0.0, -gains)

    def multipliers(self, gains: Array) -> tuple[Array, Array]:
        """Return minus the slope, and the curvature."""
        wrong = expit(-gains)
        return wrong, wrong * expit(gains)


class Hyperbolic(Loss):
    """sqrt(1 + g^2) - g."""

    def value(self, gains: Array) -> Array:
        """Return the loss."""
        root, size = np.hypot(1.0, gains), np.abs(gains)
        return np.where(gains > 0, 1.0 / (root + size), root + size)

    def multipliers(self, gains: Array) -> tuple[Array, Array]:
        """Return minus the slope, and the curvature."""
        root = np.hypot(1.0, gains)
        return self.value(gains) / root, root**-3.0


@dataclass(frozen=True)
class Barrier:
    """An iterate: b (q p,), its gains A b, the next step and its gains, multipliers, curvature, squared decrement.

    `spare` is the least squared multiplier over curvature: below it the squared decrement proves a minimum.
    """

    b: Array
    gains: Array
    step: Array
    step_gains: Array
    multipliers: Array
    curvature: Array
    decrement2: float
    spare: float
    stalled: bool

    @property
    def proves_minimum(self) -> bool:
        """Whether the decrement is so small that the multipliers at the minimum are positive."""
        return self.decrement2 < 0.1 * self.spare


def iterates(pairs: Pairs, alive: Mask, b: Array, loss: Loss, basis: Array | None = None) -> Iterator[Barrier]:
    """Yield Newton's iterates over the constraints alive, from b on, with steps in the span of a basis."""
    gains = pairs.gains(b)
    while True:
        multipliers, curvature = loss.multipliers(gains)
        spare = least_spare(multipliers[alive], curvature[alive])
        multipliers, curvature = np.where(alive, multipliers, 0.0), np.where(alive, curvature, 0.0)
        step, decrement2 = _step(pairs, multipliers, curvature, basis)
        moved = pairs.gains(step)
        length = _length(loss, gains[alive], moved[alive], decrement2)
        yield Barrier(b, gains, step, moved, multipliers, curvature, decrement2, spare, length == 0.0)
        b, gains = b + length * step, gains + length * moved


def least_spare(multipliers: Array, curvature: Array) -> float:
    """Return the least squared multiplier over curvature, 0 where a curvature underflows."""
    if not (curvature > 0).all():
        return 0.0
    return float(np.min(multipliers / curvature * multipliers, initial=np.inf))


def _step(pairs: Pairs, multipliers: Array, curvature: Array, basis: Basis | None) -> tuple[Array, float]:
    """Return H^-1 A'l and the squared decrement, H with a little stiffness."""
    gradient, hessian = pairs.combined(multipliers), pairs.gram(curvature)
    if basis is not None:
        gradient, hessian = basis.T @ gradient, basis.T @ (hessian @ basis)
    step = solve_stiffened(hessian, gradient)
    return step if basis is None else basis @ step, float(gradient @ step)


def solve_stiffened(hessian: Array, gradient: Array) -> Array:
    """Solve with a matrix that may be singular, with stiffness on the diagonal of its unit form."""
    if not len(gradient):
        return gradient
    diagonal = np.diagonal(hessian)
    size = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    unit = hessian / size[:, None]
    unit /= size
    stiffness = STIFFNESS
    while True:
        stiff = np.array(unit, order="F")  # which LAPACK factors without a copy of its own
        stiff.flat[:: len(unit) + 1] += stiffness
        factor, failed = la.lapack.dpotrf(stiff, lower=1, overwrite_a=1)
        if not failed:
            break
        stiffness *= RAISED
    solved, _ = la.lapack.dpotrs(factor, gradient / size, lower=1)
    step: Array = solved / size
    return step


def _length(loss: Loss, gains: Array, moved: Array, decrement2: float) -> float:
    """Return 1, or the largest of its halves that lowers the sum enough; 0 for none."""
    value, length = loss.value(gains).sum(), 1.0
    for _ in range(HALVINGS):
        if loss.value(gains + length * moved).sum() <= value - 1e-4 * length * decrement2:
            return length
        length /= 2.0
    return 0.0
