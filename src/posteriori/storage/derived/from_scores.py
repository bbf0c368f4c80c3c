"""What follows from the scores, the posterior and the class totals of a linear model."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.from_scatter import FromScatter
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.linear import LinearClassifier
from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.estimators.regression.noisy_or import NoisyOr
from posteriori.fits.existence.recession import against
from posteriori.fits.fisher import NEVER
from posteriori.fits.information import Information, is_sampling
from posteriori.fits.likelihoods import loss_without_columns
from posteriori.inference.bayes.corrected.correct import interval_shifts
from posteriori.inference.bayes.posterior import GaussianPosterior, log_determinant
from posteriori.storage.registry import DERIVED


@DERIVED.of(LinkRegression, BayesianLogisticRegression, NoisyOr, FromScatter, Perceptron)
def coefficients(model: LinearClassifier) -> dict[str, Any]:
    """Return the coefficients in the units of X, and their number; those of the scores are in the units of the fit."""
    units, w = model.scores_.units, model.scores_.w  # type: ignore[attr-defined]
    link = vars(model).get("link_")
    intercept, weights = units.to_data(w)
    if link is not None and link.n_scores > 1:
        intercept, weights = link.expand(intercept[None])[0], link.expand(weights.T).T
    if isinstance(model, FromScatter):
        intercept = np.where(np.abs(intercept) < 0.5 * NEVER, intercept, np.copysign(np.inf, intercept))
    n_vectors = len(w) if isinstance(model, Perceptron) else len(model.classes_) - 1
    return {"coef_": weights, "intercept_": intercept, "n_parameters_": n_vectors * units.n_coefficients}


@DERIVED.of(Perceptron)
def perceptron(model: Perceptron) -> dict[str, Any]:
    """Return the weights of the state that predictions are made of, where the state has them, and its updates."""
    state = model.state_
    weights = {"last": state.w, "average": state.average}.get(model.keep, model.scores_.w)
    return {"scores_.w": weights, "n_updates_": state.updates}


@DERIVED.of(FisherDiscriminant)
def fisher(model: FisherDiscriminant) -> dict[str, Any]:
    """Return directions in the units of X, class means, and proportions of the eigenvalues."""
    projection, total = model.projection_, model.eigenvalues_.sum()
    largest = model.eigenvalues_[: len(projection.w)]
    return {
        "scalings_": projection.w[:, 1:].T / projection.units.scale[:, None],
        "means_": model.statistics_.within.mean,
        "explained_variance_ratio_": largest / total if total > 0 else np.zeros_like(largest),
    }


# --- regressions


def _has_one_class_per_row(known: Information) -> bool:
    """Return whether the file says that each row had one class: its scores were summed once, by rows and by trials."""
    return known.sums is not None and known.sums.by_rows is None and known.n_copies is not None


@DERIVED.of(LinkRegression)
def information(model: LinkRegression) -> dict[str, Any]:
    """Return numbers of coefficients, rows and iterations, and which estimates are infinite."""
    known, sampling = model.information_, is_sampling(model.weights)
    chosen = vars(model).get("evidence_")
    derived: dict[str, Any] = {
        "n_iter_": model.solution_.iterations + (0 if chosen is None else chosen.evaluations),
        "information_.n_free": len(known.infinite) - known.aliased.shape[1],
    }
    if not sampling:
        derived["information_.scale"] = 1.0
    if known.pairs is not None:
        reference = getattr(model.link_, "reference", None) or 0
        derived["information_.infinite"] = against(known.pairs, len(model.classes_), reference).ravel()
    if _has_one_class_per_row(known):
        total = float(known.totals.sum())
        derived |= {"information_.scale": total / known.n_rows} if sampling else {}
        derived["information_.n_copies"] = float(known.n_rows) if sampling else total
    return derived


@DERIVED.of(LinkRegression)
def likelihoods(model: LinkRegression) -> dict[str, Any]:
    """Return what follows from the loss and the class totals.

    Log likelihoods are a constant less a loss, the constant being zero where each row has one class. The loss of the
    model without columns has a closed form where there is no offset.
    """
    known, log_likelihood = model.information_, model.log_likelihood_
    plain = {"log_likelihood_": -known.loss, "deviance_": 2.0 * known.loss}
    derived = plain if _has_one_class_per_row(known) else _likelihoods_of_counts(model, known.loss)
    null = model.null_log_likelihood_
    if not model.takes_offset_:
        null_loss = loss_without_columns(model.link_, known.totals, model.scores_.units.intercept)
        null = derived["null_log_likelihood_"] = log_likelihood + known.loss - null_loss
    derived["null_deviance_"] = model.deviance_ + 2.0 * (log_likelihood - null)
    if not known.jeffreys:
        penalty = 0.0 if known.prior is None else known.prior.value(model.scores_.w.ravel())
        derived["solution_.objective"] = known.loss + penalty
    if not is_sampling(model.weights) or hasattr(model, "aic_"):  # earlier versions had them with sampling weights too
        # earlier versions counted trials, not rows
        n = known.totals.sum() if known.n_copies is None else known.n_copies
        derived |= _criteria(known.n_free, n, log_likelihood)
    return derived


def _likelihoods_of_counts(model: Any, loss: float) -> dict[str, float]:
    """Return the likelihoods of class counts, within what the loss allows.

    The log of the multinomial coefficients is not negative, and the saturated model's likelihood is at most one.
    """
    most = max(-loss, -0.5 * model.deviance_)
    return {
        "log_likelihood_": min(max(model.log_likelihood_, -loss), most),
        "deviance_": min(max(model.deviance_, 0.0), 2.0 * loss),
    }


def _criteria(k: int, n: float, log_likelihood: float) -> dict[str, Any]:
    return {"aic_": 2.0 * (k - log_likelihood), "bic_": k * np.log(n) - 2.0 * log_likelihood}


@DERIVED.of(NoisyOr)
def noisy_or(model: NoisyOr) -> dict[str, Any]:
    """Return the coefficients by their other names, and what follows from the loss."""
    intercept, weights = model.scores_.units.to_data(model.scores_.w)
    k = model.scores_.units.n_coefficients
    # files of earlier versions do not have the number of trials
    n = vars(model).get("n_trials_", np.exp((model.bic_ + 2.0 * model.log_likelihood_) / k))
    return {
        **_likelihoods_of_counts(model, model.solution_.objective),
        **_criteria(k, n, model.log_likelihood_),
        "theta_": weights[0],
        "leak_": intercept[0],
        "failure_probabilities_": np.exp(-weights[0]),
        "n_iter_": model.solution_.iterations,
    }


@DERIVED.of(BayesianLogisticRegression)
def bayesian(model: BayesianLogisticRegression) -> dict[str, Any]:
    """Return the evidence of one batch, and how far the corrections moved the posterior."""
    posterior, corrected = model.posterior_, vars(model).get("corrected_")
    derived: dict[str, Any] = {} if corrected is None else {"corrected_.moved": interval_shifts(posterior, corrected)}
    if posterior.log_evidence is not None and model.n_batches_ == 1:
        evidence = _evidence(posterior, model.log_likelihood_)
        derived |= {} if evidence is None else {"posterior_.log_evidence": evidence}
    return derived


def _evidence(posterior: GaussianPosterior, log_likelihood: float) -> float | None:
    """Compute the evidence by Laplace's approximation; None where a precision is singular to rounding.

    Book: [Bishop] Eq. 4.137, §4.4.1.
    """
    determinant = log_determinant(posterior.prior.matrix())
    sizes = np.linalg.svd(posterior.root, compute_uv=False)
    if determinant is None or len(sizes) < posterior.w.size or not sizes.min() > 0:
        return None
    return float(log_likelihood - posterior.prior.value(posterior.w.ravel()) + 0.5 * determinant + np.log(sizes).sum())
