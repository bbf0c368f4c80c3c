"""Fitted models from files of earlier versions, which stored every learned attribute of a classifier by itself.

Attributes that follow from others are not read; those that a value is made of must all be there.
"""

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from posteriori.checks.requirements import fail
from posteriori.estimators.base import Classifier
from posteriori.models.base import FittedModel, InputColumns
from posteriori.models.density import DensityModel
from posteriori.models.information import is_sampling
from posteriori.models.kernel import KernelModel, LspcModel
from posteriori.models.likelihoods import Likelihoods
from posteriori.models.posterior.model import PosteriorModel
from posteriori.models.regression import NoisyOrModel, RegressionModel

#: Attributes that had other names than the fields of models, followed by an underscore, have.
RENAMED = {"linear": "scores_", "precision": "evidence_", "status": "fit_status_"}


class _Attributes(dict[str, Any]):
    """Attributes by name; one that is not there is an error that names it."""

    def __init__(self, attributes: dict[str, Any], where: str) -> None:
        super().__init__(attributes)
        self._where = where

    def __missing__(self, name: str) -> Any:
        fail(f"{self._where}.{name}", "is not there")


def model_of(estimator: Classifier, kind: type[FittedModel], attributes: dict[str, Any], where: str) -> FittedModel:
    """Return the model of a classifier with its parameters, from the learned attributes of an earlier version."""
    own = _Attributes(attributes, where)
    if not isinstance(own["fit_notes_"], list):
        fail(f"{where}.fit_notes_", "is not a list")
    columns = InputColumns.of({"n_features_in_": own["n_features_in_"], **attributes})
    values: dict[str, Any] = {"columns": columns, "notes": tuple(own["fit_notes_"])}
    for base, convert in CONVERSIONS.items():
        if issubclass(kind, base):
            values |= convert(estimator, own)
    for item in fields(kind):
        name = RENAMED.get(item.name, f"{item.name}_")
        if item.name not in values and (name in own or item.default is MISSING):
            values[item.name] = own[name]
    return kind(**values)


def _regression(estimator: Any, own: _Attributes) -> dict[str, Any]:
    link, loss = own["link_"], own["information_"].loss
    with_coefficients = np.arange(len(own["coef_"])) != (link.reference if link.n_scores > 1 else None)
    return {
        "rounded": (own["intercept_"][with_coefficients], own["coef_"][with_coefficients]),
        "likelihoods": _likelihoods(own, loss, own["null_log_likelihood_"]),
        "weights": "sampling" if is_sampling(estimator.weights) else "frequency",
    }


def _likelihoods(own: _Attributes, loss: float, null_log_likelihood: float) -> Likelihoods:
    """Return the parts of likelihoods; the coefficients of counts are zero where they are of the size of rounding."""
    constant, saturated = own["log_likelihood_"] + loss, 0.5 * own["deviance_"] - loss
    size = 1e-9 * max(1.0, abs(loss))
    constant, saturated = (0.0 if abs(value) <= size else value for value in (constant, saturated))
    return Likelihoods(loss, constant - null_log_likelihood, saturated, constant)


def _noisy_or(_: Any, own: _Attributes) -> dict[str, Any]:
    units = own["scores_"].units
    values: dict[str, Any] = {"likelihoods": _likelihoods(own, own["solution_"].objective, np.nan)}
    if "n_trials_" not in own:  # which the criterion counts
        n_trials = np.exp((own["bic_"] + 2.0 * own["log_likelihood_"]) / units.n_coefficients)
        values["n_trials"] = float(n_trials)
    return {**values, "certain": own["infinite_"][0, 0 if units.intercept else 1 :] == 1}


CONVERSIONS: dict[type[Any], Callable[[Any, _Attributes], dict[str, Any]]] = {
    RegressionModel: _regression,
    NoisyOrModel: _noisy_or,
    PosteriorModel: lambda estimator, own: {"correction": own.get("corrected_"), "predictive": estimator.predictive},
    DensityModel: lambda _, own: {"prior_parameters": own["n_parameters_"] - own["density_"].n_parameters},
    KernelModel: lambda _, own: {"scale": own.get("scale_"), "n_free": own["n_parameters_"]},
    LspcModel: lambda _, own: {"precision": own["precision_"]},
}
