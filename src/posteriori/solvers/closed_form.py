"""Least squares in one step: no iteration, no rows."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.linalg.subspaces import orthonormalize
from posteriori.statistics.within_scatter import Within


@dataclass(frozen=True)
class Problem:
    """Least squares on class targets, as few rows with the same normal equations as all of them.

    Minimise sum_n s_n |t_n - b - W z_n|^2 + precision |W_x|^2 with z the columns centred and scaled and W_x the
    weights in the user's units; the intercept b is free.

    Parameters
    ----------
    units : centre and scale of the columns
    rows : (m, d) the triangle within classes, a row for each class mean, and those of the penalty
    targets : (m, q) the class targets about their mean, each on its class's row; zero elsewhere
    lead : (q,) the mean target, which is the intercept at the centre
    total : the sum of weights
    """

    units: Units
    rows: Array
    targets: Array
    lead: Array
    total: float

    def solve(self, kept: NDArray[np.intp]) -> Array:
        """Give the weights (q, d) on the columns kept, which must be independent; zero on the others."""
        Q, R = la.qr(self.rows[:, kept], mode="economic", check_finite=False)
        w = np.zeros((self.targets.shape[1], self.rows.shape[1]))
        w[:, kept] = la.solve_triangular(R, Q.T @ self.targets, check_finite=False).T
        return w


def class_problem(within: Within, targets: Array, precision: float) -> Problem:
    """Set up least squares of the class targets (K, q) on the columns.

    Book: [Bishop] Eq. 4.15-4.16, §4.1.3.
    """
    scale = np.where(within.scale > 0, within.scale, 1.0)
    weight = within.weight
    share, root = weight / weight.sum(), np.sqrt(weight)[:, None]
    means = within.mean / scale
    centre = share @ means
    lead = share @ targets
    rows = np.vstack([within.factor, root * (means - centre)])
    size = np.linalg.norm(rows, axis=0) / np.sqrt(weight.sum())
    sd = np.where(size > 0, size, 1.0)
    penalty = np.diag(np.sqrt(precision) / sd / scale) if precision > 0 else np.empty((0, len(sd)))
    blank = np.zeros((len(within.factor), targets.shape[1]))
    wanted = np.vstack([blank, root * (targets - lead), np.zeros((len(penalty), targets.shape[1]))])
    units = Units(centre * scale, sd * scale, intercept=True)
    return Problem(units, np.vstack([rows / sd, penalty]), wanted, lead, float(weight.sum()))


def least_norm(problem: Problem, w: Array, kept: NDArray[np.intp]) -> tuple[Array, Array]:
    """Move a solution, along the directions that change no fitted value, to the one of least norm.

    The norm is that of intercept and weights together in the user's units, so the result is pinv([1, X]) T.

    Returns
    -------
    lead : (q,) intercepts at the centre
    w : (q, d) weights in the problem's units
    """
    units, d = problem.units, problem.rows.shape[1]
    others = np.setdiff1d(np.arange(d), kept)
    Q, R = la.qr(problem.rows[:, kept], mode="economic", check_finite=False)
    shares = la.solve_triangular(R, Q.T @ problem.rows[:, others], check_finite=False)
    null = np.zeros((d, len(others)))
    null[kept], null[others] = -shares, np.eye(len(others))
    flat = _in_data(units, np.zeros(len(others)), null.T).T
    basis = orthonormalize(flat / np.abs(flat).max(axis=0))
    whole = _in_data(units, problem.lead, w)
    whole -= whole @ basis @ basis.T
    weights = whole[:, 1:] * units.scale
    return whole[:, 0] + whole[:, 1:] @ units.centre, weights


def _in_data(units: Units, lead: Array, w: Array) -> Array:
    """Give intercept and weights in the user's units, (q, d + 1)."""
    intercept, weights = units.to_data(np.column_stack([lead, w]))
    return np.column_stack([intercept, weights])
