"""Rules for the noisy-OR: probabilities of failure are probabilities."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posteriori.storage.requirements import at_most_one, natural, not_negative, wrong


def noisy_or(model: Any, where: str) -> None:
    """Ask that nothing is negative, and that columns are not centred."""
    d = int(model.n_features_in_)
    at_most_one(model.infinite_, (1, d + 1), f"{where}.infinite_")
    not_negative(model.theta_, (d,), f"{where}.theta_")
    not_negative(np.array(model.leak_), (), f"{where}.leak_")
    natural(model.n_iter_, f"{where}.n_iter_")
    units, w = model.scores_.units, model.scores_.w
    if len(units.scale) != d or len(w) != 1 or units.intercept != model.leak or units.centre.any():
        wrong(f"{where}.scores_", f"is not one score over {d} columns that are not centred")
    not_negative(w, w.shape, f"{where}.scores_.w")


#: By the name of the class.
NOISY_OR_RULES: dict[str, Callable[[Any, str], None]] = {"NoisyOr": noisy_or}
