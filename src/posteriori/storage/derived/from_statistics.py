"""What follows from the densities and scores of models that are fitted through statistics (`derived`)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.estimators.discriminants.class_means import WithinClassifier
from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.fits.fisher import NEVER

#: Units of rounding, times the number of columns, by which one solution of linear equations may differ from another.
UNITS = 64


def _generative(model: GenerativeClassifier) -> dict[str, Any]:
    priors = model._priors(model.statistics_)
    n_parameters = model._n_parameters(model.density_, len(model.classes_))
    attributes = model._attributes(model.statistics_, model.density_, model.class_priors_)
    return {"class_priors_": priors, "n_parameters_": n_parameters, **attributes}


def _within(model: WithinClassifier) -> dict[str, Any]:
    lead, weights = model.scores_.units.to_data(model.scores_.w)
    lead = np.where(np.abs(lead) < 0.5 * NEVER, lead, np.copysign(np.inf, lead))
    n_parameters = (len(model.classes_) - 1) * model.scores_.units.n_coefficients
    return {"coef_": weights, "intercept_": lead, "n_parameters_": n_parameters}


def _fisher(model: FisherDiscriminant) -> dict[str, Any]:
    projection, total = model.projection_, model.eigenvalues_.sum()
    largest = model.eigenvalues_[: len(projection.w)]
    return {
        "scalings_": projection.w[:, 1:].T / projection.units.scale[:, None],
        "means_": model.statistics_.within.mean,
        "explained_variance_ratio_": largest / total if total > 0 else np.zeros_like(largest),
    }


def rounding_of_linear_form(model: GaussianClassifier, name: str) -> NDArray[np.float64]:
    """Bound the difference of ``coef_`` (d,) or ``intercept_`` when another processor computes it from the covariance.

    Both are S^-1 applied to the class means: what rounding does to them grows with the condition number of the
    correlation matrix and with the means in standard deviations.
    """
    covariance = model.covariance_
    sd = np.sqrt(np.diagonal(covariance))
    condition = np.linalg.cond(np.nan_to_num(covariance / sd[:, None] / sd))
    far = np.linalg.norm(model.means_ / sd, axis=1).max()
    unit = UNITS * len(sd) * np.finfo(np.float64).eps * condition * far
    bound = unit / sd if name == "coef_" else unit * far
    return np.where(np.isnan(bound), np.inf, bound)


#: What follows, by the class it holds for.
DERIVED_STATISTICS: dict[type, Callable[[Any], dict[str, Any]]] = {
    GenerativeClassifier: _generative,
    WithinClassifier: _within,
    FisherDiscriminant: _fisher,
}
