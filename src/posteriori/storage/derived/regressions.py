"""What follows from the scores, the posterior and the class totals of a regression (`derived`)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.estimators.regression.noisy_or import NoisyOr
from posteriori.fits.existence.recession import against
from posteriori.fits.information import is_sampling
from posteriori.fits.likelihoods import loss_without_columns
from posteriori.inference.bayes.corrected.correct import most_moved
from posteriori.inference.bayes.posterior import GaussianPosterior, log_determinant


def coefficients(value: Any) -> dict[str, Any]:
    """Return the coefficients in the units of X of scores or of a posterior, whose `w` are in the units of the fit."""
    lead, weights = value.units.to_data(value.w)
    return {"coef_": weights, "intercept_": lead}


def _link_regression(model: LinkRegression) -> dict[str, Any]:
    found = coefficients(model.scores_)
    if model.link_.n_scores > 1:
        lead, weights = model.link_.expand(found["intercept_"][None])[0], model.link_.expand(found["coef_"].T).T
        found = {"coef_": weights, "intercept_": lead}
    n_parameters = (len(model.classes_) - 1) * model.scores_.units.n_coefficients
    chosen = vars(model).get("evidence_")
    n_iter = model.solution_.iterations + (0 if chosen is None else chosen.evaluations)
    return {**found, **_counts(model), **_likelihoods(model), "n_parameters_": n_parameters, "n_iter_": n_iter}


def _has_plain_labels(model: LinkRegression) -> bool:
    """Return whether the file says that each row had one class: its scores were summed once, by rows and by trials."""
    known = model.information_
    return known.sums is not None and known.sums.by_rows is None and known.n_copies is not None


def _counts(model: LinkRegression) -> dict[str, Any]:
    known, sampling = model.information_, is_sampling(model.weights)
    found: dict[str, Any] = {"information_.n_free": len(known.infinite) - known.aliased.shape[1]}
    if not sampling:
        found["information_.scale"] = 1.0
    if known.pairs is not None:
        reference = getattr(model.link_, "reference", None) or 0
        found["information_.infinite"] = against(known.pairs, len(model.classes_), reference).ravel()
    if _has_plain_labels(model):
        total = float(known.totals.sum())
        found |= {"information_.scale": total / known.n_rows} if sampling else {}
        found["information_.n_copies"] = float(known.n_rows) if sampling else total
    return found


def _likelihoods(model: LinkRegression) -> dict[str, Any]:
    """Return what follows from the loss and the class totals.

    Log likelihoods are a constant less a loss, the constant being zero where each row has one class. The loss of the
    model without columns has a closed form where there is no offset.
    """
    known, log_likelihood = model.information_, model.log_likelihood_
    plain = {"log_likelihood_": -known.loss, "deviance_": 2.0 * known.loss}
    found = plain if _has_plain_labels(model) else _of_counts(model, known.loss)
    null = model.null_log_likelihood_
    if not model.takes_offset_:
        null_loss = loss_without_columns(model.link_, known.totals, model.scores_.units.intercept)
        null = found["null_log_likelihood_"] = log_likelihood + known.loss - null_loss
    found["null_deviance_"] = model.deviance_ + 2.0 * (log_likelihood - null)
    if not known.jeffreys:
        penalty = 0.0 if known.prior is None else known.prior.value(model.scores_.w.ravel())
        found["solution_.objective"] = known.loss + penalty
    if not is_sampling(model.weights) or hasattr(model, "aic_"):  # earlier versions had them with sampling weights too
        # earlier versions counted trials, not rows
        n = known.totals.sum() if known.n_copies is None else known.n_copies
        found |= _criteria(known.n_free, n, log_likelihood)
    return found


def _of_counts(model: Any, loss: float) -> dict[str, float]:
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


def _bayesian(model: BayesianLogisticRegression) -> dict[str, Any]:
    posterior, corrected = model.posterior_, vars(model).get("corrected_")
    n_parameters = (len(model.classes_) - 1) * posterior.units.n_coefficients
    found = {**coefficients(posterior), "n_parameters_": n_parameters}
    if corrected is not None:
        found["corrected_.moved"] = most_moved(posterior, corrected)
    if posterior.log_evidence is not None and model.n_batches_ == 1:
        evidence = _evidence(posterior, model.log_likelihood_)
        found |= {} if evidence is None else {"posterior_.log_evidence": evidence}
    return found


def _evidence(posterior: GaussianPosterior, log_likelihood: float) -> float | None:
    """Compute the evidence by Laplace's approximation; None where a precision is singular to rounding.

    Book: [Bishop] Eq. 4.137, §4.4.1.
    """
    determinant = log_determinant(posterior.prior.matrix())
    sizes = np.linalg.svd(posterior.root, compute_uv=False)
    if determinant is None or len(sizes) < posterior.w.size or not sizes.min() > 0:
        return None
    return float(log_likelihood - posterior.prior.value(posterior.w.ravel()) + 0.5 * determinant + np.log(sizes).sum())


def _noisy_or(model: NoisyOr) -> dict[str, Any]:
    found, k = coefficients(model.scores_), model.scores_.units.n_coefficients
    theta, loss = found["coef_"][0], model.solution_.objective
    # files of earlier versions do not have the number of trials
    n = vars(model).get("n_trials_", np.exp((model.bic_ + 2.0 * model.log_likelihood_) / k))
    return {
        **found,
        **_of_counts(model, loss),
        **_criteria(k, n, model.log_likelihood_),
        "theta_": theta,
        "leak_": found["intercept_"][0],
        "failure_probabilities_": np.exp(-theta),
        "n_parameters_": k,
        "n_iter_": model.solution_.iterations,
    }


#: What follows, by the class it holds for.
DERIVED_REGRESSIONS: dict[type, Callable[[Any], dict[str, Any]]] = {
    LinkRegression: _link_regression,
    BayesianLogisticRegression: _bayesian,
    NoisyOr: _noisy_or,
}
