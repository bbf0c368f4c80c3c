"""Where a fit begins: the model without columns, as an offset leaves it."""

from dataclasses import replace

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.newton.truncated import TruncatedNewton
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.tables.memory import MemoryTable

#: How far an offset may take predictors from the start before steps from there see no curvature.
FAR = 10.0
#: How near each shrunk problem is solved: its optimum is only a start.
ROUGH = 0.1


def start_of(objective: PenalizedLikelihood, totals: Array, *, follow: bool = True) -> Array:
    """Give the start of a fit, (q p,): intercepts that give the classes their shares, `totals` (K,) of weight.

    An offset is met by its mean. Where it still takes predictors further than `FAR`, probabilities there are 0 or 1 to
    rounding and no curvature is left to step by. The maximum is then followed (unless `follow` is False) from the
    offset divided by a power of two, doubling both at a time: far out weights grow in proportion to the offset.
    """
    link, units, table = objective.link, objective.units, objective.engine.table
    start = np.zeros((link.n_scores, units.n_coefficients))
    if units.intercept:
        start[:, 0] = link.start(np.maximum(totals, 1e-300) / totals.sum())
    if not isinstance(table, MemoryTable) or table.offset is None:
        return start.ravel()
    offset = table.offset if table.kept is None else table.offset[table.kept]
    if units.intercept:
        centre = (offset / len(offset)).sum(axis=0)  # the sum of offsets near 1e308 overflows
        start[:, 0] -= centre
        offset = offset - centre
    if not np.isfinite(offset).all():
        return start.ravel()
    doublings = int(np.ceil(np.log2(max(float(np.abs(offset).max()) / FAR, 1.0))))
    return _followed(objective, table, start.ravel(), doublings) if follow else start.ravel()


def _followed(objective: PenalizedLikelihood, table: MemoryTable, start: Array, doublings: int) -> Array:
    """Go from an offset of 2^-doublings to the whole of it."""
    assert table.offset is not None
    w = start * 2.0**-doublings
    wide = objective.n_parameters > DENSE_LIMIT
    solver = TruncatedNewton(ROUGH, 30) if wide else Newton(ROUGH, 30)
    for halved in range(doublings, 0, -1):
        shrunk = replace(table, offset=table.offset * 2.0**-halved)
        state, _ = solver.solve(objective.on(engine_for(shrunk)), w)
        if not np.isfinite(state.point.w).all():
            return start
        w = 2.0 * state.point.w
    return w
