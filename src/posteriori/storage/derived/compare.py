"""Attributes that follow from others; checked so that no summary contradicts `predict`.

Predictions are made of the primary attributes: ``scores_``, ``posterior_``, ``density_``. Coefficients, means, counts
of parameters and information criteria are computed again from these, as fit computes them, and compared. Nothing is
compared that another processor could compute with other leading digits.
"""

from typing import Any

import numpy as np

from posteriori.checks.requirements import are_close, fail
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.models.linear_scores import LinearScores
from posteriori.storage.derived import from_scores, from_statistics
from posteriori.storage.registry import DERIVED

#: The modules that register what follows.
MODULES = (from_scores, from_statistics)
#: Relative difference beyond which a derived number is another number; rounding on other processors is far below.
TOLERANCE = 1e-9
#: Names of logarithms of a probability of all rows, and by how much more they may differ.
LOGARITHMS = ("likelihood_", "deviance_", "objective", "evidence", "aic_", "bic_", "moved")
LOOSER = 1e3


def check_derived(model: Any, where: str) -> None:
    """Raise unless every derived attribute of a fitted model follows from the primary ones."""
    for derive in DERIVED.functions(model):
        for name, expected in derive(model).items():
            if not _agree(_attribute(model, name), expected, _reference_size(model, name, expected)):
                fail(f"{where}.{name}", "does not follow from what predictions are made of")


def _attribute(model: Any, name: str) -> Any:
    """Return an attribute, or a part of one by a name with dots; None where it is not there."""
    for part in name.split("."):
        model = getattr(model, part, None)
    return model


def _agree(actual: Any, expected: Any, size: Any) -> bool:
    if isinstance(expected, int):  # the parameters of a joint table are more than a float can count
        return isinstance(actual, int | np.integer) and int(actual) == expected
    if not isinstance(actual, np.ndarray | float | int | np.number) or np.shape(actual) != np.shape(expected):
        return False
    return are_close(actual, expected, TOLERANCE, TOLERANCE * size)


def _reference_size(model: Any, name: str, expected: Any) -> Any:
    """Return the size that the absolute error is relative to.

    An intercept is a difference of large numbers where columns are far from zero. Logarithms are sums over rows, known
    to the accuracy of the point that they were computed at.
    """
    if isinstance(model, GaussianClassifier) and name in ("coef_", "intercept_"):
        return from_statistics.rounding_of_linear_form(model, name) / TOLERANCE
    if name.endswith(LOGARITHMS):
        return LOOSER * max(1.0, float(np.nan_to_num(np.abs(expected)).max(initial=0.0)))
    scores = vars(model).get("scores_")
    if name not in ("intercept_", "leak_") or not isinstance(scores, LinearScores) or not scores.units.intercept:
        return 0.0
    size = float(np.abs(scores.w[:, 1:] / scores.units.scale * scores.units.centre).sum(axis=1).max(initial=0.0))
    return size if np.isfinite(size) else 0.0
