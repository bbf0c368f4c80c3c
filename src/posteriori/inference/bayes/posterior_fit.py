"""Fit of a posterior: the precision of the prior by the evidence, the mode, the curvature, corrections."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.fits.link_regression import Regression, Settings, regress
from posteriori.inference.bayes.corrected.correct import DeferredSampling, correct
from posteriori.inference.bayes.corrected.estimate import estimate
from posteriori.inference.bayes.corrected.notes import inaccurate, narrowed_to_gaussian, not_corrected
from posteriori.inference.bayes.evidence.choose import choose_precision, precision_notes
from posteriori.inference.bayes.laplace_error import excess_of
from posteriori.inference.bayes.laplace_fit import posterior_of
from posteriori.inference.prior_notes import is_per_unit, prior_note, prior_shifts
from posteriori.links.base import LinkFunction
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.models.posterior.corrected import CorrectedPosterior
from posteriori.models.posterior.gaussian import GaussianPosterior
from posteriori.models.posterior.precision import ChosenPrecision
from posteriori.priors.evidence import EVIDENCE_PRIORS, EvidencePrior
from posteriori.priors.gaussian import GaussianPrior
from posteriori.priors.other_units import CentredPrior, PosteriorPrior
from posteriori.priors.weights import Weights
from posteriori.solvers.select import DENSE_LIMIT
from posteriori.tables.table import Table

BayesianPrior = GaussianPrior | EvidencePrior | None


@dataclass(frozen=True)
class PosteriorFit:
    """A posterior, the regression at its mode, and the precision that the evidence chose, if it did."""

    posterior: GaussianPosterior
    fitted: Regression
    chosen: ChosenPrecision | None
    notes: tuple[Note, ...]
    corrected: CorrectedPosterior | DeferredSampling | None


def read_prior(prior: Any) -> BayesianPrior:
    """Read the `prior` of a Bayesian model; a number means a prior that is proper for the intercept too."""
    if isinstance(prior, str) and prior in EVIDENCE_PRIORS:
        return EVIDENCE_PRIORS[prior]
    if prior is None or isinstance(prior, GaussianPrior):
        return prior
    if isinstance(prior, int | float | np.number) and not isinstance(prior, bool) and 0 <= prior < np.inf:
        return CentredPrior(float(prior), units="data")
    raise DataError(
        f"prior={prior!r} is not a prior: use one of {', '.join(map(repr, EVIDENCE_PRIORS))}, a number that is not "
        "negative (the precision), a GaussianPrior, or None."
    )


def fit_posterior(
    table: Table, link: LinkFunction, prior: BayesianPrior, intercept: bool, labels: tuple[Any, ...]
) -> PosteriorFit:
    """Fit the posterior of rows."""
    size = link.n_scores * (table.n_columns + bool(intercept))
    if size > DENSE_LIMIT:
        raise DataError(
            f"the covariance of the posterior of {size} coefficients is too large: the limit is {DENSE_LIMIT}. "
            "LogisticRegression has no such limit."
        )
    chosen, start = None, None
    if isinstance(prior, EvidencePrior):
        chosen, start = choose_precision(table, link, prior, intercept, gaussian=True)
        prior = chosen.prior
    elif not (engine_for(table).rows(link.n_classes).weights > 0).all():  # no log frequency to start from
        q = link.n_scores
        start = Weights(np.zeros((q, table.n_columns)), np.zeros(q), (), "the start")
    fitted = regress(table, link, prior, _settings(intercept, labels), start)
    posterior, names = posterior_of(fitted), table.schema.names
    of_prior = _prior_notes(posterior, prior, names) if chosen is None else precision_notes(chosen, names)
    engine = fitted.maximum.objective.engine
    corrected = correct(engine, posterior)
    errors = _laplace_notes(engine, posterior, names) if corrected is None else inaccurate(corrected, posterior, names)
    return PosteriorFit(posterior, fitted, chosen, (*fitted.maximum.notes, *of_prior, *errors), corrected)


def _prior_notes(posterior: GaussianPosterior, prior: Any, names: tuple[str | int, ...]) -> tuple[Note, ...]:
    """Return a note if a prior per unit of each column moves coefficients far from the likelihood's maximum."""
    if not is_per_unit(prior):
        return ()
    (q, p), penalty = posterior.w.shape, posterior.prior.matrix()
    own = max(q - 1, 1)  # of contrasts to the first class
    curvature = (posterior.precision - penalty)[-own * p :, -own * p :]
    pull = penalty @ (posterior.w.ravel() - posterior.prior.mean)
    return prior_note(prior_shifts(curvature, pull, own, posterior.units.intercept), names)


def _laplace_notes(engine: Engine, posterior: GaussianPosterior, names: tuple[str | int, ...]) -> tuple[Note, ...]:
    """Return the note of a posterior that is too large to correct, if it is far from Gaussian."""
    if (excess := excess_of(engine, posterior)).large:
        return (not_corrected(excess),)
    errors = estimate(engine, posterior)
    return () if errors is None else inaccurate(errors, posterior, names)


def update_posterior(
    table: Table,
    link: LinkFunction,
    before: GaussianPosterior,
    chosen: ChosenPrecision | None,
    labels: tuple[Any, ...],
    gaussian: bool,
) -> PosteriorFit:
    """Update a posterior with further rows: its Gaussian is their prior, and log evidences add up.

    `gaussian` is whether the posterior so far was close to Gaussian; if it was not, there is a note.
    """
    lead, weights = before.units.to_data(before.w)
    prior = PosteriorPrior(before.units, before.w, before.precision)
    start = Weights(weights, lead, (), "the model so far")
    fitted = regress(table, link, prior, _settings(before.units.intercept, labels), start)
    after = posterior_of(fitted)
    lost = () if gaussian else (narrowed_to_gaussian(),)
    if before.log_evidence is None or after.log_evidence is None:
        after = replace(after, log_evidence=None)
    else:
        after = replace(after, log_evidence=before.log_evidence + after.log_evidence)
    return PosteriorFit(after, fitted, chosen, (*fitted.maximum.notes, *lost), None)


def _settings(intercept: bool, labels: tuple[Any, ...]) -> Settings:
    return Settings("auto", intercept, 1e-8, None, labels)
