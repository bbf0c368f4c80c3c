"""From a table and a model to an objective: the survey, the units of the fit, the prior in these units."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.input.faults import refuse_cells, refuse_subnormal
from posteriori.links.base import LinkFunction
from posteriori.objectives.drawn_rows import DrawnRows
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.quadratic import Quadratic
from posteriori.statistics.moments import Moments
from posteriori.sweeps.sample import SampleSweep
from posteriori.sweeps.survey import Survey
from posteriori.tables.views import WithoutColumns

FILL = "Fill or leave out those cells; NaiveBayes takes missing values as they are."


@dataclass(frozen=True)
class Surveyed:
    """The result of a survey: the engine, the moments of the columns, and a sample where one was drawn."""

    engine: Engine
    moments: Moments
    sample: DrawnRows | None


def survey(engine: Engine) -> Surveyed:
    """Read the table once: compute the moments of the columns; raise if cells are not finite."""
    table = engine.table
    tally, moments = engine.run(Survey()).parts
    refuse_cells(table, tally, "finite numbers", remedy=FILL)
    refuse_subnormal(table.schema, moments.scale, range(table.n_columns))
    return Surveyed(engine, moments, None)


def survey_sample(
    engine: Engine, quota: NDArray[np.int64], threshold: NDArray[np.uint64], *, exact: bool = False
) -> Surveyed:
    """Draw a sample and survey it: units near the columns' own are enough for a fit, and other rows are not read.

    All rows are surveyed if a column is constant in the sample or has cells that are not finite, and for a prior in
    standard deviations (`exact`). Cells that are not finite elsewhere show in the first gradient.
    """
    sample = engine.view(WithoutColumns()).run(SampleSweep(quota, threshold))  # classes and row numbers are enough
    drawn = DrawnRows.of(engine, sample)
    tally, moments = drawn.part(0.25).run(Survey()).parts
    if exact or tally.count.any() or not (moments.scatter > 0).all():
        moments = survey(engine).moments
    return Surveyed(engine, moments, drawn)


def units_of(moments: Moments, intercept: bool, centred: bool = True) -> Units:
    """Return units by mean and standard deviation, or by the root mean square where nothing is centred."""
    unit = np.where(moments.scale > 0, moments.scale, 1.0)
    variance = moments.scatter[0] / moments.weight[0]
    centre = moments.mean[0]
    if not (intercept and centred):
        variance = variance + (centre / unit) ** 2
        centre = np.zeros_like(centre)
    scale = np.sqrt(variance) * unit
    return Units(centre, np.where(scale > 0, scale, unit), intercept)


def standard_deviations(moments: Moments) -> Array:
    """Return the columns' standard deviations (divisor N)."""
    sds: Array = np.sqrt(moments.scatter[0] / moments.weight[0]) * moments.scale
    return sds


def objective_of(
    surveyed: Surveyed, link: LinkFunction, prior: GaussianPrior | None, intercept: bool, dense_limit: int
) -> PenalizedLikelihood:
    """Return the objective of a table, a link and a prior; its gauge is set once ranks are known.

    With a prior on the intercept and more columns than a matrix has room for, nothing is centred: the
    prior then stays diagonal.
    """
    d, q = len(surveyed.moments.scale), link.n_scores
    wide = q * (d + intercept) > dense_limit
    intercept_penalized = prior is not None and prior.intercept_precision > 0
    units = units_of(surveyed.moments, intercept, centred=not (wide and intercept_penalized))
    n_parameters = q * units.n_coefficients
    flat = Quadratic(np.zeros(n_parameters), np.zeros(n_parameters))
    quadratic, stated = flat, None
    if prior is not None:
        own = prior.resolved(link).quadratic(q, d, intercept, standard_deviations(surveyed.moments))
        own = own.capped(units, q) if type(own) is Quadratic and own.is_in_range else own
        quadratic = own.in_units(units, q)
        stated = own if type(own) is Quadratic and own.is_in_range else None
    return PenalizedLikelihood(surveyed.engine, link, units, quadratic, np.zeros((n_parameters, 0)), stated)
