"""Bounded Newton for more columns than a Hessian has room for: those at zero have only their gradients computed."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.design import Design
from posteriori.designs.units import Units
from posteriori.linalg.cholesky import diagonal_roots
from posteriori.messages.errors import DataError
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.bounded import BoundedNewton, BoundedState
from posteriori.sweeps.noisy_or import Uncovered
from posteriori.sweeps.reductions import SumSweep
from posteriori.sweeps.row_functions import Predictors

#: Columns that a round adds to the working set at least; or as many as it has.
ROUND_COLUMNS = 400


@dataclass(frozen=True)
class PickedUnits(Units):
    """Units of some of a block's columns."""

    columns: NDArray[np.intp]

    def design(self, features: Any) -> Design:
        """Return the design of these columns."""
        return super().design(features[:, self.columns])


def solve_by_working_set(
    objective: PenalizedLikelihood, solver: BoundedNewton, start: Array, order: NDArray[np.intp], room: int
) -> tuple[BoundedState, str]:
    """Solve over the working set, add columns with a negative gradient at zero, and repeat until there are none.

    Each round lowers the objective, so the rounds end, at a point where the conditions of Karush, Kuhn and Tucker hold
    for every column. The contribution of fixed coefficients to the predictor is an offset.

    Parameters
    ----------
    order : of the columns that enter the first working set, where there is no leak
    room : the largest number of coefficients in the working set
    """
    lead = int(objective.units.intercept)
    objective = _with_offset(objective, np.where(solver.fixed, start, 0.0))
    columns = np.zeros(0, dtype=np.intp) if lead else _covering(objective, order, room)
    w, spent, steps = np.zeros_like(start), 1, 0
    w[:lead] = start[:lead]
    w[lead + columns] = start[lead + columns]
    while True:
        at = np.concatenate([np.arange(lead), lead + columns])
        part = _picked(objective, columns)
        state, reason = replace(solver, fixed=np.zeros(len(at), dtype=bool)).solve(part, w[at])
        w = np.zeros_like(w)
        w[at] = state.point.w
        whole = objective.slope(w)
        spent, steps = spent + state.sweeps + 1, steps + state.iterations
        assert state.point.hessian is not None
        level = solver.tol * float(np.median(diagonal_roots(state.point.hessian)))
        entering = np.flatnonzero((~solver.fixed & (w == 0) & (whole.gradient < -level))[lead:])
        if not len(entering) or state.decrement > solver.tol:
            break
        working = np.flatnonzero(w[lead:] > 0)
        first = entering[np.argsort(whole.gradient[lead + entering], kind="stable")][: max(ROUND_COLUMNS, len(working))]
        if len(working) + len(first) + lead > room:
            reason = f"more than {room} coefficients are above zero, for which there is no room"
            state = replace(state, decrement=np.inf)
            break
        columns = np.union1d(working, first)
    final = np.where(solver.fixed, start, w)
    return replace(state, point=replace(whole, w=final), step=np.zeros_like(w), sweeps=spent, iterations=steps), reason


def _with_offset(objective: PenalizedLikelihood, w: Array) -> PenalizedLikelihood:
    """Return the objective with the predictors of these coefficients as its offset."""
    return objective.on(objective.engine.with_offset(Predictors(objective.units, w[None])))


def _picked(objective: PenalizedLikelihood, columns: NDArray[np.intp]) -> PenalizedLikelihood:
    """Return the objective over some columns."""
    units = objective.units
    some = PickedUnits(units.centre[columns], units.scale[columns], units.intercept, columns)
    flat = np.zeros(some.n_coefficients)
    return replace(objective, units=some, prior=Quadratic(flat, flat), gauge=np.zeros((len(flat), 0)))


def _covering(objective: PenalizedLikelihood, order: NDArray[np.intp], room: int) -> NDArray[np.intp]:
    """Return the first of the columns in order, as many as give every row of class 1 a trigger."""
    count = min(ROUND_COLUMNS, room)
    while True:
        columns = np.sort(order[:count])
        n_uncovered = int(objective.engine.run(SumSweep(Uncovered(columns))).values)
        if not n_uncovered:
            return columns
        if count >= min(room, len(order)):
            raise DataError(
                f"without a leak every row of the second class needs a trigger, and {n_uncovered} row(s) have none "
                f"among the {count} most frequent columns, with no room for more. Use leak=True, or fewer columns."
            )
        count = min(2 * count, room, len(order))
