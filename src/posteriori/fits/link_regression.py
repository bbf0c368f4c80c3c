"""A regression through a link, from a table to its maximum: survey, method, start, solve, judge."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.designs.units import Units
from posteriori.engines.progress import job
from posteriori.fits.existence.at_infinity import HELD
from posteriori.fits.existence.nonconcave import logit_start
from posteriori.fits.likelihoods import Likelihoods, likelihoods_of
from posteriori.fits.maximize import Maximum, maximize
from posteriori.fits.start import start_of
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.objectives.prepare import Surveyed, objective_of, survey, survey_sample
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.jeffreys import JeffreysPrior
from posteriori.priors.weights import Weights
from posteriori.solvers.catalogue import FIRST_ORDER, first_order
from posteriori.solvers.first_order.base import FirstOrder
from posteriori.solvers.newton.sampled import sample_tables
from posteriori.solvers.select import DENSE_LIMIT, method, sample_quota, sample_rows
from posteriori.solvers.trace import Recorder, Trace
from posteriori.tables.memory import MemoryTable


@dataclass(frozen=True)
class Settings:
    """How a regression is to be fitted, as the user asked; `labels` name the classes in notes.

    `rate` is the length of steps by gradients, `trace` whether to write them down, `random` orders the rows of on-line
    steps.
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
        """Give the same for a fit with Jeffreys' prior, which has a way of its own."""
        return replace(self, solver="auto", rate=None, random=None)


@dataclass(frozen=True)
class Regression:
    """A fitted regression: the maximum, the likelihoods it is judged by, and the weight of each class.

    `w` are the coefficients (q, p) in the units of the fit; `trace` is the way there, where it was asked for.
    """

    found: Maximum
    judged: Likelihoods
    totals: Array
    w: Array
    trace: Trace | None = None

    @property
    def link(self) -> LinkFunction:
        """The link."""
        return self.found.objective.link

    @property
    def units(self) -> Units:
        """The units of the fit."""
        return self.found.objective.units

    @property
    def n_free(self) -> int:
        """Coefficients that the data and the prior tell apart."""
        return min(self.found.objective.n_free, (self.link.n_classes - 1) * self.units.n_coefficients)

    def after(self, iterations: int, before: Trace | None) -> "Regression":
        """Give the same with the iterations and the trace of earlier calls before its own."""
        solution = self.found.solution
        found = replace(self.found, solution=replace(solution, iterations=solution.iterations + iterations))
        joined = self.trace if before is None or self.trace is None else before.joined(self.trace)
        return replace(self, found=found, trace=joined)

    def coefficients(self) -> tuple[Array, Array]:
        """Give intercepts and weights in the user's units: one row for one score, else one a class."""
        if self.found.finished is not None:
            return self._for_classes(self.found.finished.lead, self.found.finished.weights)
        return self._by_class(self.w)

    def infinite(self) -> NDArray[np.int8]:
        """Return a code of `recession` for each coefficient, by class, the intercept first."""
        if self.found.recession is None:
            lead, weights = self._by_class(self.w)
            return np.zeros((len(lead), weights.shape[1] + 1), dtype=np.int8)
        codes = self.found.recession.own
        return codes if self.units.intercept else np.column_stack([np.zeros(len(codes), np.int8), codes])

    def _by_class(self, w: Array) -> tuple[Array, Array]:
        return self._for_classes(*self.units.to_data(w))

    def _for_classes(self, lead: Array, weights: Array) -> tuple[Array, Array]:
        if self.link.n_scores > 1:
            lead, weights = self.link.expand(lead[None])[0], self.link.expand(weights.T).T
        return lead, weights


