"""A regression through a link, from a table to its maximum: survey, method, starts, maximum, likelihoods."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.base import Engine
from posteriori.engines.progress import job
from posteriori.engines.select import engine_for
from posteriori.fits.existence.nonconcave import logit_start
from posteriori.fits.existence.separation_note import LAST_ITERATE, NEAR_LIMIT
from posteriori.fits.likelihoods import likelihoods_of
from posteriori.fits.maximize import Maximum, maximize
from posteriori.fits.methods import METHODS, JeffreysMethod, Method
from posteriori.fits.problem import Problem
from posteriori.fits.start import start_of
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.models.likelihoods import Likelihoods
from posteriori.objectives.penalized import PenalizedLikelihood
from posteriori.objectives.prepare import Surveyed, objective_of, survey, survey_sample
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.jeffreys import JeffreysPrior
from posteriori.priors.weights import Weights
from posteriori.solvers.catalogue import FIRST_ORDER, first_order
from posteriori.solvers.first_order.base import FirstOrder
from posteriori.solvers.newton.sampled import sample_parts
from posteriori.solvers.select import DENSE_LIMIT, method, sample_quota, sample_rows
from posteriori.solvers.trace import Recorder, Trace
from posteriori.tables.table import Table
from posteriori.tables.views import ContrastedOffset, Counted


@dataclass(frozen=True)
class Settings:
    """How a regression is fitted.

    Parameters
    ----------
    solver : its name
    intercept : whether there is one
    tol, max_iter : when the solver stops
    labels : of the classes, for notes
    rate : the length of gradient steps
    trace : whether to record the iterates
    random : the order of the rows in on-line steps
    """

    solver: str
    intercept: bool
    tol: float
    max_iter: int | None
    labels: tuple[Any, ...] = ()
    rate: float | None = None
    trace: bool = False
    random: np.random.RandomState | None = None

    def for_jeffreys(self) -> "Settings":
        """Return these settings for Jeffreys' prior, which requires Fisher scoring."""
        return replace(self, solver="auto", rate=None, random=None)


@dataclass(frozen=True)
class Regression:
    """A fitted regression.

    Parameters
    ----------
    maximum : the maximum
    likelihoods : of the fit and of the models it is compared with
    totals : (K,) the weight of each class
    w : (q, p) the coefficients in the units of the fit
    trace : the iterates, where they were recorded
    """

    maximum: Maximum
    likelihoods: Likelihoods
    totals: Array
    w: Array
    trace: Trace | None = None

    @property
    def link(self) -> LinkFunction:
        """The link."""
        return self.maximum.objective.link

    @property
    def units(self) -> Units:
        """The units of the fit."""
        return self.maximum.objective.units

    @property
    def n_free(self) -> int:
        """The number of coefficients that the data and the prior identify."""
        return min(self.maximum.objective.n_free, (self.link.n_classes - 1) * self.units.n_coefficients)

    def after(self, iterations: int, before: Trace | None) -> "Regression":
        """Return this fit with the iterations and the trace of earlier calls before its own."""
        solution = self.maximum.solution
        maximum = replace(self.maximum, solution=replace(solution, iterations=solution.iterations + iterations))
        joined = self.trace if before is None or self.trace is None else before.joined(self.trace)
        return replace(self, maximum=maximum, trace=joined)

    def infinite(self) -> NDArray[np.int8]:
        """Return a code of `recession` for each coefficient, by class, the intercept first."""
        if self.maximum.recession is None:
            n_rows = self.link.n_classes if self.link.n_scores > 1 else 1
            return np.zeros((n_rows, len(self.units.scale) + 1), dtype=np.int8)
        codes = self.maximum.recession.own
        return codes if self.units.intercept else np.column_stack([np.zeros(len(codes), np.int8), codes])


