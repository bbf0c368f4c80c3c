"""`Evidence`: the Laplace estimate of log p(D) at a mode, and its slope in the logs of the prior's precisions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.linalg.cholesky import ScaledCholesky
from posteriori.objectives.penalized import PenalizedLikelihood, Point
from posteriori.sweeps.leverage import LeverageSweep


@dataclass(frozen=True)
class Evidence:
    """log p(D | alpha) = log p(D | w) + log p(w | alpha) + (M/2) log 2 pi - (1/2) log |A| at the mode w, A = H + P.

    P is diagonal, alpha_i for the coefficient i; those of one group have one precision. In rho = log alpha of a group
    the slope is the sum over its coefficients of

        (1 - alpha_i w_i^2 - alpha_i S_ii) / 2 + alpha_i w_i (S t)_i,

    S = A^-1 and t the gradient of (1/2) log |A| in w: the mode moves with alpha, dw/drho = -S (alpha w), and the
    curvature with the mode. Without the last term, which [Bishop] leaves out, its zero is MacKay's fixed point.

    Book: [Bishop] Eq. 4.137, §4.4.1, and §4.5.

    Parameters
    ----------
    value : the log evidence
    slope : (g,) its derivative in the log precision of each group
    inverse : (M, M) S
    pull : (M,) alpha_i w_i
    groups : (M,) the group of each coefficient, -1 for those whose precision is fixed
    """

    value: float
    slope: Array
    inverse: Array
    pull: Array
    groups: NDArray[np.intp]

    def moved(self, w: Array, change: Array) -> Array:
        """Predict the mode after a change (g,) of the log precisions, to first order."""
        step: Array = self.inverse @ (self.pull * np.where(self.groups >= 0, change[self.groups], 0.0))
        return w - step


def evidence_at(objective: PenalizedLikelihood, point: Point, groups: NDArray[np.intp]) -> Evidence | None:
    """Return the evidence at a mode with its Hessian by one sweep, or None where A is singular to rounding.

    The objective's prior is diagonal with mean zero.
    """
    assert point.hessian is not None
    alpha = objective.prior.precision
    factor = ScaledCholesky.of(point.hessian)
    if factor.failed or not alpha.min() > 0:
        return None
    inverse = factor.inverse()
    value = -point.value + 0.5 * (float(np.log(alpha).sum()) - factor.log_determinant())
    pull = alpha * point.w
    each = 0.5 * (1.0 - pull * point.w - alpha * np.diagonal(inverse))
    slope = _by_group(each, groups) + _turning(objective, point, inverse, pull, groups)
    return Evidence(value, slope, inverse, pull, groups)


def _by_group(each: Array, groups: NDArray[np.intp]) -> Array:
    free = groups >= 0
    return np.bincount(groups[free], weights=each[free], minlength=int(groups.max(initial=-1)) + 1).astype(float)


def _turning(
    objective: PenalizedLikelihood, point: Point, inverse: Array, pull: Array, groups: NDArray[np.intp]
) -> Array:
    """Return the part of the slope from the dependence of the mode on the precisions, (g,)."""
    if objective.link.is_canonical:
        w = point.w.reshape(objective.link.n_scores, -1)
        sweep = LeverageSweep(objective.link, objective.units, w, inverse)
        return _by_group(pull * (inverse @ objective.engine.run(sweep).values.ravel()), groups)
    # links without closed third derivatives: the log determinant along the path of the mode, by differences
    directions = [inverse @ np.where(groups == g, pull, 0.0) for g in range(int(groups.max(initial=-1)) + 1)]
    return np.array([_determinant_slope(objective, point, direction) for direction in directions])


def _determinant_slope(objective: PenalizedLikelihood, point: Point, direction: Array) -> float:
    """Return the derivative of (1/2) log |A| at w along a direction: four sweeps, extrapolated to step zero."""
    size = float(np.sqrt(direction @ point.hessian @ direction)) if point.hessian is not None else 0.0
    if size == 0.0:
        return 0.0
    step = direction / size * 0.02  # in standard deviations of the posterior

    def half_log(t: float) -> float:
        hessian = objective.curvature(point.w + t * step).hessian
        assert hessian is not None
        return 0.5 * float(np.linalg.slogdet(hessian)[1])

    wide, narrow = (half_log(1.0) - half_log(-1.0)) / 2.0, half_log(0.5) - half_log(-0.5)
    return (4.0 * narrow - wide) / 3.0 * size / 0.02
