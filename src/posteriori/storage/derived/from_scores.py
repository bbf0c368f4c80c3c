"""What follows from the scores, the posterior and the class totals of a linear model."""

from typing import Any

import numpy as np

from posteriori.estimators.discriminants.fisher_discriminant import FisherDiscriminant
from posteriori.estimators.discriminants.from_scatter import FromScatter
from posteriori.estimators.discriminants.perceptron import Perceptron
from posteriori.estimators.linear import LinearClassifier
from posteriori.fits.fisher import NEVER
from posteriori.storage.registry import DERIVED


@DERIVED.of(FromScatter, Perceptron)
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
