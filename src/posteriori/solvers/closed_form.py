"""Least squares in closed form, from a triangular factor instead of the rows."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.linalg.subspaces import orthonormalize
from posteriori.statistics.within_scatter import WithinScatter


@dataclass(frozen=True)
class LeastSquaresProblem:
    """Least squares on class targets, reduced to a few rows with the same normal equations as all rows.

    Minimise sum_n s_n |t_n - b - W z_n|^2 + precision |W_x|^2 with z the columns centred and scaled and W_x the
    weights in the user's units; the intercept b is free.

    Parameters
    ----------
    units : centre and scale of the columns
    rows : (m, d) the triangular factor within classes, one row per class mean, and the rows of the penalty
    targets : (m, q) the centred class targets in the row of each class; zero elsewhere
    lead : (q,) the mean target, which is the intercept at the centre
    total : the sum of weights
    """

    units: Units
    rows: Array
    targets: Array
    lead: Array
    total: float

    def solve(self, columns: NDArray[np.intp]) -> Array:
        """Return the weights (q, d) on some columns, which must be independent; zero on the others."""
        Q, R = la.qr(self.rows[:, columns], mode="economic", check_finite=False)
        w = np.zeros((self.targets.shape[1], self.rows.shape[1]))
        w[:, columns] = la.solve_triangular(R, Q.T @ self.targets, check_finite=False).T
        return w


def class_problem(within: WithinScatter, targets: Array, precision: float) -> LeastSquaresProblem:
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
    return LeastSquaresProblem(units, np.vstack([rows / sd, penalty]), wanted, lead, float(weight.sum()))


def least_norm(problem: LeastSquaresProblem, w: Array, columns: NDArray[np.intp]) -> tuple[Array, Array]:
    """Return the solution of least norm: move along the directions that change no fitted value.

    The norm is that of intercept and weights together in the user's units, so the result is pinv([1, X]) T.

    Returns
    -------
    lead : (q,) intercepts at the centre
    w : (q, d) weights in the problem's units
    """
    units, d = problem.units, problem.rows.shape[1]
    others = np.setdiff1d(np.arange(d), columns)
    Q, R = la.qr(problem.rows[:, columns], mode="economic", check_finite=False)
    shares = la.solve_triangular(R, Q.T @ problem.rows[:, others], check_finite=False)
    null = np.zeros((d, len(others)))
    null[columns], null[others] = -shares, np.eye(len(others))
    flat = _in_data(units, np.zeros(len(others)), null.T).T
    basis = orthonormalize(flat / np.abs(flat).max(axis=0))
    whole = _in_data(units, problem.lead, w)
    whole -= whole @ basis @ basis.T
    weights = whole[:, 1:] * units.scale
    return whole[:, 0] + whole[:, 1:] @ units.centre, weights


def _in_data(units: Units, lead: Array, w: Array) -> Array:
    """Return intercept and weights in the user's units, (q, d + 1)."""
    intercept, weights = units.to_data(np.column_stack([lead, w]))
    return np.column_stack([intercept, weights])
