"""The direction of a separation that depends on the rows alone: the centre of all separating directions.

Of the directions u that move no pair that is not separated, it minimises the sum of 1 / gain^2 over the separated pairs
of distinct rows plus |u|^2. That is strictly convex, and infinite where a pair does not gain: Newton's method, from any
direction along which every pair gains, reaches the minimum in few steps. Small gains count most, so that none is small
beside the length of the direction.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from scipy.optimize import brentq, linprog

from posteriori.arrays import Array, Codes, Mask

#: Newton steps, the decrement relative to the length of the direction at which one more reaches the minimum, and the
#: relative change of gains up to which steps are full.
STEPS, ARRIVED, FULL = 60, 1e-6, 0.1
#: Gains of basis directions up to which a linear programme finds a start.
CELLS = 1e6
#: Part of the way to where a gain vanishes that a step goes at most.
BOUNDARY = 0.999


@dataclass(frozen=True)
class Margins:
    """The separated pairs of distinct rows: how much each gains along directions (K p,).

    Parameters
    ----------
    rows : (m, p)
    own : (m,) the class of each
    others : (m, K) the classes that it is separated from
    """

    rows: Array
    own: Codes
    others: Mask

    @classmethod
    def of(cls, rows: Array, own: Codes, others: Mask) -> "Margins":
        """Return the pairs of rows of which some are equal."""
        _, first = np.unique(np.column_stack([own, rows]), axis=0, return_index=True)
        return cls(rows[first], own[first], others[first])

    def gains(self, u: Array) -> Array:
        """Return the gain of each row on each class, (m, K); inf on classes that it is not separated from."""
        scores = self.rows @ u.reshape(self.others.shape[1], -1).T
        gains = scores[np.arange(len(self.own)), self.own][:, None] - scores
        return np.where(self.others, gains, np.inf)

    def pull_back(self, slack: Array) -> Array:
        """Return minus the sum of slack times pair, (K p,)."""
        slack = slack.copy()
        slack[np.arange(len(self.own)), self.own] = -slack.sum(axis=1)
        return np.asarray(slack.T @ self.rows).ravel()

    def gram(self, weights: Array) -> Array:
        """Return the sum of weight times pair pair', for weights (m, K) that are zero where no pair is, (K p, K p)."""
        K, p = weights.shape[1], self.rows.shape[1]
        whole = np.zeros((K, p, K, p))
        for own in np.unique(self.own):
            of_class = np.flatnonzero(self.own == own)
            for other in np.flatnonzero(self.others[of_class].any(axis=0)):
                used = of_class[self.others[of_class, other]]
                rooted = self.rows[used] * np.sqrt(weights[used, other])[:, None]
                part = rooted.T @ rooted
                whole[own, :, own] += part
                whole[other, :, other] += part
                whole[own, :, other] -= part
                whole[other, :, own] -= part
        return whole.reshape(K * p, K * p)


@dataclass(frozen=True)
class Span:
    """The space of the directions: by its orthonormal basis (K p, l), and that of its complement (K p, K p - l)."""

    basis: Array
    complement: Array

    def minimum(self, hessian: Array, gradient: Array) -> Array | None:
        """Return the step in the span to the minimum of a quadratic, or None; it overwrites the Hessian."""
        if 2 * self.basis.shape[1] <= len(self.basis):
            factor, failed = la.lapack.dpotrf(self.basis.T @ (hessian @ self.basis), lower=1)
            if failed:
                return None
            return -np.asarray(self.basis @ la.lapack.dpotrs(factor, self.basis.T @ gradient, lower=1)[0])
        factor, failed = la.lapack.dpotrf(hessian.T, lower=1, overwrite_a=1)  # its transpose is in LAPACK's order
        if failed:
            return None
        # the multipliers of the complement keep the step in the span
        right = np.asfortranarray(np.column_stack([self.complement, gradient]))
        half = la.solve_triangular(factor, right, lower=True, overwrite_b=True, check_finite=False)
        across, along = half[:, :-1], half[:, -1]
        multipliers = np.linalg.solve(across.T @ across, across.T @ along)
        step = la.solve_triangular(factor, across @ multipliers - along, lower=True, trans=1, check_finite=False)
        return np.asarray(step - self.complement @ (self.complement.T @ step))


def central_direction(margins: Margins, span: Span, start: Array) -> Array | None:
    """Return the direction; None where no direction is found along which every pair gains.

    It is reached from `start`, or where pairs gain too unequally along that, from a direction of large least gain.
    """
    direction = _from(margins, span, start)
    if direction is None and (balanced := _largest_margin(margins, span.basis)) is not None:
        direction = _from(margins, span, balanced)
    return direction


def _from(margins: Margins, span: Span, start: Array) -> Array | None:
    """Return the direction by Newton's method; None where `start` does not lead there."""
    gains = margins.gains(start)
    if not gains.min() > 0:
        return None
    scale = float((gains**-2.0).sum() / (start @ start)) ** 0.25
    u, gains = scale * start, scale * gains
    for _ in range(STEPS):
        inverse = 1.0 / gains
        gradient = u + margins.pull_back(inverse**3)
        hessian = margins.gram(3.0 * inverse**4)
        hessian.flat[:: len(u) + 1] += 1.0
        step = span.minimum(hessian, gradient)
        if step is None:
            return None
        moved = np.where(margins.others, margins.gains(step), 0.0)
        decrement2, size2 = max(-float(gradient @ step), 0.0), float(u @ u)
        small = bool((np.abs(moved) < FULL * gains).all())
        length = 1.0 if small else _length(gains, moved, float(u @ step), float(step @ step))
        u, gains = u + length * step, gains + length * moved
        if small and decrement2 <= ARRIVED**2 * size2:
            return np.asarray(u)
        if not np.isfinite(decrement2):
            return None
    return None


def _largest_margin(margins: Margins, basis: Array) -> Array | None:
    """Return the direction with the largest least gain of all with coordinates up to one; None if none gains on all."""
    row, other = np.nonzero(margins.others)
    if not basis.shape[1] or len(row) * basis.shape[1] > CELLS:
        return None
    by_class = basis.reshape(margins.others.shape[1], -1, basis.shape[1])
    gains = np.einsum("mi,mij->mj", margins.rows[row], by_class[margins.own[row]] - by_class[other], optimize=True)
    cost = np.append(np.zeros(basis.shape[1]), -1.0)
    solution = linprog(
        cost, A_ub=np.column_stack([-gains, np.ones(len(gains))]), b_ub=np.zeros(len(gains)),
        bounds=[(-1.0, 1.0)] * basis.shape[1] + [(0.0, None)],
    )  # fmt: skip
    return basis @ solution.x[:-1] if solution.status == 0 else None


def _length(gains: Array, moved: Array, slope: float, curvature: float) -> float:
    """Return the length of a step that minimises the sum."""

    def derivative(length: float) -> float:
        return slope + length * curvature - float((moved / (gains + length * moved) ** 3).sum())

    least = float((moved / gains).min())
    longest = min(-BOUNDARY / least if least < 0 else np.inf, 1e3)
    return longest if derivative(longest) < 0 else float(brentq(derivative, 0.0, longest, rtol=1e-3))
