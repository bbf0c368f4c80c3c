"""Fitted models from files of earlier versions, which stored every learned attribute of a classifier by itself.

Attributes that follow from others are not read; those that a value is made of must all be there.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.checks.requirements import fail
from posteriori.estimators.base import Classifier
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.least_squares_classifier import LeastSquaresClassifier
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.estimators.kernels.base import KernelClassifier
from posteriori.estimators.kernels.kernel_logistic_regression import KernelLogisticRegression
from posteriori.estimators.regression.bayesian_logistic_regression import BayesianLogisticRegression
from posteriori.estimators.regression.link_regression import LinkRegression
from posteriori.estimators.regression.noisy_or import NoisyOr
from posteriori.models.base import FittedModel, InputColumns
from posteriori.models.density import DensityModel, GaussianModel
from posteriori.models.discriminant import FisherModel, PerceptronModel, ScatterModel
from posteriori.models.information import is_sampling
from posteriori.models.kernel import KernelLogisticModel, KernelModel, LspcModel
from posteriori.models.likelihoods import Likelihoods
from posteriori.models.posterior.model import PosteriorModel
from posteriori.models.regression import NoisyOrModel, RegressionModel

Attributes = dict[str, Any]


class _Required(dict[str, Any]):
    """Attributes by name; one that is not there is an error that names it."""

    def __init__(self, attributes: Attributes, where: str) -> None:
        super().__init__(attributes)
        self._where = where

    def __missing__(self, name: str) -> Any:
        fail(f"{self._where}.{name}", "is not there")


def model_of(estimator: Classifier, attributes: Attributes, where: str) -> FittedModel:
    """Return the model of a classifier with its parameters, from the learned attributes of an earlier version."""
    own = _Required(attributes, where)
    if not isinstance(own["fit_notes_"], list):
        fail(f"{where}.fit_notes_", "is not a list")
    common = {
        "classes": own["classes_"],
        "columns": InputColumns.of({"n_features_in_": own["n_features_in_"], **attributes}),
        "status": own["fit_status_"],
        "notes": tuple(own["fit_notes_"]),
    }
    convert = next(convert for kind, convert in CONVERSIONS.items() if isinstance(estimator, kind))
    return convert(estimator, own, common)


def _regression(estimator: Any, own: Attributes, common: Attributes) -> RegressionModel:
    link, loss = own["link_"], own["information_"].loss
    own_rows = slice(None) if link.reference is None or link.n_scores == 1 else _without(link)
    return RegressionModel(
        **common,
        linear=own["scores_"],
        rounded=(own["intercept_"][own_rows], own["coef_"][own_rows]),
        link=link,
        information=own["information_"],
        likelihoods=_likelihoods(own, loss, own["null_log_likelihood_"]),
        solution=own["solution_"],
        infinite=own["infinite_"],
        takes_offset=own["takes_offset_"],
        weights="sampling" if is_sampling(estimator.weights) else "frequency",
        precision=own.get("evidence_"),
        state=own.get("state_"),
        trace=own.get("trace_"),
    )


def _without(link: Any) -> Any:
    """Return the rows of the classes that have coefficients."""
    return np.flatnonzero(np.arange(link.n_classes) != link.reference)


def _likelihoods(own: Attributes, loss: float, null_log_likelihood: float) -> Likelihoods:
    """Return the parts of likelihoods; the coefficients of counts are zero where they are of the size of rounding."""
    constant, saturated = own["log_likelihood_"] + loss, 0.5 * own["deviance_"] - loss
    size = 1e-9 * max(1.0, abs(loss))
    constant, saturated = (0.0 if abs(value) <= size else value for value in (constant, saturated))
    return Likelihoods(loss, constant - null_log_likelihood, saturated, constant)


def _noisy_or(_: Any, own: Attributes, common: Attributes) -> NoisyOrModel:
    units, solution = own["scores_"].units, own["solution_"]
    k, log_likelihood = units.n_coefficients, own["log_likelihood_"]
    n_trials = own.get("n_trials_")
    if n_trials is None:  # which the criterion counts
        n_trials = float(np.exp((own["bic_"] + 2.0 * log_likelihood) / k))
    return NoisyOrModel(
        **common,
        linear=own["scores_"],
        likelihoods=_likelihoods(own, solution.objective, np.nan),
        solution=solution,
        certain=own["infinite_"][0, 0 if units.intercept else 1 :] == 1,
        n_trials=n_trials,
    )


def _posterior(estimator: Any, own: Attributes, common: Attributes) -> PosteriorModel:
    return PosteriorModel(
        **common,
        posterior=own["posterior_"],
        correction=own.get("corrected_"),
        link=own["link_"],
        precision=own["evidence_"],
        predictive=estimator.predictive,
        seed=own["seed_"],
        n_batches=own["n_batches_"],
        warm_up=own["warm_up_"],
        solution=own["solution_"],
        log_likelihood=own["log_likelihood_"],
    )


def _density(estimator: Any, own: Attributes, common: Attributes) -> DensityModel:
    kind = GaussianModel if isinstance(estimator, GaussianClassifier) else DensityModel
    return kind(
        **common,
        statistics=own["statistics_"],
        density=own["density_"],
        class_priors=own["class_priors_"],
        prior_parameters=own["n_parameters_"] - own["density_"].n_parameters,
    )


def _scatter(_: Any, own: Attributes, common: Attributes) -> ScatterModel:
    return ScatterModel(**common, linear=own["scores_"], statistics=own["statistics_"])


def _fisher(_: Any, own: Attributes, common: Attributes) -> FisherModel:
    return FisherModel(
        **common,
        linear=own["scores_"],
        statistics=own["statistics_"],
        projection=own["projection_"],
        eigenvalues=own["eigenvalues_"],
    )


def _perceptron(_: Any, own: Attributes, common: Attributes) -> PerceptronModel:
    return PerceptronModel(
        **common,
        linear=own["scores_"],
        state=own["state_"],
        n_iter=own["n_iter_"],
        converged=own["converged_"],
        trace=own.get("trace_"),
    )


def _kernels(estimator: Any, own: Attributes, common: Attributes) -> KernelModel:
    logistic = isinstance(estimator, KernelLogisticRegression)
    kind: type[Any] = KernelLogisticModel if logistic else LspcModel
    special = ("solution",) if logistic else ("class_priors", "precision")
    return kind(  # type: ignore[no-any-return]
        **common,
        **{name: own[f"{name}_"] for name in ("centers", "coef", "bandwidth", *special)},
        scale=own.get("scale_"),
        n_free=own["n_parameters_"],
        cross_validation=own.get("cross_validation_"),
    )


CONVERSIONS: dict[type, Callable[[Any, Attributes, Attributes], FittedModel]] = {
    LinkRegression: _regression,
    NoisyOr: _noisy_or,
    BayesianLogisticRegression: _posterior,
    GenerativeClassifier: _density,
    FisherDiscriminant: _fisher,
    LeastSquaresClassifier: _scatter,
    Perceptron: _perceptron,
    KernelClassifier: _kernels,
}
