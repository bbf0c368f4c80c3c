"""Log probabilities of any classifier, and the scores that follow from them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from posteriori.arrays import Array


def log_probabilities_of(model: Any, X: Any, params: Mapping[str, Any] | None = None) -> Array:
    """Return log P(class | x), (n, K): the model's own, or the log of its probabilities."""
    with np.errstate(divide="ignore"):  # the log of a probability of zero is -inf
        if hasattr(model, "predict_log_proba"):
            return np.array(model.predict_log_proba(X, **(params or {})), dtype=np.float64)
        logs: Array = np.log(np.asarray(model.predict_proba(X, **(params or {})), dtype=np.float64))
    return logs


def log_odds(logs: Array) -> Array:
    """Return the log odds of the second of two classes, (n,); for more classes the logs unchanged, (n, K).

    >>> log_odds(np.log([[0.25, 0.75]])).round(6).tolist()
    [1.098612]
    """
    return logs if logs.shape[1] > 2 else logs[:, 1] - logs[:, 0]
