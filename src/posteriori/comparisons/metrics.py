"""What a held-out row tells of a model: one number a row, from log probabilities and the true class."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True)
class Metric:
    """A score of each row; `best` is min or max."""

    score: Callable[[Array, Codes], Array]
    lower_is_better: bool


def log_loss(logs: Array, codes: Codes) -> Array:
    """Give -log P(true class), (n,).

    Book: [Bishop] Eq. 4.90 and 4.108, §4.3.2-4.3.4: the cross-entropy.
    """
    loss: Array = -logs[np.arange(len(codes)), codes]
    return loss


def accuracy(logs: Array, codes: Codes) -> Array:
    """Give 1 where the most probable class is the true one."""
    right: Array = (logs.argmax(axis=1) == codes).astype(np.float64)
    return right


def brier(logs: Array, codes: Codes) -> Array:
    """Give the squared distance between the probabilities and the true class's corner of the simplex."""
    apart = np.exp(logs)
    apart[np.arange(len(codes)), codes] = np.expm1(log_loss(logs, codes) * -1.0)  # p - 1, exact near 1
    squared: Array = np.square(apart).sum(axis=1)
    return squared


#: Metrics by name; the first is the one models are ranked by.
METRICS = {
    "log_loss": Metric(log_loss, lower_is_better=True),
    "accuracy": Metric(accuracy, lower_is_better=False),
    "brier": Metric(brier, lower_is_better=True),
}