def regress(
    table: MemoryTable,
    link: LinkFunction,
    prior: GaussianPrior | JeffreysPrior | None,
    settings: Settings,
    known: Weights | None = None,
) -> Regression:
    """Go from a table to the maximum of a (penalised) likelihood; `known` is where the user would begin."""
    with job("regression"):
        table = replace(table, offset=link.contrast_offset(table.offset))
        if link.n_classes == 2:
            table = table.counted(2)  # the fused kernel reads counts; made here once, not in every sweep
        begin = None if known is None else known.contrasted(link).over(table.schema.names)
        rows, totals = table.class_sizes(link.n_classes)
        gaussian = None if isinstance(prior, JeffreysPrior) else prior
        chosen, surveyed = _survey(table, link, gaussian, settings, rows)
        if prior is not gaussian:
            chosen, surveyed = _jeffreys(chosen), surveyed if surveyed.sample is None else survey(table)
        objective = objective_of(surveyed, link, gaussian, settings.intercept, DENSE_LIMIT)
        solver = _first_order(chosen, settings)
        recorder = Recorder(objective) if settings.trace else None
        start = start_of(objective, totals, follow=solver is None and begin is None)
        if settings.rate is not None:
            start = np.zeros_like(start)  # as in the books
        samples = () if surveyed.sample is None else sample_tables(surveyed.sample, table, rows, objective.n_parameters)
        begins: tuple[Array, ...] = (start,)
        if not link.is_concave and chosen not in ("truncated", "jeffreys") and settings.rate is None:
            begins = (logit_start(objective, samples, np.maximum(totals, 1e-300) / totals.sum()), *begins)
        found = maximize(
            objective,
            chosen,
            begins[0],
            others=begins[1:],
            tol=settings.tol,
            max_iter=settings.max_iter,
            samples=samples,
            given=None if begin is None else objective.units.from_data(begin[:, 0], begin[:, 1:]).ravel(),
            labels=settings.labels,
            solver=solver,
            recorder=recorder,
        )
        judged = likelihoods_of(table, link, found.point.loss, totals, settings.intercept)
    w = found.objective.settled(found.point.w) if found.finished is None else found.finished.w
    w = w.reshape(link.n_scores, objective.units.n_coefficients)
    return Regression(found, judged, totals, w, None if recorder is None else recorder.trace())


def _first_order(chosen: str, settings: Settings) -> FirstOrder | None:
    """Give the solver of a method that goes by gradients."""
    if chosen not in FIRST_ORDER:
        return None
    return first_order(chosen, tol=settings.tol, max_iter=settings.max_iter, rate=settings.rate, random=settings.random)


def _jeffreys(chosen: str) -> str:
    """Refuse Jeffreys' prior where there is no room for an information matrix."""
    if chosen == "truncated":
        raise DataError(
            f"prior='jeffreys' needs the information matrix, and there are more than {DENSE_LIMIT} coefficients. Give "
            "a Gaussian prior, such as prior=pt.GaussianPrior(sd=2.5, units='sd'), or fewer columns."
        )
    return "jeffreys"


def cured(separated: Regression, again: Regression) -> Regression:
    """Give the fit with Jeffreys' prior, with a note that it stands in for one that has no maximum."""
    before = separated.found.notes[0]
    note = replace(
        before,
        code="separation-cured",
        message=before.message.replace(HELD, "").strip(),
        remedy="The fit was therefore made again with prior='jeffreys', as on_separation='jeffreys' asks.",
    )
    return replace(again, found=replace(again.found, notes=(note, *again.found.notes)))


def _survey(
    table: MemoryTable, link: LinkFunction, prior: GaussianPrior | None, settings: Settings, rows: Array
) -> tuple[str, Surveyed]:
    """Choose the method by shape, and look at the columns as it needs them."""
    n_parameters = link.n_scores * (table.n_columns + settings.intercept)
    chosen = settings.solver if settings.solver in FIRST_ORDER else method(settings.solver, table.n_rows, n_parameters)
    if chosen != "sampled":
        return chosen, survey(table)
    quota = sample_quota(rows, sample_rows(table.n_rows, n_parameters))
    return chosen, survey_sample(table, *quota, exact=prior is not None and prior.units == "sd")
