"""The evidence of a Gaussian likelihood: in closed form for every precision, once its curvature is known."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from posteriori.arrays import Array
from posteriori.objectives.penalized import Point
from posteriori.priors.quadratic import Quadratic

#: Coefficients up to which eigenvalues are found: beyond, they would cost more than the sweeps they save.
MOST = 1500


@dataclass(frozen=True)
class EvidenceModel:
    """log p(D | alpha) up to a constant, the likelihood being exp(h'w - w'H w / 2) with eigenvalues l_i of H.

    sum_i [log alpha - log(alpha + l_i) + c_i^2 / (alpha + l_i)] / 2, c = Q'h. The coefficients of fixed precision are
    integrated out first. Its maximum is where a search begins, and the next point of one that has a single point.

    Parameters
    ----------
    values, scores : (m,) l_i and c_i^2
    """

    values: Array
    scores: Array

    @classmethod
    def of(cls, prior: Quadratic, point: Point, groups: NDArray[np.intp]) -> "EvidenceModel":
        """Expand the likelihood about a point with its Hessian, under a diagonal prior with mean zero."""
        assert point.hessian is not None
        free, held = np.flatnonzero(groups >= 0), np.flatnonzero(groups < 0)
        if len(free) > MOST:
            return cls(np.zeros(0), np.zeros(0))
        alpha = prior.precision
        H = point.hessian - np.diag(np.where(groups >= 0, alpha, 0.0))
        h = H @ point.w - (point.gradient - np.where(groups >= 0, alpha * point.w, 0.0))
        if len(held):
            share = np.linalg.solve(H[np.ix_(held, held)], H[np.ix_(held, free)])
            H, h = H[np.ix_(free, free)] - H[np.ix_(free, held)] @ share, h[free] - share.T @ h[held]
        values, vectors = np.linalg.eigh((H + H.T) / 2.0)
        return cls(np.maximum(values, 0.0), np.square(vectors.T @ h))

    def gains(self, rho: Array) -> Array:
        """Give the log evidence at log precisions rho (k,), less that of no weights at all."""
        with np.errstate(divide="ignore"):
            logs = np.log(expit(rho[:, None] - np.log(self.values)))  # alpha / (alpha + l), for l = 0 too
        found: Array = 0.5 * (logs + self.scores / (np.exp(rho)[:, None] + self.values)).sum(axis=1)
        return found

    def best(self, bounds: tuple[float, float]) -> float:
        """Give the log precision of largest evidence: the best of a grid, and of a finer one about it."""
        if not len(self.values):
            return 0.0
        low, high = bounds
        for _ in range(3):
            grid = np.linspace(low, high, 65)
            top = int(np.argmax(self.gains(grid)))
            low, high = grid[max(top - 1, 0)], grid[min(top + 1, 64)]
        return float(grid[top])
