"""What follows from the statistics of models that are fitted through statistics (`derived`)."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from sklearn.base import clone

from posteriori.classifiers.fisher_discriminant import FisherDiscriminant
from posteriori.classifiers.generative import GenerativeClassifier
from posteriori.classifiers.within import WithinClassifier
from posteriori.engines.blas import single_threaded_blas
from posteriori.inference.projection import NEVER

#: Parts of densities that follow only up to a rotation, or from a search; rules say that they go with the covariance.
UP_TO_ROTATION = ("whiten", "colour", "loadings", "narrow", "directions", "sizes", "noise")
#: What a fit of least squares or of Fisher's discriminant computes from its statistics.
WITHIN: tuple[str, ...] = ("n_parameters_", "scores_.w")
FISHER: tuple[str, ...] = (
    "n_parameters_", "coef_", "scalings_", "eigenvalues_", "explained_variance_ratio_", "means_", "projection_.w",
)  # fmt: skip


def _generative(model: GenerativeClassifier) -> dict[str, Any]:
    priors = model._priors(model.statistics_)
    n_parameters = model._n_parameters(model.density_, len(model.classes_))
    attributes = model._attributes(model.statistics_, model.density_, model.class_priors_)
    return {"class_priors_": priors, "n_parameters_": n_parameters, **attributes, **_densities(model)}


def _densities(model: GenerativeClassifier) -> dict[str, Any]:
    """Estimate the densities again."""
    found = {}
    for i, (group, part) in enumerate(zip(model.statistics_.groups, model.statistics_.statistics, strict=True)):
        with single_threaded_blas():
            parameters = group.family.estimate(part)
        for each in fields(parameters):  # type: ignore[arg-type]
            if each.name not in UP_TO_ROTATION:
                found[f"density_.parameters.{i}.{each.name}"] = getattr(parameters, each.name)
    return found


def _within(model: WithinClassifier) -> dict[str, Any]:
    """Solve again; a threshold of the fewest mistakes needs rows, so its model has only the direction."""
    solver, names = model, WITHIN
    if isinstance(model, FisherDiscriminant):
        names = (*FISHER, *WITHIN)
        if model.threshold == "least-error":
            solver, names = clone(model).set_params(threshold="gaussian"), FISHER
    with single_threaded_blas():
        _, found = solver._solve(model.statistics_)
    lead, weights = model.scores_.units.to_data(model.scores_.w)
    lead = np.where(np.abs(lead) < 0.5 * NEVER, lead, np.copysign(np.inf, lead))
    return {**{name: _part(found, name) for name in names}, "coef_": weights, "intercept_": lead}


def _part(found: dict[str, Any], name: str) -> Any:
    name, *rest = name.split(".")
    return getattr(found[name], *rest) if rest else found[name]


#: What follows, by the class it holds for.
DERIVED_STATISTICS: dict[type, Callable[[Any], dict[str, Any]]] = {
    GenerativeClassifier: _generative,
    WithinClassifier: _within,
}
