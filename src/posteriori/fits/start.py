"""The start of a fit: the model without columns, given the offset."""

import numpy as np

from posteriori.arrays import Array
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.solvers.newton.newton import Newton
from posteriori.solvers.newton.truncated import TruncatedNewton
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.tables.views import ScaledOffset

#: Distance of predictors from the start, caused by an offset, above which the curvature there vanishes.
FAR = 10.0
#: The decrement to which each problem with a smaller offset is solved: its optimum is only a start.
LOOSE_TOL = 0.1


def start_of(objective: PenalizedLikelihood, totals: Array, *, follow: bool = True) -> Array:
    """Return the start of a fit, (q p,): the intercepts of the class frequencies, from the weights `totals` (K,).

    The mean of an offset is subtracted from them. Where predictors are still further away than `FAR`, probabilities
    are 0 or 1 to rounding and the curvature vanishes. Unless `follow` is False, the maximum is then followed from the
    offset divided by a power of two, doubling offset and coefficients at each step: for large offsets the two grow in
    proportion.
    """
    link, units, rows = objective.link, objective.units, objective.rows
    start = np.zeros((link.n_scores, units.n_coefficients))
    if units.intercept:
        start[:, 0] = link.start(np.maximum(totals, 1e-300) / totals.sum())
    if not rows.has_offset:
        return start.ravel()
    least, most = rows.least, rows.most
    if units.intercept:
        start[:, 0] -= rows.mean
        least, most = least - rows.mean, most - rows.mean
    farthest = float(max(np.abs(least).max(), np.abs(most).max()))
    if not np.isfinite(farthest):
        return start.ravel()
    doublings = int(np.ceil(np.log2(max(farthest / FAR, 1.0))))
    return _followed(objective, start.ravel(), doublings) if follow else start.ravel()


def _followed(objective: PenalizedLikelihood, start: Array, doublings: int) -> Array:
    """Follow the maximum from the offset times 2^-doublings to the whole offset."""
    w = start * 2.0**-doublings
    wide = objective.n_parameters > DENSE_LIMIT
    solver = TruncatedNewton(LOOSE_TOL, 30) if wide else Newton(LOOSE_TOL, 30)
    for halved in range(doublings, 0, -1):
        shrunk = objective.engine.view(ScaledOffset(2.0**-halved))
        state, _ = solver.solve(objective.on(shrunk), w)
        if not np.isfinite(state.point.w).all():
            return start
        w = 2.0 * state.point.w
    return w
