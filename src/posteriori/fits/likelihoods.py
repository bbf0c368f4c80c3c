"""The likelihoods of a fit, of the model without columns, and of the saturated model."""

from dataclasses import replace

import numpy as np

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.fits.existence.rank import gauge_of
from posteriori.fits.start import start_of
from posteriori.links.base import LinkFunction
from posteriori.models.likelihoods import Likelihoods, loss_without_columns
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.quadratic import Quadratic
from posteriori.solvers.newton.newton import Newton
from posteriori.tables.views import WithoutColumns


def likelihoods_of(engine: Engine, link: LinkFunction, loss: float, totals: Array, intercept: bool) -> Likelihoods:
    """Return the likelihoods of a fit whose loss over the table is `loss`; `totals` (K,) are the class weights."""
    rows = engine.rows(link.n_classes)
    return Likelihoods(loss, _null_loss(engine, link, totals, intercept), rows.saturated, rows.arrangements)


def _null_loss(engine: Engine, link: LinkFunction, totals: Array, intercept: bool) -> float:
    """Return the loss of the model without columns: in closed form, or by Newton where there is an offset."""
    if not engine.rows(link.n_classes).has_offset:
        return loss_without_columns(link, totals, intercept)
    units = Units(np.zeros(0), np.zeros(0), intercept)
    size = link.n_scores * int(intercept)
    flat = Quadratic(np.zeros(size), np.zeros(size))
    objective = PenalizedLikelihood(engine.view(WithoutColumns()), link, units, flat, np.zeros((size, 0)))
    if not intercept:
        return objective.slope(np.zeros(0)).loss
    objective = replace(objective, gauge=gauge_of(objective))
    state, _ = Newton(1e-10).solve(objective, start_of(objective, totals))
    return float(state.point.loss)
