"""From rows and a prior to a posterior: the precision, where the rows are to choose it, the mode, the curvature."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posteriori.engines.base import Engine
from posteriori.fits.link_regression import Regression, Settings, regress
from posteriori.inference.bayes.corrected.correct import Unsampled, correct
from posteriori.inference.bayes.corrected.estimate import estimate
from posteriori.inference.bayes.corrected.notes import inaccurate, narrowed_to_gaussian, not_corrected
from posteriori.inference.bayes.corrected.posterior import CorrectedPosterior
from posteriori.inference.bayes.evidence.choose import ChosenPrecision, choose_precision
from posteriori.inference.bayes.laplace_error import excess_of
from posteriori.inference.bayes.posterior import GaussianPosterior, posterior_of
from posteriori.inference.prior_notes import binding_belief
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.priors.evidence import EVIDENCE_PRIORS, EvidencePrior
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.other_units import CentredPrior, PosteriorPrior
from posteriori.priors.weights import Weights
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.tables.memory import MemoryTable

Belief = GaussianPrior | EvidencePrior | None


@dataclass(frozen=True)
class Believed:
    """A posterior, the regression whose mode it is about, and the precision that the rows chose, if they did."""

    posterior: GaussianPosterior
    fitted: Regression
    chosen: ChosenPrecision | None
    notes: tuple[Note, ...]
    corrected: CorrectedPosterior | Unsampled | None


def read_belief(prior: Any) -> Belief:
    """Read the `prior` of a Bayesian model; a number becomes a prior with a proper intercept."""
    if isinstance(prior, str) and prior in EVIDENCE_PRIORS:
        return EVIDENCE_PRIORS[prior]
    if prior is None or isinstance(prior, GaussianPrior):
        return prior
    if isinstance(prior, int | float | np.number) and not isinstance(prior, bool) and 0 <= prior < np.inf:
        return CentredPrior(float(prior), units="data")
    raise DataError(
        f"prior={prior!r} is no prior: use one of {', '.join(map(repr, EVIDENCE_PRIORS))}, a number from zero up (the "
        "precision), a GaussianPrior, or None."
    )


def believe(
    table: MemoryTable, link: LinkFunction, prior: Belief, intercept: bool, labels: tuple[Any, ...]
) -> Believed:
    """Give the posterior of the first rows."""
    size = link.n_scores * (table.n_columns + bool(intercept))
    if size > DENSE_LIMIT:
        raise DataError(
            f"the posterior of {size} coefficients has no room for its covariance: at most {DENSE_LIMIT}. "
            "LogisticRegression has no such limit."
        )
    chosen, start = None, None
    if isinstance(prior, EvidencePrior):
        chosen, start = choose_precision(table, link, prior, intercept, gaussian=True)
        prior = chosen.prior
    elif not (table.class_sizes(link.n_classes)[1] > 0).all():  # the share of a class not seen yet is no start
        q = link.n_scores
        start = Weights(np.zeros((q, table.n_columns)), np.zeros(q), (), "the start")
    fitted = regress(table, link, prior, _settings(intercept, labels), start)
    posterior, names = posterior_of(fitted), table.schema.names
    told = binding_belief(posterior, prior, names) if chosen is None else chosen.notes(names)
    engine = fitted.found.objective.engine
    corrected = correct(engine, posterior)
    inexact = _inexact(engine, posterior, names) if corrected is None else inaccurate(corrected, posterior, names)
    told = (*told, *inexact)
    return Believed(posterior, fitted, chosen, (*fitted.found.notes, *told), corrected)


def _inexact(engine: Engine, posterior: GaussianPosterior, names: tuple[str | int, ...]) -> tuple[Note, ...]:
    """Return the note of a posterior that is too large to be corrected, where it is not about Gaussian."""
    if (found := excess_of(engine, posterior)).large:
        return (not_corrected(found),)
    known = estimate(engine, posterior)
    return () if known is None else inaccurate(known, posterior, names)


def believe_further(
    table: MemoryTable,
    link: LinkFunction,
    before: GaussianPosterior,
    chosen: ChosenPrecision | None,
    labels: tuple[Any, ...],
    gaussian: bool,
) -> Believed:
    """Give the posterior of further rows, whose prior is the Gaussian of the posterior so far; log evidences add up.

    `gaussian` tells whether the posterior so far was about Gaussian; where it was not, a note says what is lost.
    """
    lead, weights = before.units.to_data(before.w)
    prior = PosteriorPrior(before.units, before.w, before.precision)
    start = Weights(weights, lead, (), "the model so far")
    fitted = regress(table, link, prior, _settings(before.units.intercept, labels), start)
    after = posterior_of(fitted)
    lost = () if gaussian else (narrowed_to_gaussian(),)
    known = before.log_evidence is not None and after.log_evidence is not None
    total = before.log_evidence + after.log_evidence if known else None  # type: ignore[operator]
    return Believed(replace(after, log_evidence=total), fitted, chosen, (*fitted.found.notes, *lost), None)


def _settings(intercept: bool, labels: tuple[Any, ...]) -> Settings:
    return Settings("auto", intercept, 1e-8, None, labels)
