"""What held-out rows tell of a model: one number a row, from log probabilities and the true class."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.tables.errors import DataError
from posteriori.tables.notes import listed

Array = NDArray[np.float64]
Codes = NDArray[np.intp]

#: The most bins of a calibration error, and the fewest rows a bin should have.
BINS, ROWS_PER_BIN = 10, 20


@dataclass(frozen=True)
class Metric:
    """A score of each row whose mean is the score of the model.

    Parameters
    ----------
    score : (logs (n, K), codes (n,)) -> (n,)
    lower_is_better : which way it ranks
    bounds : the least and the greatest mean there can be
    share : whether each row scores 0 or 1
    """

    score: Callable[[Array, Codes], Array]
    lower_is_better: bool
    bounds: tuple[float, float]
    share: bool = False


def log_loss(logs: Array, codes: Codes) -> Array:
    """Give -log P(true class), (n,).

    Book: [Bishop] Eq. 4.90 and 4.108, §4.3.2-4.3.4: the cross-entropy.
    """
    loss: Array = -logs[np.arange(len(codes)), codes]
    return loss + 0.0  # -0.0 of a certain row is 0.0


def accuracy(logs: Array, codes: Codes) -> Array:
    """Give 1 where the most probable class is the true one; of equals, the first class counts."""
    right: Array = (logs.argmax(axis=1) == codes).astype(np.float64)
    return right


def error(logs: Array, codes: Codes) -> Array:
    """Give 1 where the most probable class is not the true one; of equals, the first class counts."""
    wrong: Array = (logs.argmax(axis=1) != codes).astype(np.float64)
    return wrong


def brier(logs: Array, codes: Codes) -> Array:
    """Give the squared distance between the probabilities and the true class's corner of the simplex, 0 to 2."""
    squared: Array = np.square(distances(logs, codes)).sum(axis=1)
    return squared


def distances(logs: Array, codes: Codes) -> Array:
    """Give P(class) less 1 for the true class, less 0 for the others, (n, K)."""
    apart = np.exp(logs)
    at = np.arange(len(codes)), codes
    apart[at] = np.expm1(logs[at])  # p - 1, exact near 1
    return apart


def calibration_error(logs: Array, codes: Codes) -> Array:
    """Give each row's part in the gap between what was forecast and what came, averaged over the classes.

    For each class the rows are sorted by its probability p and cut into up to 10 bins of equally many rows (at least
    20 each, rows of equal p together). The error is the mean over classes of sum_b (n_b / n) |mean of p - share of
    the class| over the bins b: for two classes the distance between a reliability diagram and its diagonal. It is a
    mean over rows of (p - [row is of the class]) times the sign of its bin's gap, which is what is given here, (n,).

    Notes
    -----
    Even a perfectly calibrated model has gaps by chance, of about 0.8 sqrt(p(1-p)/n_b) a bin, so a small error is no
    proof of miscalibration, and models are to be compared on the same rows.

    >>> logs = np.log(np.full((40, 2), 0.5))
    >>> round(calibration_error(logs, np.repeat([0, 1], [30, 10])).mean().item(), 12)
    0.25
    """
    apart = distances(logs, codes)
    n, n_classes = apart.shape
    bins = max(1, min(BINS, n // ROWS_PER_BIN))
    parts = np.zeros(n)
    for k in range(n_classes):
        before = np.searchsorted(np.sort(logs[:, k]), logs[:, k], side="left")
        place = before * bins // n
        gaps = np.bincount(place, apart[:, k], bins)
        parts += np.sign(gaps)[place] * apart[:, k]
    averaged: Array = parts / n_classes
    return averaged


#: Metrics of a comparison by name; the first is the one models are ranked by.
METRICS = {
    "log_loss": Metric(log_loss, lower_is_better=True, bounds=(0.0, np.inf)),
    "brier": Metric(brier, lower_is_better=True, bounds=(0.0, 2.0)),
    "accuracy": Metric(accuracy, lower_is_better=False, bounds=(0.0, 1.0), share=True),
    "calibration_error": Metric(calibration_error, lower_is_better=True, bounds=(0.0, 1.0)),
}


def read_metrics(metrics: Sequence[str] | str | None, models: dict[str, Any]) -> tuple[str, ...]:
    """Check the metrics; models without probabilities can only be right or wrong."""
    plain = [name for name, model in models.items() if not hasattr(model, "predict_proba")]
    if metrics is None:
        return ("accuracy",) if plain else tuple(METRICS)
    names = tuple([metrics] if isinstance(metrics, str) else metrics)
    strangers = [name for name in names if name not in METRICS]
    if strangers or not names or len(set(names)) < len(names):
        got = listed(strangers or list(names)) or "none"
        raise DataError(f"metrics must be out of {listed(list(METRICS))}, each once; got {got}.")
    if plain and set(names) != {"accuracy"}:
        raise DataError(f"{listed(plain)} give(s) no probabilities, so only metrics=['accuracy'] can compare them.")
    return names
