"""Least squares on the columns: of least norm where some are aliases of others."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.fits.existence.rank import Alias, find_aliases
from posteriori.solvers.closed_form import class_problem, least_norm
from posteriori.statistics.triangle import trapezoidal
from posteriori.statistics.within_scatter import WithinScatter

#: The least pivot, on columns of norm one, from which columns are certainly independent.
CLEAR_PIVOT = 1e-6


@dataclass(frozen=True)
class LeastSquares:
    """A solution: units, coefficients w (q, d + 1) in them with the intercept first, and the aliases."""

    units: Units
    w: Array
    aliases: tuple[Alias, ...]


def fit_least_squares(within: WithinScatter, targets: Array, precision: float) -> LeastSquares:
    """Solve least squares of class targets (K, q) on the columns, of least norm where the columns are dependent.

    Book: [Bishop] Eq. 4.16, §4.1.3; [Deuschle] §3.4.1; [Jordan] §7.1.
    """
    problem = class_problem(within, targets, precision)
    aliases = _aliases(problem.rows, problem.total, problem.units)
    d = problem.rows.shape[1]
    independent = np.setdiff1d(np.arange(d), [alias.column for alias in aliases])
    w, lead = problem.solve(independent), problem.lead
    if aliases:
        lead, w = least_norm(problem, w, independent)
    return LeastSquares(problem.units, np.column_stack([lead, w]), tuple(aliases))


def _aliases(rows: Array, total: float, units: Units) -> list[Alias]:
    triangle, size = trapezoidal(rows), np.linalg.norm(rows, axis=0)
    pivots = np.diagonal(triangle)
    clear_of_rounding = (units.scale > 1e-8 * np.abs(units.centre)).all()  # by the rounding of a column's mean
    if len(pivots) == len(size) and (pivots > CLEAR_PIVOT * size).all() and clear_of_rounding:
        return []
    return find_aliases(la.block_diag(np.sqrt(total), triangle), units)
