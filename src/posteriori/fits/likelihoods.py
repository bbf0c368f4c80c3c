"""The likelihoods of a fit, of the model without columns, and of the saturated model."""

from dataclasses import replace

import numpy as np
from scipy.special import xlogy

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.select import engine_for
from posteriori.fits.existence.rank import gauge_of
from posteriori.fits.start import start_of
from posteriori.links.base import LinkFunction
from posteriori.models.likelihoods import Likelihoods, loss_without_columns
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import Newton
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import numbered


def likelihoods_of(table: MemoryTable, link: LinkFunction, loss: float, totals: Array, intercept: bool) -> Likelihoods:
    """Return the likelihoods of a fit whose loss over the table is `loss`; `totals` (K,) are the class weights."""
    return Likelihoods(loss, _null_loss(table, link, totals, intercept), _saturated(table), table.arrangements)


def _saturated(table: MemoryTable) -> float:
    """Return the saturated log likelihood: 0 for plain labels."""
    if table.targets is None or table.targets.ndim == 1:
        return 0.0
    counts = table.targets if table.positive_rows is None else table.targets[table.positive_rows]
    total = counts.sum(axis=1)
    return float((xlogy(counts, counts).sum(axis=1) - xlogy(total, total)).sum())


def _null_loss(table: MemoryTable, link: LinkFunction, totals: Array, intercept: bool) -> float:
    """Return the loss of the model without columns: in closed form, or by Newton where there is an offset."""
    if table.offset is None:
        return loss_without_columns(link, totals, intercept)
    empty = Features(np.empty((table.features.n_rows, 0)), numbered(0))
    bare = MemoryTable(empty, table.targets, table.weights, table.offset, table.positive_rows)
    units = Units(np.zeros(0), np.zeros(0), intercept)
    size = link.n_scores * int(intercept)
    flat = Quadratic(np.zeros(size), np.zeros(size))
    objective = PenalizedLikelihood(engine_for(bare), link, units, flat, np.zeros((size, 0)))
    if not intercept:
        return objective.slope(np.zeros(0)).loss
    objective = replace(objective, gauge=gauge_of(objective))
    state, _ = Newton(1e-10).solve(objective, start_of(objective, totals))
    return float(state.point.loss)