def regress(
    table: Table,
    link: LinkFunction,
    prior: GaussianPrior | JeffreysPrior | None,
    settings: Settings,
    init: Weights | None = None,
) -> Regression:
    """Maximise the (penalised) likelihood of a table; `init` is where the user would begin."""
    with job("regression"):
        engine = likelihood_engine(table, link)
        rows = engine.rows(link.n_classes)
        totals = rows.weights
        begin = None if init is None else init.contrasted(link).over(table.schema.names)
        name, kind = _method(engine, link, prior, settings)
        gaussian = None if isinstance(prior, JeffreysPrior) else prior
        surveyed = _survey(engine, link, gaussian, kind, settings)
        objective = objective_of(surveyed, link, gaussian, settings.intercept, DENSE_LIMIT)
        samples = () if surveyed.sample is None else sample_parts(surveyed.sample, rows.rows, objective.n_parameters)
        recorder = Recorder(objective) if settings.trace else None
        maximum = maximize(
            Problem(objective, settings.tol, 100 if settings.max_iter is None else settings.max_iter, settings.labels),
            kind(_first_order(name, settings), samples),
            _starts(objective, kind, settings, totals, samples, follow=begin is None),
            None if begin is None else objective.units.from_data(begin[:, 0], begin[:, 1:]).ravel(),
            recorder,
        )
        likelihoods = likelihoods_of(engine, link, maximum.point.loss, totals, settings.intercept)
    w = maximum.objective.settled(maximum.point.w) if maximum.finished is None else maximum.finished.w
    w = w.reshape(link.n_scores, objective.units.n_coefficients)
    return Regression(maximum, likelihoods, totals, w, None if recorder is None else recorder.trace())


def likelihood_engine(table: Table, link: LinkFunction) -> Engine:
    """Return the engine of a likelihood: offsets of the link's scores and, for two classes, targets as class counts.

    Fused kernels read counts: they are computed here once if the rows are in memory, not in every sweep.
    """
    engine = engine_for(table).numbered().view(ContrastedOffset(link))
    return engine.view(Counted(2)) if link.n_classes == 2 else engine


def _method(
    engine: Engine, link: LinkFunction, prior: GaussianPrior | JeffreysPrior | None, settings: Settings
) -> tuple[str, type[Method]]:
    """Choose the method by the settings, the prior and the shape of the table."""
    n_parameters = link.n_scores * (engine.table.n_columns + settings.intercept)
    name = settings.solver if settings.solver in FIRST_ORDER else method(settings.solver, engine.n_rows, n_parameters)
    if not isinstance(prior, JeffreysPrior):
        return name, METHODS[name]
    if not METHODS[name].sums_hessian:
        raise DataError(
            f"prior='jeffreys' needs the information matrix, and there are more than {DENSE_LIMIT} coefficients. Give "
            "a Gaussian prior, such as prior=pt.GaussianPrior(sd=2.5, units='sd'), or fewer columns."
        )
    return name, JeffreysMethod


def _first_order(name: str, settings: Settings) -> FirstOrder | None:
    """Return the solver of a first-order method."""
    if name not in FIRST_ORDER:
        return None
    return first_order(name, tol=settings.tol, max_iter=settings.max_iter, rate=settings.rate, random=settings.random)


def _survey(
    engine: Engine, link: LinkFunction, prior: GaussianPrior | None, kind: type[Method], settings: Settings
) -> Surveyed:
    """Survey all rows, or a sample where the method uses one."""
    if not kind.uses_sample:
        return survey(engine)
    n_parameters = link.n_scores * (engine.table.n_columns + settings.intercept)
    quota = sample_quota(engine.rows(link.n_classes).rows, sample_rows(engine.n_rows, n_parameters))
    return survey_sample(engine, *quota, exact=prior is not None and prior.units == "sd")


def _starts(
    objective: PenalizedLikelihood,
    kind: type[Method],
    settings: Settings,
    totals: Array,
    samples: tuple[Engine, ...],
    *,
    follow: bool,
) -> tuple[Array, ...]:
    """Return where the method begins; of a likelihood that need not be concave, at the logit's maximum first."""
    if settings.rate is not None:
        return (np.zeros(objective.n_parameters),)  # as in the books
    start = start_of(objective, totals, follow=follow and kind.uses_curvature)
    if objective.link.is_concave or not kind.sums_hessian:
        return (start,)
    return logit_start(objective, samples, np.maximum(totals, 1e-300) / totals.sum()), start


def cured(separated: Regression, again: Regression) -> Regression:
    """Return the fit with Jeffreys' prior, with a note that it replaces one without a maximum."""
    before = separated.maximum.notes[0]
    note = replace(
        before,
        code="separation-cured",
        message=before.message.replace(LAST_ITERATE, "").replace(NEAR_LIMIT, "").strip(),
        remedy="The fit was therefore made again with prior='jeffreys', as on_separation='jeffreys' asks.",
    )
    return replace(again, maximum=replace(again.maximum, notes=(note, *again.maximum.notes)))
