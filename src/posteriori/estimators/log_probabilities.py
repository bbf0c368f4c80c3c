"""Log probabilities of any classifier, and the scores that follow from them."""

from typing import Any

import numpy as np

from posteriori.arrays import Array


def log_probabilities_of(model: Any, X: Any, given: dict[str, Any]) -> Array:
    """Give log P(class | x), (n, K): as the classifier has it, or the log of its probabilities."""
    with np.errstate(divide="ignore"):  # a probability of zero has the log -inf
        if hasattr(model, "predict_log_proba"):
            return np.array(model.predict_log_proba(X, **given), dtype=np.float64)
        logs: Array = np.log(np.asarray(model.predict_proba(X, **given), dtype=np.float64))
    return logs


def log_odds(logs: Array) -> Array:
    """Give the log odds of the second of two classes, (n,); for more the logs themselves, (n, K).

    >>> log_odds(np.log([[0.25, 0.75]])).round(6).tolist()
    [1.098612]
    """
    return logs if logs.shape[1] > 2 else logs[:, 1] - logs[:, 0]
