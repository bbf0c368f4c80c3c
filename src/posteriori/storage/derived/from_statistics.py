"""What follows from the statistics and densities of a generative model."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.estimators.generative.base import GenerativeClassifier
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.storage.registry import DERIVED

#: Units of rounding, times the number of columns, by which one solution of linear equations may differ from another.
UNITS = 64


@DERIVED.of(GenerativeClassifier)
def generative(model: GenerativeClassifier) -> dict[str, Any]:
    """Return base rates, the number of parameters, and what the class reports of its density."""
    priors = model._priors(model.statistics_)
    n_parameters = model._n_parameters(model.density_, len(model.classes_))
    attributes = model._attributes(model.statistics_, model.density_, model.class_priors_)
    return {"class_priors_": priors, "n_parameters_": n_parameters, **attributes}


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
