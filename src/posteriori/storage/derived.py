"""Attributes that follow from others: a file in which they do not is refused, so that no summary contradicts `predict`.

What predictions are made of is primary: ``scores_``, ``posterior_``, ``density_``. Coefficients, means, counts of
parameters and information criteria are computed again from it, as fit computes them, and compared.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.classifiers.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.classifiers.fisher_discriminant import FisherDiscriminant
from posteriori.classifiers.generative import GenerativeClassifier
from posteriori.classifiers.link_regression import LinkRegression
from posteriori.classifiers.noisy_or import NoisyOr
from posteriori.classifiers.perceptron import Perceptron
from posteriori.classifiers.within import WithinClassifier
from posteriori.inference.information import is_sampling
from posteriori.inference.projection import NEVER
from posteriori.storage.demands import wrong
from posteriori.sweeps.scores import LinearScores

Array = NDArray[np.float64]
#: Relative difference beyond which a derived number is another number; rounding on other processors is far below.
TOLERANCE = 1e-9


def check_derived(model: Any, where: str) -> None:
    """Raise unless every derived attribute of a fitted model is what follows from the primary ones."""
    for kind, derive in DERIVED.items():
        if not isinstance(model, kind):
            continue
        with np.errstate(all="ignore"):
            wanted = derive(model)
        for name, value in wanted.items():
            if not _agree(getattr(model, name, None), value, _reach(model, name)):
                wrong(f"{where}.{name}", "does not follow from what predictions are made of")


def _agree(found: Any, wanted: Any, reach: float) -> bool:
    if isinstance(wanted, int):  # the parameters of a joint table are more than a float can count
        return isinstance(found, int | np.integer) and int(found) == wanted
    if not isinstance(found, np.ndarray | float | int | np.number) or np.shape(found) != np.shape(wanted):
        return False
    return np.allclose(found, wanted, rtol=TOLERANCE, atol=TOLERANCE * reach, equal_nan=True)


def _reach(model: Any, name: str) -> float:
    """Bound what rounding leaves of an intercept, a difference of large numbers where columns are far from zero."""
    scores = vars(model).get("scores_")
    if name not in ("intercept_", "leak_") or not isinstance(scores, LinearScores) or not scores.units.intercept:
        return 0.0
    with np.errstate(all="ignore"):
        size = float(np.abs(scores.w[:, 1:] / scores.units.scale * scores.units.centre).sum(axis=1).max(initial=0.0))
    return size if np.isfinite(size) else 0.0


def _coefficients(model: Any) -> dict[str, Any]:
    lead, weights = model.scores_.units.to_data(model.scores_.w)
    return {"coef_": weights, "intercept_": lead}


def _spread_coefficients(model: Any) -> dict[str, Any]:
    lead, weights = model.scores_.units.to_data(model.scores_.w)
    if model.link_.n_scores > 1:
        lead, weights = model.link_.spread(lead[None])[0], model.link_.spread(weights.T).T
    return {"coef_": weights, "intercept_": lead}


def _link_regression(model: LinkRegression) -> dict[str, Any]:
    known, log_likelihood = model.information_, model.log_likelihood_
    criteria: dict[str, Any] = {}
    if not is_sampling(model.weights) or hasattr(model, "aic_"):  # earlier versions had them with sampling weights too
        # earlier versions counted trials, not rows
        k, n = known.n_free, known.totals.sum() if known.n_copies is None else known.n_copies
        criteria = {"aic_": 2.0 * (k - log_likelihood), "bic_": k * np.log(n) - 2.0 * log_likelihood}
    n_parameters = (len(model.classes_) - 1) * model.scores_.units.n_coefficients
    return {**_spread_coefficients(model), **criteria, "n_parameters_": n_parameters}


def _bayesian(model: BayesianLogisticRegression) -> dict[str, Any]:
    lead, weights = model.posterior_.units.to_data(model.posterior_.w)
    n_parameters = (len(model.classes_) - 1) * model.posterior_.units.n_coefficients
    return {**_coefficients(model), "coef_": weights, "intercept_": lead, "n_parameters_": n_parameters}


def _noisy_or(model: NoisyOr) -> dict[str, Any]:
    lead, weights = model.scores_.units.to_data(model.scores_.w)
    n = model.scores_.units.n_coefficients
    return {
        "coef_": weights,
        "intercept_": lead,
        "theta_": weights[0],
        "leak_": lead[0],
        "failure_probabilities_": np.exp(-weights[0]),
        "n_parameters_": n,
        "aic_": 2.0 * (n - model.log_likelihood_),
    }


def _generative(model: GenerativeClassifier) -> dict[str, Any]:
    priors = model._priors(model.statistics_)
    n_parameters = model._n_parameters(model.density_, len(model.classes_))
    attributes = model._attributes(model.statistics_, model.density_, model.class_priors_)
    return {"class_priors_": priors, "n_parameters_": n_parameters, **attributes}


def _within(model: WithinClassifier) -> dict[str, Any]:
    found = _coefficients(model)
    lead = found["intercept_"]
    found["intercept_"] = np.where(np.abs(lead) < 0.5 * NEVER, lead, np.copysign(np.inf, lead))
    n_columns = model.scores_.units.n_coefficients
    return {**found, "n_parameters_": (len(model.classes_) - 1) * n_columns}


def _fisher(model: FisherDiscriminant) -> dict[str, Any]:
    projection = model.projection_
    total, q = model.eigenvalues_.sum(), len(projection.w)
    kept = model.eigenvalues_[:q]
    return {
        "scalings_": projection.w[:, 1:].T / projection.units.scale[:, None],
        "means_": model.statistics_.within.mean,
        "explained_variance_ratio_": kept / total if total > 0 else np.zeros_like(kept),
    }


def _perceptron(model: Perceptron) -> dict[str, Any]:
    w = model.scores_.w
    return {"coef_": w[:, 1:], "intercept_": w[:, 0], "n_parameters_": w.size, "n_updates_": model.state_.updates}


#: What follows, by the class it holds for.
DERIVED: dict[type, Callable[[Any], dict[str, Any]]] = {
    LinkRegression: _link_regression,
    BayesianLogisticRegression: _bayesian,
    NoisyOr: _noisy_or,
    GenerativeClassifier: _generative,
    WithinClassifier: _within,
    FisherDiscriminant: _fisher,
    Perceptron: _perceptron,
}
