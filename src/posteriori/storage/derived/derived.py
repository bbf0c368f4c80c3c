"""Attributes that follow from others: a file in which they do not is refused, so that no summary contradicts `predict`.

What predictions are made of is primary: ``scores_``, ``posterior_``, ``density_``. Coefficients, means, counts of
parameters and information criteria are computed again from it, as fit computes them, and compared. Nothing is compared
that another processor could compute with other leading digits.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.generative.gaussian_classifier import GaussianClassifier
from posteriori.models.linear_scores import LinearScores
from posteriori.storage.derived.from_statistics import DERIVED_STATISTICS, rounding_of_linear_form
from posteriori.storage.derived.regressions import DERIVED_REGRESSIONS
from posteriori.storage.requirements import wrong

#: Relative difference beyond which a derived number is another number; rounding on other processors is far below.
TOLERANCE = 1e-9
#: Names of what is a logarithm of a probability of all rows, and by how much more it may differ.
LOGARITHMS = ("likelihood_", "deviance_", "objective", "evidence", "aic_", "bic_", "moved")
LOOSER = 1e3


def check_derived(model: Any, where: str) -> None:
    """Raise unless every derived attribute of a fitted model is what follows from the primary ones."""
    for kind, derive in DERIVED.items():
        if not isinstance(model, kind):
            continue
        with np.errstate(all="ignore"):
            wanted = derive(model)
        for name, value in wanted.items():
            if not _agree(_found(model, name), value, _reach(model, name, value)):
                wrong(f"{where}.{name}", "does not follow from what predictions are made of")


def _found(model: Any, name: str) -> Any:
    """Return an attribute, or a part of one by a name with dots; None where it is not there."""
    for part in name.split("."):
        model = model[int(part)] if part.isdigit() else getattr(model, part, None)
    return model


def _agree(found: Any, wanted: Any, reach: Any) -> bool:
    if isinstance(wanted, int):  # the parameters of a joint table are more than a float can count
        return isinstance(found, int | np.integer) and int(found) == wanted
    if not isinstance(found, np.ndarray | float | int | np.number) or np.shape(found) != np.shape(wanted):
        return False
    return np.allclose(found, wanted, rtol=TOLERANCE, atol=TOLERANCE * reach, equal_nan=True)


def _reach(model: Any, name: str, wanted: Any) -> Any:
    """Return what the absolute error is relative to.

    An intercept is a difference of large numbers where columns are far from zero. Logarithms are sums over rows, known
    to the accuracy of the point that they were computed at.
    """
    if isinstance(model, GaussianClassifier) and name in ("coef_", "intercept_"):
        with np.errstate(all="ignore"):
            return rounding_of_linear_form(model, name) / TOLERANCE
    if name.endswith(LOGARITHMS):
        return LOOSER * max(1.0, float(np.nanmax(np.abs(wanted), initial=0.0)))
    scores = vars(model).get("scores_")
    if name not in ("intercept_", "leak_") or not isinstance(scores, LinearScores) or not scores.units.intercept:
        return 0.0
    with np.errstate(all="ignore"):
        size = float(np.abs(scores.w[:, 1:] / scores.units.scale * scores.units.centre).sum(axis=1).max(initial=0.0))
    return size if np.isfinite(size) else 0.0


def _perceptron(model: Perceptron) -> dict[str, Any]:
    w = model.scores_.w
    return {"coef_": w[:, 1:], "intercept_": w[:, 0], "n_parameters_": w.size, "n_updates_": model.state_.updates}


#: What follows, by the class it holds for.
DERIVED: dict[type, Callable[[Any], dict[str, Any]]] = {
    **DERIVED_REGRESSIONS,
    **DERIVED_STATISTICS,
    Perceptron: _perceptron,
}
