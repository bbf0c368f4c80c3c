"""Bounded Newton for more columns than a Hessian has room for: most stay at zero, and are only watched."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.design import Design
from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.linalg.cholesky import diagonal_roots
from posteriori.messages.errors import DataError
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.bounded import BoundedNewton, BoundedState
from posteriori.sweeps.noisy_or import has_trigger
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable

#: Columns that a round adds to those at work, at least: else as many as there are.
ROUND_COLUMNS = 400


@dataclass(frozen=True)
class PickedUnits(Units):
    """Units of some of a block's columns; the others are not there."""

    columns: NDArray[np.intp]

    def design(self, features: Any) -> Design:
        """Put the columns at work into units."""
        return super().design(features[:, self.columns])


def solve_by_working_set(
    objective: PenalizedLikelihood, solver: BoundedNewton, start: Array, order: NDArray[np.intp], room: int
) -> tuple[BoundedState, str]:
    """Solve over the columns at work, add those whose gradient at zero points down, and so on until none does.

    Each round lowers the objective, so the rounds end, at a point where the conditions of Karush, Kuhn and Tucker hold
    for every column. What held coefficients add to the predictor is an offset.

    Parameters
    ----------
    order : columns in the order in which they are first put to work, where there is no leak
    room : how many coefficients can be at work
    """
    lead = int(objective.units.intercept)
    objective = _offset_by(objective, np.where(solver.fixed, start, 0.0))
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
        wanted = np.flatnonzero((~solver.fixed & (w == 0) & (whole.gradient < -level))[lead:])
        if not len(wanted) or state.decrement > solver.tol:
            break
        working = np.flatnonzero(w[lead:] > 0)
        first = wanted[np.argsort(whole.gradient[lead + wanted], kind="stable")][: max(ROUND_COLUMNS, len(working))]
        if len(working) + len(first) + lead > room:
            reason = f"more than {room} coefficients are above zero, for which there is no room"
            state = replace(state, decrement=np.inf)
            break
        columns = np.union1d(working, first)
    final = np.where(solver.fixed, start, w)
    return replace(state, point=replace(whole, w=final), step=np.zeros_like(w), sweeps=spent, iterations=steps), reason


def _offset_by(objective: PenalizedLikelihood, w: Array) -> PenalizedLikelihood:
    """Give the objective of the other coefficients, where those given stay."""
    table = objective.engine.table
    assert isinstance(table, MemoryTable)
    units, fixed = objective.units, w[None]
    known = objective.engine.map(lambda block: units.design(block.features).scores(fixed))
    whole = np.zeros((table.features.n_rows, 1))
    whole[slice(None) if table.kept is None else table.kept] = known
    return objective.on(engine_for(replace(table, offset=whole)))


def _picked(objective: PenalizedLikelihood, columns: NDArray[np.intp]) -> PenalizedLikelihood:
    """Give the objective over some columns."""
    units = objective.units
    some = PickedUnits(units.centre[columns], units.scale[columns], units.intercept, columns)
    flat = np.zeros(some.n_coefficients)
    return replace(objective, units=some, prior=Quadratic(flat, flat), gauge=np.zeros((len(flat), 0)))


def _covering(objective: PenalizedLikelihood, order: NDArray[np.intp], room: int) -> NDArray[np.intp]:
    """Give the first of the columns in order, so many that every row of class 1 has a trigger among them."""
    count = min(ROUND_COLUMNS, room)
    while True:
        columns = np.sort(order[:count])

        def uncovered(block: Block, columns: NDArray[np.intp] = columns) -> Array:
            assert block.offset is not None
            bare = (block.counts(2)[:, 1] > 0) & (block.offset[:, 0] == 0)
            return np.asarray(bare & ~has_trigger(block.features[:, columns]), dtype=np.float64)

        left = int(objective.engine.map(uncovered).sum())
        if not left:
            return columns
        if count >= min(room, len(order)):
            raise DataError(
                f"without a leak every row of the second class needs a trigger, and {left} row(s) have none among the "
                f"{count} most frequent columns, for more than which there is no room. Use leak=True, or fewer columns."
            )
        count = min(2 * count, room, len(order))
