"""Metrics: one score per held-out row, from log probabilities and the true class."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.decisions.calibration import calibration_error, distances
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote


@dataclass(frozen=True)
class Metric:
    """A score per row; its mean is the score of the model.

    Parameters
    ----------
    name : label in tables
    score : (logs (n, K), codes (n,)) -> (n,)
    lower_is_better : direction of the ranking
    limits : smallest and largest possible mean, for two classes
    proportion : whether each row scores 0 or 1
    sums : whether it is a sum over classes if there are more than two: its range doubles and the label states it
    """

    name: str
    score: Callable[[Array, Codes], Array]
    lower_is_better: bool
    limits: tuple[float, float]
    proportion: bool = False
    sums: bool = False

    def title(self, n_classes: int) -> str:
        """Return the label, with the convention if that depends on the number of classes."""
        return f"{self.name} (sum over classes)" if self.sums and n_classes > 2 else self.name

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return the smallest and the largest possible mean."""
        low, high = self.limits
        return (low, 2.0 * high) if self.sums and n_classes > 2 else (low, high)


def log_loss(logs: Array, codes: Codes) -> Array:
    """Return -log P(true class), (n,).

    Book: [Bishop] Eq. 4.90 and 4.108, §4.3.2-4.3.4: the cross-entropy.
    """
    loss: Array = -logs[np.arange(len(codes)), codes]
    return loss + 0.0  # turns -0.0 into 0.0


def accuracy(logs: Array, codes: Codes) -> Array:
    """Return 1 if the most probable class is the true one, else 0; ties go to the first class."""
    right: Array = (logs.argmax(axis=1) == codes).astype(np.float64)
    return right


def error(logs: Array, codes: Codes) -> Array:
    """Return 1 if the most probable class is not the true one, else 0; ties go to the first class."""
    wrong: Array = (logs.argmax(axis=1) != codes).astype(np.float64)
    return wrong


def brier(logs: Array, codes: Codes) -> Array:
    """Return the squared error of the probabilities, (n,): see `quadratic`."""
    return quadratic(distances(logs, codes))


def quadratic(errors: Array) -> Array:
    """Return the squared length of errors of probabilities (n, K), halved for two classes, (n,).

    For two classes that is (p - y)^2, from 0 to 1; for more the sum over classes of (p_k - y_k)^2, from 0 to 2, Brier's
    own definition (Monthly Weather Review 78, 1950).

    >>> quadratic(np.array([[0.3, -0.3]])).round(4).tolist(), quadratic(np.array([[0.3, -0.2, -0.1]])).round(4).tolist()
    ([0.09], [0.14])
    """
    squared: Array = np.square(errors).sum(axis=1)
    return squared / 2.0 if errors.shape[1] == 2 else squared


#: Metrics of a comparison by name; the first ranks the models.
METRICS = {
    "log_loss": Metric("log loss", log_loss, lower_is_better=True, limits=(0.0, np.inf)),
    "brier": Metric("Brier score", brier, lower_is_better=True, limits=(0.0, 1.0), sums=True),
    "accuracy": Metric("accuracy", accuracy, lower_is_better=False, limits=(0.0, 1.0), proportion=True),
    "calibration_error": Metric("calibration error", calibration_error, lower_is_better=True, limits=(0.0, 1.0)),
}


def read_metrics(metrics: Sequence[str] | str | None, models: dict[str, Any]) -> tuple[str, ...]:
    """Check the metrics; only accuracy is defined for models without probabilities."""
    without = [name for name, model in models.items() if not hasattr(model, "predict_proba")]
    if metrics is None:
        return ("accuracy",) if without else tuple(METRICS)
    names = tuple(metrics) if isinstance(metrics, Iterable) and not isinstance(metrics, str) else (metrics,)
    unknown = [name for name in names if not (isinstance(name, str) and name in METRICS)]
    if unknown or not names or len(set(names)) < len(names):
        received = quote(unknown or list(names)) or "none"
        raise DataError(f"metrics must be distinct names out of {quote(list(METRICS))}; got {received}.")
    if without and set(names) != {"accuracy"}:
        raise DataError(f"{quote(without)}: no predict_proba, so the only possible metric is metrics=['accuracy'].")
    return names
