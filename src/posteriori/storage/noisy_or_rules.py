"""Rules for the noisy-OR: nothing negative, and one theta in all the places that hold it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.links.noisy_or import NoisyOrLink
from posteriori.solvers.bounded_newton import BoundedSolution
from posteriori.storage.demands import finite, instance, natural, not_negative, wrong
from posteriori.sweeps.scores import LinearScores


def noisy_or(model: Any, where: str) -> None:
    """Ask that theta, failure probabilities, coefficients and scores say the same, and that columns are not centred."""
    d = int(model.n_features_in_)
    for name, kind in (("scores_", LinearScores), ("link_", NoisyOrLink), ("solution_", BoundedSolution)):
        instance(getattr(model, name, None), kind, f"{where}.{name}")
    instance(getattr(model, "leak_", None), float, f"{where}.leak_")
    finite(getattr(model, "theta_", None), (d,), f"{where}.theta_")
    not_negative(model.theta_, (d,), f"{where}.theta_")
    not_negative(np.array(model.leak_), (), f"{where}.leak_")
    natural(model.n_parameters_, f"{where}.n_parameters_", least=1)
    units, w = model.scores_.units, model.scores_.w
    if len(units.scale) != d or len(w) != 1 or units.intercept != model.leak or units.centre.any():
        wrong(f"{where}.scores_", f"is not one score over {d} columns that are not centred")
    not_negative(w, w.shape, f"{where}.scores_.w")
    lead, weights = units.to_data(w)
    for name, wanted in (
        ("theta_", weights[0]),
        ("coef_", weights),
        ("intercept_", lead),
        ("leak_", lead[0]),
        ("failure_probabilities_", np.exp(-model.theta_)),
    ):
        found = np.asarray(getattr(model, name, np.nan))
        if found.shape != wanted.shape or not np.allclose(found, wanted, rtol=1e-12, atol=0.0):
            wrong(f"{where}.{name}", "does not belong to the scores")


#: By the name of the class.
NOISY_OR_RULES: dict[str, Callable[[Any, str], None]] = {"NoisyOr": noisy_or}
